// SPDX-License-Identifier: MIT
#include "search/verify.h"

#include "base/text.h"
#include "search/plan_facts.h"

namespace cede {

namespace {

using Check = std::string (*)(const PlanFacts&);
struct NamedCheck {
  std::string_view name;
  Check check;
  bool of_report = false;  // how good the plan is and what it says of itself; not asked at commit
};

constexpr NamedCheck kChecks[] = {
    {"outcome", plan_check::outcome},
    {"victims-run", plan_check::victims_run},
    {"victims-once", plan_check::victims_once},
    {"units", plan_check::units},
    {"eligible", plan_check::eligible},
    {"actions", plan_check::actions},
    {"after", plan_check::after},
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
    {"budget", plan_check::budget},
    {"one-node", plan_check::one_node},
    {"objective", plan_check::objective, true},
    {"cost", plan_check::cost, true},
    {"start-times", plan_check::start_times, true},
    {"minimal", plan_check::minimal, true},
    {"preferences", plan_check::preferences, true},
    {"no-gain", plan_check::no_gain},
};

std::string run(const Plan& plan, const PolicySet& policies, const GroupUsage* usage, bool with_report) {
  const Policy* policy = policies.find(plan.policy);
  if (!policy) return "policy: " + quote(plan.policy) + " is not known";
  if (plan.subject.purpose == Purpose::job && !plan.model().jobs.is_live(plan.subject.job))
    return "requester: the job is not in the cluster";
  const PlanFacts facts(plan, policies, *policy, usage);
  for (const NamedCheck& each : kChecks) {
    if (each.of_report && !with_report) continue;
    const std::string found = each.check(facts);
    if (!found.empty()) return std::string(each.name) + ": " + found;
  }
  return {};
}

}  // namespace

std::string verify(const Plan& plan, const PolicySet& policies) { return run(plan, policies, nullptr, true); }

std::string verify_soundness(const Plan& plan, const PolicySet& policies, const GroupUsage* usage) {
  return run(plan, policies, usage, false);
}

}  // namespace cede
