// SPDX-License-Identifier: MIT
#include "policy/profiles/profiles.h"

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
    const RuleContext& rule_context = measures.rule_context();
    const bool class_first = rule_context.effective.flag(Setting::class_first, rule_context.queue());
    if (class_first) measures.add<ClassCounts>();
    if (!uses_lost_work(rule_context)) measures.add<Price>();
    if (!class_first) measures.add<ClassCounts>();
    measures.add<CheckpointPrice>();
  }

  std::string_view cause(const RuleContext& rule_context) const override {
    switch (rule_context.request.purpose) {
      case Purpose::reclaim: return "reclaim";
      case Purpose::sensitive_claim: return "sensitive";
      default: return "priority";
    }
  }

  ProfileInputs inputs() const override { return {}; }

  ProfileExit profile_exit(const EffectiveSettings&, JobId) const override {
    return {.saved = VictimAction::suspend};
  }

  std::vector<CostPart> price(const RuleContext& rule_context, const Unit& unit) const override {
    if (uses_lost_work(rule_context)) return Composition::price(rule_context, unit);
    return class_price(rule_context, unit);
  }

  // A job that could not be preempted is not placed on a node that its owner may want back (`borrowed-node`).
  bool may_use(const RuleContext& rule_context, NodeId node) const override {
    if (!rule_context.requester() ||
        !rule_context.effective.flag(Setting::avoid_borrowed, rule_context.queue()))
      return true;
    return !borrows(rule_context.model(), rule_context.queue(), node) ||
           !never_preempted(rule_context.effective, rule_context.requester());
  }

  std::string remark(const RuleContext& rule_context) const override {
    if (!rule_context.requester() || request_value(rule_context) >= 0) return {};
    return "the request has no value, so its cost was not compared with one";
  }
};

}  // namespace

const Composition& class_cost_profile() {
  static const ClassCostProfile kProfile;
  return kProfile;
}

}  // namespace cede
