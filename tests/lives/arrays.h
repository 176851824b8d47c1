// SPDX-License-Identifier: MIT
#pragma once

#include "documents.h"
#include "engine.h"

namespace lives {

// Tells a change as arrays of structs. Each call that is taken is carried over to `told`. `single_tasks`:
// jobs that differ in their tasks only are told by these tasks. `forgets`: the numbers used are given back.
// False where a call was refused.
struct ArrayManner {
  bool single_tasks = false;
  bool forgets = false;
};
bool put_arrays(Engine& engine, const Cluster& real, const Change& change, ArrayManner manner, Cluster& told);

}  // namespace lives
