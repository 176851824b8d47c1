// SPDX-License-Identifier: MIT
#include "policy/profiles/profiles.h"

#include "policy/rules/eligibility_profiles.h"
#include "policy/rules/measures.h"
#include "policy/rules/triggers.h"

namespace cede {

namespace {

class PriorityProfile final : public Composition {
 public:
  void add_triggers(RuleList<Trigger>& triggers) const override {
    triggers.add<NotFront>().add<NoLowerPriority>();
  }

  void add_eligibility(RuleList<EligibilityRule>& rules) const override {
    rules.add<PriorityThreshold>().add<LowerPriority>().add<Scope>();
  }

  void add_caps(RuleList<Cap>&) const override {}

  void add_measures(RuleList<Measure>& measures) const override {
    const RuleContext& rule_context = measures.rule_context();
    const auto order = static_cast<PreemptionOrder>(
        rule_context.effective.setting(Setting::preemption_order, rule_context.queue()));
    switch (order) {
      case PreemptionOrder::oldest:
        measures.add<PriorityCounts>().add<StartTimes>(Measure::Kind::older_wins);
        break;
      case PreemptionOrder::newest:
        measures.add<PriorityCounts>().add<StartTimes>(Measure::Kind::younger_wins);
        break;
      case PreemptionOrder::fewest:
        measures.add<HighestPriority>().add<VictimCount>("number").add<PriorityCounts>();
        break;
      case PreemptionOrder::smallest:
        measures.add<HighestPriority>().add<Freed>("size").add<PriorityCounts>();
        break;
    }
  }

  std::string_view cause(const RuleContext&) const override { return "priority"; }

  ProfileInputs inputs() const override { return {.waiting_order = true}; }

  ProfileExit profile_exit(const EffectiveSettings& effective, JobId victim) const override {
    const auto mode = static_cast<PreemptionMode>(
        effective.setting(Setting::preemption_mode, effective.model().jobs[victim].queue));
    const JobKind kind = effective.kind(victim);
    // Suspending an inference job achieves nothing: its autoscaler starts new tasks with their own priority.
    const bool suspends = mode == PreemptionMode::suspend && kind != JobKind::inference;
    const VictimAction action = suspends ? VictimAction::suspend : VictimAction::terminate;
    // A suspended interactive job waits for its user, not in the queue.
    return {action, action, kind != JobKind::interactive && kind != JobKind::inference};
  }
};

}  // namespace

const Composition& priority_profile() {
  static const PriorityProfile kProfile;
  return kProfile;
}

}  // namespace cede
