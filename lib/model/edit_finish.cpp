// SPDX-License-Identifier: MIT
// The end of an edit: removals, then the rules that hold between objects.
#include <algorithm>
#include <array>
#include <bit>

#include "base/bits.h"
#include "base/text.h"
#include "model/edit.h"

namespace cede {

void ModelEdit::settle() {
  if (problems_->failed()) {
    // References to objects that could not be read would be reported as unknown: say nothing about those.
    return;
  }
  gpu_ = model_.find_resource("gpu");
  resolve_domains();
  if (levels_touched_ && !whole_) check_domain_levels();
  // Domains whose parents form a circle must not stay: walking up from a node would never end.
  if (problems_->failed()) return;
  resolve_queues();
  attach_listed_nodes();
  resolve_nodes();
  resolve_reservations();
  write_waiting_jobs();
  hand_on_counts();
  apply_removals();
  if (problems_->failed()) return;
  if (queues_touched_) check_queue_tree();
  if (levels_touched_ && !whole_) {
    // A domain that changed its level or parent can contradict any node; such changes are rare and pay for a
    // full look.
    for (std::size_t i = 0; i < model_.nodes.id_bound(); ++i) {
      const NodeId node{i};
      if (model_.nodes.is_live(node) && !check_node_domains(node))
        fail_node_domains(node, list_path(Kind::domain));
    }
  }
  if (all_nodes_touched_) {
    for (std::size_t i = 0; i < model_.nodes.id_bound() && !problems_->full(); ++i) {
      if (model_.nodes.is_live(NodeId{i})) check_node(NodeId{i});
    }
  } else {
    sort_touched();
    for (std::size_t i = 0; i < touched_.size() && !problems_->full(); ++i) {
      fetch_tasks_of(i);
      if (model_.nodes.is_live(touched_[i])) check_node(touched_[i]);
    }
  }
  for (const GivenUp& reference : given_up_) reference.table->release(reference.id);
}

// The tasks of a node are scattered over the table of tasks: for a group of nodes at a time, the rows of all
// are fetched together.
void ModelEdit::fetch_tasks_of(std::size_t from) const {
  constexpr std::size_t kTogether = 16;
  if (from % kTogether != 0 || touched_.size() < kTogether) return;
  std::array<TaskId, kTogether> at;
  std::size_t left = 0;
  for (std::size_t i = from; i < std::min(from + kTogether, touched_.size()); ++i) {
    const TaskId first = model_.nodes.is_live(touched_[i]) ? model_.nodes[touched_[i]].first_task : TaskId{};
    if (!first) continue;
    model_.tasks.fetch(first);
    at[left++] = first;
  }
  while (left > 0) {
    for (std::size_t k = left; k > 0; --k) {
      TaskId& task = at[k - 1];
      task = model_.tasks.core(task).next_on_node;
      if (task) {
        model_.tasks.fetch(task);
      } else {
        task = at[--left];
      }
    }
  }
}

// Each once, in order. Where they are many, marking them all is less work than sorting.
void ModelEdit::sort_touched() {
  if (touched_.size() < model_.nodes.id_bound() / 16) {
    std::sort(touched_.begin(), touched_.end());
    touched_.erase(std::unique(touched_.begin(), touched_.end()), touched_.end());
    return;
  }
  std::vector<char> marked(model_.nodes.id_bound(), 0);
  for (const NodeId node : touched_) marked[node.value] = 1;
  touched_.clear();
  for (std::size_t i = 0; i < marked.size(); ++i) {
    if (marked[i] != 0) touched_.push_back(NodeId{i});
  }
}

// A domain that changed its level can contradict any child; such changes are rare and pay for a full look.
void ModelEdit::check_domain_levels() {
  model_.domains.for_each([&](DomainId, const DomainRow& row) {
    if (!row.parent || model_.domains[row.parent].level > row.level) return;
    fail(list_path(Kind::domain), quote(model_.name(model_.domains[row.parent].name)) +
                                      " is no longer of a farther level than its child " +
                                      quote(model_.name(row.name)));
  });
}

namespace {

// `still has 2 jobs` and the like; empty when nothing refers to the row.
struct Use {
  std::uint32_t count;
  std::string_view one;
  std::string_view many = {};  // empty: an `s` more
};

std::string still_has(std::initializer_list<Use> uses) {
  for (const Use& use : uses) {
    if (use.count == 0) continue;
    const std::string many = use.many.empty() ? std::string(use.one) + 's' : std::string(use.many);
    return "still has " + std::to_string(use.count) + ' ' + (use.count == 1 ? std::string(use.one) : many);
  }
  return {};
}

}  // namespace

void ModelEdit::apply_removals() {
  // Everything is detached from what it refers to first, so that a queue and its child, or a node and its
  // job, can go in one document whatever their order.
  const auto each = [&](Kind kind, const auto& table, auto act) {
    for (const Removal& removal : removals_) {
      if (removal.kind != kind) continue;
      const auto id =
          removal.name == InternTable::kNotFound ? decltype(table.find(0)){} : table.find(removal.name);
      if (id) act(id, removal);
    }
  };
  const auto verify = [&](const Removal& removal, bool known, std::uint32_t stamp) {
    if (!known) {
      fail(at_removal(removal),
           quote(removal.text) + " is not a " + std::string(to_word(removal.kind, kKindWords)));
    } else if (stamp == model_.edits) {
      fail(at_removal(removal), quote(removal.text) + " is also put by this document, or named twice");
    } else {
      return true;
    }
    return false;
  };
  const auto prepare = [&](Kind kind, auto& table) {
    for (const Removal& removal : removals_) {
      if (removal.kind != kind) continue;
      const auto id =
          removal.name == InternTable::kNotFound ? decltype(table.find(0)){} : table.find(removal.name);
      if (verify(removal, static_cast<bool>(id), id ? table[id].stamp : 0))
        table.edit(id).stamp = model_.edits;
    }
  };
  prepare(Kind::job, model_.jobs);
  prepare(Kind::reservation, model_.reservations);
  prepare(Kind::node, model_.nodes);
  prepare(Kind::queue, model_.queues);
  prepare(Kind::domain, model_.domains);
  prepare(Kind::topology, model_.topologies);
  prepare(Kind::group, model_.groups);
  if (problems_->failed()) return;

  each(Kind::job, model_.jobs, [&](JobId id, const Removal&) { forget(id); });
  each(Kind::reservation, model_.reservations, [&](ReservationId id, const Removal&) {
    detach(id);
    ReservationRow& row = model_.reservations.edit(id);
    move(row.user, kNoName);
    give_up(model_.job_names, row.job);
    move_blob(row.site, kNoBlob);
    const NameId name = row.name;
    model_.reservations.remove(id);
    give_up(model_.names, name);
  });
  each(Kind::node, model_.nodes, [&](NodeId id, const Removal& removal) {
    const NodeRow row = model_.nodes[id];
    const std::string why = still_has({{row.tasks, "task"},
                                       {row.required_by, "task that requires it", "tasks that require it"},
                                       {row.reservations, "reservation"}});
    if (!why.empty()) return fail(at_removal(removal), quote(removal.text) + ' ' + why);
    detach(id);
    give_up(model_.shapes, row.resources);
    give_up(model_.blobs, row.fingerprint);
    give_up(model_.blobs, row.labels);
    give_up(model_.blobs, row.site);
    model_.nodes.remove(id);
    take_number(row.name);
    give_up(model_.names, row.name);
  });
  each(Kind::queue, model_.queues, [&](QueueId id, const Removal&) { detach(id); });
  each(Kind::queue, model_.queues, [&](QueueId id, const Removal& removal) {
    const QueueRow row = model_.queues[id];
    const std::string why = still_has({{row.jobs, "job"},
                                       {row.children, "child queue"},
                                       {row.home_nodes, "home node"},
                                       {row.reservations, "reservation"}});
    if (!why.empty()) return fail(at_removal(removal), quote(removal.text) + ' ' + why);
    give_up(model_.shapes, row.guaranteed);
    give_up(model_.shapes, row.max);
    give_up(model_.blobs, row.settings);
    give_up(model_.blobs, row.site);
    model_.queues.remove(id);
    take_number(row.name);
    give_up(model_.names, row.name);
    queues_touched_ = true;
  });
  each(Kind::domain, model_.domains, [&](DomainId id, const Removal&) {
    const DomainId parent = model_.domains[id].parent;
    if (parent) --model_.domains.edit(parent).children;
    model_.domains.edit(id).parent = {};
  });
  each(Kind::domain, model_.domains, [&](DomainId id, const Removal& removal) {
    const DomainRow row = model_.domains[id];
    const std::string why = still_has({{row.nodes, "node"}, {row.children, "child domain"}});
    if (!why.empty()) return fail(at_removal(removal), quote(removal.text) + ' ' + why);
    give_up(model_.blobs, row.site);
    model_.domains.remove(id);
    give_up(model_.names, row.name);
  });
  each(Kind::topology, model_.topologies, [&](TopologyId id, const Removal& removal) {
    const TopologyRow row = model_.topologies[id];
    const std::string why = still_has({{row.nodes, "node"}});
    if (!why.empty()) return fail(at_removal(removal), quote(removal.text) + ' ' + why);
    give_up(model_.class_keys, row.node_class.value);
    give_up(model_.blobs, row.pci);
    give_up(model_.blobs, row.site);
    model_.topologies.remove(id);
    give_up(model_.names, row.name);
  });
  each(Kind::group, model_.groups, [&](GroupId id, const Removal& removal) {
    const GroupRow row = model_.groups[id];
    const std::string why = still_has({{row.nodes, "node"}, {row.jobs, "job"}});
    if (!why.empty()) return fail(at_removal(removal), quote(removal.text) + ' ' + why);
    give_up(model_.names, row.policy);
    give_up(model_.shapes, row.resources);
    give_up(model_.blobs, row.site);
    model_.groups.remove(id);
    take_number(row.name);
    give_up(model_.names, row.name);
  });
}

// One root, no cycle, not too deep, guarantees within limits. Looks at all queues: changes to the tree are
// rare.
void ModelEdit::check_queue_tree() {
  QueueId root;
  std::vector<std::uint16_t> depth(model_.queues.id_bound(), 0);  // 0: not known yet
  std::vector<std::uint32_t> walk(model_.queues.id_bound(), 0);   // the queue whose walk last came by, plus 1
  std::vector<QueueId> chain;
  model_.queues.for_each([&](QueueId id, const QueueRow& row) {
    if (problems_->full()) return;
    check_queue(id, row);
    if (!row.parent) {
      if (root) {
        fail(list_path(Kind::queue),
             "two queues have no parent: " + quote(model_.name(model_.queues[root].name)) + " and " +
                 quote(model_.name(row.name)) + "; the tree has one root");
      }
      root = id;
    }
    chain.clear();
    QueueId at = id;
    while (at && depth[at.value] == 0 && walk[at.value] != id.value + 1) {
      walk[at.value] = id.value + 1;
      chain.push_back(at);
      at = model_.queues[at].parent;
    }
    if (at && depth[at.value] == 0) {
      // Told once: every queue that leads into the circle counts as looked at.
      for (const QueueId queue : chain) depth[queue.value] = 1;
      fail(list_path(Kind::queue),
           quote(model_.name(row.name)) + " is its own ancestor or hangs on a queue that is");
      return;
    }
    std::uint32_t level = at ? depth[at.value] : 0;
    for (auto queue = chain.rbegin(); queue != chain.rend(); ++queue) {
      depth[queue->value] = static_cast<std::uint16_t>(std::min<std::uint32_t>(++level, 0xFFFF));
      if (level == limits_.max_queue_depth + 1) {
        problems_->error(list_path(Kind::queue),
                         quote(model_.name(model_.queues[*queue].name)) + " is deeper than " +
                             std::to_string(limits_.max_queue_depth) + " levels (limit max_queue_depth)",
                         Status::limit);
      }
    }
  });
  if (!root && model_.queues.live() > 0 && !problems_->failed())
    fail(list_path(Kind::queue), "no queue is the root");
}

void ModelEdit::check_queue(QueueId id, const QueueRow& row) {
  if (row.stamp != model_.edits) return;
  const ResourceView max = model_.shape(row.max);
  for (const ResourceAmount& entry : model_.shape(row.guaranteed)) {
    const Amount bound = amount_of(max, entry.resource, kMaxAmount);
    if (entry.amount <= bound) continue;
    std::size_t index = 0;
    while (index < queues_.size() && queues_[index].id != id) ++index;
    Path path = at(Kind::queue, index, "guaranteed");
    path.push_back(PathStep::member(model_.resource_name(entry.resource)));
    fail(std::move(path),
         format_amount(entry.amount) + " is more than the queue's max, " + format_amount(bound));
  }
}

// The place to blame for what a task does on a node: the task where this edit put it, else the node.
Path ModelEdit::at_task(TaskId id, NodeId node, std::string_view member) const {
  const TaskCore& core = model_.tasks.core(id);
  const JobCore& job = model_.jobs[core.job];
  if (job.stamp == model_.edits) {
    for (std::size_t i = 0; i < jobs_.size(); ++i) {
      if (jobs_[i].id != core.job) continue;
      Path path = at(Kind::job, i, "tasks");
      path.push_back(PathStep::element(id.value - job.first_task.value));
      path.push_back(PathStep::member(member));
      return path;
    }
  }
  return at_node(node, {});
}

// The node where this edit put it, else what it must have changed instead: its topology.
Path ModelEdit::at_node(NodeId node, std::string_view member) const {
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    if (nodes_[i].id == node) return at(Kind::node, i, member);
  }
  for (std::size_t i = 0; i < topologies_.size(); ++i) {
    if (topologies_[i].id == model_.nodes[node].topology) return at(Kind::topology, i);
  }
  return {};
}

