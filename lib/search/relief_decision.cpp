// SPDX-License-Identifier: MIT
#include "search/relief_decision.h"

#include <algorithm>

#include "base/text.h"

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

Plan ReliefDecision::run() {
  Space space(asking_);
  const ReliefNeeds needs(asking_);
  if (needs.are_met(space, {})) {
    plan_.expected_start = plan_.latest_start = question_.now;
    plan_.optimal = true;
    return answer(Outcome::fits, "fits", target() + " is within its limits; nobody has to give way");
  }
  if (!effective_.preemption_on(request_.queue))
    return answer(Outcome::wait, "off", "preemption is switched off for " + target());
  look_at_units();
  Parts<Trigger> triggers(asking_);
  profile_.add_triggers(triggers);
  Plan no;
  if (refused(triggers, no)) return no;
  const std::vector<const Unit*> all = eligible(needs, space);
  if (!question_.partial) return search(needs, nullptr, space, all);
  // As much as can be had: everybody who helps and whom no cap protects.
  Plan whole = search(needs, nullptr, space, all);
  return whole;
}

Plan ClaimDecision::run() {
  look_at_units();
  const Parts<EligibilityRule> rules = eligibility_rules(asking_);
  std::vector<const Unit*> victims;
  for (const Unit& unit : units_) {
    if (unit.whole_elastic != std::any_of(units_.begin(), units_.end(), [&](const Unit& other) {
          return other.job == unit.job && other.whole_elastic;
        }))
      continue;  // an elastic job leaves as a whole
    const bool here = std::any_of(unit.tasks.begin(), unit.tasks.end(), [&](TaskId task) {
      return std::find(request_.claimed.begin(), request_.claimed.end(), model_.tasks.core(task).node) !=
             request_.claimed.end();
    });
    if (!here || model_.is_below(model_.jobs[unit.job].queue, request_.queue)) continue;
    for (const auto& rule : rules) {
      std::string why;
      if (!rule->excludes(unit, &why)) continue;
      plan_.exclusions.push_back({unit.job, unit.tasks, unit.whole_job, rule->name(), why});
      return answer(Outcome::wait, "claim-blocked",
                    "job " + quote(model_.job_name(unit.job)) + " stays on a claimed node (" +
                        std::string(rule->name()) + "): " + why);
    }
    victims.push_back(&unit);
  }
  plan_.optimal = true;
  if (victims.empty()) {
    plan_.expected_start = plan_.latest_start = question_.now;
    return answer(Outcome::fits, "fits", "nobody else is on the claimed nodes");
  }
  plan_.objective = Objective(asking_).worth(victims, {}).shown;
  plan_.proven = static_cast<std::uint32_t>(plan_.objective.size());
  write_victims(asking_, victims, plan_);
  plan_.bound = plan_.cost;
  return answer(Outcome::preempt, {}, done_text(plan_.victims.size()));
}

std::string ClaimDecision::done_text(std::size_t jobs) const {
  return std::to_string(jobs) + (jobs == 1 ? " job leaves" : " jobs leave") + " the nodes that queue " +
         quote(model_.name(model_.queues[request_.queue].name)) + " claims";
}

}  // namespace cede
