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

void count_in(Loads& loads, const HeldSpace& space) {
  if (!space.node) return;
  Load& load = loads[space.node];
  for (const ResourceAmount& each : space.amounts) load.amounts[each.resource] += each.amount;
  for (const ResourceAmount& each : space.of_group) loads[NodeId{}].amounts[each.resource] += each.amount;
  load.unknown += space.unknown;
  load.gpus |= space.gpus;
  if (space.share > 0) load.shares[space.share_device] += space.share;
}

// Borrowed room, divided: what is for tasks that still wait, and what tasks that run have no use for any
// more. A manager may start a task before the victims that its room comes from are gone: then it runs on
// other room, and the victims' room is the lender's again until they leave.
struct RoomInUse {
  std::uint64_t from = 0;
  bool pending = false;
  std::vector<HeldSpace> waiting;
  std::vector<HeldSpace> running;
  std::vector<BookQueueRoom> queues;  // for tasks that wait
};

class RoomDivider {
 public:
  RoomDivider(const Model& model, const BookEntry& borrower) : model_(model), borrower_(borrower) {
    for (const BookPlace& place : borrower.places) {
      any_runs_ = any_runs_ || place.state == PlaceState::running;
      if (place.state == PlaceState::running) continue;
      count_in(waiting_, place.space);
      for (const auto* amounts : {&place.space.amounts, &place.space.of_group}) {
        for (const ResourceAmount& each : *amounts) asked_[each.resource] += each.amount;
      }
    }
  }

  std::vector<RoomInUse> run() {
    std::vector<RoomInUse> out;
    for (const BookBorrowedRoom& borrowed_room : borrower_.borrowed_rooms) {
      if (borrowed_room.broken) continue;
      RoomInUse& room = out.emplace_back();
      room.from = borrowed_room.from;
      room.pending = borrowed_room.pending;
      if (!any_runs_) {
        room.waiting = borrowed_room.room;
        room.queues = borrowed_room.queues;
        continue;
      }
      for (const HeldSpace& space : borrowed_room.room) divide(space, room);
      for (BookQueueRoom each : borrowed_room.queues) {
        Total& asked = in_queue(each.queue, each.resource);
        each.amount = std::min(each.amount, asked);
        asked -= each.amount;
        if (each.amount > 0) room.queues.push_back(each);
      }
    }
    return out;
  }

 private:
  void divide(const HeldSpace& space, RoomInUse& out) {
    HeldSpace waits = space;
    HeldSpace runs = space;
    Load& asked = waiting_[space.node];
    divide(asked, waits.amounts, runs.amounts);
    divide(waiting_[NodeId{}], waits.of_group, runs.of_group);
    // Which of the devices that a place without names is given is not known: it waits for all of them.
    const bool all = asked.unknown > 0;
    if (!all) {
      waits.gpus &= asked.gpus;
      if (space.share > 0 && !asked.shares.contains(space.share_device) &&
          (asked.gpus >> space.share_device & 1) == 0)
        waits.share = 0;
      waits.unknown = 0;
    }
    runs.gpus &= ~waits.gpus;
    if (waits.share > 0) runs.share = 0;
    if (all) runs.unknown = 0;
    out.waiting.push_back(std::move(waits));
    out.running.push_back(std::move(runs));
  }

  static void divide(Load& asked, std::vector<ResourceAmount>& waits, std::vector<ResourceAmount>& runs) {
    for (std::size_t i = 0; i < waits.size(); ++i) {
      Total& left = asked.amounts[waits[i].resource];
      const auto part = static_cast<Amount>(std::min<Total>(waits[i].amount, left));
      left -= part;
      runs[i].amount -= part;
      waits[i].amount = part;
    }
  }

  // What waiting tasks ask for in a queue above theirs and is not yet divided.
  Total& in_queue(QueueId queue, std::uint32_t resource) {
    const auto [at, added] = in_queues_.try_emplace({queue, resource}, 0);
    if (added && borrower_.queue && model_.is_below(borrower_.queue, queue)) at->second = asked_[resource];
    return at->second;
  }

  const Model& model_;
  const BookEntry& borrower_;
  bool any_runs_ = false;
  Loads waiting_;
  std::map<std::uint32_t, Total> asked_;
  QueueLoad in_queues_;
};

// The borrowed room of all entries but the own one.
struct Lending {
  std::map<EntryId, std::vector<RoomInUse>> by_borrower;
  std::map<EntryId, std::vector<const RoomInUse*>> by_lender;
};