void ModelEdit::check_node(NodeId id) {
  const NodeRow& node = model_.nodes[id];
  if (const NodeClass* known = model_.node_class(node); known && gpu_ != ResourceId::kNoValue) {
    const Amount given = amount_of(model_.shape(node.resources), gpu_);
    if (given > static_cast<Amount>(known->devices.size()) * kOne) {
      fail(at_node(id, "topology"), "topology " + quote(model_.name(model_.topologies[node.topology].name)) +
                                        " has " + std::to_string(known->devices.size()) + " devices, node " +
                                        quote(model_.name(node.name)) + " has " + format_amount(given) +
                                        " gpu");
    }
  }
  if (node.first_task) check_node_tasks(id);
}

// Whether one task of these resources fits the empty node. Tasks and nodes are of few shapes, so most pairs
// were seen before.
bool ModelEdit::fits_alone(ShapeId task, const NodeRow& node) {
  const Fitting pair{task, node.resources, node.group};
  Fitting& known = fitting_[pair.slot()];
  if (known == pair) return true;
  const ResourceView capacity = model_.shape(node.resources);
  const ResourceView shared_by_group = model_.shape(model_.groups[node.group].resources);
  for (const ResourceAmount& entry : model_.shape(task)) {
    if (entry.amount > amount_of(capacity, entry.resource, amount_of(shared_by_group, entry.resource)))
      return false;
  }
  known = pair;
  return true;
}

