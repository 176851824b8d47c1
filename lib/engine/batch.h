// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/engine.h"

namespace cede {

// One plan of a batch, and the jobs asked before whose plans it counts on: it takes away what is kept for
// them.
struct BatchPart {
  Plan plan;
  std::vector<std::string> after;
};

// Plans for several jobs as if each were committed before the next is asked: nobody is taken twice, and what
// is kept for one is not given to another, unless it is taken from it. The engine stays as it is.
std::optional<std::vector<BatchPart>> plan_batch(const Engine& engine, const std::vector<std::string>& jobs,
                                                 Time now, const std::vector<std::string>& terms,
                                                 Problems& problems);

// A plan's document with the jobs it comes after, and such documents as one.
std::string part_document(std::string document, std::span<const std::string> after);
std::string batch_document(std::span<const std::string> parts);

}  // namespace cede
