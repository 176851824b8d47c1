// SPDX-License-Identifier: MIT
#include "policy/profiles/profiles.h"

#include "policy/rules/eligibility_profiles.h"
#include "policy/rules/measures.h"
#include "policy/rules/triggers.h"

namespace cede {

namespace {

class QuotaProfile final : public Composition {
 public:
  void add_admission(RuleList<Trigger>& triggers) const override { triggers.add<QuotaMin>().add<QuotaMax>(); }

  void add_triggers(RuleList<Trigger>& triggers) const override { add_admission(triggers); }

  void add_eligibility(RuleList<EligibilityRule>& rules) const override { rules.add<LowerPriority>(); }

  void add_caps(RuleList<Cap>&) const override {}

  void add_measures(RuleList<Measure>& measures) const override { measures.add<PriorityCounts>(); }

  std::string_view cause(const RuleContext&) const override { return "quota"; }

  ProfileInputs inputs() const override { return {}; }

  ProfileExit profile_exit(const EffectiveSettings& effective, JobId victim) const override {
    const auto evict =
        static_cast<Evict>(effective.setting(Setting::evict, effective.model().jobs[victim].queue));
    const VictimAction action = evict == Evict::soft ? VictimAction::soft_evict : VictimAction::terminate;
    return {action, action};
  }
};

}  // namespace

const Composition& quota_profile() {
  static const QuotaProfile kProfile;
  return kProfile;
}

}  // namespace cede
