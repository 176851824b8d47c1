// SPDX-License-Identifier: MIT
#include "engine/borrow_room.h"

#include <algorithm>
#include <map>
#include <set>
#include <span>

#include "base/bits.h"

namespace cede {

std::shared_ptr<const ProjectedCluster> with_surplus_room(
    const std::shared_ptr<const ProjectedCluster>& projection, std::span<const EntryId> lenders,
    bool queue_is_limited) {
  if (lenders.empty() || (!queue_is_limited && !projection->in_flight.any_blocked())) return projection;
  InFlight lending = projection->in_flight.lending(lenders, queue_is_limited);
  if (lending.lenders().empty()) return projection;
  auto out = std::make_shared<ProjectedCluster>(ProjectedCluster{projection->model, std::move(lending)});
  out->in_flight.origin = {projection, &projection->in_flight};
  return out;
}

namespace {

using Amounts = std::map<std::uint32_t, Total>;  // by resource

class RoomBorrower {
 public:
  RoomBorrower(const Plan& plan, const Ledger& ledger)
      : plan_(plan), model_(plan.model()), ledger_(ledger), gpu_(model_.find_resource("gpu")) {
    for (const PlannedVictim& victim : plan.victims) {
      for (const TaskId task : victim.tasks) gone_.insert(task.value);
      if (victim.hold != 0) taken_.insert(victim.hold);
    }
    for (const PlannedTask& task : plan.placement) {
      if (std::find(nodes_.begin(), nodes_.end(), task.node) == nodes_.end()) nodes_.push_back(task.node);
    }
    list_lenders();
  }

  std::vector<BorrowedRoom> run() {
    for (const NodeId node : nodes_) {
      borrow_devices(node);
      borrow_unknown(node);
      borrow_amounts(node);
      borrow_number(node);
    }
    if (!nodes_.empty()) borrow_from_group(nodes_.front());
    borrow_in_queues();
    std::vector<BorrowedRoom> out;
    for (const SurplusRoom& surplus_room : lenders()) {
      const auto found = borrowed_rooms_.find(surplus_room.entry);
      if (found == borrowed_rooms_.end()) continue;
      find_victims(*ledger_.find(surplus_room.entry), found->second);
      out.push_back(std::move(found->second));
    }
    return out;
  }

 private:
  // What the plan may use of the room of one lender.
  struct SurplusRoom {
    std::uint64_t entry = 0;
    std::vector<InFlight::Blocked> room;
    std::vector<InFlight::QueueSurplus> queues;
  };

  void list_lenders() {
    const bool limited = model_.is_limited(plan_.subject.queue);
    const InFlight& known = *plan_.in_flight;
    if (!limited && !known.any_blocked_lent()) return;
    known.each_lender([&](const InFlight::Room& lender) {
      SurplusRoom lent{lender.entry, {}, {}};
      for (const InFlight::Blocked& each : lender.blocked) {
        const bool used = !each.node || std::find(nodes_.begin(), nodes_.end(), each.node) != nodes_.end();
        if (used && !each.whole_node) lent.room.push_back(each);
      }
      if (limited) lent.queues = lender.surplus;
      if (!lent.room.empty() || !lent.queues.empty()) lenders_.push_back(std::move(lent));
    });
  }

  std::span<const SurplusRoom> lenders() const { return lenders_; }
  bool lends(const SurplusRoom& surplus_room) const {
    return !taken_.contains(surplus_room.entry) && ledger_.find(surplus_room.entry);
  }

  BorrowedRoom& borrowed_room_of(std::uint64_t lender) {
    BorrowedRoom& borrowed_room = borrowed_rooms_[lender];
    borrowed_room.from = lender;
    return borrowed_room;
  }
  Place& place_of(std::uint64_t lender, NodeId node) {
    Place& place = borrowed_room_of(lender).room.emplace_back();
    place.node = model_.name(model_.nodes[node].name);
    return place;
  }
  void add(Place& place, std::uint32_t resource, Total amount) const {
    place.resources.emplace_back(model_.resource_name(resource), static_cast<Amount>(amount));
  }

  bool counted_by_group(std::uint32_t resource) const {
    return amount_of(model_.shape(model_.groups[plan_.subject.group].resources), resource, kNoAmount) !=
           kNoAmount;
  }

