// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "model/plan.h"

namespace cede {

// `a,b`, in the order of the plan.
inline std::string victims_of(const Plan& plan) {
  std::string out;
  for (const PlannedVictim& victim : plan.victims)
    out += (out.empty() ? "" : ",") + std::string(plan.model().job_name(victim.job));
  return out;
}

}  // namespace cede
