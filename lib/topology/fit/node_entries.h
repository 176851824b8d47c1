// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string_view>

#include "topology/fit/numa_cpu.h"

namespace cede {

// Entries of a requirement that concern one node, a bit each: bit i stands for `gpus[i]` (documents give at
// most 16).
using EntrySet = std::uint64_t;
inline constexpr EntrySet kModelEntry = EntrySet{1} << 60;    // gpu_model
inline constexpr EntrySet kUniformEntry = EntrySet{1} << 61;  // uniform_model
inline constexpr EntrySet kNicEntry = EntrySet{1} << 62;      // nic
inline constexpr EntrySet kNumaEntry = EntrySet{1} << 63;     // cpu.numa

constexpr EntrySet gpus_entry(std::size_t index) { return EntrySet{1} << std::min<std::size_t>(index, 59); }

EntrySet hard_entries(const Requirement& require);
EntrySet preferred_entries(const Requirement& require);

// What `cpu.numa` is judged by (see NodeFit::numa_terms()). `limit`: how many NUMA nodes one task may use, 1
// for `single`, for the others as few as would do for it on an empty node; 0: none will do, or nobody can
// tell. `free`: thousandths of cpu that are certainly free on each NUMA node of the class; empty: only the
// devices count.
struct NumaTerms {
  std::uint32_t limit = 0;
  Amount cpu = 0;  // per task
  std::span<const Amount> free;
};

// The entries, hard ones and preferences, that an assignment on one node does not meet: tasks[i] are the
// devices of the request's i-th task there, one it holds in part among them. Entries of scope task are judged
// for each task, those of scope node and `uniform_model` for all devices together. `model`: for
// `uniform_model` `job` the one model the job uses; empty: only this node is judged. Says nothing about
// whether the devices are free or disjoint. Written apart from the search, so that one can check the other.
EntrySet unmet_entries(const DeviceSets& sets, const Requirement& require, std::span<const DeviceMask> tasks,
                       const NumaTerms& numa, Unknown unknown = Unknown::fails, std::string_view model = {});

}  // namespace cede
