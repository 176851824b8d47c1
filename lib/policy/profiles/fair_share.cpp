// SPDX-License-Identifier: MIT
#include "policy/profiles/fair_share.h"

#include "policy/fair_standing.h"
#include "policy/rules/aggressive_count.h"
#include "policy/rules/aggressive_forbidden.h"
#include "policy/rules/aggressive_only.h"
#include "policy/rules/no_gain.h"
#include "policy/rules/node_backoff.h"
#include "policy/rules/not_starving.h"
#include "policy/rules/protected_task.h"
#include "policy/rules/start_times.h"
#include "policy/rules/starving_victim.h"
#include "policy/rules/victim_count.h"

namespace cede {

std::string_view FairShareProfile::cause(const Asking&) const { return "starvation"; }

void FairShareProfile::add_triggers(Parts<Trigger>& triggers) const { triggers.add<NotStarving>(); }

void FairShareProfile::add_rules(Parts<EligibilityRule>& rules) const {
  rules.add<ProtectedTask>().add<AggressiveOnly>().add<AggressiveForbidden>();
  rules.add<StarvingVictim>().add<NodeBackoff>();
}

void FairShareProfile::add_caps(Parts<Cap>& caps) const { caps.add<NoGain>(); }

void FairShareProfile::add_measures(Parts<Measure>& measures) const {
  measures.add<AggressiveCount>().add<VictimCount>("number").add<StartTimes>(
      Measure::Kind::oldest_started_last);
}

Leaving FairShareProfile::leaving(const Effective& effective, JobId victim) const {
  const JobCore& job = effective.model().jobs[victim];
  const auto requeue = static_cast<Requeue>(effective.setting(Setting::requeue, job.queue));
  return {job.interruptible ? VictimAction::signal_first : VictimAction::terminate,
          requeue == Requeue::always};
}

OneNode FairShareProfile::one_node(const Asking&) const { return OneNode::all_victims; }

// Tasks within their job's share only when those beyond theirs are not enough; protected ones (on a node that
// is over its capacity) last.
int FairShareProfile::tier(const Asking& asking, const Unit& unit) const {
  switch (asking.fair->tier(unit)) {
    case TaskTier::preemptible: return 0;
    case TaskTier::aggressively_preemptible: return 1;
    case TaskTier::non_preemptible: return 2;
  }
  return 0;
}

}  // namespace cede
