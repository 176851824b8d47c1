// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

#include "model/in_flight.h"
#include "policy/settings/admission.h"
#include "policy/settings/effective_settings.h"

namespace cede {

// Whether a job is taken as it was submitted, with which values, and what its owner could have asked for.
// Where the job is silent the values are its user's, project's or profile's; of a refused job they are what
// it asks for.
struct AdmissionAnswer {
  std::string job;
  std::string policy;
  Profile profile = Profile::priority;
  std::string rule;  // that refused it: priority, class or opt-out; empty: it is taken
  std::string reason;
  std::int32_t priority = 0;
  std::uint8_t job_class = 0;
  Preemptible preemptible = Preemptible::yes;  // never absent
  // Where the priority may not be changed, the range is the default alone; empty where none is legal.
  AdmissionTerms offer;
  // Profile `quota`: whether the job's waiting tasks together are within their quotas as things are. That
  // does not refuse a job; it waits until it is. Empty where nothing waits or the profile has no quotas.
  std::string quota;       // "within", "quota-min" or "quota-max"
  std::string quota_text;  // which queue holds how much of what

  bool admitted() const { return rule.empty(); }
};

// The first limit that the job breaks refuses it, in the order priority, class, opt-out.
//
// Class 10 is never preempted, so it has to be granted (`max_class` 10), however a job comes by it: stated,
// by its kind `sensitive`, or by the kind of its queue. The default class is never a reason to refuse: where
// `max_class` is lower, the job is given that.
// Opting out is `preemptible: false`, of the job or of one of its tasks; a last resort still gives way, and
// where the profile's own default is not to be preempted nobody has opted out.
AdmissionAnswer admit(const EffectiveSettings& effective, const InFlight& in_flight, JobId job);

}  // namespace cede
