// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

#include "model/in_flight.h"
#include "policy/settings/effective_settings.h"
#include "policy/settings/policy.h"

namespace cede {

// Whether a job is admitted as submitted, with which values, and which values were on offer. A value that the
// job does not state comes from its user, project or profile. For a refused job these are the values it asked
// for.
struct AdmissionAnswer {
  std::string job;
  std::string policy;
  Profile profile = Profile::priority;
  std::string rule;  // the rule that refused the job: priority, class or opt-out; empty: the job is admitted
  std::string reason;
  std::int32_t priority = 0;
  std::uint8_t job_class = 0;
  Preemptible preemptible = Preemptible::yes;  // never absent
  // If the priority may not be changed, the range holds only the default. The range is empty if no priority
  // is legal.
  AdmissionTerms offer;
  // Profile `quota`: whether the job's waiting tasks together are within their quotas right now. A job over
  // its quota is not refused; it waits. Empty if no task waits or the profile has no quotas.
  std::string quota;       // "within", "quota-min" or "quota-max"
  std::string quota_text;  // which queue holds how much of which resource

  bool admitted() const { return rule.empty(); }
};

// The first limit that the job breaks refuses it. The order is priority, class, opt-out.
//
// Class 10 is never preempted, so a rule must grant it (`max_class` 10). This holds whether the job states
// the class, or gets it from its kind `sensitive` or from the kind of its queue. The default class never
// refuses a job: if `max_class` is lower, the job gets `max_class`.
// Opting out means `preemptible: false` on the job or on one of its tasks. A last-resort job can still be
// preempted, so it has not opted out. If the profile's default is not preemptible, a job that follows the
// default has not opted out either. `may_opt_out` is checked at the priority of each task that opted out.
AdmissionAnswer admit(const EffectiveSettings& effective, const InFlight& in_flight, JobId job);

}  // namespace cede
