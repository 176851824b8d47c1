// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "decide/cluster.h"

namespace bench {

// Which question is timed: the cycle of plan, verify and commit between changes of the cluster; a batch with
// all its commits; or the first plan of a cluster that was just told.
enum class Timed { cycle, batch, first };

// A shape is measured under every profile that can decide it. One of `profiles` is given to `make`.
struct ProfileShape {
  std::string name;
  Timed timed = Timed::cycle;
  std::vector<int> sizes;
  int tiny = 0;  // the size at which it is tried as a test
  std::vector<std::string> profiles;
  std::string aim;      // what the project set itself, for people
  std::string expects;  // what every answer must be: "preempt", or the outcome and the rule of a no
  Description (*make)(const std::string& profile, int size, std::uint64_t seed);
  std::size_t kinds = 1;  // how many questions are asked whatever the time limit
};

// In the order of the table. Equal sizes and seeds give equal clusters.
const std::vector<ProfileShape>& profile_shapes();

// Running jobs of many sizes, two types of nodes, so many queues (mixed.cpp).
Description mixed_20(const std::string& profile, int size, std::uint64_t seed);
Description mixed_1000(const std::string& profile, int size, std::uint64_t seed);
// The Alibaba cluster of 2023 (openb.cpp), where CEDE_DATA has it; without nodes where not.
Description openb(const std::string& profile, int size, std::uint64_t seed);

}  // namespace bench
