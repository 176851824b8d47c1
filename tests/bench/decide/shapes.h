// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "decide/cluster.h"

namespace bench {

// What is measured about a shape: one request again and again; many requests one after the other, each
// started before the next is asked; changes to the cluster; a question to a changed copy; or all jobs told,
// and one question, through both doors.
enum class Query { one, many, update, what_if, doors };

// One row of the table. `sizes` are what N runs through; `aim` is what the project set itself, for people.
struct Shape {
  std::string name;
  Query query = Query::one;
  std::vector<int> sizes;
  std::string aim;
  int compared_at = 0;  // the size at which the strategies users have today are tried too; 0: at none
  Description (*make)(int size, std::uint64_t seed);
};

// The shapes in the order of the table. Equal sizes and seeds give equal clusters.
const std::vector<Shape>& shapes();

}  // namespace bench