void ModelEdit::fail_capacity(TaskId id, NodeId node_id, const std::string& who) {
  const NodeRow& node = model_.nodes[node_id];
  const ResourceView shared_by_group = model_.shape(model_.groups[node.group].resources);
  for (const ResourceAmount& entry : model_.shape(model_.tasks.core(id).resources)) {
    const Amount has =
        amount_of(model_.shape(node.resources), entry.resource, amount_of(shared_by_group, entry.resource));
    if (entry.amount <= has) continue;
    return fail(at_task(id, node_id, "resources"), who + " holds " + format_amount(entry.amount) + ' ' +
                                                       std::string(model_.resource_name(entry.resource)) +
                                                       ", node " + quote(model_.name(node.name)) + " has " +
                                                       format_amount(has));
  }
}

// `last` is the task on the node's list at which one of these devices is held for the second time. Returns it
// and one of the earlier holders. The last one is blamed, unless this edit put only the other.
ModelEdit::Holders ModelEdit::holders_of(DeviceMask devices, NodeId node, TaskId last) const {
  const auto is_put = [&](TaskId task) {
    return model_.jobs[model_.tasks.core(task).job].stamp == model_.edits;
  };
  const auto holds = [&](TaskId task) {
    DeviceMask held = model_.tasks.core(task).gpus;
    for (const DeviceShare& share : model_.shares(model_.tasks.extras(task)))
      held |= DeviceMask{1} << share.device;
    return (held & devices) != 0;
  };
  TaskId other;
  for (TaskId task = model_.nodes[node].first_task; task != last;
       task = model_.tasks.core(task).next_on_node) {
    if (holds(task) && (!other || is_put(task))) other = task;
  }
  if (!other) return {last, last};
  return is_put(last) || !is_put(other) ? Holders{last, other} : Holders{other, last};
}

