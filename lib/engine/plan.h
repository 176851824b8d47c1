// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/engine.h"

namespace cede {

// Plans for several jobs as if each plan were committed before the next job is planned. No victim is taken
// twice. A hold for one job stays closed to the others, unless a later plan takes the hold. Surplus room of
// one plan serves the later ones. Each plan names in `after` the earlier jobs it counts on. The engine does
// not change.
std::optional<std::vector<Plan>> plan_batch(const Engine& engine, const std::vector<std::string>& jobs,
                                            Time now, const std::vector<std::string>& terms,
                                            Problems& problems);

// Joins the documents of plans into one.
std::string batch_document(std::span<const std::string> parts);

}  // namespace cede
