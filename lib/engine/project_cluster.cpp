// SPDX-License-Identifier: MIT
#include "engine/project_cluster.h"

#include <algorithm>
#include <map>

#include "base/bits.h"
#include "engine/book_writer.h"
#include "model/projection_edit.h"
#include "policy/composition.h"

namespace cede {

namespace {

// What is held on one node, or of the resources that the group counts.
struct Load {
  std::map<std::uint32_t, Total> amounts;
  DeviceMask gpus = 0;
  std::map<std::uint32_t, std::uint32_t> shares;
  std::uint32_t unknown = 0;
};
using Loads = std::map<NodeId, Load>;
using QueueLoad = std::map<std::pair<QueueId, std::uint32_t>, Total>;

// The borrowed room by lender, without that of the own entry.
using Lending = std::map<EntryId, std::vector<const BookBorrowedRoom*>>;

Lending lending_of(const Book& book, EntryId own) {
  Lending lending;
  for (const BookEntry& entry : book.entries()) {
    if (!entry.has_hold || entry.id == own) continue;
    for (const BookBorrowedRoom& borrowed_room : entry.borrowed_rooms) {
      if (!borrowed_room.broken) lending[borrowed_room.from].push_back(&borrowed_room);
    }
  }
  return lending;
}

// One entry of the book, as it changes the projected cluster.
class EntryView {
 public:
  EntryView(ProjectionEdit& edit, const Book& book, const BookEntry& entry, EntryId own,
            const Lending& lending, InFlight& out)
      : edit_(edit), book_(book), entry_(entry), own_(own), lending_(lending), out_(out) {}

  // Removes the victims. Call it for all entries before any requester is placed.
  void clear() {
    const bool own = entry_.id == own_;
    for (const BookVictim& victim : entry_.victims) {
      if (!victim.spared) look_at(victim, own);
    }
    if (entry_.live && entry_.requester && !own) out_.requesters.push_back(entry_.requester);
    if (entry_.live && !entry_.relieved.empty()) out_.relief.emplace_back(entry_.relieved, entry_.group);
  }

  void place() {
    if (entry_.has_hold && entry_.requester_kind == BookEntry::For::job) place_requester();
  }

  // Blocks what the entry keeps. Call it after all requesters are placed.
  void keep() {
    if (entry_.has_hold) block_nodes();
    if (entry_.has_hold || !freed_.empty()) {
      count_borrowed_rooms();
      count_running();
      keep_lost_places();
      block_surplus();
    }
  }

 private:
  void look_at(const BookVictim& victim, bool own) {
    for (const BookVictimTask& task : victim.tasks) {
      // A task that runs again may be taken again once the next step has registered that it is gone.
      const bool known = task.state != VictimTaskState::again || (!task.reported_gone && !victim.finished);
      if (task.row && known) out_.leaving.push_back(task.row);
      if (task.elsewhere && !task.reported_gone && !victim.finished) out_.leaving.push_back(task.elsewhere);
      if (task.state == VictimTaskState::again) continue;
      // A task that is gone is off its node, whatever happens to its entry.
      const bool goes = victim.leaves || (own && !victim.stuck);
      if (task.row && (goes || task.state == VictimTaskState::left)) {
        if (task.state == VictimTaskState::there) count_queue(victim.queue, task.space, leaving_usage_);
        edit_.take_off(task.row);
      }
      if (victim.leaves && !own) count(task.space, freed_);
      if (victim.leaves && !own && task.state == VictimTaskState::there) count(task.space, there_);
    }
  }

  void count(const HeldSpace& space, Loads& loads) const {
    if (!space.node) return;
    Load& load = loads[space.node];
    for (const ResourceAmount& each : space.amounts) load.amounts[each.resource] += each.amount;
    for (const ResourceAmount& each : space.of_group) loads[NodeId{}].amounts[each.resource] += each.amount;
    load.unknown += space.unknown;
    load.gpus |= space.gpus;
    if (space.share > 0) load.shares[space.share_device] += space.share;
  }

  void count_queue(QueueId queue, const HeldSpace& space, QueueLoad& loads) const {
    for (QueueId at = queue; at; at = edit_.model().queues[at].parent) {
      for (const auto* amounts : {&space.amounts, &space.of_group}) {
        for (const ResourceAmount& each : *amounts) loads[{at, each.resource}] += each.amount;
      }
    }
  }

