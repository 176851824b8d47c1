// SPDX-License-Identifier: MIT
#pragma once

#include "documents.h"
#include "engine.h"

namespace lives {

// Tells what documents cannot be spared for: jobs and nodes, put and removed, as arrays of structs. Each call
// that is taken is carried over to `told`. False where one was refused.
bool put_arrays(Engine& engine, const Cluster& real, const Change& change, Cluster& told);

}  // namespace lives
