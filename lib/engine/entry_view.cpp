// SPDX-License-Identifier: MIT
#include "engine/entry_view.h"

#include <algorithm>

#include "engine/kept_room.h"

namespace cede {

void EntryView::clear() {
  for (const BookVictim& victim : entry_.victims) {
    if (!victim.spared) look_at(victim, entry_.id == own_);
  }
}

bool EntryView::place() {
  return entry_.has_hold && entry_.requester_kind == BookEntry::For::job && place_requester();
}

std::set<NodeId> EntryView::keep() {
  KeptRoom room(edit_.model(), book_, entry_, own_, lending_, loads_);
  share_.room = room.find();
  return room.nodes();
}

void EntryView::look_at(const BookVictim& victim, bool own) {
  for (const BookVictimTask& task : victim.tasks) {
    // A task that runs again may be taken again once the next step has registered that it is gone.
    const bool known = task.state != VictimTaskState::again || (!task.reported_gone && !victim.finished);
    if (task.row && known) share_.leaving.push_back(task.row);
    if (task.elsewhere && !task.reported_gone && !victim.finished) share_.leaving.push_back(task.elsewhere);
    if (task.state == VictimTaskState::again) continue;
    // A task that is gone is off its node, whatever happens to its entry.
    const bool goes = victim.leaves || (own && !victim.stuck);
    if (task.row && (goes || task.state == VictimTaskState::left)) {
      if (task.state == VictimTaskState::there) count_queue(victim.queue, task.space, loads_.leaving_usage);
      edit_.take_off(task.row);
    }
    if (!victim.leaves || own) continue;
    count_in(loads_.freed, task.space);
    if (task.state != VictimTaskState::there) continue;
    count_in(loads_.there, task.space);
    loads_.still_unknown[task.space.node] += task.space.unknown;
  }
}

void EntryView::count_queue(QueueId queue, const HeldSpace& space, QueueLoad& loads) const {
  for (QueueId at = queue; at; at = edit_.model().queues[at].parent) {
    for (const auto* amounts : {&space.amounts, &space.of_group}) {
      for (const ResourceAmount& each : *amounts) loads[{at, each.resource}] += each.amount;
    }
  }
}

// Tasks that still wait are placed in the model as if they ran. What remains of a lost place is kept until
// a new plan is made.
bool EntryView::place_requester() {
  std::vector<ProjectionEdit::PlacedTask> places;
  for (const BookPlace& place : entry_.places) {
    if (place.state == PlaceState::lost || !place.task.row) {
      count_in(loads_.lost, place.space);
      continue;
    }
    if (place.state == PlaceState::running) {
      count_in(loads_.running, taken_by(place));
      continue;
    }
    count_queue(entry_.queue, place.space, loads_.taken_usage);
    count_in(loads_.taken, place.space);
    places.push_back({place.task.row, place.task.index, place.space.node, place.space.gpus,
                      place.space.share_device, place.space.share, place.space.unknown == 0});
  }
  if (places.empty()) return false;
  InFlight::Hold hold{entry_.id, entry_.requester, edit_.place(entry_.requester, places, entry_.committed),
                      entry_.ready};
  std::sort(hold.tasks.begin(), hold.tasks.end());
  for (const ProjectionEdit::PlacedTask& place : places) hold.nodes.push_back(place.node);
  std::sort(hold.nodes.begin(), hold.nodes.end());
  hold.nodes.erase(std::unique(hold.nodes.begin(), hold.nodes.end()), hold.nodes.end());
  hold.waits = entry_.waits;
  hold.latest_start = entry_.latest_start;
  for (const BookVictim& victim : entry_.victims) {
    const auto there = std::find_if(victim.tasks.begin(), victim.tasks.end(), [](const BookVictimTask& task) {
      return task.row && task.state == VictimTaskState::there;
    });
    if (victim.leaves && !victim.finished && there != victim.tasks.end())
      hold.awaited.push_back({edit_.model().tasks.core(there->row).job, victim.asked, victim.ends});
  }
  share_.hold = std::move(hold);
  return true;
}

// A requester may run on other devices than its hold names. The named devices are then kept until the entry
// ends.
HeldSpace EntryView::taken_by(const BookPlace& place) const {
  HeldSpace space = place.space;
  const TaskCore& core = edit_.model().tasks.core(place.task.row);
  if (!core.gpus_given) return space;
  space.gpus &= core.gpus;
  const auto shares = edit_.model().shares(edit_.model().tasks.extras(place.task.row));
  const bool same = std::any_of(shares.begin(), shares.end(), [&](const DeviceShare& share) {
    return share.device == space.share_device && share.share == space.share;
  });
  if (!same) space.share = 0;
  return space;
}

}  // namespace cede
