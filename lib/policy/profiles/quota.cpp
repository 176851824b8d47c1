// SPDX-License-Identifier: MIT
#include "policy/profiles/quota.h"

#include "policy/rules/lower_priority.h"
#include "policy/rules/priority_counts.h"
#include "policy/rules/quota_max.h"
#include "policy/rules/quota_min.h"

namespace cede {

std::string_view QuotaProfile::cause(const Asking&) const { return "quota"; }

void QuotaProfile::add_admission(Parts<Trigger>& triggers) const { triggers.add<QuotaMin>().add<QuotaMax>(); }

void QuotaProfile::add_triggers(Parts<Trigger>& triggers) const { add_admission(triggers); }

void QuotaProfile::add_rules(Parts<EligibilityRule>& rules) const { rules.add<LowerPriority>(); }

void QuotaProfile::add_caps(Parts<Cap>&) const {}

void QuotaProfile::add_measures(Parts<Measure>& measures) const { measures.add<PriorityCounts>(); }

Leaving QuotaProfile::leaving(const Effective& effective, JobId victim) const {
  const QueueId queue = effective.model().jobs[victim].queue;
  const auto evict = static_cast<Evict>(effective.setting(Setting::evict, queue));
  const auto requeue = static_cast<Requeue>(effective.setting(Setting::requeue, queue));
  return {evict == Evict::soft ? VictimAction::soft_evict : VictimAction::terminate,
          requeue == Requeue::always};
}

}  // namespace cede
