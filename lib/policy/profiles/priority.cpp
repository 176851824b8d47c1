// SPDX-License-Identifier: MIT
#include "policy/profiles/priority.h"

#include "policy/rules/freed.h"
#include "policy/rules/highest_priority.h"
#include "policy/rules/lower_priority.h"
#include "policy/rules/no_lower_priority.h"
#include "policy/rules/not_front.h"
#include "policy/rules/priority_counts.h"
#include "policy/rules/priority_threshold.h"
#include "policy/rules/scope.h"
#include "policy/rules/start_times.h"
#include "policy/rules/victim_count.h"

namespace cede {

std::string_view PriorityProfile::cause(const Asking&) const { return "priority"; }

void PriorityProfile::add_triggers(Parts<Trigger>& triggers) const {
  triggers.add<NotFront>().add<NoLowerPriority>();
}

void PriorityProfile::add_rules(Parts<EligibilityRule>& rules) const {
  rules.add<PriorityThreshold>().add<LowerPriority>().add<Scope>();
}

void PriorityProfile::add_caps(Parts<Cap>&) const {}

void PriorityProfile::add_measures(Parts<Measure>& measures) const {
  const Asking& asking = measures.asking();
  const auto order =
      static_cast<PreemptionOrder>(asking.effective.setting(Setting::preemption_order, asking.queue()));
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

Leaving PriorityProfile::leaving(const Effective& effective, JobId victim) const {
  const QueueId queue = effective.model().jobs[victim].queue;
  const auto mode = static_cast<PreemptionMode>(effective.setting(Setting::preemption_mode, queue));
  const auto requeue = static_cast<Requeue>(effective.setting(Setting::requeue, queue));
  const JobKind kind = effective.kind(victim);
  // An inference job's autoscaler brings new ones with their own priority; suspending it would serve nobody.
  const bool suspends = mode == PreemptionMode::suspend && kind != JobKind::inference;
  const bool back = requeue == Requeue::always || (requeue == Requeue::saved && suspends);
  // A suspended interactive job waits for its owner, not in the queue.
  return {suspends ? VictimAction::suspend : VictimAction::terminate,
          back && kind != JobKind::interactive && kind != JobKind::inference};
}

}  // namespace cede