Lending lending_of(const Book& book, EntryId own) {
  Lending lending;
  for (const BookEntry& entry : book.entries()) {
    if (!entry.has_hold || entry.id == own || entry.borrowed_rooms.empty()) continue;
    const auto& rooms =
        lending.by_borrower.emplace(entry.id, RoomDivider(book.model(), entry).run()).first->second;
    for (const RoomInUse& room : rooms) lending.by_lender[room.from].push_back(&room);
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
      take_for_running();
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
      if (!victim.leaves || own) continue;
      count_in(freed_, task.space);
      if (task.state != VictimTaskState::there) continue;
      count_in(there_, task.space);
      still_unknown_[task.space.node] += task.space.unknown;
    }
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
        count_in(lost_, place.space);
        continue;
      }
      if (place.state == PlaceState::running) {
        count_in(running_, taken_by(place));
        continue;
      }
      count_queue(entry_.queue, place.space, taken_usage_);
      count_in(taken_, place.space);
      places.push_back({place.task.row, place.task.index, place.space.node, place.space.gpus,
                        place.space.share_device, place.space.share, place.space.unknown == 0});
    }
    if (places.empty()) return;
    InFlight::Hold hold{entry_.id, entry_.requester, edit_.place(entry_.requester, places, entry_.committed),
                        entry_.ready};
    std::sort(hold.tasks.begin(), hold.tasks.end());
    hold.waits = entry_.waits;
    hold.latest_start = entry_.latest_start;
    for (const BookVictim& victim : entry_.victims) {
      const auto there = std::find_if(
          victim.tasks.begin(), victim.tasks.end(),
          [](const BookVictimTask& task) { return task.row && task.state == VictimTaskState::there; });
      if (victim.leaves && !victim.finished && there != victim.tasks.end())
        hold.awaited.push_back({edit_.model().tasks.core(there->row).job, victim.asked, victim.ends});
    }
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
    for (const HeldSpace& space : entry_.lent) count_in(running_, space);
    if (const auto lent = lending_.by_lender.find(entry_.id); lent != lending_.by_lender.end()) {
      for (const RoomInUse* room : lent->second) {
        for (const HeldSpace& space : room->waiting) count_in(taken_, space);
        for (const HeldSpace& space : room->running) count_in(running_, space);
        count_queues(*room, taken_usage_);
      }
    }
    const auto borrowed = lending_.by_borrower.find(entry_.id);
    if (borrowed == lending_.by_borrower.end()) return;
    for (const RoomInUse& room : borrowed->second) {
      for (const HeldSpace& space : room.waiting) {
        count_in(freed_, space);
        if (room.pending) count_in(there_, space);
      }
      for (const HeldSpace& space : room.running) count_in(freed_, space);
      count_queues(room, leaving_usage_);
    }
  }

  static void count_queues(const RoomInUse& room, QueueLoad& loads) {
    for (const BookQueueRoom& each : room.queues) {
      if (room.pending) loads[{each.queue, each.resource}] += each.amount;
    }
  }

  // Tasks that run have used freed room only as far as it is really free. What victims that are still there
  // hold is not theirs: they run beside it.
  void take_for_running() {
    for (const auto& [node, running] : running_) {
      const Load& freed = freed_[node];
      const Load& there = there_[node];
      Load& taken = taken_[node];
      const auto left_of = [](const auto& all, const auto& still_held, std::uint32_t key) {
        const auto whole = all.find(key);
        const auto held = still_held.find(key);
        const auto none = decltype(whole->second){};
        const auto sum = whole == all.end() ? none : whole->second;
        return sum - std::min(sum, held == still_held.end() ? none : held->second);
      };
      for (const auto& [resource, amount] : running.amounts)
        taken.amounts[resource] += std::min(amount, left_of(freed.amounts, there.amounts, resource));
      taken.gpus |= running.gpus & ~there.gpus;
      for (const auto& [device, share] : running.shares) {
        const bool is_whole = (freed.gpus >> device & 1) != 0;
        const bool is_held = (there.gpus >> device & 1) != 0;
        const std::uint32_t part = is_held    ? 0
                                   : is_whole ? share
                                              : std::min(share, left_of(freed.shares, there.shares, device));
        if (part > 0) taken.shares[device] += part;
      }
      taken.unknown += running.unknown;
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
    const auto still = still_unknown_.find(node);
    const auto running = running_.find(node);
    const std::uint32_t there = still == still_unknown_.end() ? 0 : still->second;
    const std::uint32_t given = taken.unknown - (running == running_.end() ? 0 : running->second.unknown);
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
  Loads there_;    // the part of it that victims still hold
  Loads taken_;    // of the freed room: by tasks that wait, and then by those that run
  Loads running_;  // held by tasks that run, wherever they got it
  Loads lost_;     // places that the cluster no longer has
  std::map<NodeId, std::uint32_t> still_unknown_;  // unknown devices of victims that are still there
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
