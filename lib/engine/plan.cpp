// SPDX-License-Identifier: MIT
#include <algorithm>
#include <functional>

#include "base/text.h"
#include "document/plan_writer.h"
#include "engine/allowance.h"
#include "engine/engine.h"
#include "engine/loans.h"
#include "engine/question.h"
#include "engine/spare_room.h"
#include "policy/request.h"
#include "search/decide.h"
#include "search/verify.h"

namespace cede {

namespace {

// Says whom the plan counts on. What fits only once others have left does not fit into free space.
// `may_ask`: whether anybody may be asked to give way at all when the room of these is free; that can hang on
// more of it than is used then (`queue-max`).
void name_lenders(Plan& plan, const Ledger& ledger,
                  const std::function<bool(std::span<const EntryId>)>& may_ask) {
  std::vector<EntryId> lenders;
  std::string names;
  for (const Loan& loan : loans_of(plan, ledger)) {
    lenders.push_back(loan.from);
    names += (names.empty() ? "" : ", ") + quote(ledger.find(loan.from)->requester().name);
  }
  if (!names.empty()) {
    plan.reason = plan.outcome == Outcome::fits
                      ? "it fits into what the victims of " + names + " leave; nobody else has to give way"
                      : plan.reason + ", which also uses what the victims of " + names + " leave";
  }
  const auto named = [&](std::uint64_t entry) {
    return std::find(lenders.begin(), lenders.end(), entry) != lenders.end();
  };
  const std::vector<InFlight::Spare>& spare = plan.in_flight->spare;
  for (auto next = spare.begin(); plan.outcome == Outcome::preempt && next != spare.end(); ++next) {
    if (named(next->entry)) continue;
    if (may_ask(lenders)) break;
    lenders.push_back(next->entry);
  }
  for (const InFlight::Spare& each : spare) {
    if (named(each.entry)) plan.after.push_back(each.job);
  }
}

}  // namespace

std::optional<Plan> Engine::plan(std::string_view job, Time now, const std::vector<std::string>& terms,
                                 Problems& problems) const {
  QuestionReader reader(ahead(), policies_.get(), problems);
  if (!reader.about_job(job) || !reader.at(moment(now)) || !reader.on_terms(terms)) return std::nullopt;
  return decide_on(reader.question());
}

std::optional<Plan> Engine::plan_after(std::span<const EntryId> before, std::string_view job, Time now,
                                       const std::vector<std::string>& terms, Problems& problems) const {
  QuestionReader reader(ahead(), policies_.get(), problems);
  if (!reader.about_job(job) || !reader.at(moment(now)) || !reader.on_terms(terms)) return std::nullopt;
  return decide_on(reader.question(), before);
}

std::optional<Plan> Engine::plan_relief(std::string_view target, std::string_view group, Time now,
                                        const std::vector<std::string>& terms, Problems& problems) const {
  QuestionReader reader(ahead(), policies_.get(), problems);
  if (!reader.about_relief(target, group) || !reader.at(moment(now)) || !reader.on_terms(terms))
    return std::nullopt;
  return decide_on(reader.question());
}

std::optional<Plan> Engine::plan_claim(std::string_view queue, const std::vector<std::string>& nodes,
                                       std::string_view reason, Time now,
                                       const std::vector<std::string>& terms, Problems& problems) const {
  QuestionReader reader(ahead(), policies_.get(), problems);
  if (!reader.about_claim(queue, nodes, reason) || !reader.at(moment(now)) || !reader.on_terms(terms))
    return std::nullopt;
  return decide_on(reader.question());
}

Question Engine::completed(Question question) const {
  const Model& model = ahead();
  const bool for_job = question.purpose == Purpose::job;
  question.allowance =
      allowance_at(question.now, model, policies_->limits, sequence_, group_of(model, question),
                   for_job ? model.job_name(question.job) : std::string_view{});
  return question;
}

// Who plans anew for an entry that is short sees what that entry keeps as free.
std::shared_ptr<const Outlook> Engine::outlook_of(const Question& question) const {
  std::shared_ptr<const Outlook> usual = outlook();
  if (question.purpose != Purpose::job || sequence_.ledger().size() == 0) return usual;
  const EntryId own = sequence_.live_entry(model_.job_name(question.job));
  if (own == kNoEntry || sequence_.ledger().find(own)->clock.state != EntryState::lacking) return usual;
  auto without = std::make_shared<Outlook>(look_ahead(model_, sequence_, policies_.get(), own));
  without->in_flight.below_fair_share = usual->in_flight.below_fair_share;
  return without;
}

Plan Engine::decide_on(Question question, std::span<const EntryId> before) const {
  const std::shared_ptr<const Outlook> outlook = outlook_of(question);
  // Who plans anew may count on whom it counted on before.
  std::vector<EntryId> lenders(before.begin(), before.end());
  const bool for_job = question.purpose == Purpose::job;
  if (const EntryId own = for_job ? sequence_.live_entry(model_.job_name(question.job)) : kNoEntry) {
    for (const Loan& loan : sequence_.ledger().find(own)->loans) lenders.push_back(loan.from);
  }
  question = completed(std::move(question));
  const auto answer = [&](const std::shared_ptr<const Outlook>& seen, bool triggers_only) {
    question.triggers_only = triggers_only;
    const std::shared_ptr<const InFlight> in_flight(seen, &seen->in_flight);
    Plan plan = decide({seen->model, policies_, in_flight, &grounds_, crew_.get()}, question);
    plan.revision = revision_;
    return plan;
  };
  const std::shared_ptr<const Outlook> with_spare = with_spare_room(outlook, sequence_, lenders);
  if (with_spare == outlook) return answer(outlook, false);
  // Who fits into idle space waits for nobody.
  Plan alone = answer(outlook, true);
  if (alone.outcome == Outcome::fits) return alone;
  Plan plan = answer(with_spare, false);
  name_lenders(plan, sequence_.ledger(), [&](std::span<const EntryId> of) {
    return alone.outcome == Outcome::preempt ||
           answer(with_spare_room(outlook, sequence_, of), true).outcome == Outcome::preempt;
  });
  return plan;
}

std::string plan_document(const Plan& plan, bool explained) {
  if (!explained || plan.units_told) return write_plan(plan, explained);
  Plan told = plan;
  tell_units(told);
  return write_plan(told, true);
}

std::string plan_objective(const Plan& plan) { return write_objective(plan); }

std::string plan_task_label(const Plan& plan, TaskId row, std::uint32_t index) {
  return task_label(plan.model(), row, index);
}

std::string plan_fault(const Plan& plan, const PolicySet& policies) { return verify(plan, policies); }

}  // namespace cede
