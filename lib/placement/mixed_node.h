// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <vector>

#include "placement/device_allocator.h"

namespace cede {

// Seats tasks of several shapes on one node, by trying device sets for one task after the other. Of devices
// that are unknown it counts on those alone that are certainly free, so it may miss a seat but never invents
// one.
class MixedNode {
 public:
  MixedNode(const RuleContext& rule_context, const Space& space, std::size_t node,
            const std::map<ShapeId, DeviceAllocator>& allocators)
      : context_(rule_context), space_(space), node_(node), allocators_(allocators) {}

  // `shapes` are those of the tasks; `out` gets a seat each. False also where the work ends; it says so then.
  bool assign(const std::vector<ShapeId>& shapes, std::vector<DeviceAssignment>& out, Work& work);

 private:
  bool amounts_suffice(const std::vector<ShapeId>& shapes) const;
  bool numbers_suffice(const std::vector<ShapeId>& shapes) const;
  bool place(std::size_t task);
  bool try_set(std::size_t task, DeviceMask whole, std::uint32_t share_device);
  bool shares_numa_cpu(std::size_t tasks) const;

  const RuleContext& context_;
  const Space& space_;
  const std::size_t node_;
  const std::map<ShapeId, DeviceAllocator>& allocators_;
  const std::vector<ShapeId>* shapes_ = nullptr;
  std::vector<DeviceAssignment>* out_ = nullptr;
  Work* work_ = nullptr;
  DeviceMask free_ = 0;
  DeviceMask together_ = 0;
  std::vector<std::uint16_t> shared_;
  std::vector<Amount> numa_cpu_;     // certainly free on each NUMA node
  std::vector<NumaDemand> demands_;  // of the tasks seated so far, where `cpu.numa` is a demand
};

}  // namespace cede
