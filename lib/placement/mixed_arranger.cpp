// SPDX-License-Identifier: MIT
#include "placement/mixed_arranger.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <set>
#include <tuple>

#include "base/bits.h"
#include "placement/effective_requirement.h"
#include "topology/fit/device_sets.h"

namespace cede {

namespace {

constexpr std::uint64_t kTryWork = 3;  // for one set of devices

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

// Whether enough devices are free, whichever the unknown ones are. If the node counts amounts, these cover
// parts of devices.
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
    free_ &= ~node.pool();
    if (place(0)) return true;
    if (fits_needed || node.names_only() || !numbers_suffice(shapes)) return false;
    // The number of devices is certain, but not which ones.
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
  // Without entries about devices all sets are equally good, so the lowest is taken.
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
    // A task that does not name its devices may also hold a part of a shared device.
    const bool certain = (node.pool() >> d & 1) == 0;
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

// Whether the first `tasks` tasks find their cpu on few enough NUMA nodes.
bool MixedNode::shares_numa_cpu(std::size_t tasks) const {
  return shares_cpu(std::span(demands_).first(tasks), numa_cpu_, *work_) == Fit::yes;
}

namespace {

constexpr std::size_t kMaxTasks = 4096;  // the recursion is as deep as the number of tasks

}  // namespace

PlannedTask planned_task(const RequestTask& asked, NodeId node, const DeviceAssignment& assignment) {
  PlannedTask task;
  task.task = asked.row;
  task.index = asked.index;
  task.node = node;
  task.gpus = assignment.gpus;
  task.devices_known = assignment.known;
  if (assignment.known && assignment.share > 0) {
    task.share_device = assignment.share_device;
    task.share = assignment.share;
  }
  return task;
}

MixedArranger::MixedArranger(const RuleContext& rule_context, const Space& space,
                             const NodeAttributes& attributes, const Requirement& require,
                             const NodeChoiceConstraints& need, std::span<const std::uint32_t> open,
                             const std::map<ShapeId, DeviceAllocator>& allocators)
    : context_(rule_context),
      model_(rule_context.model()),
      space_(space),
      attributes_(attributes),
      require_(require),
      need_(need),
      open_(open),
      allocators_(allocators),
      at_(rule_context.request.tasks.size(), 0),
      on_node_(open.size()),
      work_(space.work()) {
  order_.resize(at_.size());
  std::iota(order_.begin(), order_.end(), 0);
}

// How many tasks of the shape the node takes at most, by amounts and numbers of devices.
Total MixedArranger::most_tasks(std::uint32_t node, ShapeId shape) const {
  const NodeSpace& here = space_.node(node);
  const DeviceAllocator& allocator = allocators_.at(shape);
  Total most = static_cast<Total>(context_.request.tasks.size()) * kMaxDevices;
  for (const ResourceAmount& entry : model_.shape(shape)) {
    if (entry.amount == 0 || context_.usage.counted_by_group(entry.resource)) continue;
    most = std::min(most, std::max<Total>(0, here.free[entry.resource]) / entry.amount);
  }
  if (here.devices > 0 && allocator.whole() > 0) {
    const Total free = static_cast<Total>(count_bits(here.free_devices())) - here.unknown;
    most = std::min(most, std::max<Total>(0, free) / allocator.whole());
  }
  return most;
}

// How many tasks of shape `small` surely find room wherever one of shape `large` does.
Total MixedArranger::held_by(ShapeId large, ShapeId small) const {
  if (large == small) return 1;
  Total held = kMaxDevices;
  for (const ResourceAmount& entry : model_.shape(small)) {
    if (entry.amount == 0 || context_.usage.counted_by_group(entry.resource)) continue;
    held = std::min(held, Total{amount_of(model_.shape(large), entry.resource)} / entry.amount);
  }
  if (allocators_.at(small).whole() > 0)
    held = std::min<Total>(held, allocators_.at(large).whole() / allocators_.at(small).whole());
  return held;
}

// A cheap test before the search: for each shape, the nodes together must have room for its tasks, and for as
// many more of them as the larger tasks could be exchanged for.
bool MixedArranger::could_fit() const {
  std::map<ShapeId, Total> counts;
  for (const RequestTask& task : context_.request.tasks) ++counts[task.resources];
  return std::all_of(counts.begin(), counts.end(), [&](const auto& shape) {
    Total exchanged = 0;
    for (const auto& [other, count] : counts) exchanged += count * held_by(other, shape.first);
    Total alone = 0;
    Total most = 0;
    for (const std::uint32_t node : open_) {
      work_.spend(2);
      const Total here = most_tasks(node, shape.first);
      most += here;
      alone += std::min<Total>(here, require_.tasks_per_node.max);
      if (most >= exchanged && alone >= shape.second) return true;
    }
    return false;
  });
}

PlacementResult MixedArranger::run(Arrangement* out) {
  if (context_.request.tasks.size() > kMaxTasks) return PlacementResult::undecided;
  if (!could_fit()) return PlacementResult::no_room;
  const std::vector<std::size_t> given = order_;
  bool found = false;
  // A little work for the tasks in the given order, then for the largest first: where one of them leads to an
  // arrangement it nearly always does so at once.
  for (const std::uint64_t part : {16, 4, 2}) {
    const WorkShare share(work_, work_.left() / part);
    const std::uint64_t untried = work_.left_open();
    found = search({});
    if (found) break;
    if (work_.left_open() == untried) return PlacementResult::no_room;
    if (order_ == given) {
      put_large_first();
    } else {
      order_ = given;
    }
  }
  if (!found) return PlacementResult::undecided;
  if (!out) return PlacementResult::placed;
  write(*out);
  improve(*out);
  return PlacementResult::placed;
}

// Searches for the best arrangement: fewest nodes outside the largest set, then fewest borrowed nodes.
bool MixedArranger::improve(Arrangement& out) {
  std::set<std::uint32_t> sets{kNowhere};
  if (need_.favour_largest_set) {
    for (const std::uint32_t node : open_) {
      if (attributes_.reports(node)) sets.insert(attributes_.fingerprint(node));
    }
    if (sets.size() > 1) sets.erase(kNowhere);
  }
  for (std::uint32_t outside = 0; outside <= out.outside; ++outside) {
    for (std::uint32_t borrowed = 0;
         outside < out.outside ? borrowed <= open_.size() : borrowed < out.borrowed; ++borrowed) {
      for (const std::uint32_t set : sets) {
        if (work_.ended()) {
          work_.leave_open();
          return false;
        }
        if (!search({set, outside, borrowed})) continue;
        write(out);
        return true;
      }
    }
  }
  return false;
}

void MixedArranger::put_large_first() {
  const std::vector<RequestTask>& tasks = context_.request.tasks;
  const auto size = [&](std::size_t task) {
    const DeviceAllocator& allocator = allocators_.at(tasks[task].resources);
    return std::tuple(allocator.whole(), allocator.share(), allocator.cpu(), tasks[task].resources);
  };
  std::stable_sort(order_.begin(), order_.end(),
                   [&](std::size_t a, std::size_t b) { return size(a) > size(b); });
}

bool MixedArranger::search(const Terms& terms) {
  work_.spend(on_node_.size());
  used_.clear();
  for (auto& tasks : on_node_) tasks.clear();
  return place_from(0, terms);
}

bool MixedArranger::may_add(std::uint32_t candidate, const Terms& terms) {
  work_.spend(4 * (1 + used_.size()) * (1 + need_.domains.size()));
  std::vector<std::uint32_t> nodes = used_;
  nodes.push_back(candidate);
  if (nodes.size() > require_.nodes.max) return false;
  std::uint32_t outside = 0;
  std::uint32_t borrowed = 0;
  std::set<std::uint32_t> fingerprints;
  for (const std::uint32_t i : nodes) {
    const std::uint32_t node = open_[i];
    fingerprints.insert(attributes_.fingerprint(node));
    borrowed += attributes_.borrowed(node) ? 1 : 0;
    outside += attributes_.reports(node) && terms.favoured != kNowhere &&
               attributes_.fingerprint(node) != terms.favoured;
  }
  if (outside > terms.outside || borrowed > terms.borrowed) return false;
  if (need_.uniform == UniformOver::job) {
    if (fingerprints.size() > 1) return false;
    if (need_.pinned_fingerprint != kNowhere && !fingerprints.contains(need_.pinned_fingerprint))
      return false;
  }
  for (const DomainConstraint& entry : need_.domains) {
    std::set<std::uint32_t> domains(entry.pinned.begin(), entry.pinned.end());
    for (const std::uint32_t i : nodes) {
      const std::uint32_t domain = attributes_.domains(open_[i])[entry.level];
      if (domain == kNowhere) return false;
      domains.insert(domain);
    }
    if (domains.size() > entry.max_domains) return false;
  }
  return true;
}

bool MixedArranger::segments_hold() const {
  if (!need_.segment) return true;
  work_.spend(20 * used_.size());
  std::vector<std::uint32_t> nodes;
  for (const std::uint32_t at : used_) nodes.push_back(open_[at]);
  return are_segments(attributes_, *need_.segment, need_.uniform == UniformOver::segment, nodes);
}

bool MixedArranger::is_complete() const {
  if (used_.size() < require_.nodes.min) return false;
  for (const std::uint32_t node : used_) {
    if (on_node_[node].size() < need_.least_per_node) return false;
  }
  return segments_hold();
}

bool MixedArranger::assign_on_node(std::uint32_t node,
                                   std::vector<std::pair<std::size_t, DeviceAssignment>>* out,
                                   Work& work) const {
  std::vector<ShapeId> shapes;
  for (const std::size_t task : on_node_[node]) shapes.push_back(context_.request.tasks[task].resources);
  std::vector<DeviceAssignment> assignments;
  const WorkShare share(work, kOneFit);
  if (!MixedNode(context_, space_, open_[node], allocators_).assign(shapes, assignments, work)) return false;
  for (std::size_t i = 0; out && i < assignments.size(); ++i)
    out->emplace_back(on_node_[node][i], assignments[i]);
  return true;
}

bool MixedArranger::place_from(std::size_t task, const Terms& terms) {
  const std::vector<RequestTask>& tasks = context_.request.tasks;
  if (task == tasks.size()) return is_complete();
  const RequestTask& asked = tasks[order_[task]];
  const bool like_before = task > 0 && asked.resources == tasks[order_[task - 1]].resources &&
                           asked.required_node == tasks[order_[task - 1]].required_node;
  for (std::size_t i = like_before ? at_[task - 1] : 0; i < open_.size(); ++i) {
    const NodeId node = space_.node(open_[i]).id;
    if (asked.required_node != kNoName && model_.nodes[node].name != asked.required_node) continue;
    if (on_node_[i].size() >= require_.tasks_per_node.max) continue;
    if (!work_.spend(3)) {
      work_.leave_open();
      return false;
    }
    if (on_node_[i].empty() && !may_add(static_cast<std::uint32_t>(i), terms)) continue;
    on_node_[i].push_back(order_[task]);
    if (on_node_[i].size() == 1) used_.push_back(static_cast<std::uint32_t>(i));
    at_[task] = i;
    if (assign_on_node(static_cast<std::uint32_t>(i), nullptr, work_) && place_from(task + 1, terms))
      return true;
    on_node_[i].pop_back();
    if (on_node_[i].empty()) used_.pop_back();
  }
  return false;
}

void MixedArranger::write(Arrangement& out) const {
  out = {};
  out.tasks.resize(at_.size());
  std::map<std::uint32_t, std::uint32_t> sets;
  std::uint32_t reporting = 0;
  std::uint32_t largest = 0;
  for (std::uint32_t i = 0; i < open_.size(); ++i) {
    if (on_node_[i].empty()) continue;
    std::vector<std::pair<std::size_t, DeviceAssignment>> assignments;
    Work again(kOneFit);  // the assignment was found before, so this is enough
    assign_on_node(i, &assignments, again);
    for (const auto& [task, assignment] : assignments)
      out.tasks[task] = planned_task(context_.request.tasks[task], space_.node(open_[i]).id, assignment);
    out.borrowed += attributes_.borrowed(open_[i]) ? 1 : 0;
    if (!attributes_.reports(open_[i])) continue;
    ++reporting;
    largest = std::max(largest, ++sets[attributes_.fingerprint(open_[i])]);
  }
  if (need_.favour_largest_set) out.outside = reporting - largest;
}

}  // namespace cede
