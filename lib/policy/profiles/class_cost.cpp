// SPDX-License-Identifier: MIT
#include "policy/profiles/profiles.h"

#include "policy/borrowing.h"
#include "policy/class_price.h"
#include "policy/rules/caps.h"
#include "policy/rules/eligibility_profiles.h"
#include "policy/rules/measures.h"
#include "policy/rules/triggers.h"

namespace cede {

namespace {

class ClassCostProfile final : public Composition {
 public:
  void add_triggers(RuleList<Trigger>& triggers) const override {
    triggers.add<NoQuotaPreemption>().add<QueueMax>();
  }

  void add_eligibility(RuleList<EligibilityRule>& rules) const override {
    rules.add<LowerClass>().add<UnsavedHighClass>().add<NearCompletion>().add<HomeService>().add<Home>();
  }

  void add_caps(RuleList<Cap>& caps) const override { caps.add<ValueExceeded>(); }

  void add_measures(RuleList<Measure>& measures) const override {
    const Asking& asking = measures.asking();
    const bool class_first = asking.effective.flag(Setting::class_first, asking.queue());
    if (class_first) measures.add<ClassCounts>();
    if (!uses_lost_work(asking)) measures.add<Price>();
    if (!class_first) measures.add<ClassCounts>();
    measures.add<CheckpointPrice>();
  }

  std::string_view cause(const Asking& asking) const override {
    switch (asking.request.purpose) {
      case Purpose::reclaim: return "reclaim";
      case Purpose::sensitive_claim: return "sensitive";
      default: return "priority";
    }
  }

  ProfileInputs inputs() const override { return {}; }

  Leaving leaving(const Effective& effective, JobId victim) const override {
    const auto requeue =
        static_cast<Requeue>(effective.setting(Setting::requeue, effective.model().jobs[victim].queue));
    const bool saves = effective.checkpoint_mode(victim) != CheckpointMode::none;
    return {saves ? VictimAction::checkpoint : VictimAction::terminate,
            requeue == Requeue::always || (requeue == Requeue::saved && saves)};
  }

  std::vector<CostPart> price(const Asking& asking, const Unit& unit) const override {
    if (uses_lost_work(asking)) return Composition::price(asking, unit);
    const auto parts = class_price(asking, unit);
    return {parts.begin(), parts.end()};
  }

  // Who could not be preempted is not put where the owner may want the node back (`borrowed-node`).
  bool may_use(const Asking& asking, NodeId node) const override {
    if (!asking.requester() || !asking.effective.flag(Setting::avoid_borrowed, asking.queue())) return true;
    return !borrows(asking.model(), asking.queue(), node) ||
           !never_preempted(asking.effective, asking.requester());
  }

  std::string remark(const Asking& asking) const override {
    if (!asking.requester() || request_value(asking) >= 0) return {};
    return "nobody gave the request a value, so the cost was not weighed against one";
  }
};

}  // namespace

const Composition& class_cost_profile() {
  static const ClassCostProfile kProfile;
  return kProfile;
}

}  // namespace cede