  // Whole devices and shares of devices are borrowed exactly where the plan uses them, whatever else is free.
  void borrow_devices(NodeId node) {
    const NodeId counter = counted_by_group(gpu_) ? NodeId{} : node;
    for (const SurplusRoom& surplus_room : lenders()) {
      if (!lends(surplus_room)) continue;
      for (const InFlight::Blocked& room : surplus_room.room) {
        if (room.node != node) continue;
        DeviceMask whole = 0;
        std::map<std::uint32_t, std::uint32_t> shares;
        for (const PlannedTask& task : plan_.placement) {
          if (task.node != node) continue;
          whole |= task.gpus & room.gpus;
          if (task.share > 0) shares[task.share_device] += std::min(task.share, left_of(room, task));
          // The plan may take a whole device of which a victim leaves one share and the rest is idle.
          for (const DeviceShare& part : room.shares) {
            if ((task.gpus >> part.device & 1) != 0) shares[part.device] += part.share;
          }
        }
        if (whole != 0) {
          Place& place = place_of(surplus_room.entry, node);
          place.gpus = whole;
          const Total amount = static_cast<Total>(count_bits(whole)) * kOne;
          add(place, gpu_, amount);
          by_device_[{surplus_room.entry, counter}] += amount;
        }
        for (const auto& [device, share] : shares) {
          if (share == 0) continue;
          Place& place = place_of(surplus_room.entry, node);
          place.share_device = device;
          place.share = share;
          add(place, gpu_, share);
          by_device_[{surplus_room.entry, counter}] += share;
        }
      }
    }
  }

  std::uint32_t devices_of(TaskId task) const {
    const Amount gpus =
        gpu_ == ResourceId::kNoValue ? 0 : amount_of(model_.shape(model_.tasks.core(task).resources), gpu_);
    return static_cast<std::uint32_t>((gpus + kOne - 1) / kOne);
  }

  // A victim that does not say which devices it holds may hold any. If the plan names devices on the same
  // node, it waits for all such victims. If the plan only needs a number of devices, it waits for enough of
  // them. Nothing is borrowed here, so the place has no amounts.
  void borrow_unknown(NodeId node) {
    std::uint32_t wanted = 0;
    bool named = false;
    for (const PlannedTask& task : plan_.placement) {
      if (task.node != node) continue;
      wanted += devices_of(task.task);
      named = named || task.gpus != 0 || task.share > 0;
    }
    const auto devices = static_cast<std::int64_t>(model_.device_count(model_.nodes[node], gpu_));
    if (wanted == 0 || devices == 0) return;
    std::int64_t short_of_space = wanted + closed_devices(node) - devices;
    for (const SurplusRoom& surplus_room : lenders()) {
      for (const InFlight::Blocked& room : surplus_room.room) {
        if (!lends(surplus_room) || room.node != node || room.unknown == 0 || (!named && short_of_space <= 0))
          continue;
        place_of(surplus_room.entry, node).devices_known = false;
        short_of_space -= room.unknown;
        borrowed_number_[node] += room.unknown;
      }
    }
  }

  // The number of devices that are closed to the plan on the node: those of tasks that stay and those that
  // other decisions keep, of the lenders only those without names.
  std::int64_t closed_devices(NodeId node) const {
    std::int64_t unknown = 0;
    for (TaskId t = model_.nodes[node].first_task; t; t = model_.tasks.core(t).next_on_node) {
      if (!gone_.contains(t.value) && !model_.tasks.core(t).gpus_given) unknown += devices_of(t);
    }
    plan_.in_flight->each_blocked([&](const InFlight::Blocked& each) {
      if (each.node == node && !taken_.contains(each.entry)) unknown += each.unknown;
    });
    for (const SurplusRoom& surplus_room : lenders()) {
      for (const InFlight::Blocked& room : surplus_room.room) {
        if (lends(surplus_room) && room.node == node) unknown += room.unknown;
      }
    }
    return unknown + count_bits(known_devices(node));
  }

  static DeviceMask named_in(const InFlight::Blocked& room) {
    DeviceMask named = room.gpus;
    for (const DeviceShare& share : room.shares) named |= DeviceMask{1} << share.device;
    return named;
  }

  // The devices of which tasks that stay, or other decisions that lend nothing, have any part.
  DeviceMask known_devices(NodeId node) const {
    DeviceMask known = 0;
    for (TaskId t = model_.nodes[node].first_task; t; t = model_.tasks.core(t).next_on_node) {
      if (gone_.contains(t.value)) continue;
      known |= model_.tasks.core(t).gpus;
      for (const DeviceShare& share : model_.shares(model_.tasks.extras(t)))
        known |= DeviceMask{1} << share.device;
    }
    plan_.in_flight->each_blocked([&](const InFlight::Blocked& each) {
      if (each.node == node && !taken_.contains(each.entry)) known |= named_in(each);
    });
    return known;
  }

