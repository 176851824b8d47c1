// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "model/plan.h"

namespace cede {

inline constexpr std::string_view kPlanFormat = "cede-plan/1";

// The plan as a document. `explained` adds the excluded units with their reasons, the alternatives and the
// counted work.
std::string write_plan(const Plan& plan, bool explained);

// Only the `objective` of the document.
std::string write_objective(const Plan& plan);

}  // namespace cede
