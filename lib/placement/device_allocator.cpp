// SPDX-License-Identifier: MIT
#include "placement/device_allocator.h"

#include <algorithm>
#include <bit>

#include "base/bits.h"
#include "topology/fit/device_sets.h"

namespace cede {

namespace {

constexpr std::uint64_t kMaxAssignments = 10'000;  // of unknown devices; beyond that, the answer is no

DeviceMask lowest(DeviceMask from, std::uint32_t count) {
  DeviceMask out = 0;
  for (; count > 0; --count) {
    const DeviceMask one = from & (~from + 1);
    out |= one;
    from &= ~one;
  }
  return out;
}

}  // namespace

DeviceAllocator::DeviceAllocator(const RuleContext& rule_context, const NodeTable& nodes,
                                 const Requirement& require, ShapeId shape, Unknown unknown,
                                 const std::string& model, Work& work)
    : model_(rule_context.model()), unknown_(unknown) {
  const std::uint32_t gpu = model_.find_resource("gpu");
  const std::uint32_t cpu = model_.find_resource("cpu");
  for (const ResourceAmount& entry : model_.shape(shape)) {
    // Tasks get devices even if the group counts the amount.
    if (entry.amount > 0 && !rule_context.usage.counted_by_group(entry.resource)) on_node_.push_back(entry);
    if (entry.resource == gpu) {
      whole_ = static_cast<std::uint32_t>(std::min<Amount>(entry.amount / kOne, kMaxDevices + 1));
      share_ = static_cast<std::uint32_t>(entry.amount % kOne);
      counts_gpu_ = !rule_context.usage.counted_by_group(gpu);
    }
    if (entry.resource == cpu) cpu_ = entry.amount;
  }
  const bool about_devices = !require.gpus.empty() || require.nic.given || !require.gpu_models.empty() ||
                             require.uniform_model != UniformModel::off || !model.empty();
  counts_numa_ = require.cpu_numa == CpuNuma::single || require.cpu_numa == CpuNuma::restricted;
  needs_fit_ = counts_numa_ || (about_devices && whole_ + share_ > 0);
  if (!needs_fit_) return;
  fit_.resize(nodes.size(), nullptr);
  work.spend(4 * nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const NodeRow& row = model_.nodes[nodes.nodes()[i].id];
    const NodeClass* node_class = model_.node_class(row);
    if (!node_class) continue;
    const Amount node_cpu =
        counts_numa_ && cpu != ResourceId::kNoValue ? amount_of(model_.shape(row.resources), cpu) : 0;
    auto& fit = fits_[{model_.topologies[row.topology].node_class.value, node_cpu}];
    if (!fit) {
      TaskTerms terms;
      terms.devices = whole_ + (share_ > 0 ? 1 : 0);
      terms.cpu = cpu_;
      terms.node_cpu = node_cpu;
      terms.unknown = unknown;
      terms.model = model;
      fit = std::make_unique<const NodeFit>(*node_class, require, std::move(terms),
                                            FitTable::kMaxTableDevices, &work);
      doubtful_ = doubtful_ || !fit->is_hereditary() || fit->is_unclear();
    }
    fit_[i] = fit.get();
  }
}

DeviceAllocator::Devices DeviceAllocator::devices_of(const NodeSpace& node) {
  Devices out;
  out.free = node.free_devices();
  out.unknown = node.unknown;
  out.pool = node.pool();
  out.names_only = node.names_only();
  return out;
}

std::uint32_t DeviceAllocator::by_amounts(const Space&, const NodeSpace& node, std::uint32_t most) const {
  Total count = most;
  for (const ResourceAmount& entry : on_node_) {
    const Total free = node.free[entry.resource];
    if (free < entry.amount) return 0;
    if (count * entry.amount > free) count = free / entry.amount;
  }
  return static_cast<std::uint32_t>(count);
}

std::uint32_t DeviceAllocator::capacity(const Space& space, std::size_t node, std::uint32_t most) const {
  space.work().spend(2 + on_node_.size());
  const NodeSpace& here = space.node(node);
  const std::uint32_t count = by_amounts(space, here, most);
  if (count == 0) return 0;
  if (lacks_topology(node)) return 0;
  if (here.devices == 0 && !needs_fit_) return count;
  return by_devices(space, node, count);
}

bool DeviceAllocator::may_have_room(const Space& space, std::uint64_t tasks) const {
  return std::all_of(on_node_.begin(), on_node_.end(), [&](const ResourceAmount& entry) {
    const std::optional<Total> free = space.free_on_nodes(entry.resource);
    return !free || *free >= static_cast<Total>(tasks) * entry.amount;
  });
}

bool DeviceAllocator::are_alike(const NodeSpace& a, const NodeSpace& b) const {
  if (needs_fit_ || share_ > 0 || a.devices != b.devices || a.unknown != b.unknown || a.whole != b.whole ||
      !a.shared.empty() || !b.shared.empty() || a.names_only() || b.names_only())
    return false;
  return std::all_of(on_node_.begin(), on_node_.end(), [&](const ResourceAmount& entry) {
    return a.free[entry.resource] == b.free[entry.resource];
  });
}

std::uint32_t DeviceAllocator::with_fit(const NodeFit& fit, DeviceMask free, std::span<const Amount> cpu,
                                        std::uint32_t most, Work& work) const {
  work.spend(2);
  const std::uint32_t most_fit = counts_numa_ ? fit.capacity(free, cpu, &work) : fit.capacity(free, &work);
  std::uint32_t count = most_fit == NodeFit::kNoLimit ? most : std::min(most, most_fit);
  if (fit.is_hereditary()) return count;
  // A number counts only if every smaller number fits too.
  for (std::uint32_t tasks = 1; tasks <= count; ++tasks) {
    if (fit.fits(free, tasks, cpu, &work) != Fit::yes) return tasks - 1;
  }
  return count;
}

std::uint32_t DeviceAllocator::by_devices(const Space& space, std::size_t node, std::uint32_t most) const {
  if (share_ > 0) return assign_shares(space, node, most, nullptr);
  const Devices devices = devices_of(space.node(node));
  const NodeFit* fit = needs_fit_ ? this->fit(node) : nullptr;
  if (!fit) {
    if (whole_ == 0) return most;
    if (devices.names_only)
      return std::min(most, static_cast<std::uint32_t>(count_bits(devices.free & ~devices.pool)) / whole_);
    const auto free = static_cast<std::uint32_t>(count_bits(devices.free));
    return free < devices.unknown ? 0 : std::min(most, (free - devices.unknown) / whole_);
  }
  const std::vector<Amount> cpu = counts_numa_ ? certain_numa_cpu(space, node) : std::vector<Amount>{};
  Work& work = space.work();
  if (devices.unknown == 0) return with_fit(*fit, devices.free, cpu, most, work);
  if (devices.names_only) return with_fit(*fit, devices.free & ~devices.pool, cpu, most, work);
  // Computes how many tasks fit whichever devices the unknown ones are.
  const auto pool = static_cast<std::uint32_t>(count_bits(devices.pool));
  const std::uint32_t held = std::min(devices.unknown, pool);
  if (subset_count(pool, held) > kMaxAssignments) return 0;
  std::uint32_t least = most;
  const WorkShare share(work, kOneFit);
  for_each_subset(devices.pool, held, [&](DeviceMask taken) {
    if (work.ended()) {
      work.leave_open();
      least = 0;
    }
    if (least > 0) least = std::min(least, with_fit(*fit, devices.free & ~taken, cpu, most, work));
    return least > 0;
  });
  return least;
}

bool DeviceAllocator::assign(const Space& space, std::size_t node, std::uint32_t tasks,
                             std::vector<DeviceAssignment>& out) const {
  out.assign(tasks, DeviceAssignment{});
  const NodeSpace& here = space.node(node);
  if (here.devices == 0 || whole_ + share_ == 0) return true;
  if (share_ > 0) return assign_shares(space, node, tasks, &out) == tasks;
  const Devices devices = devices_of(here);
  const DeviceMask certain = devices.free & ~devices.pool;
  const NodeFit* fit = needs_fit_ ? this->fit(node) : nullptr;
  if (!fit) {
    const bool known = static_cast<std::uint32_t>(count_bits(certain)) >= tasks * whole_;
    DeviceMask left = certain;
    for (DeviceAssignment& assignment : out) {
      assignment.known = known;
      if (!known) continue;
      assignment.gpus = lowest(left, whole_);
      left &= ~assignment.gpus;
    }
    return true;
  }
  const std::vector<Amount> cpu = counts_numa_ ? certain_numa_cpu(space, node) : std::vector<Amount>{};
  std::vector<DeviceMask> masks(tasks);
  if (fit->assign(certain, tasks, masks, nullptr, cpu, &space.work()) == Fit::yes) {
    for (std::uint32_t i = 0; i < tasks; ++i) out[i].gpus = masks[i];
    return true;
  }
  for (DeviceAssignment& assignment : out) assignment.known = false;
  return devices.unknown > 0;
}

// Places tasks that want a part of a device one by one. Each takes its part on the device that is used most
// and still has enough left, so that whole devices stay whole. On a node with unknown devices no part of a
// device is certain, so only the number of tasks is computed.
std::uint32_t DeviceAllocator::assign_shares(const Space& space, std::size_t node, std::uint32_t most,
                                             std::vector<DeviceAssignment>* out) const {
  const NodeSpace& here = space.node(node);
  if (here.unknown > 0) {
    // The amounts tell how many tasks fit, or the devices if the node counts no amount. Which devices is
    // unknown.
    if (needs_fit_ || here.names_only()) return 0;
    const auto free = static_cast<std::uint32_t>(count_bits(here.free_devices()));
    if (!counts_gpu_) most = free < here.unknown ? 0 : std::min(most, (free - here.unknown) / (whole_ + 1));
    if (out) std::fill(out->begin(), out->end(), DeviceAssignment{0, kMaxDevices, 0, false});
    return most;
  }
  DeviceMask free = here.free_devices();
  DeviceMask together = 0;
  std::vector<std::uint16_t> shared = here.shared;
  if (shared.empty()) shared.assign(here.devices, 0);
  const NodeFit* fit = needs_fit_ ? this->fit(node) : nullptr;
  for (std::uint32_t done = 0; done < most; ++done) {
    std::vector<std::uint32_t> order;
    for (std::uint32_t d = 0; d < here.devices; ++d) {
      const bool whole = (here.whole >> d & 1) != 0 || ((free >> d & 1) == 0 && shared[d] == 0);
      if (!whole && shared[d] + share_ <= static_cast<std::uint32_t>(kOne)) order.push_back(d);
    }
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return shared[a] > shared[b]; });
    DeviceAssignment assignment;
    bool found = false;
    space.work().spend(2 * here.devices);
    for (const std::uint32_t device : order) {
      const DeviceMask bit = DeviceMask{1} << device;
      DeviceMask whole = 0;
      if (fit) {
        FitQuery query;
        query.free = free & ~bit;
        query.tasks = 1;
        query.taken = together;
        query.include = bit;
        std::vector<DeviceMask> mask(1);
        const std::vector<Amount> cpu = counts_numa_ ? certain_numa_cpu(space, node) : std::vector<Amount>{};
        query.free_cpu = cpu;
        if (fit->assign(query, mask, nullptr, &space.work()) != Fit::yes) continue;
        whole = mask[0] & ~bit;
      } else {
        if (static_cast<std::uint32_t>(count_bits(free & ~bit)) < whole_) continue;
        whole = lowest(free & ~bit, whole_);
      }
      assignment = {whole, device, share_, true};
      free &= ~(whole | bit);
      together |= whole | bit;
      shared[device] = static_cast<std::uint16_t>(shared[device] + share_);
      found = true;
      break;
    }
    if (!found) return done;
    if (out) (*out)[done] = assignment;
  }
  return most;
}

