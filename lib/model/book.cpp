// SPDX-License-Identifier: MIT
#include "model/book.h"

#include <algorithm>
#include <map>
#include <string>

#include "base/bits.h"
#include "base/text.h"

namespace cede {

namespace {

constexpr std::uint64_t kWithDevices = 1;
constexpr std::uint64_t kWithRequirement = 2;
constexpr std::uint64_t kFlags = kWithDevices | kWithRequirement;

}  // namespace

std::uint64_t NodeSignatures::of_class(const NodeRow& node) {
  if (!node.topology) return 0;
  const ClassId id = model_.topologies[node.topology].node_class;
  for (const auto& [known, number] : classes_) {
    if (known == id) return number;
  }
  classes_.emplace_back(id, crc64(model_.class_keys.view(id.value)));
  return classes_.back().second;
}

std::uint64_t NodeSignatures::of(NodeId id, bool devices, bool requirement) {
  const NodeRow& node = model_.nodes[id];
  const std::uint64_t flags = (devices ? kWithDevices : 0) | (requirement ? kWithRequirement : 0);
  if (flags == 0) return 0;
  std::string text = devices ? std::to_string(of_class(node)) : std::string();
  if (requirement) {
    for (const DomainId listed : model_.node_domains(node)) {
      for (DomainId at = listed; at; at = model_.domains[at].parent) {
        text += '/';
        text += model_.name(model_.domains[at].name);
      }
    }
    for (const BlobId blob : {node.fingerprint, node.labels}) {
      text += '|';
      text += model_.blobs.view(blob);
    }
  }
  return (crc64(text) & ~kFlags) | flags;
}

bool NodeSignatures::is_still(NodeId node, std::uint64_t signature) {
  return of(node, (signature & kWithDevices) != 0, (signature & kWithRequirement) != 0) == signature;
}

bool BookEntry::lost_space() const {
  return std::any_of(places.begin(), places.end(),
                     [](const BookPlace& place) { return place.state == PlaceState::lost; });
}

Book::Book(const Model& model, std::deque<BookEntry> entries) : model_(model), entries_(std::move(entries)) {
  for (BookEntry& entry : entries_) list(entry);
  for (const auto& [node, unused] : places_) settle_places(node);
}

// Lists what the entry has on its nodes.
void Book::list(BookEntry& entry) {
  const bool claims = entry.has_hold && entry.requester_kind == BookEntry::For::claim;
  for (const BookVictim& victim : entry.victims) {
    if (victim.spared) continue;
    // A claim that took a hold also has the victims of that hold, even on nodes that it does not claim.
    const bool leaves = victim.leaves || (claims && !victim.stuck && !victim.finished);
    for (const BookVictimTask& task : victim.tasks) {
      if (!task.row) continue;
      if (task.state == VictimTaskState::left) left_.insert(task.row.value);
      if (task.state == VictimTaskState::there && leaves) leaving_.insert(task.row.value);
    }
  }
  if (!entry.has_hold) return;
  for (BookPlace& place : entry.places) {
    place.state = PlaceState::lost;
    if (place.space.node) places_[place.space.node].push_back({&entry, &place});
  }
}

std::vector<NodeId> Book::nodes_of(const BookEntry& entry) const {
  std::vector<NodeId> nodes;
  for (const BookVictim& victim : entry.victims) {
    for (const BookVictimTask& task : victim.tasks) {
      if (task.row) nodes.push_back(model_.tasks.core(task.row).node);
    }
  }
  for (const BookPlace& place : entry.places) {
    if (place.space.node) nodes.push_back(place.space.node);
  }
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  return nodes;
}

bool Book::add(BookEntry entry) {
  BookEntry& added = entries_.emplace_back(std::move(entry));
  list(added);
  bool others_stay = true;
  for (const NodeId node : nodes_of(added)) {
    const auto here = places_.find(node);
    if (here == places_.end()) continue;
    std::vector<PlaceState> before;
    for (const OwnedPlace& each : here->second) before.push_back(each.place->state);
    settle_places(node);
    for (std::size_t i = 0; i < before.size(); ++i) {
      const OwnedPlace& each = here->second[i];
      others_stay = others_stay && (each.owner == &added || each.place->state == before[i]);
    }
  }
  return others_stay;
}

const BookEntry* Book::find(std::uint64_t entry) const {
  const auto at = std::lower_bound(entries_.begin(), entries_.end(), entry,
                                   [](const BookEntry& each, std::uint64_t id) { return each.id < id; });
  return at == entries_.end() || at->id != entry ? nullptr : &*at;
}

bool Book::is_absent(TaskId row, When when) const {
  return left_.contains(row.value) || (when == When::later && leaving_.contains(row.value));
}

namespace {

bool gives_way(const BookEntry& entry, TaskId task) {
  return std::any_of(entry.victims.begin(), entry.victims.end(), [&](const BookVictim& victim) {
    return !victim.spared && !victim.stuck &&
           std::any_of(victim.tasks.begin(), victim.tasks.end(), [&](const BookVictimTask& each) {
             return each.row == task && each.state == VictimTaskState::there;
           });
  });
}

}  // namespace

// `own`: leaves out tasks that are victims of this entry.
Book::NodeUse Book::use_of(NodeId node, When when, const BookEntry* own) const {
  NodeUse use;
  use.used.assign(model_.resources.size(), 0);
  const std::uint32_t gpu = model_.find_resource("gpu");
  const std::uint32_t devices = model_.device_count(model_.nodes[node], gpu);
  for (TaskId t = model_.nodes[node].first_task; t; t = model_.tasks.core(t).next_on_node) {
    if (is_absent(t, when) || (own && gives_way(*own, t))) continue;
    const TaskCore& core = model_.tasks.core(t);
    const ResourceView shape = model_.shape(core.resources);
    for (const ResourceAmount& each : shape) use.used[each.resource] += each.amount;
    use.whole |= core.gpus;
    for (const DeviceShare& share : model_.shares(model_.tasks.extras(t)))
      use.parts[share.device] = static_cast<std::uint16_t>(use.parts[share.device] + share.share);
    if (!core.gpus_given && gpu != ResourceId::kNoValue) {
      const Amount held = (amount_of(shape, gpu) + kOne - 1) / kOne;
      use.unknown += static_cast<std::uint32_t>(std::min<Amount>(held, devices));
      if (held > 0 && devices > 0) use.unnamed.push_back(t);
    }
  }
  std::sort(use.unnamed.begin(), use.unnamed.end());
  return use;
}

// Rules 1 and 2 about names.
bool Book::agrees_on_names(const BookEntry& entry, const HeldSpace& space, const NodeUse& use) const {
  if (!space.names_devices() && space.unknown == 0) return true;
  const bool others_agree =
      entry.ends() || std::all_of(use.places.begin(), use.places.end(), [&](const auto& place) {
        return place.first == &entry || place.second == space.names_devices();
      });
  return others_agree && (!space.names_devices() || std::includes(entry.beside.begin(), entry.beside.end(),
                                                                  use.unnamed.begin(), use.unnamed.end()));
}

// Rule 3. `use` is what is on the node now.
bool Book::may_lack_names(const BookEntry& entry, const HeldSpace& space, const NodeUse& use) const {
  if (space.unknown == 0 || entry.start_sent || entry.ends() || !use.unnamed.empty()) return true;
  bool named = use.whole != 0 || std::any_of(std::begin(use.parts), std::end(use.parts),
                                             [](std::uint16_t part) { return part > 0; });
  for (const auto& [owner, has_names] : use.places) {
    if (owner != &entry && !has_names) return true;
    named = named || has_names;
  }
  return !named && !entry.was_lost;
}

bool Book::takes(const BookEntry& entry, const HeldSpace& space, const NodeUse& use) const {
  const NodeRow& node = model_.nodes[space.node];
  const ResourceView has = model_.shape(node.resources);
  for (const ResourceAmount& each : space.amounts) {
    if (each.amount > 0 && use.used[each.resource] + each.amount > amount_of(has, each.resource))
      return false;
  }
  const std::uint32_t devices = model_.device_count(node);
  const DeviceMask present = first_bits(devices);
  DeviceMask in_parts = 0;
  for (std::uint32_t d = 0; d < kMaxDevices; ++d) {
    if (use.parts[d] > 0) in_parts |= DeviceMask{1} << d;
  }
  if ((space.gpus & ~present) != 0 || (space.gpus & (use.whole | in_parts)) != 0) return false;
  if (space.share > 0) {
    if (space.share_device >= devices || (use.whole >> space.share_device & 1) != 0) return false;
    if (use.parts[space.share_device] + space.share > static_cast<std::uint32_t>(kOne)) return false;
  }
  if (devices == 0) return true;
  if (!agrees_on_names(entry, space, use)) return false;
  // The amounts tell how many devices are free, unless the group counts them.
  const auto known = static_cast<std::uint32_t>(count_bits(use.whole | in_parts));
  return space.unknown == 0 || counts_gpu(space) || known + use.unknown + space.unknown <= devices;
}

// Whether GPUs of the place are counted on the node and not by the group.
bool Book::counts_gpu(const HeldSpace& space) const {
  return amount_of(space.amounts, model_.find_resource("gpu"), kNoAmount) != kNoAmount;
}

void Book::add(const BookEntry& entry, const HeldSpace& space, NodeUse& use) const {
  if (!entry.ends() && (space.names_devices() || space.unknown > 0))
    use.places.emplace_back(&entry, space.names_devices());
  for (const ResourceAmount& each : space.amounts) use.used[each.resource] += each.amount;
  use.whole |= space.gpus;
  use.unknown += space.unknown;
  if (space.share > 0)
    use.parts[space.share_device] = static_cast<std::uint16_t>(use.parts[space.share_device] + space.share);
}

// Whether a task of another queue than the claiming one is on the node (now), or will remain there once the
// victims are gone (later).
bool Book::others_stay(const BookEntry& claim, NodeId node, When when) const {
  for (TaskId t = model_.nodes[node].first_task; t; t = model_.tasks.core(t).next_on_node) {
    if (is_absent(t, when) || (when == When::later && gives_way(claim, t))) continue;
    const QueueId queue = model_.jobs[model_.tasks.core(t).job].queue;
    if (!claim.queue || !model_.is_below(queue, claim.queue)) return true;
  }
  return false;
}

// Whether a job of another queue was told to start on the node.
bool Book::others_start(const BookEntry& claim, NodeId node) const {
  return std::any_of(entries_.begin(), entries_.end(), [&](const BookEntry& other) {
    if (&other == &claim || !other.has_hold || !other.ready) return false;
    if (other.queue && claim.queue && model_.is_below(other.queue, claim.queue)) return false;
    return std::any_of(other.places.begin(), other.places.end(), [&](const BookPlace& place) {
      return place.space.node == node && place.state == PlaceState::kept;
    });
  });
}

bool Book::node_serves(const BookEntry& entry, const BookPlace& place) const {
  if (!place.space.node || !place.fits_node) return false;
  const NodeRow& node = model_.nodes[place.space.node];
  return node.group == entry.group && node.state == NodeState::up;
}

// Whether another entry now holds the whole node, or a place on a node that this entry wants as a whole.
bool Book::is_closed(const OwnedPlace& asked, const std::vector<OwnedPlace>& kept) const {
  return std::any_of(kept.begin(), kept.end(), [&](const OwnedPlace& other) {
    if (other.owner == asked.owner) return false;
    const BookEntry& claim =
        other.owner->requester_kind == BookEntry::For::claim ? *other.owner : *asked.owner;
    const BookEntry& guest = &claim == other.owner ? *asked.owner : *other.owner;
    const bool is_guest = claim.requester_kind == BookEntry::For::claim && claim.queue && guest.queue &&
                          model_.is_below(guest.queue, claim.queue);
    return (other.place->space.whole_node || asked.place->space.whole_node) && !is_guest;
  });
}

// Decides what the holds still have on a node. Places on different nodes do not depend on each other. Ready
// entries come first, then entries that always had their space, then entries that had lost it; within each
// class the older entry comes first. If two entries want the rest of a node that shrank, the later one loses.
// A ready entry needs its space now. An entry that had lost its space gets it back only if the space is free
// now, with victims of other entries counted as present.
void Book::settle_places(NodeId node) {
  std::vector<OwnedPlace> order = places_.at(node);
  const auto rank = [](const BookEntry* entry) { return entry->was_lost ? 2 : entry->ready ? 0 : 1; };
  std::stable_sort(order.begin(), order.end(),
                   [&](const OwnedPlace& a, const OwnedPlace& b) { return rank(a.owner) < rank(b.owner); });
  NodeUse later = use_of(node, When::later);
  std::vector<OwnedPlace> kept;
  const auto use_now = [&](const BookEntry* own) {
    NodeUse use = use_of(node, When::now, own);
    for (const OwnedPlace& other : kept) add(*other.owner, other.place->space, use);
    return use;
  };
  for (const OwnedPlace& each : order) {
    const BookEntry& entry = *each.owner;
    BookPlace& place = *each.place;
    place.state = PlaceState::lost;
    if (place.task.row && model_.tasks.core(place.task.row).node == node) {
      place.state = PlaceState::running;
    } else if (!node_serves(entry, place) || (rank(&entry) == 2 && is_closed(each, kept))) {
      continue;
    } else if (entry.requester_kind == BookEntry::For::claim) {
      if (others_stay(entry, node, When::later)) continue;
      place.state = PlaceState::kept;
      kept.push_back(each);
    } else if (takes(entry, place.space, later) &&
               (rank(&entry) == 1 || takes(entry, place.space, use_now(&entry))) &&
               (place.space.unknown == 0 || may_lack_names(entry, place.space, use_now(nullptr)))) {
      place.state = PlaceState::kept;
      add(entry, place.space, later);
      kept.push_back(each);
    }
  }
}

bool Book::lacks_names(NodeId node, std::uint64_t own) const {
  if (!use_of(node, When::now).unnamed.empty()) return true;
  const auto here = places_.find(node);
  return here != places_.end() &&
         std::any_of(here->second.begin(), here->second.end(), [&](const OwnedPlace& each) {
           return each.owner->id != own && !each.owner->ends() && each.place->state == PlaceState::kept &&
                  each.place->space.unknown > 0;
         });
}

bool Book::is_limited(const BookEntry& entry) const {
  if (entry.requester_kind != BookEntry::For::job || !entry.requester || !entry.group) return false;
  if (model_.groups[entry.group].resources != kNoShape) return true;
  if (model_.job_extras[entry.requester.value].max != kNoShape) return true;
  for (QueueId queue = entry.queue; queue; queue = model_.queues[queue].parent) {
    if (model_.queues[queue].max != kNoShape) return true;
  }
  return false;
}

namespace {

// What the entry's places take and its requester does not use yet.
Total asked(const BookEntry& entry, std::uint32_t resource) {
  Total sum = 0;
  for (const BookPlace& place : entry.places) {
    if (place.state != PlaceState::kept) continue;
    sum += amount_of(place.space.amounts, resource) + amount_of(place.space.of_group, resource);
  }
  return sum;
}

}  // namespace

bool Book::is_within_job_max(const BookEntry& entry, When when) const {
  const JobCore& job = model_.jobs[entry.requester];
  for (const ResourceAmount& limit : model_.shape(model_.job_extras[entry.requester.value].max)) {
    Total sum = asked(entry, limit.resource);
    if (sum == 0) continue;
    for (std::uint32_t k = 0; k < job.task_rows; ++k) {
      const TaskId task{job.first_task.value + k};
      const TaskCore& core = model_.tasks.core(task);
      if (core.node && !is_absent(task, when)) sum += amount_of(model_.shape(core.resources), limit.resource);
    }
    if (sum > limit.amount) return false;
  }
  return true;
}

bool Book::is_within_limits(const BookEntry& entry, const std::function<Total(QueueId, std::uint32_t)>& used,
                            bool own_queue_only) const {
  const auto is_kept = [&](QueueId queue, ShapeId limits) {
    const ResourceView each = model_.shape(limits);
    return std::all_of(each.begin(), each.end(), [&](const ResourceAmount& limit) {
      return asked(entry, limit.resource) == 0 || used(queue, limit.resource) <= limit.amount;
    });
  };
  if (!is_within_job_max(entry, When::now)) return false;
  if (!is_kept(QueueId{}, model_.groups[entry.group].resources)) return false;
  for (QueueId queue = entry.queue; queue; queue = own_queue_only ? QueueId{} : model_.queues[queue].parent) {
    if (!is_kept(queue, model_.queues[queue].max)) return false;
  }
  return true;
}

Total Book::used_now(const BookEntry& entry, QueueId queue, std::uint32_t resource) const {
  Total sum = 0;
  const auto counts = [&](GroupId group, QueueId of) {
    return group == entry.group && (!queue || (of && model_.is_below(of, queue)));
  };
  model_.jobs.for_each([&](JobId, const JobCore& job) {
    if (!counts(job.group, job.queue)) return;
    for (std::uint32_t k = 0; k < job.task_rows; ++k) {
      const TaskId task{job.first_task.value + k};
      const TaskCore& core = model_.tasks.core(task);
      if (core.node && !is_absent(task, When::now)) sum += amount_of(model_.shape(core.resources), resource);
    }
  });
  for (const BookEntry& each : entries_) {
    const bool starts = each.id == entry.id || (each.has_hold && each.ready);
    if (starts && each.requester_kind == BookEntry::For::job && counts(each.group, each.queue))
      sum += asked(each, resource);
  }
  return sum;
}

std::vector<std::uint64_t> Book::over_limits(GroupId group,
                                             const std::function<Total(QueueId, std::uint32_t)>& used,
                                             const std::function<bool(QueueId)>& own_queue_only) const {
  std::vector<const BookEntry*> order;
  for (auto entry = entries_.rbegin(); entry != entries_.rend(); ++entry) {
    if (entry->has_hold && entry->group == group && is_limited(*entry)) order.push_back(&*entry);
  }
  std::stable_partition(order.begin(), order.end(), [](const BookEntry* entry) { return !entry->ready; });
  std::set<std::uint64_t> over;
  for (const BookEntry* entry : order) {
    if (!is_within_job_max(*entry, When::later)) over.insert(entry->id);
  }
  // Marks entries in the queue's subtree, in the order above, until they cover the excess over the limit.
  const auto enforce = [&](QueueId queue, const ResourceAmount& limit, bool of_group) {
    Total excess = used(queue, limit.resource) - limit.amount;
    for (auto entry = order.begin(); excess > 0 && entry != order.end(); ++entry) {
      const QueueId own = (*entry)->queue;
      const bool concerned =
          of_group || own == queue || (model_.is_below(own, queue) && !own_queue_only(own));
      const Total amount = concerned ? asked(**entry, limit.resource) : Total{0};
      if (amount == 0) continue;
      over.insert((*entry)->id);
      excess -= amount;
    }
  };
  model_.queues.for_each([&](QueueId queue, const QueueRow& row) {
    for (const ResourceAmount& limit : model_.shape(row.max)) enforce(queue, limit, false);
    if (row.parent) return;
    for (const ResourceAmount& limit : model_.shape(model_.groups[group].resources))
      enforce(queue, limit, true);
  });
  return {over.begin(), over.end()};
}

bool Book::has_room_now(const BookEntry& entry) const {
  if (entry.lost_space()) return false;
  // A victim that runs again uses its share of the limit again.
  const bool taken_again =
      is_limited(entry) &&
      std::any_of(entry.victims.begin(), entry.victims.end(), [](const BookVictim& victim) {
        return !victim.spared &&
               std::any_of(victim.tasks.begin(), victim.tasks.end(),
                           [](const BookVictimTask& task) { return task.state == VictimTaskState::again; });
      });
  if (taken_again) return false;
  if (entry.requester_kind == BookEntry::For::claim) {
    return std::none_of(entry.places.begin(), entry.places.end(), [&](const BookPlace& place) {
      return others_stay(entry, place.space.node, When::now) || others_start(entry, place.space.node);
    });
  }
  std::map<NodeId, NodeUse> uses;
  for (const BookPlace& place : entry.places) {
    if (place.state != PlaceState::kept || uses.contains(place.space.node)) continue;
    NodeUse& use = uses.emplace(place.space.node, use_of(place.space.node, When::now)).first->second;
    for (const BookEntry& other : entries_) {
      if (&other == &entry || !other.has_hold || !other.ready) continue;
      for (const BookPlace& other_place : other.places) {
        if (other_place.state == PlaceState::kept && other_place.space.node == place.space.node)
          add(other, other_place.space, use);
      }
    }
  }
  for (const BookPlace& place : entry.places) {
    if (place.state != PlaceState::kept) continue;
    NodeUse& use = uses.at(place.space.node);
    if (!takes(entry, place.space, use)) return false;
    add(entry, place.space, use);
  }
  return true;
}

}  // namespace cede