// Each task fits the node by itself and names devices it has; no device is held twice. Overcommit in sum is
// legal.
void ModelEdit::check_node_tasks(NodeId id) {
  const NodeRow& node = model_.nodes[id];
  const std::uint32_t devices = model_.device_count(node, gpu_);
  const DeviceMask present = first_bits(devices);
  DeviceMask taken = 0;
  DeviceMask in_parts = 0;  // held in parts, how much of each is in `shared`
  std::array<std::uint32_t, kMaxDevices> shared;
  ShapeId last_shape = kNoShape;
  const auto who = [&](TaskId task) {
    const TaskCore& core = model_.tasks.core(task);
    const JobCore& job = model_.jobs[core.job];
    return "task " + quote(model_.task_name(job, task.value - job.first_task.value)) + " of job " +
           quote(model_.job_name(core.job));
  };
  TaskId next;
  for (TaskId task = node.first_task; task && !problems_->full(); task = next) {
    const TaskCore& core = model_.tasks.core(task);
    next = core.next_on_node;
    // A task that is put was looked at then; one that was there can only be in the wrong group now if its
    // node changed.
    if (!nodes_.empty() && !whole_ && model_.jobs[core.job].group != node.group) {
      fail(at_task(task, id, "node"),
           who(task) + " is of another group than node " + quote(model_.name(node.name)));
    }
    if (core.resources != last_shape) {
      last_shape = core.resources;
      if (!fits_alone(core.resources, node)) fail_capacity(task, id, who(task));
    }
    const TaskExtras& extras = model_.tasks.extras(task);
    if (core.gpus == 0 && extras.shares == kNoBlob) continue;
    DeviceMask named = core.gpus;
    DeviceMask clash = core.gpus & taken;
    for (const DeviceShare& share : model_.shares(extras)) {
      const DeviceMask bit = DeviceMask{1} << share.device;
      named |= bit;
      if ((taken & bit) != 0) clash |= bit;
      if ((in_parts & bit) == 0) shared[share.device] = 0;
      in_parts |= bit;
      shared[share.device] += share.share;
      if (shared[share.device] > kOne) {
        fail(at_task(holders_of(bit, id, task).blamed, id, "gpus"),
             "the shares of device " + std::to_string(share.device) + " on node " +
                 quote(model_.name(node.name)) + " add up to more than 1");
      }
    }
    clash |= core.gpus & in_parts;
    if ((named & ~present) != 0) {
      const int device = std::countr_zero(named & ~present);
      fail(at_task(task, id, "gpus"), who(task) + " names device " + std::to_string(device) + "; node " +
                                          quote(model_.name(node.name)) + " has " +
                                          (devices == 0 ? "none" : "0.." + std::to_string(devices - 1)));
    }
    if (clash != 0) {
      const Holders holders = holders_of(clash & -clash, id, task);
      fail(at_task(holders.blamed, id, "gpus"),
           who(holders.blamed) + " holds device " + std::to_string(std::countr_zero(clash)) + " of node " +
               quote(model_.name(node.name)) + ", which another task holds too: " + who(holders.other));
    }
    taken |= core.gpus;
  }
}

}  // namespace cede
