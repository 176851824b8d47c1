// SPDX-License-Identifier: MIT
#include "policy/profiles/profiles.h"

#include "policy/queue_shortfall.h"
#include "policy/rules/caps.h"
#include "policy/rules/eligibility_profiles.h"
#include "policy/rules/measures.h"
#include "policy/rules/triggers.h"

namespace cede {

namespace {

class GuaranteeProfile final : public Composition {
 public:
  void add_triggers(RuleList<Trigger>& triggers) const override {
    triggers.add<PendingDelay>().add<AttemptInterval>();
    // Room in a queue could come from any node, but a task bound to a node takes victims only there.
    if (for_required_node(triggers.rule_context())) triggers.add<QueueMax>();
    triggers.add<OverGuarantee>();
  }

  void add_eligibility(RuleList<EligibilityRule>& rules) const override {
    rules.add<SameApp>().add<Fence>().add<OffsetPriority>().add<RequiredNode>();
    rules.add<SharedGuarantee>().add<QueueNotOver>();
  }

  void add_caps(RuleList<Cap>& caps) const override {
    // Relief has this cap in every profile. If it were added twice, neither copy could be named as the only
    // obstacle.
    if (!caps.rule_context().request.is_relief()) caps.add<BelowGuarantee>();
  }

  void add_measures(RuleList<Measure>& measures) const override {
    measures.add<Originators>().add<PriorityCounts>();
  }

  std::string_view cause(const RuleContext& rule_context) const override {
    return for_required_node(rule_context) ? "required-node" : "guarantee";
  }

  ProfileInputs inputs() const override { return {}; }

  OneNode one_node(const RuleContext& rule_context) const override {
    const bool cross = rule_context.effective.flag(Setting::cross_node, rule_context.queue());
    return cross ? OneNode::anywhere : OneNode::each_task;
  }
};

}  // namespace

const Composition& guarantee_profile() {
  static const GuaranteeProfile kProfile;
  return kProfile;
}

}  // namespace cede
