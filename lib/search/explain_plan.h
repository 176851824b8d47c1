// SPDX-License-Identifier: MIT
#pragma once

#include "model/plan.h"

namespace cede {

// Works out what only an explanation shows: why each unit was not taken, where the plan does not say so yet;
// facts about the victims; of a no, the nearest miss. Costs about as much as the decision.
void explain_plan(Plan& plan);

}  // namespace cede
