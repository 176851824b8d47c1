// SPDX-License-Identifier: MIT
#include "engine/audit.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "engine/book_writer.h"
#include "policy/settings/effective_settings.h"

namespace cede {

namespace {

using Name = std::string_view;
using TaskName = std::pair<Name, std::string>;  // job and label

std::string number(EntryId id) { return "entry " + std::to_string(id); }

// What is used of one node, per device.
struct NodeAccount {
  std::map<std::string, Total> amounts;
  std::map<std::uint32_t, Total> devices;  // in thousandths
  Total unknown_devices = 0;
  Total unknown_shares = 0;  // parts of devices, in thousandths
};

// A task that the model shows on a node.
struct ShownTask {
  TaskId row;
  Name job;
  std::string label;
};

class Audit {
 public:
  Audit(const Model& model, const Sequence& sequence, const PolicySet* policies)
      : model_(model), ledger_(sequence.ledger()), policies_(policies) {}

  std::string run() {
    for (const EntryId id : ledger_.ids()) {
      const Entry& entry = *ledger_.find(id);
      std::string found = numbers(entry);
      if (found.empty()) found = end_of(entry);
      if (!found.empty()) return number(id) + ": " + found;
    }
    if (model_.nodes.live() == 0) return {};
    find_gone_and_leaving();
    std::string found = told_to_start();
    if (found.empty()) found = promised();
    if (found.empty()) found = unreported_losses();
    if (found.empty() && policies_) found = limits();
    return found;
  }

 private:
  // ---- action numbers and ends ----

  std::string numbers(const Entry& entry) {
    const auto leads_back = [&](ActionId action, std::uint32_t victim) {
      const auto owner = ledger_.owner_of(action);
      return owner && owner->entry == entry.id && owner->victim == victim && actions_.insert(action).second;
    };
    for (const PendingAction* pending_action : {&entry.notice, &entry.release}) {
      if (pending_action->open() && !leads_back(pending_action->id, ActionOwner::kEntry))
        return "action " + std::to_string(pending_action->id) + " does not lead back to it";
    }
    for (std::uint32_t i = 0; i < entry.victims.size(); ++i) {
      const Victim& victim = entry.victims[i];
      const VictimOrder& order = entry.order_of(victim);
      if (victim.action != kNoAction && !leads_back(victim.action, i))
        return "action " + std::to_string(victim.action) + " does not lead back to job " + quote(order.job);
      if (victim.pending_action.open() && !leads_back(victim.pending_action.id, i))
        return "action " + std::to_string(victim.pending_action.id) + " does not lead back to job " +
               quote(order.job);
      const auto listed = ledger_.victims_of(order.job);
      const bool found = std::find(listed.begin(), listed.end(), VictimRef{entry.id, i}) != listed.end();
      if (found == victim.state.finished())
        return "job " + quote(order.job) + " is " + (found ? "still" : "not") + " listed as a victim";
      for (std::size_t t = 0; t < order.tasks.size(); ++t) {
        const bool leaves = !victim.state.finished() && !is_gone(entry.tasks[victim.first_task + t]);
        if (leaves && !victims_.emplace(order.job, order.tasks[t].task).second)
          return "task " + quote(order.tasks[t].task) + " of job " + quote(order.job) + " is a victim twice";
      }
    }
    if (!is_live(entry.clock.state) || entry.requester().kind != RequesterKind::job) return {};
    if (ledger_.of_requester(entry.requester().name) != entry.id)
      return "job " + quote(entry.requester().name) + " does not lead back to it";
    for (const BorrowedRoom& borrowed_room : entry.borrowed_rooms) {
      for (const AwaitedVictim& victim : borrowed_room.victims) {
        if (victim.state == AwaitedState::coming && !ledger_.is_of_victim(victim.job, victim.task))
          return "it waits for job " + quote(victim.job) + ", which is no entry's victim";
      }
    }
    return {};
  }