namespace {

// The NUMA node a task is bound to: it asked for a single one, and its devices are in one. `numa.size()` if
// there is none.
std::size_t bound_to(const Model& model, const NodeClass& node_class, TaskId task) {
  const RequirementId require = model.job_extras[model.tasks.core(task).job.value].require;
  if (!require || model.requirements[require.value]->cpu_numa != CpuNuma::single)
    return node_class.numa.size();
  DeviceMask held = model.tasks.core(task).gpus;
  for (const DeviceShare& share : model.shares(model.tasks.extras(task)))
    held |= DeviceMask{1} << share.device;
  if (held == 0) return node_class.numa.size();
  const auto at = std::find_if(node_class.numa.begin(), node_class.numa.end(),
                               [&](DeviceMask mask) { return (held & ~mask) == 0; });
  return static_cast<std::size_t>(at - node_class.numa.begin());
}

}  // namespace

std::vector<Amount> certain_numa_cpu(const Space& space, std::size_t node) {
  const Model& model = space.model();
  const NodeRow& row = model.nodes[space.node(node).id];
  const NodeClass* node_class = model.node_class(row);
  const std::uint32_t cpu = model.find_resource("cpu");
  if (!node_class || cpu == ResourceId::kNoValue) return {};
  const std::size_t count = node_class->numa.size();
  Total cores = 0;
  for (const std::uint32_t each : node_class->cores) cores += each;
  std::vector<Total> capacity(count, 0);
  for (std::size_t i = 0; i < count && i < node_class->cores.size() && cores > 0; ++i)
    capacity[i] =
        static_cast<Total>(amount_of(model.shape(row.resources), cpu)) * node_class->cores[i] / cores;
  std::vector<Total> known(count, 0);        // held by tasks that stay
  std::vector<Total> known_today(count, 0);  // held by all bound tasks: no other task can be there
  Total anywhere = space.node(node).blocked_cpu;
  for (TaskId task = row.first_task; task; task = model.tasks.core(task).next_on_node) {
    const Amount held = amount_of(model.shape(model.tasks.core(task).resources), cpu);
    const std::size_t at = bound_to(model, *node_class, task);
    if (at < count) {
      known_today[at] += held;
      if (space.holds(task)) known[at] += held;
    } else if (space.holds(task)) {
      anywhere += held;
    }
  }
  std::vector<Amount> free(count, 0);
  for (std::size_t i = 0; i < count; ++i) {
    const Total others = std::min(anywhere, std::max<Total>(0, capacity[i] - known_today[i]));
    free[i] = static_cast<Amount>(std::max<Total>(0, capacity[i] - known[i] - others));
  }
  return free;
}

}  // namespace cede
