// SPDX-License-Identifier: MIT
#pragma once

#include "base/problem.h"
#include "model/model.h"

namespace cede {

// Warnings about legal but probably unintended states. Queues: the guarantees of the children exceed that of
// the parent.
void warn_about_queues(const Model& model, Problems& problems);

// Nodes whose tasks use more than the node has.
void warn_about_nodes(const Model& model, Problems& problems);

}  // namespace cede
