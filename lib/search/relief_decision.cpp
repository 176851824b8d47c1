// SPDX-License-Identifier: MIT
#include "search/relief_decision.h"

#include <algorithm>
#include <set>

#include "base/text.h"
#include "search/partial_relief.h"

namespace cede {

std::string ReliefDecision::target() const {
  switch (request_.purpose) {
    case Purpose::relief_node: return "node " + quote(model_.name(model_.nodes[request_.node].name));
    case Purpose::relief_job: return "job " + quote(model_.job_name(request_.job));
    default: return "queue " + quote(model_.name(model_.queues[request_.queue].name));
  }
}

std::string ReliefDecision::done_text(std::size_t jobs) const {
  return std::to_string(jobs) + (jobs == 1 ? " job gives" : " jobs give") + " way to relieve " + target();
}

std::string ReliefDecision::target_name() const {
  switch (request_.purpose) {
    case Purpose::relief_node: return "node:" + std::string(model_.name(model_.nodes[request_.node].name));
    case Purpose::relief_job: return "job:" + std::string(model_.job_name(request_.job));
    default: return "queue:" + std::string(model_.name(model_.queues[request_.queue].name));
  }
}

Plan ReliefDecision::run() {
  // Its victims are still in the model; nobody else has to give way because of them.
  const auto& relief = asking_.in_flight.relief;
  if (std::find(relief.begin(), relief.end(), std::pair(target_name(), request_.group)) != relief.end())
    return answer(Outcome::in_progress, "in-progress",
                  "an earlier decision to relieve " + target() + " is not finished yet");
  Space space(asking_, ground_->nodes(), Space::Fill::as_it_is, &work_);
  const ReliefNeeds needs(asking_);
  if (needs.are_met(space, {})) {
    plan_.expected_start = plan_.latest_start = question_.now;
    plan_.optimal = true;
    return answer(Outcome::fits, "fits", target() + " is within its limits; nobody has to give way");
  }
  if (!effective_.preemption_on(request_.queue))
    return answer(Outcome::wait, "off", "preemption is switched off for " + target());
  look_at_units();
  RuleList<Trigger> triggers(asking_);
  profile_.add_triggers(triggers);
  Plan no;
  if (refused(triggers, no) || over_budget(no)) return no;
  if (question_.triggers_only) return answer(Outcome::preempt, {}, "somebody has to give way");
  const std::vector<const Unit*> all = eligible(needs, space);
  Plan whole = search(needs, nullptr, space, all);
  if (!question_.partial || whole.outcome == Outcome::preempt) return whole;
  plan_ = std::move(whole);
  return as_far_as_possible(needs, all);
}

Plan ReliefDecision::as_far_as_possible(const ReliefNeeds& needs, std::vector<const Unit*> all) {
  Space space(asking_, ground_->nodes(), Space::Fill::as_it_is, &work_);
  const Objective objective(asking_);
  const RuleList<Cap> kept = caps(asking_);
  struct Turn {
    int tier;
    Worth worth;
    const Unit* unit;
  };
  std::vector<Turn> turns;
  turns.reserve(all.size());
  for (const Unit* unit : all) turns.push_back({tier_of(*unit), objective.worth({&unit, 1}, {}), unit});
  std::stable_sort(turns.begin(), turns.end(), [](const Turn& a, const Turn& b) {
    return a.tier != b.tier ? a.tier < b.tier : compare(a.worth, b.worth) < 0;
  });
  std::vector<const Unit*> order;
  for (const Turn& turn : turns) order.push_back(turn.unit);
  PartialRelief relief(space, needs, kept);
  relief.take(order);
  const std::vector<const Unit*>& victims = relief.chosen();
  if (victims.empty()) return answer(Outcome::wait, std::string(plan_.rule), std::move(plan_.reason));
  plan_.spared.clear();
  std::erase_if(all, [&](const Unit* unit) {
    const auto why = std::find_if(relief.kept().begin(), relief.kept().end(),
                                  [&](const PartialRelief::Kept& each) { return each.unit == unit; });
    if (why == relief.kept().end()) return false;
    plan_.exclusions.push_back({unit->job, unit->tasks, unit->whole_job, why->cap, why->why});
    return true;
  });
  spare(all, victims);
  plan_.objective = objective.worth(victims, {}).shown;
  plan_.proven = 0;
  write_victims(asking_, by_name(model_, victims), plan_);
  plan_.bound = 0;
  const std::string over = needs.over(space);
  plan_.partial = !over.empty();
  std::string text = done_text(plan_.victims.size());
  if (plan_.partial) text += "; it is still " + over + " over";
  return answer(Outcome::preempt, {}, std::move(text));
}

Plan ClaimDecision::run() {
  if (!effective_.preemption_on(request_.queue)) {
    return answer(
        Outcome::wait, "off",
        "preemption is switched off for queue " + quote(model_.name(model_.queues[request_.queue].name)));
  }
  for (const NodeId node : request_.claimed) {
    if (model_.nodes[node].state != NodeState::up)
      return answer(Outcome::wait, "nodes-unavailable",
                    "claimed node " + quote(model_.name(model_.nodes[node].name)) + " is not up");
  }
  for (const InFlight::Blocked& each : asking_.in_flight.blocked) {
    // A queue's claim does not stand in the way of those above and below it.
    if (!each.whole_node || !each.queue || model_.is_below(request_.queue, each.queue) ||
        model_.is_below(each.queue, request_.queue) ||
        std::find(request_.claimed.begin(), request_.claimed.end(), each.node) == request_.claimed.end())
      continue;
    return answer(Outcome::wait, "claim-blocked",
                  "node " + quote(model_.name(model_.nodes[each.node].name)) + " is claimed by queue " +
                      quote(model_.name(model_.queues[each.queue].name)));
  }
  look_at_units();
  const RuleList<EligibilityRule> rules = eligibility_rules(asking_);
  std::vector<const Unit*> victims;
  std::vector<const Unit*> others;
  std::set<std::uint32_t> elastic;  // jobs, which leave as a whole
  for (const Unit* each : asking_.units) {
    if (each->whole_elastic) elastic.insert(each->job.value);
  }
  std::vector<NodeId> claimed = request_.claimed;
  std::sort(claimed.begin(), claimed.end());
  for (const Unit* each : units_in_order()) {
    const Unit& unit = *each;
    if (elastic.contains(unit.job.value) != unit.whole_elastic) continue;
    const bool here = std::any_of(unit.tasks.begin(), unit.tasks.end(), [&](TaskId task) {
      return std::binary_search(claimed.begin(), claimed.end(), model_.tasks.core(task).node);
    });
    if (!here || model_.is_below(model_.jobs[unit.job].queue, request_.queue)) {
      others.push_back(&unit);
      continue;
    }
    const auto rule = std::find_if(rules.begin(), rules.end(),
                                   [&](const auto& each) { return each->excludes(unit, nullptr); });
    if (rule == rules.end()) {
      victims.push_back(&unit);
      continue;
    }
    std::string why;
    (*rule)->excludes(unit, &why);
    plan_.exclusions.push_back({unit.job, unit.tasks, unit.whole_job, (*rule)->name(), std::move(why)});
  }
  spare(others, {});
  Plan no;
  if (over_budget(no)) return no;
  std::string over;
  for (const auto& cap : caps(asking_)) {
    if (cap->name() == "budget" && cap->breaks(victims, &over))
      return answer(Outcome::wait, "budget", std::move(over));
  }
  if (!plan_.exclusions.empty()) {
    spare(victims, {});
    const Exclusion& first = plan_.exclusions.front();
    return answer(Outcome::wait, "claim-blocked",
                  "job " + quote(model_.job_name(first.job)) + " stays on a claimed node (" +
                      std::string(first.rule) + "): " + first.values);
  }
  plan_.optimal = true;
  if (victims.empty()) {
    plan_.expected_start = plan_.latest_start = question_.now;
    return answer(Outcome::fits, "fits", "nobody else is on the claimed nodes");
  }
  plan_.objective = Objective(asking_).worth(victims, {}).shown;
  plan_.proven = static_cast<std::uint32_t>(plan_.objective.size());
  write_victims(asking_, by_name(model_, victims), plan_);
  plan_.bound = plan_.cost;
  return answer(Outcome::preempt, {}, done_text(plan_.victims.size()));
}

std::string ClaimDecision::done_text(std::size_t jobs) const {
  return std::to_string(jobs) + (jobs == 1 ? " job leaves" : " jobs leave") + " the nodes that queue " +
         quote(model_.name(model_.queues[request_.queue].name)) + " claims";
}

}  // namespace cede