  // Every entry must end by a deadline or by the manager's answer. The exception is an entry that waits for a
  // job that is allowed to stay.
  static std::string end_of(const Entry& entry) {
    if (next_due(entry) != kNoTime) return {};
    const bool ready_claim =
        entry.requester().kind == RequesterKind::claim && entry.clock.state == EntryState::ready;
    const auto may_stay = [&](const Victim& victim) {
      return !victim.state.finished() &&
             (victim.state.phase == VictimPhase::stuck || victim.state.phase == VictimPhase::planned ||
              entry.order_of(victim).terms.may_stay());
    };
    const bool stays = std::any_of(entry.victims.begin(), entry.victims.end(), may_stay);
    const bool awaits = std::any_of(
        entry.borrowed_rooms.begin(), entry.borrowed_rooms.end(), [](const BorrowedRoom& borrowed_room) {
          return std::any_of(
              borrowed_room.victims.begin(), borrowed_room.victims.end(), [](const AwaitedVictim& each) {
                return each.may_stay &&
                       (each.state == AwaitedState::coming || each.state == AwaitedState::stuck);
              });
        });
    // The next step lists these actions; from then on they have a deadline.
    const bool to_list = (entry.notice.open() && entry.notice.sent == kNoTime) ||
                         (entry.release.open() && entry.release.sent == kNoTime) ||
                         std::any_of(entry.victims.begin(), entry.victims.end(), [](const Victim& victim) {
                           return victim.pending_action.open() && victim.pending_action.sent == kNoTime;
                         });
    if (ready_claim || stays || awaits || to_list || entry.finished()) return {};
    return "it can last for ever";
  }

  // ---- space ----

  Name node_of(TaskId row) const { return model_.name(model_.nodes[model_.tasks.core(row).node].name); }

  // Finds the victims that are gone although the model still shows them, and the victims that are leaving for
  // an entry that counts on their room.
  void find_gone_and_leaving() {
    for (const EntryId id : ledger_.ids()) {
      const Entry& entry = *ledger_.find(id);
      for (const Victim& victim : entry.victims) {
        if (victim.state.phase == VictimPhase::spared) continue;
        const VictimOrder& order = entry.order_of(victim);
        const JobId job = model_.find_job(order.job);
        for (std::size_t i = 0; job && i < order.tasks.size(); ++i) {
          const TaskId row = model_.find_task(job, order.tasks[i].task).row;
          if (!row || !model_.tasks.core(row).node || node_of(row) != order.tasks[i].node) continue;
          Time started = model_.tasks.extras(row).started;
          if (started == kNoTime) started = model_.job_times[job.value].started;
          const bool other_run =
              started != kNoTime && order.started_by != kNoTime && started > order.started_by;
          const bool gone = is_gone(entry.tasks[victim.first_task + i]);
          const ExitStamp& exit_stamp = entry.exit_stamps[victim.first_task + i];
          const NodeRow& node = model_.nodes[model_.tasks.core(row).node];
          const bool put_since =
              model_.jobs[job].stamp > exit_stamp.edit ||
              (exit_stamp.with_node && node.state != NodeState::down && node.stamp > exit_stamp.edit);
          if (other_run || (gone && put_since)) continue;
          if (gone) {
            gone_.insert(row.value);
          } else if (victim.needed && victim.state.phase != VictimPhase::stuck &&
                     is_live(entry.clock.state) && entry.has_hold()) {
            leaving_.insert(row.value);
          } else if (awaited(order)) {
            leaving_.insert(row.value);
          }
        }
      }
    }
  }

  bool awaited(const VictimOrder& victim) const {
    for (const EntryId id : ledger_.waiting_for(victim.job)) {
      const Entry& entry = *ledger_.find(id);
      if (!is_live(entry.clock.state) || !entry.has_hold()) continue;
      for (const BorrowedRoom& borrowed_room : entry.borrowed_rooms) {
        for (const AwaitedVictim& each : borrowed_room.victims) {
          if (each.state == AwaitedState::coming && each.job == victim.job &&
              std::any_of(victim.tasks.begin(), victim.tasks.end(),
                          [&](const Place& place) { return place.task == each.task; }))
            return true;
        }
      }
    }
    return false;
  }

