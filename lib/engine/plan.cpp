// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>

#include "base/text.h"
#include "document/plan_writer.h"
#include "engine/allowance.h"
#include "engine/engine.h"
#include "engine/question.h"
#include "policy/request.h"
#include "search/decide.h"
#include "search/verify.h"

namespace cede {

std::optional<Plan> Engine::plan(std::string_view job, Time now, const std::vector<std::string>& terms,
                                 Problems& problems) const {
  QuestionReader reader(ahead(), policies_.get(), problems);
  if (!reader.about_job(job) || !reader.at(now) || !reader.on_terms(terms)) return std::nullopt;
  return decide_on(reader.question());
}

std::optional<Plan> Engine::plan_relief(std::string_view target, std::string_view group, Time now,
                                        const std::vector<std::string>& terms, Problems& problems) const {
  QuestionReader reader(ahead(), policies_.get(), problems);
  if (!reader.about_relief(target, group) || !reader.at(now) || !reader.on_terms(terms)) return std::nullopt;
  return decide_on(reader.question());
}

std::optional<Plan> Engine::plan_claim(std::string_view queue, const std::vector<std::string>& nodes,
                                       std::string_view reason, Time now,
                                       const std::vector<std::string>& terms, Problems& problems) const {
  QuestionReader reader(ahead(), policies_.get(), problems);
  if (!reader.about_claim(queue, nodes, reason) || !reader.at(now) || !reader.on_terms(terms))
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
  auto without = std::make_shared<Outlook>(look_ahead(model_, sequence_, own));
  without->in_flight.below_fair_share = usual->in_flight.below_fair_share;
  return without;
}

Plan Engine::decide_on(Question question) const {
  const std::shared_ptr<const Outlook> outlook = outlook_of(question);
  Plan plan = decide(outlook->model, *policies_, {outlook, &outlook->in_flight},
                     completed(std::move(question)), {policies_, &grounds_, crew_.get()});
  plan.revision = revision_;
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
