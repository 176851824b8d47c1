// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "model/edit.h"
#include "policy/policy.h"

namespace cede::bench {

// A cluster built through the model's own edit calls, and what is asked of it.
struct Shape {
  Model model;
  std::shared_ptr<PolicySet> policies;
  std::vector<std::string> requests;  // jobs that wait, in the order they are asked for
};

// The shapes of the specification's table of speed; sizes are theirs unless a test wants less.
Shape k8s_basic(std::size_t nodes, bool mixed);
Shape k8s_gang(std::size_t nodes, bool mixed);
Shape kai_many(std::size_t nodes);
Shape kai_large(std::size_t nodes, std::size_t tasks);
Shape no_topology(std::size_t nodes);
Shape kueue_topology();
Shape huge(std::size_t nodes, bool gang);

}  // namespace cede::bench
