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

// n over k, cut at 2^32: whoever asks wants to know whether it is few.
constexpr std::uint64_t subset_count(std::uint32_t n, std::uint32_t k) {
  if (k > n) return 0;
  std::uint64_t count = 1;
  for (std::uint32_t i = 1; i <= k; ++i) {
    count = count * (n - k + i) / i;
    if (count > std::uint64_t{1} << 32) return std::uint64_t{1} << 32;
  }
  return count;
}

// Calls visit(subset) for every subset of `size` devices, lowest first, until it says false.
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

// Whether an entry holds. `unknown`: the class does not say what would decide it.
enum class Truth : std::uint8_t { no, unknown, yes };

// What counts where nobody knows: a hard entry fails. `passes` asks whether a better description could let it
// hold, which tells `topology-unknown` from `impossible`; each entry is then given the benefit of the doubt
// on its own.
enum class Unknown : std::uint8_t { fails, passes };

constexpr bool holds(Truth truth, Unknown unknown) {
  return truth == Truth::yes || (truth == Truth::unknown && unknown == Unknown::passes);
}

using NumaSet = std::uint64_t;  // bit per entry of NodeClass::numa
inline constexpr std::size_t kMaxNumaNodes = 64;

// Judges one set of devices of a class by one entry of a requirement; scope and strength of the entry are the
// caller's business. Bits beyond the class's devices are ignored, and no entry minds an empty set.
class DeviceSets {
 public:
  explicit DeviceSets(const NodeClass& node_class);

  // An entry of `gpus`. A pair is related at `nvl` if some nvl group holds both and its link is not degraded;
  // at `pcie`, `numa` and `socket` if one mask of that partition holds both, whatever links there are. A pair
  // is unknown at `nvl` if links are not known, no nvl group holds it and it is not degraded; at the others
  // if one of the two is in no mask.
  //   clique     every pair of the set is related
  //   connected  the graph of related pairs inside the set is connected
  //   same       all lie in one mask; at nvl in one connected part of the whole class, which may lead through
  //              devices outside the set
  // The masks of a partition are disjoint, so the three are one there. A single device satisfies all.
  Truth related(DeviceMask set, const GpuRequirement& need) const;

  // The entry `nic`. With `per_gpu` each device has some NIC near it, else one NIC is near them all. A NIC
  // may serve any number of devices and tasks. Near at pcie are the devices its class lists for that level;
  // near at numa those and all that share a NUMA node with one of them; near at socket those and all that
  // share a socket with one of them. What only the missing place of a device or NIC leaves open is unknown;
  // so is everything where the class does not know its NICs.
  Truth near_nic(DeviceMask set, const NicRequirement& need) const;

  // `gpu_model`: each device's model is one of these (see names_model()); a device without one is unknown.
  Truth of_models(DeviceMask set, std::span<const std::string> listed) const;
  // Each device's model is this very one.
  Truth of_model(DeviceMask set, std::string_view model) const;
  // `uniform_model`: all devices are of one model, whichever.
  Truth one_model(DeviceMask set) const;

  // The devices come from at most so many NUMA nodes; unknown if one of them is in none.
  Truth within_numa(DeviceMask set, std::uint32_t nodes) const;
  NumaSet numa_nodes(DeviceMask set) const;
  DeviceMask devices_of(NumaSet nodes) const;
  std::size_t numa_count() const { return numa_.size(); }
  bool all_in_numa() const { return (all_ & ~numa_placed_) == 0; }

  // Whether an entry treats both alike as members of any set, so that a search need not try both.
  bool same_relations(std::uint32_t a, std::uint32_t b, GpuLevel level) const;
  bool same_nics(std::uint32_t a, std::uint32_t b, GpuLevel level) const;
  bool same_model(std::uint32_t a, std::uint32_t b) const { return models_[a] == models_[b]; }

  DeviceMask all() const { return all_; }
  std::uint32_t count() const { return static_cast<std::uint32_t>(models_.size()); }

 private:
  // Per device the devices related to it, itself among them: surely, and if all that is unsaid spoke for it.
  struct Relation {
    std::vector<DeviceMask> sure;
    std::vector<DeviceMask> maybe;
  };
  // Per NIC the devices near it.
  using Nearness = Relation;

  Relation nvl_relation(const NodeClass& node_class) const;
  Relation place_relation(const std::vector<DeviceMask>& masks) const;
  Relation model_relation() const;
  Nearness nearness(const NodeClass& node_class, GpuLevel level) const;

  DeviceMask all_ = 0;
  std::vector<std::string> models_;    // folded
  std::array<Relation, 4> relations_;  // by GpuLevel
  Relation same_model_;
  std::array<Nearness, 4> near_;  // by GpuLevel; none at nvl
  bool nics_known_ = false;
  std::vector<DeviceMask> numa_;
  DeviceMask numa_placed_ = 0;
};

}  // namespace cede
