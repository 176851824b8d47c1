// SPDX-License-Identifier: MIT
#include "policy/profiles/guarantee.h"

#include "policy/guarantees.h"
#include "policy/rules/attempt_interval.h"
#include "policy/rules/below_guarantee.h"
#include "policy/rules/fence.h"
#include "policy/rules/offset_priority.h"
#include "policy/rules/originators.h"
#include "policy/rules/other_required.h"
#include "policy/rules/over_guarantee.h"
#include "policy/rules/pending_delay.h"
#include "policy/rules/priority_counts.h"
#include "policy/rules/queue_not_over.h"
#include "policy/rules/same_app.h"
#include "policy/rules/shared_guarantee.h"

namespace cede {

std::string_view GuaranteeProfile::cause(const Asking& asking) const {
  return for_required_node(asking) ? "required-node" : "guarantee";
}

void GuaranteeProfile::add_triggers(Parts<Trigger>& triggers) const {
  triggers.add<PendingDelay>().add<AttemptInterval>().add<OverGuarantee>();
}

void GuaranteeProfile::add_rules(Parts<EligibilityRule>& rules) const {
  rules.add<SameApp>().add<Fence>().add<OffsetPriority>().add<OtherRequired>();
  rules.add<SharedGuarantee>().add<QueueNotOver>();
}

void GuaranteeProfile::add_caps(Parts<Cap>& caps) const {
  // Relief has it in every profile; twice, neither of them would stand in the way alone.
  if (!caps.asking().request.is_relief()) caps.add<BelowGuarantee>();
}

void GuaranteeProfile::add_measures(Parts<Measure>& measures) const {
  measures.add<Originators>().add<PriorityCounts>();
}

Leaving GuaranteeProfile::leaving(const Effective& effective, JobId victim) const {
  const auto requeue =
      static_cast<Requeue>(effective.setting(Setting::requeue, effective.model().jobs[victim].queue));
  return {VictimAction::terminate, requeue == Requeue::always};
}

OneNode GuaranteeProfile::one_node(const Asking& asking) const {
  const bool cross = asking.effective.flag(Setting::cross_node, asking.queue());
  return cross ? OneNode::anywhere : OneNode::each_task;
}

}  // namespace cede
