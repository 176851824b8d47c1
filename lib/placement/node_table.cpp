// SPDX-License-Identifier: MIT
#include "placement/node_table.h"

#include <algorithm>

#include "base/bits.h"
#include "base/text.h"
#include "topology/fit/node_choice.h"

namespace cede {

DeviceMask NodeSpace::all_devices() const { return first_bits(devices); }

DeviceMask NodeSpace::free_devices() const {
  DeviceMask mask = all_devices() & ~whole;
  for (std::uint32_t d = 0; d < shared.size(); ++d) {
    if (shared[d] > 0) mask &= ~(DeviceMask{1} << d);
  }
  return mask;
}

std::vector<std::uint32_t> rank_domains(const Model& model) {
  std::vector<DomainId> ids;
  model.domains.for_each([&](DomainId id, const DomainRow&) { ids.push_back(id); });
  sort_by_name(ids, [&](DomainId id) { return model.name(model.domains[id].name); });
  std::vector<std::uint32_t> ranks(model.domains.id_bound(), kNowhere);
  for (std::uint32_t i = 0; i < ids.size(); ++i) ranks[ids[i].value] = i;
  return ranks;
}

namespace {

void list_domains(const Model& model, const NodeRow& node, std::span<const std::uint32_t> numbers,
                  std::span<std::uint32_t> out) {
  std::fill(out.begin(), out.end(), kNowhere);
  for (const DomainId listed : model.node_domains(node)) {
    for (DomainId at = listed; at; at = model.domains[at].parent)
      out[model.domains[at].level] = numbers[at.value];
  }
}

}  // namespace

std::vector<std::uint32_t> domains_of(const Model& model, const NodeRow& node,
                                      std::span<const std::uint32_t> numbers) {
  std::vector<std::uint32_t> out(model.levels.size());
  list_domains(model, node, numbers, out);
  return out;
}

void NodeTable::count(const Model& model, TaskId id, int sign, NodeSpace& node,
                      std::vector<Total>& group_free) const {
  const TaskCore& task = model.tasks.core(id);
  count(model, id, task, model.shape(task.resources), sign, node, group_free);
}

void NodeTable::count(const Model& model, TaskId id, const TaskCore& task, ResourceView shape, int sign,
                      NodeSpace& node, std::vector<Total>& group_free) const {
  if (sign > 0 && !any_by_group_) {
    for (const ResourceAmount& entry : shape) node.free[entry.resource] -= entry.amount;
  } else {
    for (const ResourceAmount& entry : shape) {
      (by_group_[entry.resource] ? group_free[entry.resource] : node.free[entry.resource]) -=
          sign > 0 ? entry.amount : -entry.amount;
    }
  }
  if (!task.gpus_given) {
    const Amount gpus = gpu_ == NodeId::kNoValue ? 0 : amount_of(shape, gpu_);
    const auto held = static_cast<int>(std::min<Amount>((gpus + kOne - 1) / kOne, node.devices));
    node.unknown = static_cast<std::uint32_t>(static_cast<int>(node.unknown) + sign * held);
    return;
  }
  // A device is held whole by at most one task, so taking and giving back is the same flip.
  node.whole ^= task.gpus;
  const TaskExtras& extras = model.tasks.extras(id);
  if (extras.shares == kNoBlob) return;
  for (const DeviceShare& share : model.shares(extras)) {
    if (node.shared.empty()) node.shared.assign(node.devices, 0);
    node.shared[share.device] =
        static_cast<std::uint16_t>(node.shared[share.device] + sign * static_cast<int>(share.share));
  }
}

void NodeTable::Filled::point(std::size_t resources) {
  for (std::size_t i = 0; i < nodes.size(); ++i) nodes[i].free = free.data() + i * resources;
}

void NodeTable::Filled::add_up(std::size_t index, int sign) {
  const Total* const here = nodes[index].free;
  for (std::size_t r = 0; r < sums.size(); ++r) {
    if (here[r] > 0) sums[r] += sign > 0 ? here[r] : -here[r];
  }
}

NodeTable::NodeTable(const NodeTable& other)
    : group_(other.group_),
      by_group_(other.by_group_),
      any_by_group_(other.any_by_group_),
      gpu_(other.gpu_),
      levels_(other.levels_),
      index_(other.index_),
      numbers_(other.numbers_),
      domains_(other.domains_),
      up_(other.up_),
      homes_(other.homes_),
      fingerprints_(other.fingerprints_),
      usual_(other.usual_),
      empty_(other.empty_) {
  usual_.point(resources());
  empty_.point(resources());
}

NodeTable::NodeTable(const Model& model, GroupId group, Unfilled)
    : group_(group),
      by_group_(model.resources.size(), false),
      gpu_(model.find_resource("gpu")),
      levels_(model.levels.size()),
      numbers_(rank_domains(model)) {
  for (const ResourceAmount& entry : model.shape(model.groups[group].resources))
    by_group_[entry.resource] = any_by_group_ = true;
}

void NodeTable::list_all(const Model& model) {
  std::vector<NodeId> ids;
  ids.reserve(model.groups[group_].nodes);
  model.nodes.for_each([&](NodeId id, const NodeRow& row) {
    if (row.group == group_) ids.push_back(id);
  });
  NamedTable<NodeId, NodeRow>::Reader named(model.nodes);
  sort_by_name(ids, [&](NodeId id) { return model.name(named[id].name); });
  index_.assign(model.nodes.id_bound(), NodeId::kNoValue);
  domains_.resize(ids.size() * levels_);
  up_.resize(ids.size());
  for (Filled* filled : {&usual_, &empty_}) {
    filled->nodes.resize(ids.size());
    filled->free.resize(ids.size() * resources());
    filled->group_free.resize(resources(), 0);
    filled->sums.resize(resources(), 0);
    filled->point(resources());
  }
  for (const ResourceAmount& entry : model.shape(model.groups[group_].resources))
    usual_.group_free[entry.resource] = empty_.group_free[entry.resource] = entry.amount;
  NamedTable<NodeId, NodeRow>::Reader rows(model.nodes);
  for (std::uint32_t i = 0; i < ids.size(); ++i) {
    const NodeRow& row = rows[ids[i]];
    index_[ids[i].value] = i;
    usual_.nodes[i].id = empty_.nodes[i].id = ids[i];
    note(model, row, 1);
    if (i == 0) {
      describe(model, row, i);
    } else {
      describe_like(model, row, i, i - 1);
    }
  }
}

// Reads the tasks in table order, because the tasks of one node are scattered over the table.
void NodeTable::put_all(const Model& model, const ShapeViews& shapes) {
  NamedTable<NodeId, NodeRow>::Reader rows(model.nodes);
  for (std::uint32_t i = 0; i < size(); ++i) clear(rows[usual_.nodes[i].id], i);
  TaskTable::Reader tasks(model.tasks);
  for (std::size_t i = 0; i < model.tasks.id_bound(); ++i) {
    const TaskCore& task = tasks[TaskId{i}];
    const std::uint32_t index = task.node ? index_of(task.node) : NodeId::kNoValue;
    if (index == NodeId::kNoValue) continue;
    count(model, TaskId{i}, task, shapes[task.resources], 1, usual_.nodes[index], usual_.group_free);
  }
  for (NodeSpace& node : usual_.nodes) node.unknown_pool = node.all_devices() & ~node.whole;
  for (Filled* filled : {&usual_, &empty_}) {
    const Total* free = filled->free.data();
    for (std::size_t i = 0; i < size(); ++i) {
      for (Total& sum : filled->sums) sum += std::max<Total>(*free++, 0);
    }
  }
}

void NodeTable::note(const Model&, const NodeRow& row, int sign) {
  if (row.home) homes_ += static_cast<std::size_t>(sign);
  if (row.fingerprint != kNoBlob) fingerprints_ += static_cast<std::size_t>(sign);
}

// Writes the node as it is when empty.
void NodeTable::describe(const Model& model, const NodeRow& row, std::uint32_t index) {
  NodeSpace& empty = empty_.nodes[index];
  list_domains(model, row, numbers_, std::span(domains_).subspan(index * levels_, levels_));
  empty.devices = usual_.nodes[index].devices = model.device_count(row);
  std::fill(empty.free, empty.free + resources(), 0);
  for (const ResourceAmount& entry : model.shape(row.resources)) empty.free[entry.resource] = entry.amount;
}

// The same, copied from a node that is already described if possible. Neighbours usually are alike.
void NodeTable::describe_like(const Model& model, const NodeRow& row, std::uint32_t index,
                              std::uint32_t other) {
  const NodeSpace& known = empty_.nodes[other];
  const NodeRow& like = model.nodes[known.id];
  if (row.network != like.network || row.topology != like.topology || row.resources != like.resources)
    return describe(model, row, index);
  NodeSpace& empty = empty_.nodes[index];
  std::copy_n(domains_.data() + other * levels_, levels_, domains_.data() + index * levels_);
  empty.devices = usual_.nodes[index].devices = known.devices;
  std::copy_n(known.free, resources(), empty.free);
}

// Removes all tasks from a described node.
void NodeTable::clear(const NodeRow& row, std::uint32_t index) {
  NodeSpace& empty = empty_.nodes[index];
  NodeSpace& usual = usual_.nodes[index];
  up_[index] = row.state == NodeState::up ? 1 : 0;
  empty.unknown_pool = empty.all_devices();
  std::copy(empty.free, empty.free + resources(), usual.free);
  usual.unknown = 0;
  usual.whole = 0;
  usual.shared.clear();
}

// Puts the tasks of a described node onto it.
void NodeTable::fill(const Model& model, const NodeRow& row, std::uint32_t index) {
  clear(row, index);
  NodeSpace& usual = usual_.nodes[index];
  for (TaskId id = row.first_task; id; id = model.tasks.core(id).next_on_node)
    count(model, id, 1, usual, usual_.group_free);
  usual.unknown_pool = usual.all_devices() & ~usual.whole;
}

bool NodeTable::same_row(const NodeRow& a, const NodeRow& b) {
  return a.name == b.name && a.resources == b.resources && a.topology == b.topology &&
         a.network == b.network && a.home == b.home && a.fingerprint == b.fingerprint &&
         a.fingerprint_at == b.fingerprint_at && a.labels == b.labels && a.first_task == b.first_task &&
         a.tasks == b.tasks && a.state == b.state && a.stamp == b.stamp;
}

bool NodeTable::stays(const Model& before, const Model& next, NodeId id) const {
  const bool live = next.nodes.is_live(id);
  if (live != before.nodes.is_live(id)) return false;
  if (!live) return true;
  const NodeRow& then = before.nodes[id];
  const NodeRow& now = next.nodes[id];
  if (then.group != now.group) return false;
  // An interned id may have a new meaning: another node can have taken both the row and the id of the name.
  return then.stamp == now.stamp ? then.name == now.name : before.name(then.name) == next.name(now.name);
}

void NodeTable::count_holds(const Model& model, const InFlight& in_flight, std::uint32_t index) {
  NodeSpace& node = usual_.nodes[index];
  node.named_holds = node.unnamed_holds = 0;
  if (gpu_ == NodeId::kNoValue || !in_flight.any_holds()) return;
  for (TaskId id = model.nodes[node.id].first_task; id; id = model.tasks.core(id).next_on_node) {
    const TaskCore& task = model.tasks.core(id);
    const InFlight::Hold* const hold = in_flight.hold(task.job);
    if (!hold || !std::binary_search(hold->tasks.begin(), hold->tasks.end(), id)) continue;
    if (amount_of(model.shape(task.resources), gpu_) > 0)
      ++(task.gpus_given ? node.named_holds : node.unnamed_holds);
  }
}

void NodeTable::count_holds(const Model& model, const InFlight& in_flight) {
  in_flight.each_hold([&](const InFlight::Hold& hold) {
    for (const NodeId node : hold.nodes) {
      if (index_of(node) != NodeId::kNoValue) count_holds(model, in_flight, index_of(node));
    }
  });
}

void NodeTable::refill(const Model& before, const Model& next, std::uint32_t index) {
  const NodeRow& old = before.nodes[usual_.nodes[index].id];
  note(before, old, -1);
  note(next, next.nodes[usual_.nodes[index].id], 1);
  if (any_by_group_) {
    // What the group counts does not belong to the node: the tasks that held it there give it back first.
    for (TaskId task = old.first_task; task; task = before.tasks.core(task).next_on_node) {
      for (const ResourceAmount& entry : before.shape(before.tasks.core(task).resources)) {
        if (by_group_[entry.resource]) usual_.group_free[entry.resource] += entry.amount;
      }
    }
  }
  const NodeRow& row = next.nodes[usual_.nodes[index].id];
  for (Filled* filled : {&usual_, &empty_}) filled->add_up(index, -1);
  describe(next, row, index);
  fill(next, row, index);
  for (Filled* filled : {&usual_, &empty_}) filled->add_up(index, 1);
}

}  // namespace cede
