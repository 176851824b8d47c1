// SPDX-License-Identifier: MIT
#include "engine/book_writer.h"

#include <algorithm>
#include <deque>

#include "base/bits.h"
#include "base/text.h"
#include "policy/request.h"

namespace cede {

namespace {

// The state of a victim's task that the model shows on the node it has to leave.
VictimTaskState state_of(const Model& model, const VictimOrder& order, TaskId row, bool reported_gone,
                         const ExitStamp& exit_stamp) {
  const Time started = start_of(model, row);
  const bool same_run = order.started_by == kNoTime || started == kNoTime || started <= order.started_by;
  if (!same_run) return VictimTaskState::again;
  if (!reported_gone) return VictimTaskState::there;
  const TaskCore& core = model.tasks.core(row);
  const NodeRow& node = model.nodes[core.node];
  const bool is_back = exit_stamp.with_node && node.state != NodeState::down && node.stamp > exit_stamp.edit;
  return is_back || model.jobs[core.job].stamp > exit_stamp.edit ? VictimTaskState::again
                                                                 : VictimTaskState::left;
}

class BookWriter {
 public:
  BookWriter(const Model& model, const Ledger& ledger)
      : model_(model), ledger_(ledger), gpu_(model.find_resource("gpu")), signatures_(model) {}

  std::deque<BookEntry> entries(std::span<const EntryId> ids) {
    std::deque<BookEntry> out;
    for (const EntryId id : ids) out.push_back(entry_of(*ledger_.find(id)));
    return out;
  }

  BookEntry entry_of(const Entry& entry) {
    BookEntry out;
    out.id = entry.id;
    out.live = is_live(entry.clock.state);
    out.ready = entry.clock.state == EntryState::ready;
    out.has_hold = out.live && entry.has_hold();
    out.was_lost = entry.space_lost;
    // The next step lists the start action of an entry that became ready between two steps. One that is
    // listed again after a restore may have been done.
    out.start_sent = out.ready && (!entry.notice.open() || entry.notice.was_listed);
    out.committed = entry.committed;
    const EntryNeeds needs = entry.needs();
    out.waits = needs.pending;
    for (const std::shared_ptr<const CommitOrder>& order : entry.orders) {
      if (!needs.may_last) out.latest_start = std::max(out.latest_start, order->latest_start);
    }
    out.group = model_.find_group(entry.order().group);
    switch (entry.requester().kind) {
      case RequesterKind::job:
        out.requester_kind = BookEntry::For::job;
        out.requester = model_.find_job(entry.requester().name);
        if (out.requester) out.queue = model_.jobs[out.requester].queue;
        break;
      case RequesterKind::claim:
        out.requester_kind = BookEntry::For::claim;
        out.queue = model_.find_queue(entry.requester().name);
        break;
      case RequesterKind::relief:
        out.requester_kind = BookEntry::For::relief;
        out.relieved = entry.requester().name;
        break;
    }
    const bool clears = out.has_hold && out.requester_kind == BookEntry::For::job;
    for (const Victim& victim : entry.victims) out.victims.push_back(victim_of(entry, victim, clears));
    for (const Place& place : entry.placement()) out.places.push_back(place_of(out, place));
    for (const BorrowedRoom& borrowed_room : entry.borrowed_rooms)
      out.borrowed_rooms.push_back(borrowed_room_of(borrowed_room));
    for (const Place& place : entry.lent) out.lent.push_back(space_of(place));
    for (const UnnamedRun& run : entry.beside) {
      if (const TaskId row = find_run(model_, run)) out.beside.push_back(row);
    }
    std::sort(out.beside.begin(), out.beside.end());
    return out;
  }

 private:
  // Whether an entry with a hold still waits for the victim, as a borrower.
  bool is_awaited(const VictimOrder& victim) const {
    const std::vector<EntryId> borrowers = ledger_.waiting_for(victim.job);
    return std::any_of(borrowers.begin(), borrowers.end(), [&](EntryId id) {
      const Entry* borrower = ledger_.find(id);
      if (!borrower || !is_live(borrower->clock.state) || !borrower->has_hold()) return false;
      const auto waits_for = [&](const AwaitedVictim& each) {
        return each.state == AwaitedState::coming && each.job == victim.job &&
               task_index(victim, each.task) < victim.tasks.size();
      };
      return std::any_of(borrower->borrowed_rooms.begin(), borrower->borrowed_rooms.end(),
                         [&](const BorrowedRoom& borrowed_room) {
                           return std::any_of(borrowed_room.victims.begin(), borrowed_room.victims.end(),
                                              waits_for);
                         });
    });
  }

