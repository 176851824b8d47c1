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

// The devices one task is given.
struct DeviceAssignment {
  DeviceMask gpus = 0;
  std::uint32_t share_device = kMaxDevices;
  std::uint32_t share = 0;
  bool known = true;  // false: how many is certain, which ones is not
};

// How many tasks of one shape a node takes at once, and onto which of its devices, with every entry of a
// requirement that concerns one node met. Whatever is needed per node class is prepared when it is made, so
// that many threads may ask. What it costs to find out counts in the space's work; where that ends the answer
// is fewer, and the work says so.
class DeviceAllocator {
 public:
  // `model`: only devices of this model; empty: any.
  DeviceAllocator(const RuleContext& rule_context, const NodeTable& nodes, const Requirement& require,
                  ShapeId shape, Unknown unknown, const std::string& model, Work& work);

  // At most `most`. Fewer then fit too, unless is_doubtful().
  std::uint32_t capacity(const Space& space, std::size_t node, std::uint32_t most) const;
  // Whether what all nodes have together is enough, as far as that is known. Says no only where it is not.
  bool may_have_room(const Space& space, std::uint64_t tasks) const;
  // Whether both nodes take equally many, without a look at how many: most nodes of a cluster are alike. May
  // say no where they do.
  bool are_alike(const NodeSpace& a, const NodeSpace& b) const;
  // Seats for exactly so many tasks, no more than the capacity.
  bool assign(const Space& space, std::size_t node, std::uint32_t tasks,
              std::vector<DeviceAssignment>& out) const;
  std::uint32_t whole() const { return whole_; }  // devices per task
  std::uint32_t share() const { return share_; }  // and thousandths of one more
  Amount cpu() const { return cpu_; }
  bool counts_gpu() const { return counts_gpu_; }    // the node counts them, not the group
  bool needs_fit() const { return needs_fit_; }      // some entry is about devices or NUMA nodes
  bool counts_numa() const { return counts_numa_; }  // `cpu.numa` is a demand
  // Something depends on the node's topology, which nobody gave.
  bool lacks_topology(std::size_t node) const {
    return needs_fit_ && !fit(node) && unknown_ == Unknown::fails;
  }
  // Null where nobody gave the node's topology, or nothing depends on it.
  const NodeFit* fit(std::size_t node) const { return fit_.empty() ? nullptr : fit_[node]; }
  // Whether a node may take some number of tasks and capacity() does not tell.
  bool is_doubtful() const { return doubtful_; }

 private:
  // The node's devices as one question sees them.
  struct Devices {
    DeviceMask free = 0;  // nothing of them is held by anybody known
    DeviceMask pool = 0;  // where the unknown ones may be
    std::uint32_t unknown = 0;
  };
  static Devices devices_of(const NodeSpace& node);
  std::uint32_t by_amounts(const Space& space, const NodeSpace& node, std::uint32_t most) const;
  std::uint32_t by_devices(const Space& space, std::size_t node, std::uint32_t most) const;
  std::uint32_t with_fit(const NodeFit& fit, DeviceMask free, std::span<const Amount> cpu, std::uint32_t most,
                         Work& work) const;
  std::uint32_t seat_shares(const Space& space, std::size_t node, std::uint32_t most,
                            std::vector<DeviceAssignment>* out) const;

  const Model& model_;
  std::vector<ResourceAmount> on_node_;  // of one task, without what the group counts
  std::uint32_t whole_ = 0;              // devices per task
  std::uint32_t share_ = 0;              // and thousandths of one more
  Amount cpu_ = 0;
  bool counts_gpu_ = false;
  bool needs_fit_ = false;
  bool counts_numa_ = false;
  Unknown unknown_;
  bool doubtful_ = false;
  std::map<std::pair<std::uint32_t, Amount>, std::unique_ptr<const NodeFit>> fits_;  // by class and cpu
  std::vector<const NodeFit*> fit_;  // by node; null: no topology. Empty where nothing depends on it
};

// The cpu, in thousandths, that is certainly free on each NUMA node: where those that stay have theirs is
// known only if they asked for one NUMA node and their devices tell which; the rest may be anywhere.
std::vector<Amount> certain_numa_cpu(const Space& space, std::size_t node);

}  // namespace cede