  void add_task(TaskId row, NodeAccount& account) const {
    const TaskCore& core = model_.tasks.core(row);
    Total gpus = 0;
    for (const ResourceAmount& each : model_.shape(core.resources)) {
      const std::string name(model_.resource_name(each.resource));
      account.amounts[name] += each.amount;
      if (name == "gpu") gpus = each.amount;
    }
    for (std::uint32_t d = 0; d < kMaxDevices; ++d) {
      if ((core.gpus >> d & 1) != 0) account.devices[d] += kOne;
    }
    for (const DeviceShare& share : model_.shares(model_.tasks.extras(row)))
      account.devices[share.device] += share.share;
    if (core.gpus_given) return;
    account.unknown_devices += gpus / kOne;
    account.unknown_shares += gpus % kOne;
  }

  static void add_place(const Place& place, NodeAccount& account) {
    for (const auto& [resource, amount] : place.resources) account.amounts[resource] += amount;
    for (std::uint32_t d = 0; d < kMaxDevices; ++d) {
      if ((place.gpus >> d & 1) != 0) account.devices[d] += kOne;
    }
    if (place.share > 0) account.devices[place.share_device] += place.share;
  }

  bool runs_there(const Entry& entry, const Place& place) const {
    const JobId job = model_.find_job(entry.requester().name);
    const TaskId row = job ? model_.find_task(job, place.task).row : TaskId{};
    return row && model_.tasks.core(row).node && node_of(row) == place.node;
  }

  // Counts everything on the nodes where these entries have places, and the places themselves.
  std::string count(const std::vector<const Entry*>& entries, bool without_leaving) {
    std::map<Name, std::vector<std::pair<const Entry*, const Place*>>> places;
    for (const Entry* entry : entries) {
      for (const Place& place : entry->placement()) {
        if (!runs_there(*entry, place)) places[place.node].emplace_back(entry, &place);
      }
    }
    for (const auto& [name, here] : places) {
      const NodeId id = model_.find_node(name);
      const Entry& first = *here.front().first;
      if (!id) return number(first.id) + " has a place on node " + quote(name) + ", which is not there";
      const NodeRow& node = model_.nodes[id];
      if (node.state != NodeState::up)
        return number(first.id) + " has a place on node " + quote(name) + ", which is not up";
      if (model_.name(model_.groups[node.group].name) != first.order().group)
        return number(first.id) + " has a place on node " + quote(name) + ", which is of another group";
      NodeAccount account;
      std::vector<TaskId> staying;
      for (TaskId t = node.first_task; t; t = model_.tasks.core(t).next_on_node) {
        if (gone_.contains(t.value) || (without_leaving && leaving_.contains(t.value))) continue;
        add_task(t, account);
        staying.push_back(t);
      }
      NodeAccount promised;
      for (const auto& [entry, place] : here) {
        add_place(*place, account);
        add_place(*place, promised);
      }
      if (std::string found = over(id, account, promised); !found.empty())
        return found + " with what " + number(first.id) + " was promised";
      if (std::string found = names(id, here, staying); !found.empty()) return found;
    }
    return {};
  }

  static bool names_devices(const Place& place) { return place.gpus != 0 || place.share > 0; }
  static bool counts_devices(const Place& place) {
    return !place.devices_known &&
           std::any_of(place.resources.begin(), place.resources.end(),
                       [](const auto& part) { return part.first == "gpu" && part.second > 0; });
  }

  // A device that is promised by name must not be a device that a task gets or holds without a name.
  std::string names(NodeId id, const std::vector<std::pair<const Entry*, const Place*>>& here,
                    const std::vector<TaskId>& staying) const {
    if (model_.device_count(model_.nodes[id]) == 0) return {};
    const std::string name = "node " + quote(model_.name(model_.nodes[id].name));
    // Nothing starts any more for a requester that is gone.
    const auto is_there = [&](const Entry& entry) { return bool(model_.find_job(entry.requester().name)); };
    for (const auto& [entry, place] : here) {
      if (!names_devices(*place)) continue;
      for (const auto& [other, other_place] : here) {
        if (other != entry && counts_devices(*other_place) && is_there(*entry) && is_there(*other))
          return name + " is promised to " + number(entry->id) + " with and to " + number(other->id) +
                 " without the names of devices";
      }
      for (const TaskId t : staying) {
        const std::optional<UnnamedRun> run = unnamed_run(model_, t);
        if (run && std::find(entry->beside.begin(), entry->beside.end(), *run) == entry->beside.end())
          return "job " + quote(run->job) + " on " + name + " may hold devices that " + number(entry->id) +
                 " was promised";
      }
    }
    return {};
  }

