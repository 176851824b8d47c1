// SPDX-License-Identifier: MIT
#pragma once

#include "base/problem.h"
#include "model/model.h"

namespace cede {

// What is legal but probably not meant. Queues: children whose guarantees add up to more than their parent's.
void warn_about_queues(const Model& model, Problems& problems);

// Nodes whose tasks add up to more than the node has.
void warn_about_nodes(const Model& model, Problems& problems);

}  // namespace cede