  BookVictim victim_of(const Entry& entry, const Victim& victim, bool clears) const {
    const VictimOrder& order = entry.order_of(victim);
    BookVictim out;
    out.spared = victim.state.phase == VictimPhase::spared;
    out.stuck = victim.state.phase == VictimPhase::stuck;
    out.finished = victim.state.finished();
    out.asked = victim.state.hinted != kNoTime ? victim.state.hinted : entry.committed;
    if (victim.state.ending) out.ends = victim.state.deadline;
    // Another entry may wait for a victim that its own requester no longer needs.
    out.leaves = !out.stuck && victim.needed && (clears || (!victim.state.finished() && is_awaited(order)));
    out.queue = model_.find_queue(order.queue);
    const JobId job = model_.find_job(order.job);
    for (std::size_t i = 0; i < order.tasks.size(); ++i) {
      const std::size_t mark = victim.first_task + i;
      BookVictimTask& task = out.tasks.emplace_back();
      task.reported_gone = is_gone(entry.tasks[mark]);
      task.space = space_of(order.tasks[i]);
      if (!job) continue;
      const Model::FoundTask found = model_.find_task(job, order.tasks[i].task);
      const NodeId node = found.row ? model_.tasks.core(found.row).node : NodeId{};
      if (node && node != task.space.node) task.elsewhere = found.row;
      if (!node || node != task.space.node) continue;
      task.row = found.row;
      task.state = state_of(model_, order, found.row, task.reported_gone, entry.exit_stamps[mark]);
      // The task may have been restarted on other devices since the commit.
      if (task.state == VictimTaskState::there) task.space = space_of(held_by(model_, found.row));
    }
    return out;
  }

  BookPlace place_of(const BookEntry& entry, const Place& place) {
    BookPlace out;
    if (entry.requester) out.task = model_.find_task(entry.requester, place.task);
    out.space = space_of(place);
    if (!out.space.node) return out;
    const auto is_unknown = [&](const auto& part) {
      return part.second > 0 && model_.find_resource(part.first) == ResourceId::kNoValue;
    };
    out.fits_node = signatures_.is_still(out.space.node, place.node_signature) &&
                    std::none_of(place.resources.begin(), place.resources.end(), is_unknown) &&
                    names_its_devices(place, out.space.node);
    return out;
  }

  // On a node with devices, a place names as many devices as it asks for, or none if they are unknown. A
  // place that was chosen while the node had no devices, or while the group counted them, must be chosen
  // again.
  bool names_its_devices(const Place& place, NodeId node) const {
    if (!place.devices_known || model_.device_count(model_.nodes[node], gpu_) == 0) return true;
    const auto asked = std::find_if(place.resources.begin(), place.resources.end(),
                                    [](const auto& part) { return part.first == "gpu"; });
    return asked == place.resources.end() || asked->second == count_bits(place.gpus) * kOne + place.share;
  }

  BookBorrowedRoom borrowed_room_of(const BorrowedRoom& borrowed_room) const {
    BookBorrowedRoom out;
    out.from = borrowed_room.from;
    out.pending = borrowed_room.is_pending();
    out.broken = borrowed_room.is_broken();
    for (const Place& place : borrowed_room.room) out.room.push_back(space_of(place));
    for (const QueueRoom& room : borrowed_room.queues) {
      const QueueId queue = model_.find_queue(room.queue);
      const std::uint32_t resource = model_.find_resource(room.resource);
      if (queue && resource != ResourceId::kNoValue) out.queues.push_back({queue, resource, room.amount});
    }
    return out;
  }

  HeldSpace space_of(const Place& place) const {
    HeldSpace out;
    out.node = model_.find_node(place.node);
    out.whole_node = place.whole_node;
    if (!out.node) return out;
    const NodeRow& node = model_.nodes[out.node];
    const ResourceView counted = model_.shape(model_.groups[node.group].resources);
    Amount gpus = 0;
    for (const auto& [name, amount] : place.resources) {
      const std::uint32_t resource = model_.find_resource(name);
      if (resource == ResourceId::kNoValue) continue;
      if (resource == gpu_) gpus = amount;
      const bool by_group = amount_of(counted, resource, kNoAmount) != kNoAmount;
      (by_group ? out.of_group : out.amounts).push_back({amount, resource, 0});
    }
    if (!place.devices_known) {
      const std::uint32_t most = model_.device_count(node, gpu_);
      out.unknown = static_cast<std::uint32_t>(std::min<Amount>((gpus + kOne - 1) / kOne, most));
      return out;
    }
    out.gpus = place.gpus;
    out.share_device = place.share_device;
    out.share = place.share;
    return out;
  }