  // Tasks that still wait are placed in the model as if they ran. What remains of a lost place is kept until
  // a new plan is made.
  void place_requester() {
    std::vector<ProjectionEdit::PlacedTask> places;
    for (const BookPlace& place : entry_.places) {
      if (place.state == PlaceState::lost || !place.task.row) {
        count(place.space, lost_);
        continue;
      }
      if (place.state == PlaceState::running) {
        count(taken_by(place), running_);
        continue;
      }
      count_queue(entry_.queue, place.space, taken_usage_);
      count(place.space, taken_);
      places.push_back({place.task.row, place.task.index, place.space.node, place.space.gpus,
                        place.space.share_device, place.space.share, place.space.unknown == 0});
    }
    if (places.empty()) return;
    InFlight::Hold hold{entry_.id, entry_.requester, edit_.place(entry_.requester, places, entry_.committed),
                        entry_.ready};
    std::sort(hold.tasks.begin(), hold.tasks.end());
    out_.holds.push_back(std::move(hold));
  }

  // A requester may run on other devices than its hold names. The named devices are then kept until the entry
  // ends.
  HeldSpace taken_by(const BookPlace& place) const {
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

  // Room that was lent counts as taken, and borrowed room counts as freed. Room in a queue counts only until
  // the victims are gone.
  void count_borrowed_rooms() {
    const auto count_queues = [&](const BookBorrowedRoom& borrowed_room, QueueLoad& loads) {
      for (const BookQueueRoom& room : borrowed_room.queues) {
        if (borrowed_room.pending) loads[{room.queue, room.resource}] += room.amount;
      }
    };
    for (const HeldSpace& space : entry_.lent) count(space, taken_);
    if (const auto lent = lending_.find(entry_.id); lent != lending_.end()) {
      for (const BookBorrowedRoom* borrowed_room : lent->second) {
        for (const HeldSpace& space : borrowed_room->room) count(space, taken_);
        count_queues(*borrowed_room, taken_usage_);
      }
    }
    for (const BookBorrowedRoom& borrowed_room : entry_.borrowed_rooms) {
      if (!entry_.has_hold || borrowed_room.broken) continue;
      for (const HeldSpace& space : borrowed_room.room) count(space, freed_);
      count_queues(borrowed_room, leaving_usage_);
    }
  }

  // Tasks of the requester that already run are on idle room or on room that victims have left, never on room
  // that a victim still uses.
  void count_running() {
    for (const auto& [node, load] : running_) {
      const Load& freed = freed_[node];
      const Load& there = there_[node];
      Load& taken = taken_[node];
      const auto amount_in = [](const auto& amounts, std::uint32_t key) {
        const auto at = amounts.find(key);
        return at == amounts.end() ? decltype(at->second){0} : at->second;
      };
      for (const auto& [resource, amount] : load.amounts) {
        const Total left = amount_in(freed.amounts, resource) - amount_in(there.amounts, resource);
        if (left > 0) taken.amounts[resource] += std::min(amount, left);
      }
      const DeviceMask gone = freed.gpus & ~there.gpus;
      taken.gpus |= load.gpus & gone;
      for (const auto& [device, share] : load.shares) {
        const std::uint32_t held = amount_in(there.shares, device);
        const std::uint32_t all = amount_in(freed.shares, device);
        const std::uint32_t left = (gone >> device & 1) != 0 ? share : all > held ? all - held : 0;
        if (left > 0) taken.shares[device] += std::min(share, left);
      }
      const std::uint32_t all = device_number(freed);
      const std::uint32_t held = device_number(there);
      running_unknown_[node] = std::min(load.unknown, all > held ? all - held : 0);
      taken.unknown += running_unknown_[node];
    }
  }

  // A lost place consisted of room that victims free and of idle room. If the freed room is less than all
  // places of the entry need, it is raised to that need; the two are never added up.
  void keep_lost_places() {
    for (const auto& [node, lost] : lost_) {
      Load& freed = freed_[node];
      const Load& taken = taken_[node];
      for (const auto& [resource, amount] : lost.amounts) {
        const auto used = taken.amounts.find(resource);
        Total& kept = freed.amounts[resource];
        kept = std::max(kept, amount + (used == taken.amounts.end() ? Total{0} : used->second));
      }
      if (counts_devices(node, taken)) {
        const std::uint32_t wanted = device_number(lost) + device_number(taken);
        const std::uint32_t there = device_number(freed);
        if (wanted > there) freed.unknown += wanted - there;
        continue;
      }
      freed.gpus |= lost.gpus;
      for (const auto& [device, share] : lost.shares) {
        const auto used = taken.shares.find(device);
        std::uint32_t& kept = freed.shares[device];
        kept = std::max(kept, share + (used == taken.shares.end() ? 0 : used->second));
      }
    }
  }

  // Blocks whole nodes: those of claims, and those of tasks that can run on no other node.
  void block_nodes() {
    const Model& model = edit_.model();
    std::vector<NodeId> nodes;
    // A claim keeps its nodes closed even while it is short of space because tasks of other queues run there.
    // A node that moved to another group is not closed for that group.
    const bool claim = entry_.requester_kind == BookEntry::For::claim;
    for (const BookPlace& place : entry_.places) {
      const bool ours = place.space.node && model.nodes[place.space.node].group == entry_.group;
      const bool kept = place.state != PlaceState::lost || (claim && ours);
      if (place.space.whole_node && kept) nodes.push_back(place.space.node);
    }
    std::sort(nodes.begin(), nodes.end());
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    for (const NodeId node : nodes) {
      InFlight::Blocked& blocked = out_.blocked.emplace_back();
      blocked.entry = entry_.id;
      blocked.node = node;
      blocked.group = model.nodes[node].group;
      blocked.whole_node = true;
      if (claim) blocked.queue = entry_.queue;
    }
  }

  // Blocks what victims hold or held beyond what the requester takes, limited to the nodes of the entry's
  // group.
  void block_surplus() {
    const Model& model = edit_.model();
    for (const auto& [node, freed] : freed_) {
      if (node && model.nodes[node].group != entry_.group) continue;
      const Load& taken = taken_[node];
      InFlight::Blocked blocked;
      blocked.entry = entry_.id;
      blocked.node = node;
      blocked.group = entry_.group;
      for (const auto& [resource, amount] : freed.amounts) {
        const auto used = taken.amounts.find(resource);
        const Total rest = amount - (used == taken.amounts.end() ? 0 : used->second);
        if (rest > 0) blocked.amounts.push_back({static_cast<Amount>(rest), resource, 0});
      }
      if (node) {
        const std::uint32_t devices = model.device_count(model.nodes[node]);
        if (counts_devices(node, taken)) {
          block_number(freed, taken, devices, blocked);
        } else {
          block_devices(freed, taken, devices, blocked);
        }
        leave_out_used(node, blocked);
        block_unknown(node, taken, blocked);
        const auto lost = lost_.find(node);
        const std::uint32_t unknown = freed.unknown + taken.unknown;
        leave_out_used_amounts(node, unknown + (lost == lost_.end() ? 0 : lost->second.unknown) == 0,
                               blocked);
      }
      const bool any =
          !blocked.amounts.empty() || blocked.gpus != 0 || !blocked.shares.empty() || blocked.unknown > 0;
      if (any && blocked.group) out_.blocked.push_back(std::move(blocked));
    }
    for (const auto& [key, amount] : leaving_usage_) {
      const auto used = taken_usage_.find(key);
      const Total rest = amount - (used == taken_usage_.end() ? 0 : used->second);
      if (rest > 0) out_.surplus.push_back({entry_.id, entry_.group, key.first, key.second, rest});
    }
  }

  // If the manager has given a device to another task anyway, the device cannot be withheld from that task.
  void leave_out_used(NodeId node, InFlight::Blocked& blocked) const {
    const Model& model = edit_.model();
    DeviceMask whole = 0;
    std::map<std::uint32_t, std::uint32_t> parts;
    for (TaskId t = model.nodes[node].first_task; t; t = model.tasks.core(t).next_on_node) {
      whole |= model.tasks.core(t).gpus;
      for (const DeviceShare& share : model.shares(model.tasks.extras(t))) parts[share.device] += share.share;
    }
    blocked.gpus &= ~whole;
    for (const auto& [device, used] : parts) {
      if ((blocked.gpus >> device & 1) == 0) continue;
      blocked.gpus &= ~(DeviceMask{1} << device);
      blocked.shares.push_back({device, static_cast<std::uint32_t>(kOne)});
    }
    for (DeviceShare& share : blocked.shares) {
      const auto used = parts.find(share.device);
      const std::uint32_t left = (whole >> share.device & 1) != 0 ? 0
                                 : used == parts.end()            ? static_cast<std::uint32_t>(kOne)
                                                                  : static_cast<std::uint32_t>(kOne) -
                                                             std::min<std::uint32_t>(used->second, kOne);
      share.share = std::min(share.share, left);
    }
    std::erase_if(blocked.shares, [](const DeviceShare& share) { return share.share == 0; });
  }

  // The same for amounts: blocks no more than is free on the node, and no more GPUs than devices.
  void leave_out_used_amounts(NodeId node, bool devices_known, InFlight::Blocked& blocked) const {
    const Model& model = edit_.model();
    const std::uint32_t gpu = model.find_resource("gpu");
    Total devices = static_cast<Total>(count_bits(blocked.gpus)) * kOne;
    for (const DeviceShare& share : blocked.shares) devices += share.share;
    const bool bounds_gpu = devices_known && model.device_count(model.nodes[node], gpu) > 0;
    for (ResourceAmount& each : blocked.amounts) {
      Total free = amount_of(model.shape(model.nodes[node].resources), each.resource);
      for (TaskId t = model.nodes[node].first_task; t; t = model.tasks.core(t).next_on_node)
        free -= amount_of(model.shape(model.tasks.core(t).resources), each.resource);
      if (bounds_gpu && each.resource == gpu) free = std::min(free, devices);
      each.amount = static_cast<Amount>(std::clamp<Total>(free, 0, each.amount));
    }
    std::erase_if(blocked.amounts, [](const ResourceAmount& each) { return each.amount == 0; });
  }

  // A victim that does not say which devices it holds may hold any device that no known task holds or gets as
  // a whole. Such devices stay blocked until the victim is gone, even if the requester takes as many in sum.
  void block_unknown(NodeId node, const Load& taken, InFlight::Blocked& blocked) const {
    const auto at = there_.find(node);
    const auto running = running_unknown_.find(node);
    const std::uint32_t there = at == there_.end() ? 0 : at->second.unknown;
    const std::uint32_t given = taken.unknown - (running == running_unknown_.end() ? 0 : running->second);
    if (there <= given) return;
    const Model& model = edit_.model();
    const std::uint32_t gpu = model.find_resource("gpu");
    const std::uint32_t devices = model.device_count(model.nodes[node], gpu);
    DeviceMask known = 0;
    std::map<std::uint32_t, std::uint32_t> parts;
    std::uint32_t unknown = 0;
    for (TaskId t = model.nodes[node].first_task; t; t = model.tasks.core(t).next_on_node) {
      const TaskCore& core = model.tasks.core(t);
      known |= core.gpus;
      for (const DeviceShare& share : model.shares(model.tasks.extras(t))) parts[share.device] += share.share;
      if (core.gpus_given || gpu == ResourceId::kNoValue) continue;
      const Amount held = (amount_of(model.shape(core.resources), gpu) + kOne - 1) / kOne;
      unknown += static_cast<std::uint32_t>(std::min<Amount>(held, devices));
    }
    for (const auto& [device, share] : parts) {
      if (share >= kOne) known |= DeviceMask{1} << device;
    }
    const std::uint32_t used = static_cast<std::uint32_t>(count_bits(known)) + unknown;
    const std::uint32_t left = devices > used ? devices - used : 0;
    const std::uint32_t may_hold = std::min(there - given, left);
    blocked.unknown = std::max(blocked.unknown, may_hold);
    // What is kept by name gives way: a device that a task uses cannot be withheld.
    for (std::uint32_t device = devices;
         device-- > 0 && static_cast<std::uint32_t>(count_bits(blocked.gpus)) > left - may_hold;)
      blocked.gpus &= ~(DeviceMask{1} << device);
  }

  // The number of devices of which anything is held.
  static std::uint32_t device_number(const Load& load) {
    return static_cast<std::uint32_t>(count_bits(load.gpus) + load.shares.size()) + load.unknown;
  }

  // Whether only the number of the taken devices counts. If nothing on the node lacks names any more, no
  // other devices may be given out without names (rule 3 of Book): a place that was taken without names is
  // lost then, or its task names its devices.
  bool counts_devices(NodeId node, const Load& taken) const {
    return taken.unknown > 0 && node && book_.lacks_names(node, own_);
  }

  // It is not known which devices the requester gets, only how many.
  static void block_number(const Load& freed, const Load& taken, std::uint32_t devices,
                           InFlight::Blocked& out) {
    const std::uint32_t all = device_number(freed);
    const std::uint32_t used = device_number(taken);
    out.unknown = std::min(all > used ? all - used : 0, devices);
  }

  // What victims without names held is kept as an amount once they are gone. It is not known which devices
  // these were, and no task has them.
  static void block_devices(const Load& freed, const Load& taken, std::uint32_t devices,
                            InFlight::Blocked& out) {
    out.gpus = freed.gpus & ~taken.gpus & first_bits(devices);
    for (const auto& [device, share] : taken.shares) {
      if ((out.gpus >> device & 1) == 0) continue;
      out.gpus &= ~(DeviceMask{1} << device);
      if (share < kOne) out.shares.push_back({device, static_cast<std::uint32_t>(kOne) - share});
    }
    for (const auto& [device, share] : freed.shares) {
      if (device >= devices || ((taken.gpus | out.gpus) >> device & 1) != 0) continue;
      const auto used = taken.shares.find(device);
      const std::uint32_t rest = used == taken.shares.end() ? share
                                 : share > used->second     ? share - used->second
                                                            : 0;
      if (rest > 0) out.shares.push_back({device, std::min(rest, static_cast<std::uint32_t>(kOne))});
    }
  }

  ProjectionEdit& edit_;
  const Book& book_;
  const BookEntry& entry_;
  const EntryId own_;
  const Lending& lending_;
  InFlight& out_;
  Loads freed_;
  Loads taken_;
  Loads lost_;     // places that the cluster no longer has
  Loads there_;    // the part of the freed room whose victims are still there
  Loads running_;  // places whose tasks run already
  std::map<NodeId, std::uint32_t> running_unknown_;  // the part of `taken_` that they hold without names
  QueueLoad leaving_usage_;
  QueueLoad taken_usage_;
};

// Profiles that do not use the table of commits get no copy: sharing the table makes commits more expensive.
bool asks_for_commits(const PolicySet& policies) {
  return std::any_of(policies.policies.begin(), policies.policies.end(),
                     [](const Policy& policy) { return composition(policy.profile).inputs().node_commits; });
}

}  // namespace

ProjectedCluster project_cluster(const Model& model, const Sequence& sequence, const PolicySet* policies,
                                 EntryId own) {
  ProjectedCluster out;
  if (policies && asks_for_commits(*policies)) out.in_flight.node_commits = sequence.node_commits();
  if (sequence.ledger().size() == 0) {
    out.model = std::make_shared<const Model>(model);
    return out;
  }
  const Book book = write_book(model, sequence.ledger());
  const Lending lending = lending_of(book, own);
  ProjectionEdit edit(model);
  std::vector<EntryView> views;
  for (const BookEntry& entry : book.entries()) {
    views.emplace_back(edit, book, entry, own, lending, out.in_flight).clear();
    if (entry.id == own) views.pop_back();
  }
  for (EntryView& view : views) view.place();
  for (EntryView& view : views) view.keep();
  out.model = std::make_shared<const Model>(edit.take());
  InFlight& known = out.in_flight;
  std::sort(known.leaving.begin(), known.leaving.end());
  std::sort(known.requesters.begin(), known.requesters.end());
  std::sort(known.holds.begin(), known.holds.end(),
            [](const InFlight::Hold& a, const InFlight::Hold& b) { return a.job < b.job; });
  return out;
}

}  // namespace cede
