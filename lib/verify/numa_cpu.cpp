// SPDX-License-Identifier: MIT
#include "verify/devices.h"

#include <algorithm>
#include <numeric>

#include "base/bits.h"

namespace cede {

namespace {

constexpr std::size_t kMostSets = 100'000;  // sets of devices tried for one shape
constexpr std::size_t kMostSteps = 5'000;   // steps to divide the cpu of one node
constexpr std::size_t kMostNumaNodes = 12;  // up to this many NUMA nodes all subsets are checked

bool knows_cores(const NodeClass& node_class) {
  return !node_class.numa.empty() && node_class.numa.size() <= 64 &&
         node_class.cores.size() == node_class.numa.size() &&
         std::accumulate(node_class.cores.begin(), node_class.cores.end(), Total{0}) > 0;
}

// How much of the node's cpu belongs to one NUMA node: in proportion to its cores.
Total cpu_of(const NodeClass& node_class, std::size_t numa_node, Amount node_cpu) {
  const Total cores = std::accumulate(node_class.cores.begin(), node_class.cores.end(), Total{0});
  if (cores == 0 || numa_node >= node_class.cores.size()) return 0;
  return static_cast<Total>(node_cpu) * node_class.cores[numa_node] / cores;
}

// Visits all sets of `size` bits of `from`, in any order, until one is found.
template <class Found>
bool some_subset(std::uint64_t from, std::uint32_t size, std::uint64_t chosen, std::size_t& left,
                 Found found) {
  if (size == 0) return found(chosen);
  for (; from != 0 && left > 0; from &= from - 1) {
    const std::uint64_t lowest = from & (~from + 1);
    if (size == 1) --left;
    if (some_subset(from & ~lowest, size - 1, chosen | lowest, left, found)) return true;
  }
  return false;
}

// The hard entries of one task that is alone on a node.
bool meets_hard_entries(const NodeClass& node_class, const Requirement& require, DeviceMask set) {
  for (const GpuRequirement& need : require.gpus) {
    if (need.strength == Strength::hard && !meets(node_class, need, set)) return false;
  }
  if (require.nic.given && require.nic.strength == Strength::hard && !meets(node_class, require.nic, set))
    return false;
  if (require.uniform_model != UniformModel::off && !are_of_one_model(node_class, set)) return false;
  return are_of_models(node_class, require.gpu_models, set);
}

std::uint32_t devices_of(const PlanFacts& facts, TaskId task) {
  return static_cast<std::uint32_t>((facts.amount(task, facts.gpu) + kOne - 1) / kOne);
}

struct Demand {
  std::uint64_t span = 0;   // NUMA nodes of its devices
  std::uint32_t limit = 0;  // how many NUMA nodes it may use
  Amount cpu = 0;
};

// Gives every task NUMA nodes around its devices so that the cpu of all tasks fits: for any set of NUMA
// nodes, the tasks that must stay inside it find enough there.
class Division {
 public:
  Division(const std::vector<Demand>& demands, const std::vector<Amount>& free)
      : demands_(demands), free_(free) {}

  // Also true if the check takes too long.
  bool exists() { return try_from(0) || left_ == 0; }

 private:
  bool try_from(std::size_t task) {
    if (task == demands_.size()) return true;
    const Demand& demand = demands_[task];
    const std::uint64_t others = first_bits(free_.size()) & ~demand.span;
    const auto spanned = static_cast<std::uint32_t>(count_bits(demand.span));
    return some_subset(others, demand.limit - spanned, demand.span, left_, [&](std::uint64_t nodes) {
      if (left_ == 0) return false;
      --left_;
      given_.push_back(nodes);
      const bool found = has_room() && try_from(task + 1);
      given_.pop_back();
      return found;
    });
  }

  bool has_room() const {
    for (std::uint64_t part = 1; part <= first_bits(free_.size()); ++part) {
      Total room = 0;
      for (std::size_t n = 0; n < free_.size(); ++n) room += (part & bit(n)) != 0 ? free_[n] : 0;
      for (std::size_t i = 0; i < given_.size(); ++i) {
        if ((given_[i] & ~part) == 0) room -= demands_[i].cpu;
      }
      if (room < 0) return false;
    }
    return true;
  }