  std::string over(NodeId id, const NodeAccount& account, const NodeAccount& promised) const {
    const NodeRow& node = model_.nodes[id];
    const ResourceView by_group = model_.shape(model_.groups[node.group].resources);
    const std::string name = "node " + quote(model_.name(node.name));
    for (const auto& [resource, amount] : promised.amounts) {
      const std::uint32_t known = model_.find_resource(resource);
      if (amount == 0 || amount_of(by_group, known, kNoAmount) != kNoAmount) continue;
      if (account.amounts.at(resource) > amount_of(model_.shape(node.resources), known))
        return name + " would hold " + format_total(account.amounts.at(resource)) + ' ' + resource;
    }
    const std::uint32_t devices = model_.device_count(node);
    for (const auto& [device, share] : promised.devices) {
      if (device >= devices) return name + " has no device " + std::to_string(device);
      if (account.devices.at(device) > kOne)
        return "device " + std::to_string(device) + " of " + name + " is held twice";
    }
    if (promised.devices.empty()) return {};
    const Total untouched =
        static_cast<Total>(devices) - static_cast<Total>(account.devices.size()) - account.unknown_devices;
    // An unnamed part of a device may be beside another part.
    Total room_for_shares = untouched * kOne;
    for (const auto& [device, share] : account.devices) room_for_shares += std::max<Total>(kOne - share, 0);
    if (untouched < 0 || account.unknown_shares > room_for_shares) return name + " has too few devices";
    return {};
  }

  // The place of every requester that was told to start must be free now.
  std::string told_to_start() {
    std::vector<const Entry*> ready;
    for (const EntryId id : ledger_.ids()) {
      const Entry& entry = *ledger_.find(id);
      if (entry.clock.state == EntryState::ready && entry.requester().kind == RequesterKind::job)
        ready.push_back(&entry);
    }
    return count(ready, false);
  }

  // All holds together must fit once the victims are gone.
  std::string promised() {
    std::vector<const Entry*> holds;
    for (const EntryId id : ledger_.ids()) {
      const Entry& entry = *ledger_.find(id);
      if (is_live(entry.clock.state) && entry.clock.state != EntryState::short_of_space && entry.has_hold() &&
          entry.requester().kind == RequesterKind::job && !entry.needs().short_of_space)
        holds.push_back(&entry);
    }
    return count(holds, true);
  }

  // An entry that lost space of its hold must be marked.
  std::string unreported_losses() const {
    const Book book = write_book(model_, ledger_);
    for (const BookEntry& entry : book.entries()) {
      if (entry.has_hold && entry.lost_space() && !ledger_.find(entry.id)->space_lost)
        return number(entry.id) + " has lost its space and is not marked as short";
    }
    return {};
  }

  // ---- limits ----

