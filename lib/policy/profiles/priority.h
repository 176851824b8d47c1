// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/plan.h"
#include "policy/rule.h"

namespace cede {

// A trigger that said no: the rule that decided and one sentence a person can act on.
struct Refusal {
  std::string_view rule;
  std::string reason;
};

// Profile `priority`: sessions with priority numbers.
namespace priority_profile {

EligibilityRules eligibility();

// Whether some running job has a lower priority than the requester's.
std::optional<Refusal> no_lower_priority(const Asking& asking, const std::vector<Unit>& units);

// Waiting jobs are served from the highest priority down, then by submission, then by name.
bool served_before(const Effective& effective, JobId a, JobId b);

// The criteria that come before the common tail.
std::vector<Criterion> objective(const Asking& asking, const std::vector<const Unit*>& victims,
                                 std::int64_t freed);

struct Leaving {
  VictimAction action;
  bool requeue;
};
Leaving leaving(const Effective& effective, JobId victim);

}  // namespace priority_profile
}  // namespace cede
