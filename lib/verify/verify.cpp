// SPDX-License-Identifier: MIT
#include "verify/verify.h"

#include "base/text.h"
#include "verify/plan_checks.h"

namespace cede {

namespace {

enum class CheckedAt : std::uint8_t { always, not_at_commit };

struct NamedCheck {
  std::string_view name;
  std::string (*check)(const PlanFacts&);
  CheckedAt when = CheckedAt::always;
};

// The order matters: each check relies on the checks before it.
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
    {"job-max", plan_check::job_max},
    {"spread-over-nodes", plan_check::spread_over_nodes},
    {"gpu-entries", plan_check::gpu_entries},
    {"network", plan_check::network},
    {"conformance", plan_check::conformance},
    {"exclusivity", plan_check::exclusivity},
    {"home", plan_check::home},
    {"relieved", plan_check::relieved},
    {"claimed", plan_check::claimed},
    {"max-victims", plan_check::max_victims},
    {"value-exceeded", plan_check::value_exceeded},
    {"quota", plan_check::quota},
    {"below-guarantee", plan_check::below_guarantee},
    {"budget", plan_check::budget},
    {"one-node", plan_check::one_node},
    {"no-gain", plan_check::no_gain},
    {"objective", plan_check::objective, CheckedAt::not_at_commit},
    {"cause", plan_check::cause, CheckedAt::not_at_commit},
    {"cost", plan_check::cost, CheckedAt::not_at_commit},
    {"start-times", plan_check::start_times, CheckedAt::not_at_commit},
    {"relief-order", plan_check::relief_order, CheckedAt::not_at_commit},
    {"minimal", plan_check::minimal, CheckedAt::not_at_commit},
    {"preferences", plan_check::preferences, CheckedAt::not_at_commit},
    {"free-first", plan_check::free_first, CheckedAt::not_at_commit},
    // If the cluster has changed, a commit evaluates the triggers themselves again.
    {"triggers", plan_check::triggers, CheckedAt::not_at_commit},
    {"refusal", plan_check::refusal, CheckedAt::not_at_commit},
};

std::string run(const Plan& plan, const PolicySet& policies, const QueueUsage* usage, bool at_commit) {
  const Policy* policy = policies.find(plan.policy);
  if (!policy) return "policy: " + quote(plan.policy) + " is not known";
  if (plan.subject.purpose == Purpose::job && !plan.model().jobs.is_live(plan.subject.job))
    return "requester: the job is not in the cluster";
  const PlanFacts facts(plan, policies, *policy, usage);
  for (const NamedCheck& each : kChecks) {
    if (at_commit && each.when == CheckedAt::not_at_commit) continue;
    const std::string found = each.check(facts);
    if (!found.empty()) return std::string(each.name) + ": " + found;
  }
  return {};
}

}  // namespace

std::string verify(const Plan& plan, const PolicySet& policies) {
  return run(plan, policies, nullptr, false);
}

std::string verify_soundness(const Plan& plan, const PolicySet& policies, const QueueUsage& usage) {
  return run(plan, policies, &usage, true);
}

}  // namespace cede