  // A plan that needs only a number of devices may count on devices that a lender's victims name. Their
  // amounts are borrowed elsewhere, and not on this node if the group counts GPUs.
  void borrow_number(NodeId node) {
    const bool by_group = counted_by_group(gpu_);
    std::int64_t short_of_space = closed_devices(node) - borrowed_number_[node] -
                                  static_cast<std::int64_t>(model_.device_count(model_.nodes[node], gpu_));
    bool any = false;
    for (const PlannedTask& task : plan_.placement) {
      if (task.node != node) continue;
      if (task.gpus != 0 || task.share > 0) return;  // the devices were borrowed by name
      // If the node counts GPUs, amounts cover parts of devices.
      const std::uint32_t parts = task_has_part(task.task) && !by_group ? 1 : 0;
      short_of_space += devices_of(task.task) - parts;
      any = any || !task.devices_known;
    }
    if (!any) return;
    DeviceMask counted = known_devices(node);
    DeviceMask lent = 0;
    for (const SurplusRoom& surplus_room : lenders()) {
      for (const InFlight::Blocked& room : surplus_room.room) {
        if (lends(surplus_room) && room.node == node) lent |= named_in(room) & ~counted;
      }
    }
    short_of_space += count_bits(lent);
    for (const SurplusRoom& surplus_room : lenders()) {
      for (const InFlight::Blocked& room : surplus_room.room) {
        if (!lends(surplus_room) || room.node != node) continue;
        for (DeviceMask left = named_in(room) & lent; left != 0 && short_of_space > 0; left &= left - 1) {
          const DeviceMask device = left & (~left + 1);
          Place& place = place_of(surplus_room.entry, node);
          place.gpus = room.gpus & device;
          for (const DeviceShare& share : room.shares) {
            if (place.gpus != 0 || device != DeviceMask{1} << share.device) continue;
            place.share_device = share.device;
            place.share = share.share;
          }
          lent &= ~device;
          --short_of_space;
        }
      }
    }
  }

  bool task_has_part(TaskId task) const {
    return amount_of(model_.shape(model_.tasks.core(task).resources), gpu_) % kOne != 0;
  }

  static std::uint32_t left_of(const InFlight::Blocked& room, const PlannedTask& task) {
    if ((room.gpus >> task.share_device & 1) != 0) return static_cast<std::uint32_t>(kOne);
    for (const DeviceShare& share : room.shares) {
      if (share.device == task.share_device) return share.share;
    }
    return 0;
  }

  Amounts surplus_amounts(const SurplusRoom& surplus_room, NodeId node) const {
    Amounts out;
    for (const InFlight::Blocked& room : surplus_room.room) {
      if (room.node != node || room.group != plan_.subject.group) continue;
      for (const ResourceAmount& each : room.amounts) out[each.resource] += each.amount;
    }
    return out;
  }

  // What decisions in flight withhold from the plan, including surplus room: on a node, or of the resources
  // that the group counts.
  Amounts kept(NodeId node) const {
    Amounts out;
    plan_.in_flight->each_blocked([&](const InFlight::Blocked& each) {
      if (each.node != node || each.group != plan_.subject.group || taken_.contains(each.entry)) return;
      for (const ResourceAmount& entry : each.amounts) out[entry.resource] += entry.amount;
    });
    for (const SurplusRoom& surplus_room : lenders()) {
      if (!lends(surplus_room)) continue;
      for (const auto& [resource, amount] : surplus_amounts(surplus_room, node)) out[resource] += amount;
    }
    return out;
  }

  void add_held(TaskId task, Amounts& out) const {
    if (gone_.contains(task.value)) return;
    for (const ResourceAmount& entry : model_.shape(model_.tasks.core(task).resources))
      out[entry.resource] += entry.amount;
  }

  Amounts asked(NodeId node) const {
    Amounts out;
    for (const PlannedTask& task : plan_.placement) {
      if (node && task.node != node) continue;
      for (const ResourceAmount& entry : model_.shape(model_.tasks.core(task.task).resources))
        out[entry.resource] += entry.amount;
    }
    return out;
  }

