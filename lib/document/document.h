// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/problem.h"
#include "document/formats.h"
#include "model/edit.h"
#include "model/model.h"
#include "model/plan.h"

namespace cede {

// Reads a whole cluster, or changes to one, into the edit. Each problem gets its line and column. Returns
// false if there are problems. The caller finishes the edit.
bool read_cluster(std::string_view text, ModelEdit& edit);
bool read_changes(std::string_view text, ModelEdit& edit);

// The model as a cluster document that loads back to the same model. Objects are in the order of their names,
// so equal models give equal bytes, whatever their history.
std::string write_cluster(const Model& model);

// The plan as a document. `explained` adds the excluded units with their reasons, the alternatives and the
// counted work.
std::string write_plan(const Plan& plan, bool explained);

// Only the `objective` of the document.
std::string write_objective(const Plan& plan);

struct Position {
  std::uint32_t line = 0;
  std::uint32_t column = 0;  // in bytes, from 1
};

// Line and column of an offset.
Position position_of(std::string_view text, std::size_t offset);

// Adds line and column to each problem that has a path but no position. The readers keep no positions, so a
// valid document costs nothing extra; only a refused one is walked a second time.
void place_problems(std::string_view text, Problems& problems);

}  // namespace cede
