// SPDX-License-Identifier: MIT
#include "policy/profiles/profiles.h"

#include "policy/rules/caps.h"
#include "policy/rules/eligibility_profiles.h"
#include "policy/rules/measures.h"
#include "policy/rules/triggers.h"
#include "policy/shares/starvation.h"

namespace cede {

namespace {

class FairShareProfile final : public Composition {
 public:
  void add_triggers(RuleList<Trigger>& triggers) const override { triggers.add<NotStarving>(); }

  void add_eligibility(RuleList<EligibilityRule>& rules) const override {
    rules.add<ProtectedTask>().add<AggressiveOnly>().add<AggressiveForbidden>();
    rules.add<StarvingVictim>().add<NodeBackoff>();
  }

  void add_caps(RuleList<Cap>& caps) const override { caps.add<NoGain>(); }

  void add_measures(RuleList<Measure>& measures) const override {
    measures.add<AggressiveCount>().add<VictimCount>("number").add<StartTimes>(
        Measure::Kind::oldest_started_last);
  }

  std::string_view cause(const RuleContext&) const override { return "starvation"; }

  ProfileInputs inputs() const override { return {.fair_shares = true, .node_commits = true}; }

  // Once the checkpoint is written, nothing is left that an interrupted job could finish.
  ProfileExit profile_exit(const EffectiveSettings& effective, JobId victim) const override {
    const bool interruptible = effective.model().jobs[victim].interruptible;
    return {.unsaved = interruptible ? VictimAction::signal_first : VictimAction::terminate};
  }

  OneNode one_node(const RuleContext&) const override { return OneNode::all_victims; }

  // Tasks within their job's share are taken only if tasks beyond it are not enough. Protected tasks (on a
  // node over its capacity) come last.
  int tier(const RuleContext& rule_context, const Unit& unit) const override {
    switch (rule_context.fair->tier(unit)) {
      case TaskTier::preemptible: return 0;
      case TaskTier::aggressively_preemptible: return 1;
      case TaskTier::non_preemptible: return 2;
    }
    return 0;
  }
};

}  // namespace

const Composition& fair_share_profile() {
  static const FairShareProfile kProfile;
  return kProfile;
}

}  // namespace cede
