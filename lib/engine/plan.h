// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/engine.h"

namespace cede {

// Plans for several jobs as if each were committed before the next is asked: nobody is taken twice, what is
// kept for one is not given to another, unless it is taken from it, and what the victims of one leave over
// serves those behind it. Each plan names in `after` the jobs before it that it counts on. The engine stays
// as it is.
std::optional<std::vector<Plan>> plan_batch(const Engine& engine, const std::vector<std::string>& jobs,
                                            Time now, const std::vector<std::string>& terms,
                                            Problems& problems);

// The documents of plans as one.
std::string batch_document(std::span<const std::string> parts);

}  // namespace cede