  // Limits of groups and queues, for requesters that were told to start.
  std::string limits() const {
    std::map<std::pair<QueueId, GroupId>, std::map<std::string, Total>> used;
    const auto add = [&](QueueId queue, GroupId group, const std::string& resource, Total amount) {
      for (QueueId at = queue; at; at = model_.queues[at].parent) used[{at, group}][resource] += amount;
    };
    model_.jobs.for_each([&](JobId, const JobCore& job) {
      for (std::uint32_t k = 0; k < job.task_rows; ++k) {
        const TaskId row{job.first_task.value + k};
        if (!model_.tasks.core(row).node || gone_.contains(row.value) || leaving_.contains(row.value))
          continue;
        for (const ResourceAmount& each : model_.shape(model_.tasks.core(row).resources))
          add(job.queue, job.group, std::string(model_.resource_name(each.resource)), each.amount);
      }
    });
    std::vector<std::pair<const Entry*, const Place*>> promised;
    for (const EntryId id : ledger_.ids()) {
      const Entry& entry = *ledger_.find(id);
      const JobId job = model_.find_job(entry.requester().name);
      if (entry.clock.state != EntryState::ready || entry.requester().kind != RequesterKind::job || !job)
        continue;
      for (const Place& place : entry.placement()) {
        if (runs_there(entry, place)) continue;
        promised.emplace_back(&entry, &place);
        for (const auto& [resource, amount] : place.resources)
          add(model_.jobs[job].queue, model_.jobs[job].group, resource, amount);
      }
    }
    std::map<std::string, std::map<std::string, Total>> used_by_job;
    for (const auto& [entry, place] : promised) {
      const std::string& name = entry->requester().name;
      const JobId id = model_.find_job(name);
      if (!used_by_job.contains(name)) used_by_job[name] = held_by(id);
      for (const auto& [resource, amount] : place->resources) used_by_job[name][resource] += amount;
      const std::string found = over_limit(used_by_job[name], *place, model_.job_extras[id.value].max);
      if (!found.empty()) return number(entry->id) + ": job " + quote(name) + found;
    }
    for (const auto& [entry, place] : promised) {
      const JobCore& job = model_.jobs[model_.find_job(entry->requester().name)];
      for (QueueId queue = job.queue; queue; queue = model_.queues[queue].parent) {
        const QueueRow& row = model_.queues[queue];
        std::string found = over_limit(used[{queue, job.group}], *place, row.max);
        if (!found.empty() && (queue == job.queue || !own_queue_only(job)))
          return number(entry->id) + ": queue " + quote(model_.name(row.name)) + found;
        if (row.parent) continue;
        found = over_limit(used[{queue, job.group}], *place, model_.groups[job.group].resources);
        if (!found.empty()) return number(entry->id) + ": the group" + found;
      }
    }
    return {};
  }

  // What the job's tasks hold that are neither gone nor leaving.
  std::map<std::string, Total> held_by(JobId id) const {
    std::map<std::string, Total> held;
    const JobCore& job = model_.jobs[id];
    for (std::uint32_t k = 0; k < job.task_rows; ++k) {
      const TaskId row{job.first_task.value + k};
      if (!model_.tasks.core(row).node || gone_.contains(row.value) || leaving_.contains(row.value)) continue;
      for (const ResourceAmount& each : model_.shape(model_.tasks.core(row).resources))
        held[std::string(model_.resource_name(each.resource))] += each.amount;
    }
    return held;
  }

  std::string over_limit(std::map<std::string, Total>& used, const Place& place, ShapeId limits) const {
    for (const auto& [resource, amount] : place.resources) {
      const std::uint32_t known = model_.find_resource(resource);
      const Amount most =
          known == ResourceId::kNoValue ? kNoAmount : amount_of(model_.shape(limits), known, kNoAmount);
      if (amount > 0 && most != kNoAmount && used[resource] > most)
        return " would use " + format_total(used[resource]) + ' ' + resource + " of " + format_amount(most);
    }
    return {};
  }

  // Whether only the `max` of the job's own queue applies to the job.
  bool own_queue_only(const JobCore& job) const {
    const Policy* policy = policy_of(model_, model_.groups[job.group], *policies_);
    return policy && policy->profile == Profile::quota &&
           !EffectiveSettings(model_, *policies_, *policy).flag(Setting::check_parent_quota, job.queue);
  }

  const Model& model_;
  const Ledger& ledger_;
  const PolicySet* const policies_;
  std::set<ActionId> actions_;
  std::set<std::pair<Name, Name>> victims_;
  std::set<std::uint32_t> gone_;
  std::set<std::uint32_t> leaving_;
};

}  // namespace

std::string audit_fault(const Model& model, const Sequence& sequence, const PolicySet* policies) {
  return Audit(model, sequence, policies).run();
}

}  // namespace cede