  void borrow_amounts(NodeId node) {
    Amounts held = kept(node);
    for (TaskId t = model_.nodes[node].first_task; t; t = model_.tasks.core(t).next_on_node)
      add_held(t, held);
    for (const auto& [resource, amount] : asked(node)) {
      if (counted_by_group(resource)) continue;
      const Total has = amount_of(model_.shape(model_.nodes[node].resources), resource);
      borrow(resource, held[resource] + amount - has, node, node);
    }
  }

  void borrow_from_group(NodeId at) {
    const GroupId group = plan_.subject.group;
    const ResourceView counted = model_.shape(model_.groups[group].resources);
    if (counted.empty()) return;
    Amounts held = kept(NodeId{});
    for_each_placed([&](const JobCore& job, TaskId task) {
      if (job.group == group) add_held(task, held);
    });
    Amounts wanted = asked(NodeId{});
    for (const ResourceAmount& has : counted) {
      if (wanted[has.resource] > 0)
        borrow(has.resource, held[has.resource] + wanted[has.resource] - has.amount, NodeId{}, at);
    }
  }

  // Takes the missing amount from the lenders in their order. `at` is the node that the borrowed places name.
  void borrow(std::uint32_t resource, Total short_of_space, NodeId node, NodeId at) {
    if (resource == gpu_) {
      for (const SurplusRoom& surplus_room : lenders())
        short_of_space -= of_devices(surplus_room.entry, node);
    }
    for (const SurplusRoom& surplus_room : lenders()) {
      if (!lends(surplus_room)) continue;
      Total left = surplus_amounts(surplus_room, node)[resource];
      if (resource == gpu_) left -= of_devices(surplus_room.entry, node);
      const Total amount = std::min(left, short_of_space);
      if (amount <= 0) continue;
      short_of_space -= amount;
      Place& place = place_of(surplus_room.entry, at);
      place.devices_known = resource != gpu_ || !node;  // known devices were borrowed one by one
      if (!place.devices_known)
        borrowed_number_[node] += static_cast<std::int64_t>((amount + kOne - 1) / kOne);
      add(place, resource, amount);
    }
  }
  Total of_devices(std::uint64_t lender, NodeId node) const {
    const auto found = by_device_.find({lender, node});
    return found == by_device_.end() ? 0 : found->second;
  }

  template <class Visit>
  void for_each_placed(Visit visit) const {
    model_.jobs.for_each([&](JobId, const JobCore& job) {
      for (std::uint32_t k = 0; k < job.task_rows; ++k) {
        const TaskId task{job.first_task.value + k};
        if (model_.tasks.core(task).node) visit(job, task);
      }
    });
  }

  void borrow_in_queues() {
    Amounts wanted = asked(NodeId{});
    for (QueueId queue = plan_.subject.queue; queue; queue = model_.queues[queue].parent) {
      const auto concerns = [&](const SurplusRoom& surplus_room) {
        return lends(surplus_room) &&
               std::any_of(surplus_room.queues.begin(), surplus_room.queues.end(),
                           [&](const InFlight::QueueSurplus& each) { return each.queue == queue; });
      };
      if (model_.queues[queue].max == kNoShape || std::none_of(lenders().begin(), lenders().end(), concerns))
        continue;
      Amounts used;
      for_each_placed([&](const JobCore& job, TaskId task) {
        if (job.group == plan_.subject.group && model_.is_below(job.queue, queue)) add_held(task, used);
      });
      const auto add_surplus = [&](const InFlight::QueueSurplus& each) {
        if (each.queue == queue && each.group == plan_.subject.group && !taken_.contains(each.entry))
          used[each.resource] += each.amount;
      };
      plan_.in_flight->each_surplus(add_surplus);
      for (const SurplusRoom& surplus_room : lenders()) {
        if (lends(surplus_room))
          std::for_each(surplus_room.queues.begin(), surplus_room.queues.end(), add_surplus);
      }
      for (const ResourceAmount& bound : model_.shape(model_.queues[queue].max)) {
        if (wanted[bound.resource] == 0) continue;
        borrow_in(queue, bound.resource, used[bound.resource] + wanted[bound.resource] - bound.amount);
      }
    }
  }

  void borrow_in(QueueId queue, std::uint32_t resource, Total short_of_space) {
    for (const SurplusRoom& surplus_room : lenders()) {
      for (const InFlight::QueueSurplus& each : surplus_room.queues) {
        const Total amount = std::min(each.amount, short_of_space);
        if (each.queue != queue || each.resource != resource || each.group != plan_.subject.group) continue;
        if (amount <= 0 || !lends(surplus_room)) continue;
        short_of_space -= amount;
        borrowed_room_of(surplus_room.entry)
            .queues.push_back({std::string(model_.name(model_.queues[queue].name)),
                               std::string(model_.resource_name(resource)), static_cast<Amount>(amount)});
      }
    }
  }

