// SPDX-License-Identifier: MIT
#include "engine/plan.h"

#include <algorithm>
#include <functional>

#include "base/text.h"
#include "document/json_text.h"
#include "document/plan_writer.h"
#include "engine/allowance.h"
#include "engine/borrow_room.h"
#include "engine/engine.h"
#include "engine/query.h"
#include "policy/request.h"
#include "search/decide.h"
#include "verify/verify.h"

namespace cede {

namespace {

// The jobs planned so far.
class Batch {
 public:
  Batch(const Engine& engine, Time now, const std::vector<std::string>& terms, Problems& problems)
      : ahead_(engine), revision_(engine.revision()), now_(now), terms_(terms), problems_(problems) {}

  bool ask(const std::string& job) {
    std::optional<Plan> plan = ahead_.plan_after(entries_, job, now_, terms_, problems_);
    if (!plan) return false;
    count_holds(*plan);
    wait_for_others(*plan);
    if (plan->outcome == Outcome::fits || plan->outcome == Outcome::preempt) {
      const EntryId entry = ahead_.commit(*plan, *ahead_.policies(), now_, -1, problems_);
      if (entry == kNoEntry) return false;
      entries_.push_back(entry);
    }
    plan->revision = revision_;
    plan->in_batch = true;
    parts_.push_back(std::move(*plan));
    jobs_.push_back(job);
    return true;
  }

  std::vector<Plan> take() { return std::move(parts_); }

 private:
  std::size_t number_of(std::string_view job) const {
    return static_cast<std::size_t>(std::find(jobs_.begin(), jobs_.end(), job) - jobs_.begin());
  }

  // A plan that takes the hold of another plan of the batch also comes after it. A hold that existed before
  // the batch is an ordinary victim, even if its requester was planned again.
  void count_holds(Plan& plan) const {
    const auto number = [&](JobId job) { return number_of(plan.model().job_name(job)); };
    const auto is_yes = [&](std::size_t part) {
      return part < parts_.size() &&
             (parts_[part].outcome == Outcome::fits || parts_[part].outcome == Outcome::preempt);
    };
    for (const PlannedVictim& victim : plan.victims) {
      if (victim.hold != 0 && is_yes(number(victim.job))) plan.after.push_back(victim.job);
    }
    std::sort(plan.after.begin(), plan.after.end(), [&](JobId a, JobId b) { return number(a) < number(b); });
    plan.after.erase(std::unique(plan.after.begin(), plan.after.end()), plan.after.end());
  }

  // The job starts no sooner than the jobs whose victims it waits for.
  void wait_for_others(Plan& plan) const {
    for (const JobId job : plan.after) {
      const std::size_t number = number_of(plan.model().job_name(job));
      if (number == parts_.size()) continue;  // a lender of the job's earlier entry
      const Plan& other = parts_[number];
      plan.expected_start = std::max(plan.expected_start, other.expected_start);
      plan.latest_start = plan.latest_start == kNoTime || other.latest_start == kNoTime
                              ? kNoTime
                              : std::max(plan.latest_start, other.latest_start);
    }
  }

