// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "model/plan.h"

namespace cede {

inline constexpr std::string_view kPlanFormat = "cede-plan/1";

// The plan as a document; `explained` adds what was excluded and why, the alternatives and the work counted.
std::string write_plan(const Plan& plan, bool explained);

// The `objective` of the document by itself.
std::string write_objective(const Plan& plan);

}  // namespace cede
