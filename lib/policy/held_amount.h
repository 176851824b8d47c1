// SPDX-License-Identifier: MIT
#pragma once

#include "policy/unit.h"

namespace cede {

// How many GPUs a unit holds, in thousandths; where it holds none, on how many nodes it runs.
Total gpus_or_nodes(const Model& model, const Unit& unit);

}  // namespace cede
