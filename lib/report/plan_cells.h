// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/plan.h"

namespace cede {

// A node that a plan touches, with one cell per device: `.` free, `?` not known, `K` kept, `V` a victim's,
// `+` given to the request, `*` a victim's and given to the request.
struct NodeCells {
  std::string_view name;
  std::string cells;
};

// In the order of their names. The names are those of the plan's model.
std::vector<NodeCells> plan_cells(const Plan& plan);

}  // namespace cede
