// SPDX-License-Identifier: MIT
#include "engine/kept_room.h"

#include <algorithm>
#include <map>

#include "base/bits.h"

namespace cede {

namespace {

void count_queues(const RoomInUse& room, QueueLoad& loads) {
  for (const BookQueueRoom& each : room.queues) {
    if (room.pending) loads[{each.queue, each.resource}] += each.amount;
  }
}

// The number of devices of which anything is held.
std::uint32_t device_number(const Load& load) {
  return static_cast<std::uint32_t>(count_bits(load.gpus) + load.shares.size()) + load.unknown;
}

// It is not known which devices the requester gets, only how many.
void block_number(const Load& freed, const Load& taken, std::uint32_t devices, InFlight::Blocked& out) {
  const std::uint32_t all = device_number(freed);
  const std::uint32_t used = device_number(taken);
  out.unknown = std::min(all > used ? all - used : 0, devices);
}

// What victims without names held is kept as an amount once they are gone. It is not known which devices
// these were, and no task has them.
void block_devices(const Load& freed, const Load& taken, std::uint32_t devices, InFlight::Blocked& out) {
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

}  // namespace

std::shared_ptr<const InFlight::Room> KeptRoom::find() {
  auto room = std::make_shared<InFlight::Room>();
  room->entry = entry_.id;
  if (entry_.requester_kind == BookEntry::For::job) room->job = entry_.requester;
  if (entry_.has_hold) block_nodes(*room);
  if (entry_.has_hold || !loads_.freed.empty()) {
    count_borrowed_rooms();
    take_for_running();
    keep_lost_places();
    block_surplus(*room);
  }
  return room;
}

std::set<NodeId> KeptRoom::nodes() const {
  std::set<NodeId> nodes;
  for (const auto& [node, unused] : loads_.freed) {
    if (node && !is_used_up(node)) nodes.insert(node);
  }
  return nodes;
}

// Whether the requester takes all that victims free on the node. Then nothing is kept there, whatever else is
// on the node.
bool KeptRoom::is_used_up(NodeId node) const {
  const auto load_of = [&](const auto& loads) {
    const auto found = loads.find(node);
    return found == loads.end() ? Load{} : found->second;
  };
  const Load freed = load_of(loads_.freed);
  const Load taken = load_of(loads_.taken);
  if (loads_.lost.contains(node) || !freed.shares.empty() || !taken.shares.empty()) return false;
  for (const auto& [resource, amount] : freed.amounts) {
    const auto used = taken.amounts.find(resource);
    if (amount > (used == taken.amounts.end() ? Total{0} : used->second)) return false;
  }
  const bool by_name = freed.unknown == 0 && taken.unknown == 0 && (freed.gpus & ~taken.gpus) == 0;
  const bool by_number = freed.gpus == 0 && taken.gpus == 0 && freed.unknown <= taken.unknown;
  const auto still = loads_.still_unknown.find(node);
  const std::uint32_t there = still == loads_.still_unknown.end() ? 0 : still->second;
  return (by_name || by_number) && there <= taken.unknown - load_of(loads_.running).unknown;
}

// Room that was lent counts as taken, and borrowed room counts as freed. Room in a queue counts only until
// the victims are gone.
void KeptRoom::count_borrowed_rooms() {
  for (const HeldSpace& space : entry_.lent) count_in(loads_.running, space);
  for (const RoomInUse* room : lending_.lent_by(entry_.id)) {
    for (const HeldSpace& space : room->waiting) count_in(loads_.taken, space);
    for (const HeldSpace& space : room->running) count_in(loads_.running, space);
    count_queues(*room, loads_.taken_usage);
  }
  for (const RoomInUse& room : lending_.borrowed_by(entry_.id)) {
    for (const HeldSpace& space : room.waiting) {
      count_in(loads_.freed, space);
      if (room.pending) count_in(loads_.there, space);
    }
    for (const HeldSpace& space : room.running) count_in(loads_.freed, space);
    count_queues(room, loads_.leaving_usage);
  }
}

// Tasks that run have used freed room only as far as it is really free. What victims that are still there
// hold is not theirs: they run beside it.
void KeptRoom::take_for_running() {
  for (const auto& [node, running] : loads_.running) {
    const Load& freed = loads_.freed[node];
    const Load& there = loads_.there[node];
    Load& taken = loads_.taken[node];
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
void KeptRoom::keep_lost_places() {
  for (const auto& [node, lost] : loads_.lost) {
    Load& freed = loads_.freed[node];
    const Load& taken = loads_.taken[node];
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
void KeptRoom::block_nodes(InFlight::Room& room) const {
  std::vector<NodeId> nodes;
  // A claim keeps its nodes closed even while it is short of space because tasks of other queues run there.
  // A node that moved to another group is not closed for that group.
  const bool claim = entry_.requester_kind == BookEntry::For::claim;
  for (const BookPlace& place : entry_.places) {
    const bool ours = place.space.node && model_.nodes[place.space.node].group == entry_.group;
    const bool kept = place.state != PlaceState::lost || (claim && ours);
    if (place.space.whole_node && kept) nodes.push_back(place.space.node);
  }
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  for (const NodeId node : nodes) {
    InFlight::Blocked& blocked = room.blocked.emplace_back();
    blocked.entry = entry_.id;
    blocked.node = node;
    blocked.group = model_.nodes[node].group;
    blocked.whole_node = true;
    if (claim) blocked.queue = entry_.queue;
  }
}

// Blocks what victims hold or held beyond what the requester takes, limited to the nodes of the entry's
// group.
void KeptRoom::block_surplus(InFlight::Room& room) {
  for (const auto& [node, freed] : loads_.freed) {
    if (node && model_.nodes[node].group != entry_.group) continue;
    const Load& taken = loads_.taken[node];
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
      const std::uint32_t devices = model_.device_count(model_.nodes[node]);
      if (counts_devices(node, taken)) {
        block_number(freed, taken, devices, blocked);
      } else {
        block_devices(freed, taken, devices, blocked);
      }
      leave_out_used(node, blocked);
      block_unknown(node, taken, blocked);
      const auto lost = loads_.lost.find(node);
      const std::uint32_t unknown = freed.unknown + taken.unknown;
      leave_out_used_amounts(node, unknown + (lost == loads_.lost.end() ? 0 : lost->second.unknown) == 0,
                             blocked);
    }
    const bool any =
        !blocked.amounts.empty() || blocked.gpus != 0 || !blocked.shares.empty() || blocked.unknown > 0;
    if (any && blocked.group) room.blocked.push_back(std::move(blocked));
  }
  for (const auto& [key, amount] : loads_.leaving_usage) {
    const auto used = loads_.taken_usage.find(key);
    const Total rest = amount - (used == loads_.taken_usage.end() ? 0 : used->second);
    if (rest > 0) room.surplus.push_back({entry_.id, entry_.group, key.first, key.second, rest});
  }
}

// If the manager has given a device to another task anyway, the device cannot be withheld from that task.
void KeptRoom::leave_out_used(NodeId node, InFlight::Blocked& blocked) const {
  DeviceMask whole = 0;
  std::map<std::uint32_t, std::uint32_t> parts;
  for (TaskId t = model_.nodes[node].first_task; t; t = model_.tasks.core(t).next_on_node) {
    whole |= model_.tasks.core(t).gpus;
    for (const DeviceShare& share : model_.shares(model_.tasks.extras(t))) parts[share.device] += share.share;
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
void KeptRoom::leave_out_used_amounts(NodeId node, bool devices_known, InFlight::Blocked& blocked) const {
  const std::uint32_t gpu = model_.find_resource("gpu");
  Total devices = static_cast<Total>(count_bits(blocked.gpus)) * kOne;
  for (const DeviceShare& share : blocked.shares) devices += share.share;
  const bool bounds_gpu = devices_known && model_.device_count(model_.nodes[node], gpu) > 0;
  for (ResourceAmount& each : blocked.amounts) {
    Total free = amount_of(model_.shape(model_.nodes[node].resources), each.resource);
    for (TaskId t = model_.nodes[node].first_task; t; t = model_.tasks.core(t).next_on_node)
      free -= amount_of(model_.shape(model_.tasks.core(t).resources), each.resource);
    if (bounds_gpu && each.resource == gpu) free = std::min(free, devices);
    each.amount = static_cast<Amount>(std::clamp<Total>(free, 0, each.amount));
  }
  std::erase_if(blocked.amounts, [](const ResourceAmount& each) { return each.amount == 0; });
}

// A victim that does not say which devices it holds may hold any device that no known task holds or gets as
// a whole. Such devices stay blocked until the victim is gone, even if the requester takes as many in sum.
void KeptRoom::block_unknown(NodeId node, const Load& taken, InFlight::Blocked& blocked) const {
  const auto still = loads_.still_unknown.find(node);
  const auto running = loads_.running.find(node);
  const std::uint32_t there = still == loads_.still_unknown.end() ? 0 : still->second;
  const std::uint32_t given = taken.unknown - (running == loads_.running.end() ? 0 : running->second.unknown);
  if (there <= given) return;
  const std::uint32_t gpu = model_.find_resource("gpu");
  const std::uint32_t devices = model_.device_count(model_.nodes[node], gpu);
  DeviceMask known = 0;
  std::map<std::uint32_t, std::uint32_t> parts;
  std::uint32_t unknown = 0;
  for (TaskId t = model_.nodes[node].first_task; t; t = model_.tasks.core(t).next_on_node) {
    const TaskCore& core = model_.tasks.core(t);
    known |= core.gpus;
    for (const DeviceShare& share : model_.shares(model_.tasks.extras(t))) parts[share.device] += share.share;
    if (core.gpus_given || gpu == ResourceId::kNoValue) continue;
    const Amount held = (amount_of(model_.shape(core.resources), gpu) + kOne - 1) / kOne;
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

// Whether only the number of the taken devices counts. If nothing on the node lacks names any more, no
// other devices may be given out without names (rule 3 of Book): a place that was taken without names is
// lost then, or its task names its devices.
bool KeptRoom::counts_devices(NodeId node, const Load& taken) const {
  return taken.unknown > 0 && node && book_.lacks_names(node, own_);
}

}  // namespace cede