  Engine ahead_;
  const std::uint64_t revision_;
  const Time now_;
  const std::vector<std::string>& terms_;
  Problems& problems_;
  std::vector<std::string> jobs_;
  std::vector<Plan> parts_;       // of these jobs
  std::vector<EntryId> entries_;  // of the plans that can be committed
};

}  // namespace

std::optional<std::vector<Plan>> plan_batch(const Engine& engine, const std::vector<std::string>& jobs,
                                            Time now, const std::vector<std::string>& terms,
                                            Problems& problems) {
  Batch batch(engine, now, terms, problems);
  for (auto job = jobs.begin(); job != jobs.end(); ++job) {
    if (std::find(jobs.begin(), job, *job) != job) {
      problems.error(
          {PathStep::member("jobs"), PathStep::element(static_cast<std::size_t>(job - jobs.begin()))},
          quote(*job) + " is named twice", Status::invalid);
      return std::nullopt;
    }
    if (!batch.ask(*job)) return std::nullopt;
  }
  return batch.take();
}

std::string batch_document(std::span<const std::string> parts) {
  std::string out;
  JsonWriter json(out);
  json.begin_object().key("format").text(kPlanFormat).key("batch").begin_array();
  for (const std::string& part : parts) {
    json.line().raw(std::string_view(part).substr(0, part.find_last_not_of('\n') + 1));
  }
  json.end_array().end_object();
  out.push_back('\n');
  return out;
}

namespace {

// Names the entries that the plan counts on. A job that fits only after the victims of others have left does
// not fit into free space. `may_ask`: whether preemption is allowed at all when the surplus room of these
// entries is free. This can depend on more surplus room than the plan uses (`queue-max`).
void name_lenders(Plan& plan, const Ledger& ledger,
                  const std::function<bool(std::span<const EntryId>)>& may_ask) {
  std::vector<EntryId> lenders;
  std::string names;
  for (const BorrowedRoom& borrowed_room : borrowed_rooms_of(plan, ledger)) {
    lenders.push_back(borrowed_room.from);
    names += (names.empty() ? "" : ", ") + quote(ledger.find(borrowed_room.from)->requester().name);
  }
  if (!names.empty()) {
    plan.reason = plan.outcome == Outcome::fits
                      ? "it fits into what the victims of " + names + " leave; nobody else has to give way"
                      : plan.reason + ", which also uses what the victims of " + names + " leave";
  }
  const auto named = [&](std::uint64_t entry) {
    return std::find(lenders.begin(), lenders.end(), entry) != lenders.end();
  };
  const std::vector<InFlight::SurplusRoom>& surplus_room = plan.in_flight->surplus_rooms;
  for (auto next = surplus_room.begin(); plan.outcome == Outcome::preempt && next != surplus_room.end();
       ++next) {
    if (named(next->entry)) continue;
    if (may_ask(lenders)) break;
    lenders.push_back(next->entry);
  }
  for (const InFlight::SurplusRoom& each : surplus_room) {
    if (named(each.entry)) plan.after.push_back(each.job);
  }
}

}  // namespace

std::optional<Plan> Engine::plan(std::string_view job, Time now, const std::vector<std::string>& terms,
                                 Problems& problems) const {
  QueryReader reader(ahead(), policies_.get(), problems);
  if (!reader.about_job(job) || !reader.at(moment(now)) || !reader.on_terms(terms)) return std::nullopt;
  return decide_on(reader.query());
}

std::optional<Plan> Engine::plan_after(std::span<const EntryId> before, std::string_view job, Time now,
                                       const std::vector<std::string>& terms, Problems& problems) const {
  QueryReader reader(ahead(), policies_.get(), problems);
  if (!reader.about_job(job) || !reader.at(moment(now)) || !reader.on_terms(terms)) return std::nullopt;
  return decide_on(reader.query(), before);
}

std::optional<Plan> Engine::plan_relief(std::string_view target, std::string_view group, Time now,
                                        const std::vector<std::string>& terms, Problems& problems) const {
  QueryReader reader(ahead(), policies_.get(), problems);
  if (!reader.about_relief(target, group) || !reader.at(moment(now)) || !reader.on_terms(terms))
    return std::nullopt;
  return decide_on(reader.query());
}

std::optional<Plan> Engine::plan_claim(std::string_view queue, const std::vector<std::string>& nodes,
                                       std::string_view reason, Time now,
                                       const std::vector<std::string>& terms, Problems& problems) const {
  QueryReader reader(ahead(), policies_.get(), problems);
  if (!reader.about_claim(queue, nodes, reason) || !reader.at(moment(now)) || !reader.on_terms(terms))
    return std::nullopt;
  return decide_on(reader.query());
}

Query Engine::completed(Query query) const {
  const Model& model = ahead();
  const bool for_job = query.purpose == Purpose::job;
  query.allowance = allowance_at(query.now, model, policies_->limits, sequence_, group_of(model, query),
                                 for_job ? model.job_name(query.job) : std::string_view{});
  return query;
}

// If the requester's entry is short of space, the new plan sees the hold of that entry as free.
std::shared_ptr<const ProjectedCluster> Engine::projection_of(const Query& query) const {
  std::shared_ptr<const ProjectedCluster> usual = projection();
  if (query.purpose != Purpose::job || sequence_.ledger().size() == 0) return usual;
  const EntryId own = sequence_.live_entry(model_.job_name(query.job));
  if (own == kNoEntry || sequence_.ledger().find(own)->clock.state != EntryState::short_of_space)
    return usual;
  auto without = std::make_shared<ProjectedCluster>(project_cluster(model_, sequence_, policies_.get(), own));
  without->in_flight.below_fair_share = usual->in_flight.below_fair_share;
  return without;
}

Plan Engine::decide_on(Query query, std::span<const EntryId> before) const {
  const std::shared_ptr<const ProjectedCluster> projection = projection_of(query);
  // A new plan for an entry may use the lenders of that entry.
  std::vector<EntryId> lenders(before.begin(), before.end());
  const bool for_job = query.purpose == Purpose::job;
  if (const EntryId own = for_job ? sequence_.live_entry(model_.job_name(query.job)) : kNoEntry) {
    for (const BorrowedRoom& borrowed_room : sequence_.ledger().find(own)->borrowed_rooms)
      lenders.push_back(borrowed_room.from);
  }
  query = completed(std::move(query));
  const auto answer = [&](const std::shared_ptr<const ProjectedCluster>& seen, bool triggers_only) {
    query.triggers_only = triggers_only;
    const std::shared_ptr<const InFlight> in_flight(seen, &seen->in_flight);
    Plan plan = decide({seen->model, policies_, in_flight, &group_indexes_, workers_.get()}, query);
    plan.revision = revision_;
    return plan;
  };
  const std::shared_ptr<const ProjectedCluster> with_surplus =
      with_surplus_room(projection, sequence_, lenders);
  if (with_surplus == projection) return answer(projection, false);
  // A job that fits into idle space waits for no other entry.
  Plan alone = answer(projection, true);
  if (alone.outcome == Outcome::fits) return alone;
  Plan plan = answer(with_surplus, false);
  name_lenders(plan, sequence_.ledger(), [&](std::span<const EntryId> of) {
    return alone.outcome == Outcome::preempt ||
           answer(with_surplus_room(projection, sequence_, of), true).outcome == Outcome::preempt;
  });
  return plan;
}

std::string plan_document(const Plan& plan, bool explained) {
  if (!explained || plan.units_explained) return write_plan(plan, explained);
  Plan told = plan;
  explain_units(told);
  return write_plan(told, true);
}

std::string plan_objective(const Plan& plan) { return write_objective(plan); }

std::string plan_task_label(const Plan& plan, TaskId row, std::uint32_t index) {
  return task_label(plan.model(), row, index);
}

std::string plan_fault(const Plan& plan, const PolicySet& policies) { return verify(plan, policies); }

}  // namespace cede
