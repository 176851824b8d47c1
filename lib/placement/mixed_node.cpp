// SPDX-License-Identifier: MIT
#include "placement/mixed_node.h"

#include <algorithm>
#include <bit>

#include "base/bits.h"
#include "topology/fit/subsets.h"

namespace cede {

namespace {

constexpr std::uint64_t kTryWork = 3;  // one set of devices

}  // namespace

bool MixedNode::amounts_suffice(const std::vector<ShapeId>& shapes) const {
  std::map<std::uint32_t, Total> sum;
  for (const ShapeId shape : shapes) {
    for (const ResourceAmount& entry : space_.model().shape(shape)) {
      if (!context_.usage.counted_by_group(entry.resource)) sum[entry.resource] += entry.amount;
    }
  }
  return std::all_of(sum.begin(), sum.end(), [&](const auto& need) {
    return need.second == 0 || need.second <= space_.node(node_).free[need.first];
  });
}

// Whether so many devices are free, whichever those are that somebody holds without saying so. Parts of
// devices are counted by the amounts where the node has them.
bool MixedNode::numbers_suffice(const std::vector<ShapeId>& shapes) const {
  const NodeSpace& node = space_.node(node_);
  if (node.devices == 0) return true;
  std::uint32_t wanted = node.unknown;
  for (const ShapeId shape : shapes) {
    const DeviceAllocator& allocator = allocators_.at(shape);
    wanted += allocator.whole() + (allocator.share() > 0 && !allocator.counts_gpu() ? 1 : 0);
  }
  return wanted == node.unknown || wanted <= static_cast<std::uint32_t>(count_bits(node.free_devices()));
}

bool MixedNode::assign(const std::vector<ShapeId>& shapes, std::vector<DeviceAssignment>& out, Work& work) {
  work.spend(6 + 4 * shapes.size());
  if (!amounts_suffice(shapes)) return false;
  const NodeSpace& node = space_.node(node_);
  out.assign(shapes.size(), DeviceAssignment{});
  shapes_ = &shapes;
  out_ = &out;
  work_ = &work;
  together_ = 0;
  demands_.assign(shapes.size(), NumaDemand{});
  free_ = node.free_devices();
  shared_ = node.shared;
  shared_.resize(node.devices, 0);
  bool fits_needed = false;
  bool numa = false;
  for (const ShapeId shape : shapes) {
    fits_needed = fits_needed || allocators_.at(shape).needs_fit();
    numa = numa || allocators_.at(shape).counts_numa();
  }
  numa_cpu_ = numa ? certain_numa_cpu(space_, node_) : std::vector<Amount>{};
  if (node.unknown > 0) {
    free_ &= ~node.unknown_pool;
    if (place(0)) return true;
    if (fits_needed || !numbers_suffice(shapes)) return false;
    // How many is certain; which ones is not.
    for (std::size_t i = 0; i < shapes.size(); ++i) {
      const DeviceAllocator& allocator = allocators_.at(shapes[i]);
      out[i] = DeviceAssignment{};
      out[i].known = allocator.whole() + allocator.share() == 0 || node.devices == 0;
    }
    return true;
  }
  return place(0);
}

bool MixedNode::place(std::size_t task) {
  const NodeSpace& node = space_.node(node_);
  if (task == shapes_->size()) {
    return std::all_of(shapes_->begin(), shapes_->end(), [&](ShapeId shape) {
      const NodeFit* fit = allocators_.at(shape).fit(node_);
      return !fit || fit->rules().node_holds(together_);
    });
  }
  const DeviceAllocator& allocator = allocators_.at((*shapes_)[task]);
  if (node.devices == 0 || allocator.whole() + allocator.share() == 0) return try_set(task, 0, kMaxDevices);
  // Without entries about devices any set is as good as another: the lowest will do.
  const bool any_will_do = !allocator.needs_fit();
  bool done = false;
  const auto with_share = [&](std::uint32_t share_device) {
    const DeviceMask bit = share_device < kMaxDevices ? DeviceMask{1} << share_device : 0;
    for_each_subset(free_ & ~bit, allocator.whole(), [&](DeviceMask whole) {
      if (!work_->spend(kTryWork)) {
        work_->leave_open();
        return false;
      }
      done = try_set(task, whole, share_device);
      return !done && !any_will_do;
    });
  };
  if (allocator.share() == 0) {
    with_share(kMaxDevices);
    return done;
  }
  for (std::uint32_t d = 0; d < node.devices && !done && !work_->ended(); ++d) {
    // Who does not say what it holds may have a part of a shared device too.
    const bool certain = node.unknown == 0 || (node.unknown_pool >> d & 1) == 0;
    const bool open = (free_ >> d & 1) != 0 || (shared_[d] > 0 && certain);
    if (open && (node.whole >> d & 1) == 0 && shared_[d] + allocator.share() <= kOne) with_share(d);
  }
  return done;
}

bool MixedNode::try_set(std::size_t task, DeviceMask whole, std::uint32_t share_device) {
  const DeviceAllocator& allocator = allocators_.at((*shapes_)[task]);
  const DeviceMask bit = share_device < kMaxDevices ? DeviceMask{1} << share_device : 0;
  const DeviceMask set = whole | bit;
  if (allocator.lacks_topology(node_)) return false;
  if (const NodeFit* fit = allocator.fit(node_)) {
    const NodeRules& rules = fit->rules();
    if ((set & ~rules.allowed()) != 0 || !rules.task_holds(set)) return false;
    const NumaTerms numa = rules.numa_terms(numa_cpu_);
    demands_[task] = {rules.sets().numa_nodes(set), numa.limit, numa.cpu};
    if (!numa_cpu_.empty() && !shares_numa_cpu(task + 1)) return false;
  }
  const DeviceMask free_before = free_;
  const DeviceMask together_before = together_;
  free_ &= ~set;
  together_ |= set;
  if (bit != 0) shared_[share_device] = static_cast<std::uint16_t>(shared_[share_device] + allocator.share());
  (*out_)[task] = DeviceAssignment{whole, share_device, bit != 0 ? allocator.share() : 0, true};
  const bool done = place(task + 1);
  if (bit != 0) shared_[share_device] = static_cast<std::uint16_t>(shared_[share_device] - allocator.share());
  free_ = free_before;
  together_ = together_before;
  return done;
}

// Whether the first so many tasks find their cpu on few enough NUMA nodes.
bool MixedNode::shares_numa_cpu(std::size_t tasks) const {
  return shares_cpu(std::span(demands_).first(tasks), numa_cpu_, *work_) == Fit::yes;
}

}  // namespace cede