  const Model& model_;
  const Ledger& ledger_;
  const std::uint32_t gpu_;
  NodeSignatures signatures_;
};

}  // namespace

Time start_of(const Model& model, TaskId task) {
  const Time started = model.tasks.extras(task).started;
  return started != kNoTime ? started : model.job_times[model.tasks.core(task).job.value].started;
}

std::uint64_t requirement_checksum(const Model& model, JobId job) {
  const RequirementId id = model.job_extras[job.value].require;
  return crc64(id ? model.requirement_keys.view(id.value) : std::string_view()) | 1;
}

std::uint32_t waiting_tasks(const Model& model, JobId job) {
  std::uint32_t count = 0;
  const JobCore& core = model.jobs[job];
  for (std::uint32_t k = 0; k < core.task_rows; ++k) {
    const TaskCore& task = model.tasks.core(TaskId{core.first_task.value + k});
    if (!task.node) count += task.count;
  }
  return count;
}

std::optional<UnnamedRun> unnamed_run(const Model& model, TaskId task) {
  const TaskCore& core = model.tasks.core(task);
  const std::uint32_t gpu = model.find_resource("gpu");
  if (core.gpus_given || gpu == ResourceId::kNoValue || amount_of(model.shape(core.resources), gpu) == 0)
    return std::nullopt;
  return UnnamedRun{std::string(model.name(model.nodes[core.node].name)),
                    std::string(model.job_name(core.job)), task_label(model, task, 0), start_of(model, task)};
}

TaskId find_run(const Model& model, const UnnamedRun& run) {
  const JobId job = model.find_job(run.job);
  const TaskId row = job ? model.find_task(job, run.task).row : TaskId{};
  return row && model.tasks.core(row).node && unnamed_run(model, row) == run ? row : TaskId{};
}

namespace {

// A task of a victim that was reported gone, where the model shows it: on the node it had to leave, or
// elsewhere.
template <class Claim>
bool any_gone_task(const Model& model, const Entry& entry, const Victim& victim, Claim claim) {
  const VictimOrder& order = entry.order_of(victim);
  const JobId job = model.find_job(order.job);
  if (!job || victim.state.phase == VictimPhase::spared) return false;
  for (std::size_t i = 0; i < order.tasks.size(); ++i) {
    const std::size_t mark = victim.first_task + i;
    if (!is_gone(entry.tasks[mark])) continue;
    const TaskId row = model.find_task(job, order.tasks[i].task).row;
    const NodeId node = row ? model.tasks.core(row).node : NodeId{};
    if (!node) continue;
    const bool elsewhere = node != model.find_node(order.tasks[i].node);
    if (claim(elsewhere ? VictimTaskState::again
                        : state_of(model, order, row, true, entry.exit_stamps[mark])))
      return true;
  }
  return false;
}

}  // namespace

bool shows_gone_tasks(const Model& model, const Entry& entry) {
  return std::any_of(entry.victims.begin(), entry.victims.end(), [&](const Victim& victim) {
    return any_gone_task(model, entry, victim,
                         [](VictimTaskState state) { return state == VictimTaskState::left; });
  });
}

bool runs_again(const Model& model, const Entry& entry, const Victim& victim) {
  return any_gone_task(model, entry, victim,
                       [](VictimTaskState state) { return state == VictimTaskState::again; });
}

Place held_by(const Model& model, TaskId task) {
  const TaskCore& core = model.tasks.core(task);
  Place place;
  place.task = task_label(model, task, 0);
  place.node = model.name(model.nodes[core.node].name);
  place.gpus = core.gpus;
  place.devices_known = core.gpus_given;
  for (const DeviceShare& share : model.shares(model.tasks.extras(task))) {
    if (place.share == 0) {
      place.share_device = share.device;
      place.share = share.share;
    } else {
      // A place has one share. If a task has several, all but the first count as whole devices.
      place.gpus |= DeviceMask{1} << share.device;
    }
  }
  for (const ResourceAmount& entry : model.shape(core.resources))
    place.resources.emplace_back(model.resource_name(entry.resource), entry.amount);
  return place;
}

Book write_book(const Model& model, const Ledger& ledger) { return write_book(model, ledger, ledger.ids()); }

Book write_book(const Model& model, const Ledger& ledger, std::span<const EntryId> entries) {
  return Book(model, BookWriter(model, ledger).entries(entries));
}

std::deque<BookEntry> write_book_entries(const Model& model, const Ledger& ledger) {
  return BookWriter(model, ledger).entries(ledger.ids());
}

BookEntry write_book_entry(const Model& model, const Ledger& ledger, EntryId entry) {
  return BookWriter(model, ledger).entry_of(*ledger.find(entry));
}

}  // namespace cede
