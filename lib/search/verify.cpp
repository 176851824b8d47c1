// SPDX-License-Identifier: MIT
#include "search/verify.h"

#include "base/text.h"
#include "search/plan_facts.h"

namespace cede {

std::string verify(const Plan& plan, const PolicySet& policies) {
  const Policy* policy = policies.find(plan.policy);
  if (!policy) return "policy: " + quote(plan.policy) + " is not known";
  if (plan.subject.purpose == Purpose::job && !plan.model.jobs.is_live(plan.subject.job))
    return "requester: the job is not in the cluster";
  using Check = std::string (*)(const PlanFacts&);
  static constexpr std::pair<std::string_view, Check> kChecks[] = {
      {"outcome", plan_check::outcome},
      {"victims-run", plan_check::victims_run},
      {"victims-once", plan_check::victims_once},
      {"units", plan_check::units},
      {"eligible", plan_check::eligible},
      {"actions", plan_check::actions},
      {"whole-request", plan_check::whole_request},
      {"nodes", plan_check::nodes},
      {"node-space", plan_check::node_space},
      {"devices", plan_check::devices},
      {"group-space", plan_check::group_space},
      {"queue-max", plan_check::queue_max},
      {"spread-over-nodes", plan_check::spread_over_nodes},
      {"gpu-entries", plan_check::gpu_entries},
      {"network", plan_check::network},
      {"conformance", plan_check::conformance},
      {"exclusivity", plan_check::exclusivity},
      {"relieved", plan_check::relieved},
      {"claimed", plan_check::claimed},
      {"max-victims", plan_check::max_victims},
      {"value-exceeded", plan_check::value_exceeded},
      {"quota", plan_check::quota},
      {"below-guarantee", plan_check::below_guarantee},
      {"one-node", plan_check::one_node},
      {"objective", plan_check::objective},
      {"cost", plan_check::cost},
      {"start-times", plan_check::start_times},
      {"minimal", plan_check::minimal},
      {"preferences", plan_check::preferences},
      {"no-gain", plan_check::no_gain},
  };
  const PlanFacts facts(plan, policies, *policy);
  for (const auto& [name, check] : kChecks) {
    const std::string found = check(facts);
    if (!found.empty()) return std::string(name) + ": " + found;
  }
  return {};
}

}  // namespace cede
