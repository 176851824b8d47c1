// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "model/plan.h"
#include "placement/space.h"
#include "topology/fit/node_fit.h"

namespace cede {

// The devices one task gets.
struct DeviceAssignment {
  DeviceMask gpus = 0;
  std::uint32_t share_device = kMaxDevices;
  std::uint32_t share = 0;
  bool known = true;  // false: the number of devices is certain, but not which ones
};

// How many tasks of one shape a node takes at once, and on which devices, so that every entry of a
// requirement about one node is met. Prepared per node class at construction, then thread-safe. The cost
// counts in the space's work; if that ends, the answer is too low and the work records it.
class DeviceAllocator {
 public:
  // `model`: only devices of this model; empty: any.
  DeviceAllocator(const RuleContext& rule_context, const NodeTable& nodes, const Requirement& require,
                  ShapeId shape, Unknown unknown, const std::string& model, Work& work);

  // At most `most`. Any smaller number fits too, unless is_doubtful().
  std::uint32_t capacity(const Space& space, std::size_t node, std::uint32_t most) const;
  // Whether all nodes together have enough, as far as known. False is certain, true is not.
  bool may_have_room(const Space& space, std::uint64_t tasks) const;
  // Whether both nodes take equally many tasks, decided without computing how many. Saves work because most
  // nodes of a cluster are alike. May return false although they do.
  bool are_alike(const NodeSpace& a, const NodeSpace& b) const;
  // Assigns devices to exactly this many tasks, which must not exceed the capacity.
  bool assign(const Space& space, std::size_t node, std::uint32_t tasks,
              std::vector<DeviceAssignment>& out) const;
  std::uint32_t whole() const { return whole_; }  // devices per task
  std::uint32_t share() const { return share_; }  // plus thousandths of one more device
  Amount cpu() const { return cpu_; }
  bool counts_gpu() const { return counts_gpu_; }    // the node counts GPUs, not the group
  bool needs_fit() const { return needs_fit_; }      // some entry is about devices or NUMA nodes
  bool counts_numa() const { return counts_numa_; }  // `cpu.numa` is a hard entry
  // Whether the result depends on the node's topology, which is missing.
  bool lacks_topology(std::size_t node) const {
    return needs_fit_ && !fit(node) && unknown_ == Unknown::fails;
  }
  // Null if the node has no topology, or if nothing depends on it.
  const NodeFit* fit(std::size_t node) const { return fit_.empty() ? nullptr : fit_[node]; }
  // Whether a node may take a number of tasks that capacity() does not find.
  bool is_doubtful() const { return doubtful_; }

 private:
  // The devices of a node in one call.
  struct Devices {
    DeviceMask free = 0;  // no part of them is held by a task that names its devices
    DeviceMask pool = 0;  // where the unknown devices may be
    std::uint32_t unknown = 0;
    bool names_only = false;
  };
  static Devices devices_of(const NodeSpace& node);
  std::uint32_t by_amounts(const Space& space, const NodeSpace& node, std::uint32_t most) const;
  std::uint32_t by_devices(const Space& space, std::size_t node, std::uint32_t most) const;
  std::uint32_t with_fit(const NodeFit& fit, DeviceMask free, std::span<const Amount> cpu, std::uint32_t most,
                         Work& work) const;
  std::uint32_t assign_shares(const Space& space, std::size_t node, std::uint32_t most,
                              std::vector<DeviceAssignment>* out) const;

  const Model& model_;
  std::vector<ResourceAmount> on_node_;  // of one task, without what the group counts
  std::uint32_t whole_ = 0;              // devices per task
  std::uint32_t share_ = 0;              // plus thousandths of one more device
  Amount cpu_ = 0;
  bool counts_gpu_ = false;
  bool needs_fit_ = false;
  bool counts_numa_ = false;
  Unknown unknown_;
  bool doubtful_ = false;
  std::map<std::pair<std::uint32_t, Amount>, std::unique_ptr<const NodeFit>> fits_;  // by class and cpu
  std::vector<const NodeFit*> fit_;  // by node; null: no topology; empty if nothing depends on it
};

// The cpu, in thousandths, that is certainly free on each NUMA node. The NUMA node of a task that stays is
// known only if it asked for a single one and its devices tell which; cpu of other tasks may be anywhere.
std::vector<Amount> certain_numa_cpu(const Space& space, std::size_t node);

}  // namespace cede
