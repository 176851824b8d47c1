// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "decide/shapes.h"

namespace bench {

// One row of the table: a shape of one size with so many threads.
struct Row {
  std::string shape;
  int size = 0;
  unsigned threads = 1;
  std::string unit;       // what p50 and p99 are the time of: plan, decision, update
  std::size_t done = 0;   // how many were measured within the time limit
  std::size_t asked = 0;  // of how many; 0: as many as the time allowed
  double p50 = 0;         // seconds
  double p99 = 0;
  double plan_p50 = 0;  // of decisions: the plan alone
  double plan_p99 = 0;
  double per_second = 0;
  double again_p50 = 0;  // of single plans: asked again with nothing changed
  double first = 0;      // of single plans: the first one, which finds nothing prepared
  std::string outcome;   // of the first plan
  bool optimal = false;
  std::size_t victims = 0;
  std::int64_t cost = 0;
  std::size_t running_tasks = 0;
  double bytes_per_task = 0;  // all the engine holds once it has answered, names aside
  double names_per_task = 0;  // and the bytes of names
  double told_in = 0;         // seconds until the engine knew the cluster
  double floor = 0;           // seconds of a plain scan of as many nodes
  double json_p50 = 0;        // of changes: the same through a document
  std::vector<std::pair<std::string, double>> parts;  // what of it took how long
  std::string aim;
};

// The library beside one of the strategies users have today, for the first request of a shape.
struct Comparison {
  std::string shape;
  int size = 0;
  std::string who;
  double seconds = 0;
  bool found = false;
  std::size_t victims = 0;
  std::int64_t cost = 0;
  std::string verdict;  // "accepted", or what the verifier says
  std::string against;  // better, alike or worse than the library on the objective; empty: not comparable
};

struct Terms {
  double seconds = 2;  // per row, once the cluster is told
  std::uint64_t seed = 1;
};

Row run(const Shape& shape, int size, unsigned threads, const Terms& terms);

// Of `run`: see changes.cpp.
void measure_update(const Description& description, Cluster& cluster, const Terms& terms, Row& row);
void measure_what_if(const Description& description, Cluster& cluster, const Terms& terms, Row& row);
void measure_doors(const Description& description, unsigned threads, const Terms& terms, Row& row);
// The library first. Only for shapes that ask for space.
std::vector<Comparison> compare_strategies(const Shape& shape, int size, const Terms& terms);

}  // namespace bench
