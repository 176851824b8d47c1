// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>

#include "base/bits.h"
#include "base/text.h"
#include "policy/composition.h"
#include "search/plan_facts.h"

namespace cede::plan_check {

namespace {

bool reserved(const PlanFacts& facts, NodeId id) {
  bool found = false;
  const Duration walltime = facts.model.job_times[facts.request.job.value].walltime;
  facts.model.reservations.for_each([&](ReservationId, const ReservationRow& row) {
    const auto listed = facts.model.reservation_nodes(row);
    if (std::find(listed.begin(), listed.end(), id) == listed.end()) return;
    if (row.until != kNoTime && row.until <= facts.plan.now) return;
    if (walltime != kNoDuration && facts.plan.now + walltime <= row.from) return;
    bool ours = row.reserved_for == ReservedFor::user &&
                facts.model.job_owners[facts.request.job.value].user == row.user;
    ours =
        ours || (row.reserved_for == ReservedFor::job && facts.model.jobs[facts.request.job].name == row.job);
    for (QueueId q = facts.request.queue; q && row.reserved_for == ReservedFor::queue;
         q = facts.model.queues[q].parent) {
      ours = ours || q == row.queue;
    }
    found = found || !ours;
  });
  return found;
}

}  // namespace

std::string whole_request(const PlanFacts& facts) {
  if (!facts.yes()) return {};
  std::set<std::pair<std::uint32_t, std::uint32_t>> wanted;
  for (const RequestTask& task : facts.request.tasks) wanted.emplace(task.row.value, task.index);
  for (const PlannedTask& task : facts.plan.placement) {
    if (wanted.erase({task.task.value, task.index}) == 0)
      return "a task is placed that was not asked for, or twice";
  }
  return wanted.empty() ? std::string{}
                        : std::to_string(wanted.size()) + " tasks of the request are not placed";
}

std::string nodes(const PlanFacts& facts) {
  const HostRequirement& hosts = facts.require().hosts;
  for (const PlannedTask& task : facts.plan.placement) {
    if (!facts.model.nodes.is_live(task.node)) return "a task is placed on no node of this cluster";
    const NodeRow& node = facts.model.nodes[task.node];
    if (node.group != facts.group()) return facts.node_name(task.node) + " is of another group";
    if (node.state != NodeState::up) return facts.node_name(task.node) + " is not up";
    if (!facts.plan.avoid.allow(task.node))
      return facts.node_name(task.node) + " is ruled out by the terms of the question";
    const NameId required = facts.model.tasks.extras(task.task).required_node;
    if (required != kNoName && required != node.name)
      return "a task that requires a node is on " + facts.node_name(task.node);
    if (!composition(facts.effective.profile()).may_use(facts.rule_context, task.node))
      return facts.node_name(task.node) +
             " is another queue's home, and the request could not be preempted there";
    if (reserved(facts, task.node)) return facts.node_name(task.node) + " is reserved";
    const std::string name(facts.model.name(node.name));
    const auto has = [&](const std::vector<std::string>& list) {
      return std::find(list.begin(), list.end(), name) != list.end();
    };
    if ((!hosts.include.empty() && !has(hosts.include)) || has(hosts.exclude)) {
      return facts.node_name(task.node) + " is not among the hosts allowed";
    }
    for (const auto& [key, value] : hosts.labels) {
      bool found = false;
      for (const auto& [k, v] : facts.model.pairs(node.labels)) found = found || (k == key && v == value);
      if (!found) return facts.node_name(task.node) + " has not the labels asked for";
    }
  }
  return {};
}

std::string node_space(const PlanFacts& facts) {
  std::map<std::uint32_t, PlanFacts::Amounts> added;
  for (const PlannedTask& task : facts.plan.placement) {
    for (const ResourceAmount& entry : facts.model.shape(facts.model.tasks.core(task.task).resources)) {
      if (!facts.counted_by_group(entry.resource)) added[task.node.value][entry.resource] += entry.amount;
    }
  }
  // Also a node of which only what the group counts is asked for.
  for (const std::uint32_t node : facts.nodes_used()) {
    for (const InFlight::Blocked* each : facts.kept_from_it(NodeId{node})) {
      if (each->whole_node) return facts.node_name(NodeId{node}) + " is kept as a whole for somebody else";
    }
  }
  for (const auto& [node, amounts] : added) {
    const NodeId id{node};
    PlanFacts::Amounts stays = facts.held_on(id);
    for (const InFlight::Blocked* each : facts.kept_from_it(id)) {
      for (const ResourceAmount& entry : each->amounts) stays[entry.resource] += entry.amount;
    }
    for (const auto& [resource, amount] : amounts) {
      const Amount has = amount_of(facts.model.shape(facts.model.nodes[id].resources), resource);
      if (stays[resource] + amount > has) {
        return "node " + facts.node_name(id) + " would hold " + format_total(stays[resource] + amount) + ' ' +
               std::string(facts.model.resource_name(resource)) + " of " + format_amount(has);
      }
    }
  }
  return {};
}

std::string devices(const PlanFacts& facts) {
  const std::uint32_t gpu = facts.model.find_resource("gpu");
  const auto gpus_of = [&](TaskId task) {
    return gpu == ResourceId::kNoValue
               ? 0
               : amount_of(facts.model.shape(facts.model.tasks.core(task).resources), gpu);
  };
  std::map<std::uint32_t, DeviceMask> whole;                                // by node, taken by this plan
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> shares;  // by node and device
  std::map<std::uint32_t, Amount> assumed;  // by node, devices given to tasks without saying which
  for (const PlannedTask& task : facts.plan.placement) {
    const NodeRow& node = facts.model.nodes[task.node];
    const std::string name = facts.node_name(task.node);
    const Amount asked = gpus_of(task.task);
    const std::uint32_t count = facts.model.device_count(node);
    DeviceMask busy = 0;
    DeviceMask known_today = 0;
    std::array<std::uint32_t, kMaxDevices> part{};
    Amount unknown = 0;  // devices held by who does not say which; a part of one counts as one
    for (TaskId t = node.first_task; t; t = facts.model.tasks.core(t).next_on_node) {
      const TaskExtras& extras = facts.model.tasks.extras(t);
      known_today |= facts.model.tasks.core(t).gpus;
      if (facts.gone.contains(t.value)) continue;
      if (!facts.model.tasks.core(t).gpus_given) unknown += (gpus_of(t) + kOne - 1) / kOne;
      busy |= facts.model.tasks.core(t).gpus;
      for (const DeviceShare& share : facts.model.shares(extras)) part[share.device] += share.share;
    }
    for (const InFlight::Blocked* each : facts.kept_from_it(task.node)) {
      unknown += each->unknown;
      known_today |= each->gpus;
      busy |= each->gpus;
      for (const DeviceShare& share : each->shares) part[share.device] += share.share;
    }
    if (asked == 0 || count == 0 || !task.devices_known) {
      if (!task.devices_known && unknown == 0) return name + " is wrong about its devices being unknown";
      if (task.gpus != 0 || task.share != 0) return "devices of " + name + " are named without being known";
      // Where the group counts them, no amount of the node says how many are free.
      if (task.devices_known || !facts.counted_by_group(gpu)) continue;
      for (std::uint32_t d = 0; d < count; ++d) busy |= part[d] > 0 ? DeviceMask{1} << d : 0;
      assumed[task.node.value] += (asked + kOne - 1) / kOne;
      if (count_bits(busy) + unknown + assumed[task.node.value] > static_cast<Amount>(count))
        return name + " has too few devices";
      continue;
    }
    if (static_cast<Amount>(count_bits(task.gpus)) * kOne + task.share != asked)
      return "a task is given another number of devices than it asked for";
    DeviceMask named = task.gpus;
    if (task.share > 0) named |= DeviceMask{1} << task.share_device;
    if (count < kMaxDevices && named >> count != 0) return "a device outside node " + name + " is given";
    // Those who do not say which devices they hold may hold any that nobody known held.
    if (unknown > 0 && (named & ~known_today) != 0)
      return "a device of " + name + " is named that may be held";
    if ((task.gpus & (busy | whole[task.node.value])) != 0)
      return "a device of " + name + " is given that another holds";
    for (std::uint32_t d = 0; d < count; ++d) {
      std::uint32_t sum = part[d] + shares[{task.node.value, d}];
      if ((task.gpus >> d & 1) != 0 && sum > 0) return "a shared device of " + name + " is given whole";
      if (task.share > 0 && d == task.share_device) {
        sum += task.share;
        if (sum > kOne || ((busy | whole[task.node.value]) >> d & 1) != 0)
          return "a device of " + name + " is shared beyond 1";
        shares[{task.node.value, d}] += task.share;
      }
    }
    whole[task.node.value] |= task.gpus;
  }
  return {};
}

std::string group_space(const PlanFacts& facts) {
  if (!facts.yes() || !facts.for_job()) return {};
  const GroupId group = facts.group();
  PlanFacts::Amounts wanted = facts.asked();
  if (facts.model.groups[group].resources == kNoShape) return {};
  PlanFacts::Amounts stays = facts.held_in_group();
  for (const InFlight::Blocked* each : facts.kept_from_it(NodeId{})) {
    for (const ResourceAmount& entry : each->amounts) stays[entry.resource] += entry.amount;
  }
  for (const ResourceAmount& entry : facts.model.shape(facts.model.groups[group].resources)) {
    if (wanted[entry.resource] > 0 && stays[entry.resource] + wanted[entry.resource] > entry.amount) {
      return "the group would use " + format_total(stays[entry.resource] + wanted[entry.resource]) + ' ' +
             std::string(facts.model.resource_name(entry.resource)) + " of " + format_amount(entry.amount);
    }
  }
  return {};
}

std::string queue_max(const PlanFacts& facts) {
  if (!facts.yes() || !facts.for_job()) return {};
  const bool own_only = facts.effective.profile() == Profile::quota &&
                        !facts.effective.flag(Setting::check_parent_quota, facts.request.queue);
  PlanFacts::Amounts wanted = facts.asked();
  for (QueueId queue = facts.request.queue; queue;
       queue = own_only ? QueueId{} : facts.model.queues[queue].parent) {
    if (facts.model.queues[queue].max == kNoShape) continue;
    PlanFacts::Amounts stays = facts.held_in(queue);
    const auto add = [&](const std::vector<InFlight::QueueSurplus>& list) {
      for (const InFlight::QueueSurplus& each : list) {
        // Who takes a hold takes over its victims.
        if (each.queue == queue && each.group == facts.group() && !facts.takes_hold_of(each.entry))
          stays[each.resource] += each.amount;
      }
    };
    add(facts.plan.in_flight->surplus);
    for (const InFlight::SurplusRoom& surplus_room : facts.plan.in_flight->surplus_rooms) {
      if (!facts.comes_after(surplus_room)) add(surplus_room.queues);
    }
    for (const ResourceAmount& bound : facts.model.shape(facts.model.queues[queue].max)) {
      if (wanted[bound.resource] > 0 && stays[bound.resource] + wanted[bound.resource] > bound.amount) {
        return "queue " + quote(facts.model.name(facts.model.queues[queue].name)) + " would use " +
               format_total(stays[bound.resource] + wanted[bound.resource]) + ' ' +
               std::string(facts.model.resource_name(bound.resource)) + " of " + format_amount(bound.amount);
      }
    }
  }
  return {};
}

std::string spread_over_nodes(const PlanFacts& facts) {
  if (!facts.yes() || !facts.for_job()) return {};
  const Requirement& require = facts.require();
  std::map<std::uint32_t, std::uint32_t> tasks;
  for (const PlannedTask& task : facts.plan.placement) ++tasks[task.node.value];
  if (tasks.size() < require.nodes.min || tasks.size() > require.nodes.max) {
    return std::to_string(tasks.size()) + " nodes are used, another number is required";
  }
  for (const auto& [node, count] : tasks) {
    if (count < require.tasks_per_node.min || count > require.tasks_per_node.max) {
      return facts.node_name(NodeId{node}) + " gets " + std::to_string(count) +
             " tasks, another number is required";
    }
  }
  return {};
}

}  // namespace cede::plan_check