  // Whether the room is, or may be, part of what the place gives up.
  bool is_of(const Place& room, const Place& left) const {
    const bool same_node = room.node == left.node;
    if (room.gpus != 0 || room.share > 0) {
      DeviceMask wanted = room.gpus;
      DeviceMask there = left.gpus;
      if (room.share > 0) wanted |= DeviceMask{1} << room.share_device;
      if (left.share > 0) there |= DeviceMask{1} << left.share_device;
      return same_node && ((wanted & there) != 0 || !left.devices_known);
    }
    if (room.resources.empty()) return same_node && !left.devices_known;
    return std::any_of(room.resources.begin(), room.resources.end(), [&](const auto& part) {
      if (!same_node && !counted_by_group(model_.find_resource(part.first))) return false;
      return std::any_of(left.resources.begin(), left.resources.end(),
                         [&](const auto& each) { return each.first == part.first && each.second > 0; });
    });
  }

  bool is_of(const QueueRoom& room, std::string_view queue, const Place& left) const {
    const QueueId from = model_.find_queue(queue);
    const QueueId to = model_.find_queue(room.queue);
    return from && to && model_.is_below(from, to) &&
           std::any_of(left.resources.begin(), left.resources.end(),
                       [&](const auto& each) { return each.first == room.resource && each.second > 0; });
  }

  // Finds the victims that the borrowed room may come from. What victims leave is pooled, unless it is known
  // per device.
  void find_victims(const Entry& lender, BorrowedRoom& borrowed_room) const {
    for (const Victim& victim : lender.victims) {
      if (!victim.needed || victim.state.finished()) continue;
      const VictimOrder& order = lender.order_of(victim);
      const bool gives = std::any_of(order.tasks.begin(), order.tasks.end(), [&](const Place& left) {
        return std::any_of(borrowed_room.room.begin(), borrowed_room.room.end(),
                           [&](const Place& room) { return is_of(room, left); }) ||
               std::any_of(borrowed_room.queues.begin(), borrowed_room.queues.end(),
                           [&](const QueueRoom& room) { return is_of(room, order.queue, left); });
      });
      if (!gives) continue;
      borrowed_room.victims.push_back({order.job, order.tasks.front().task, order.terms.may_stay()});
    }
    // The lender may itself have borrowed this room, through a hold that it took over.
    for (const BorrowedRoom& other : lender.borrowed_rooms) {
      const bool gives = std::any_of(other.room.begin(), other.room.end(), [&](const Place& left) {
        return std::any_of(borrowed_room.room.begin(), borrowed_room.room.end(),
                           [&](const Place& room) { return is_of(room, left); });
      });
      const bool gives_in_queue =
          std::any_of(other.queues.begin(), other.queues.end(), [&](const QueueRoom& left) {
            return std::any_of(borrowed_room.queues.begin(), borrowed_room.queues.end(),
                               [&](const QueueRoom& room) {
                                 return room.queue == left.queue && room.resource == left.resource;
                               });
          });
      for (const AwaitedVictim& victim : other.victims) {
        if ((gives || gives_in_queue) && victim.state == AwaitedState::coming)
          borrowed_room.victims.push_back(victim);
      }
    }
  }

  const Plan& plan_;
  const Model& model_;
  const Ledger& ledger_;
  const std::uint32_t gpu_;
  std::vector<NodeId> nodes_;         // of the placement
  std::vector<SurplusRoom> lenders_;  // in the order of use
  std::set<std::uint32_t> gone_;      // task rows of the plan's victims
  std::set<std::uint64_t> taken_;     // entries whose holds are among the victims
  std::map<std::uint64_t, BorrowedRoom> borrowed_rooms_;
  // GPUs borrowed as devices, by lender and node; no node where the group counts GPUs.
  std::map<std::pair<std::uint64_t, NodeId>, Total> by_device_;
  std::map<NodeId, std::int64_t> borrowed_number_;  // devices without names, borrowed on each node
};

}  // namespace

std::vector<BorrowedRoom> borrowed_rooms_of(const Plan& plan, const Ledger& ledger) {
  if (plan.in_flight->lenders().empty()) return {};
  return RoomBorrower(plan, ledger).run();
}

}  // namespace cede