  const std::vector<Demand>& demands_;
  const std::vector<Amount>& free_;
  std::vector<std::uint64_t> given_;
  std::size_t left_ = kMostSteps;
};

}  // namespace

std::optional<std::uint32_t> NumaPlaces::limit(const NodeClass& node_class, TaskId task,
                                               Amount node_cpu) const {
  const Key key{&node_class, facts_.model.tasks.core(task).resources, node_cpu};
  const auto known = limits_.find(key);
  if (known != limits_.end()) return known->second;
  return limits_.emplace(key, fewest(node_class, task, node_cpu)).first->second;
}

std::optional<std::uint32_t> NumaPlaces::fewest(const NodeClass& node_class, TaskId task,
                                                Amount node_cpu) const {
  const Requirement& require = facts_.require();
  const Amount cpu = facts_.amount(task, facts_.cpu);
  const std::uint32_t devices = devices_of(facts_, task);
  if (devices == 0 && cpu == 0) return 64;
  if (cpu > 0 && !knows_cores(node_class)) return 0;
  if (require.cpu_numa == CpuNuma::single) return 1;
  const auto count = static_cast<std::uint32_t>(node_class.numa.size() <= 64 ? node_class.numa.size() : 0);
  std::size_t left = kMostSets;
  const auto does = [&](std::uint64_t nodes) {
    const bool all = static_cast<std::uint32_t>(count_bits(nodes)) == count;
    Total there = all ? node_cpu : 0;
    DeviceMask usable = 0;
    for (std::uint32_t n = 0; n < count; ++n) {
      if ((nodes & bit(n)) == 0) continue;
      usable |= node_class.numa[n];
      if (!all) there += cpu_of(node_class, n, node_cpu);
    }
    if (there < cpu) return false;
    return some_subset(usable & first_bits(node_class.devices.size()), devices, 0, left,
                       [&](DeviceMask set) { return meets_hard_entries(node_class, require, set); });
  };
  for (std::uint32_t size = 1; size <= count; ++size) {
    std::size_t sets = kMostSets;
    if (some_subset(first_bits(count), size, 0, sets, does)) return size;
    if (left == 0 || sets == 0) return std::nullopt;
  }
  return 0;
}

// Tasks that stay count against their own NUMA node if it is known; otherwise they count against each. On one
// NUMA node these other tasks hold at most what the tasks with a known NUMA node leave free there today.
std::vector<Amount> NumaPlaces::free_cpu(NodeId node, const NodeClass& node_class) const {
  const Model& model = facts_.model;
  const NodeRow& row = model.nodes[node];
  if (facts_.cpu == ResourceId::kNoValue) return {};
  const Amount node_cpu = amount_of(model.shape(row.resources), facts_.cpu);
  const std::size_t count = node_class.numa.size();
  std::vector<Total> here(count, 0);
  std::vector<Total> here_today(count, 0);
  Total anywhere = 0;
  for (TaskId t = row.first_task; t; t = model.tasks.core(t).next_on_node) {
    const Amount held = facts_.amount(t, facts_.cpu);
    const bool stays = !facts_.gone().contains(t);
    const RequirementId require = model.job_extras[model.tasks.core(t).job.value].require;
    DeviceMask devices = model.tasks.core(t).gpus;
    for (const DeviceShare& share : model.shares(model.tasks.extras(t))) devices |= bit(share.device);
    const bool single = require && model.requirements[require.value]->cpu_numa == CpuNuma::single;
    const auto own = std::find_if(node_class.numa.begin(), node_class.numa.end(),
                                  [&](DeviceMask mask) { return (devices & ~mask) == 0; });
    if (single && devices != 0 && own != node_class.numa.end()) {
      const auto n = static_cast<std::size_t>(own - node_class.numa.begin());
      here_today[n] += held;
      here[n] += stays ? held : 0;
    } else if (stays) {
      anywhere += held;
    }
  }
  for (const InFlight::Blocked* each : facts_.kept_from_it(node))
    anywhere += amount_of(each->amounts, facts_.cpu);
  std::vector<Amount> free;
  for (std::size_t n = 0; n < count; ++n) {
    const Total has = cpu_of(node_class, n, node_cpu);
    const Total others = std::min(anywhere, std::max<Total>(0, has - here_today[n]));
    free.push_back(static_cast<Amount>(std::max<Total>(0, has - here[n] - others)));
  }
  return free;
}

bool NumaPlaces::are_kept(NodeId node) const {
  const NodeRow& row = facts_.model.nodes[node];
  const NodeClass& node_class = *facts_.model.node_class(row);
  const Amount node_cpu =
      facts_.cpu == ResourceId::kNoValue ? 0 : amount_of(facts_.model.shape(row.resources), facts_.cpu);
  const std::vector<Amount> free = free_cpu(node, node_class);
  std::vector<Demand> demands;
  for (const PlannedTask* task : facts_.placed_on(node)) {
    const std::optional<std::uint32_t> most = limit(node_class, task->task, node_cpu);
    if (!most) return true;
    const DeviceMask devices = task->gpus | (task->share > 0 ? bit(task->share_device) : 0);
    const std::uint64_t span = numa_nodes_of(node_class, devices);
    if (*most == 0 || !are_in_numa_nodes(node_class, devices)) return false;
    if (static_cast<std::uint32_t>(count_bits(span)) > *most) return false;
    const Amount cpu = knows_cores(node_class) ? facts_.amount(task->task, facts_.cpu) : 0;
    // A task that may use every NUMA node only needs the cpu of the whole node, which the space check covers.
    if (cpu > 0 && *most < free.size()) demands.push_back({span, *most, cpu});
  }
  return free.size() > kMostNumaNodes || Division(demands, free).exists();
}

}  // namespace cede
