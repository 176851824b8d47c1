// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/bits.h"
#include "model/node_class.h"
#include "model/requirement.h"

namespace cede {

// n over k, cut at 2^32: callers only need to know whether it is small.
constexpr std::uint64_t subset_count(std::uint32_t n, std::uint32_t k) {
  if (k > n) return 0;
  std::uint64_t count = 1;
  for (std::uint32_t i = 1; i <= k; ++i) {
    count = count * (n - k + i) / i;
    if (count > std::uint64_t{1} << 32) return std::uint64_t{1} << 32;
  }
  return count;
}

// Calls visit(subset) for every subset of `size` devices, lowest first, until it returns false.
template <class Visit>
void for_each_subset(DeviceMask set, std::uint32_t size, Visit visit) {
  const auto count = static_cast<std::uint32_t>(count_bits(set));
  if (size > count) return;
  if (size == 0) {
    visit(DeviceMask{0});
    return;
  }
  std::uint32_t chosen[kMaxDevices];
  std::uint32_t device[kMaxDevices];
  std::uint32_t n = 0;
  for (DeviceMask left = set; left != 0; left &= left - 1)
    device[n++] = static_cast<std::uint32_t>(std::countr_zero(left));
  for (std::uint32_t i = 0; i < size; ++i) chosen[i] = i;
  for (;;) {
    DeviceMask subset = 0;
    for (std::uint32_t i = 0; i < size; ++i) subset |= DeviceMask{1} << device[chosen[i]];
    if (!visit(subset)) return;
    std::uint32_t i = size;
    while (i > 0 && chosen[i - 1] == count - size + i - 1) --i;
    if (i == 0) return;
    ++chosen[i - 1];
    for (std::uint32_t j = i; j < size; ++j) chosen[j] = chosen[j - 1] + 1;
  }
}

// Whether an entry holds. `unknown`: the node class lacks the information.
enum class Certainty : std::uint8_t { no, unknown, yes };

// How an unknown counts. Normally a hard entry fails. `passes` checks whether a better description could make
// the entry hold, which separates `topology-unknown` from `impossible`; each entry is then checked on its
// own.
enum class Unknown : std::uint8_t { fails, passes };

constexpr bool holds(Certainty certainty, Unknown unknown) {
  return certainty == Certainty::yes || (certainty == Certainty::unknown && unknown == Unknown::passes);
}

using NumaSet = std::uint64_t;  // one bit per entry of NodeClass::numa
inline constexpr std::size_t kMaxNumaNodes = 64;

// Checks one set of devices of a class against one entry of a requirement. The caller handles the entry's
// scope and strength. Bits beyond the class's devices are ignored. An empty set satisfies every entry.
class DeviceSets {
 public:
  explicit DeviceSets(const NodeClass& node_class);

  // An entry of `gpus`. A pair is related at `nvl` if some nvl group contains both and its link is not
  // degraded; at `pcie`, `numa` and `socket` if one mask of that partition contains both, whatever links
  // exist. A pair is unknown at `nvl` if links are not known, no nvl group contains it and it is not
  // degraded; at the other levels if one of the two is in no mask.
  //   clique     every pair of the set is related
  //   connected  the graph of related pairs inside the set is connected
  //   same       all are in one mask; at nvl, in one connected part of the whole class, also through devices
  //              outside the set
  // The masks of a partition are disjoint, so the three modes are equal there. A single device satisfies all
  // of them.
  Certainty related(DeviceMask set, const GpuRequirement& need) const;

  // The entry `nic`. With `per_gpu` each device has some NIC near it, else one NIC is near all devices. A NIC
  // may serve any number of devices and tasks. Near at pcie are the devices that the class lists for that
  // level; near at numa also those that share a NUMA node with one of them; near at socket also those that
  // share a socket with one of them. The answer is unknown if only a missing location of a device or NIC
  // leaves it open, or if the class does not know its NICs.
  Certainty near_nic(DeviceMask set, const NicRequirement& need) const;

  // `gpu_model`: the model of each device is one of these (see names_model()). A device without a model is
  // unknown.
  Certainty of_models(DeviceMask set, std::span<const std::string> listed) const;
  // The model of each device is exactly this one.
  Certainty of_model(DeviceMask set, std::string_view model) const;
  // `uniform_model`: all devices have the same model.
  Certainty one_model(DeviceMask set) const;

  // The devices are in at most this many NUMA nodes; unknown if one of them is in no NUMA node.
  Certainty within_numa(DeviceMask set, std::uint32_t nodes) const;
  NumaSet numa_nodes(DeviceMask set) const;
  DeviceMask devices_of(NumaSet nodes) const;
  std::size_t numa_count() const { return numa_.size(); }
  bool all_in_numa() const { return (all_ & ~numa_placed_) == 0; }

  // Whether an entry treats both devices alike in any set, so that a search need not try both.
  bool same_relations(std::uint32_t a, std::uint32_t b, GpuLevel level) const;
  bool same_nics(std::uint32_t a, std::uint32_t b, GpuLevel level) const;
  bool same_model(std::uint32_t a, std::uint32_t b) const { return models_[a] == models_[b]; }

  DeviceMask all() const { return all_; }
  std::uint32_t count() const { return static_cast<std::uint32_t>(models_.size()); }

 private:
  // For each device the devices related to it, including itself: `sure` from what is known, `maybe` if every
  // unknown counts as related.
  struct Relation {
    std::vector<DeviceMask> sure;
    std::vector<DeviceMask> maybe;
  };
  // For each NIC the devices near it.
  using Nearness = Relation;

  Relation nvl_relation(const NodeClass& node_class) const;
  Relation place_relation(const std::vector<DeviceMask>& masks) const;
  Relation model_relation() const;
  Nearness nearness(const NodeClass& node_class, GpuLevel level) const;

  DeviceMask all_ = 0;
  std::vector<std::string> models_;    // in lower case, see fold_model()
  std::array<Relation, 4> relations_;  // by GpuLevel
  Relation same_model_;
  std::array<Nearness, 4> near_;  // by GpuLevel; empty at nvl
  bool nics_known_ = false;
  std::vector<DeviceMask> numa_;
  DeviceMask numa_placed_ = 0;
};

}  // namespace cede
