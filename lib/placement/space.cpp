// SPDX-License-Identifier: MIT
#include "placement/space.h"

#include <algorithm>

namespace cede {

namespace {

constexpr std::uint64_t kMoveWork = 4;

}  // namespace

Space::Space(const RuleContext& rule_context, const NodeTable& table, Fill fill, Work* work)
    : Space(rule_context, nullptr, &table, fill, work) {}

namespace {

std::unique_ptr<const NodeTable> own_table(const RuleContext& rule_context) {
  auto table = std::make_unique<NodeTable>(rule_context.model(), rule_context.group());
  table->count_holds(rule_context.model(), rule_context.in_flight);
  return table;
}

}  // namespace

Space::Space(const RuleContext& rule_context, Fill fill)
    : Space(rule_context, own_table(rule_context), nullptr, fill, nullptr) {}

Space::Space(const RuleContext& rule_context, std::unique_ptr<const NodeTable> made, const NodeTable* table,
             Fill fill, Work* work)
    : context_(rule_context),
      model_(rule_context.model()),
      made_(std::move(made)),
      table_(table ? *table : *made_),
      base_(table_.nodes(fill)),
      held_by_all_(fill == Fill::as_it_is),
      own_work_(work ? nullptr : std::make_unique<Work>()),
      work_(work ? *work : *own_work_),
      usable_(base_.size(), 1),
      group_free_(table_.group_free(fill)),
      gone_(model_.tasks.id_bound(), false) {
  if (fill == Fill::empty) {
    usage_ = rule_context.usage.emptied();
  } else if (!rule_context.request.is_relief()) {  // relief places nothing
    block_what_is_kept();
    mark_surplus_room();
  }
}

// Blocks what victims free beyond what their requester takes, and the nodes that are kept as a whole.
void Space::block_what_is_kept() {
  context_.in_flight.each_blocked([&](const InFlight::Blocked& each) {
    if (each.group != context_.group()) return;
    if (each.queue && context_.queue() && model_.is_below(context_.queue(), each.queue)) return;
    Kept kept;
    if (const InFlight::Hold* hold = context_.in_flight.hold_of(each.entry)) kept.with = hold->tasks.front();
    kept.amounts = each.amounts;
    kept.shares = each.shares;
    kept.unknown = each.unknown;
    if (each.node) {
      kept.node = index_of(each.node);
      const NodeSpace& space = node(kept.node);
      // If a manager placed a task there anyway, giving up the hold does not free the device.
      kept.gpus = each.gpus & ~base_[kept.node].whole;
      if (each.whole_node) {
        kept.closes_node = true;
        kept.gpus = space.free_devices();
        for (std::uint32_t r = 0; r < table_.resources(); ++r) {
          if (space.free[r] > 0) kept.amounts.push_back({static_cast<Amount>(space.free[r]), r, 0});
        }
      }
    }
    kept_.push_back(std::move(kept));
    // The pool of unknown devices does not change. If the hold is taken, any task that does not name its
    // devices may hold what was kept.
    block(kept_.back(), 1);
  });
}

// Surplus room is free, but its occupants are still there, so no request is alone on that node yet.
void Space::mark_surplus_room() {
  if (!context_.in_flight.any_blocked_lent()) return;
  context_.in_flight.each_lender([&](const InFlight::Room& lender) {
    for (const InFlight::Blocked& room : lender.blocked) {
      if (room.whole_node || !room.node || room.group != context_.group()) continue;
      Kept kept;
      if (const InFlight::Hold* hold = context_.in_flight.hold_of(lender.entry))
        kept.with = hold->tasks.front();
      kept.node = index_of(room.node);
      kept_.push_back(std::move(kept));
      block(kept_.back(), 1);
    }
  });
}

// The first task of a hold takes what its other tasks name along.
void Space::mark_hold(TaskId task, int sign) {
  if (table_.gpu() == ResourceId::kNoValue || !context_.in_flight.any_holds()) return;
  const InFlight::Hold* const hold = context_.in_flight.hold(model_.tasks.core(task).job);
  if (!hold || hold->tasks.front() != task) return;
  for (const TaskId each : hold->tasks) {
    const TaskCore& core = model_.tasks.core(each);
    const std::uint32_t at = index_of(core.node);
    if (at == NodeId::kNoValue || amount_of(model_.shape(core.resources), table_.gpu()) == 0) continue;
    NodeSpace& node = own(at);
    std::uint32_t& number = core.gpus_given ? node.named_holds : node.unnamed_holds;
    number = static_cast<std::uint32_t>(static_cast<int>(number) + sign);
  }
}

// A task may use a device that was kept and then become a victim of another decision. Then both keep the
// device.
DeviceMask Space::kept_by_others(const Kept& kept) const {
  DeviceMask mask = 0;
  for (const Kept& other : kept_) {
    if (&other != &kept && other.active && other.node == kept.node) mask |= other.gpus;
  }
  return mask;
}

void Space::block(Kept& kept, int sign) {
  kept.active = sign > 0;
  if (kept.node == ResourceId::kNoValue) {
    for (const ResourceAmount& entry : kept.amounts)
      group_free_[entry.resource] -= static_cast<Total>(sign) * entry.amount;
    return;
  }
  NodeSpace& node = own(kept.node);
  if (kept.closes_node) {
    closed_.resize(base_.size(), 0);
    closed_[kept.node] = static_cast<std::uint16_t>(closed_[kept.node] + sign);
  }
  const std::uint32_t cpu = model_.find_resource("cpu");
  for (const ResourceAmount& entry : kept.amounts) {
    node.free[entry.resource] -= static_cast<Total>(sign) * entry.amount;
    if (entry.resource == cpu) node.blocked_cpu += static_cast<Total>(sign) * entry.amount;
  }
  node.blocked = static_cast<std::uint32_t>(static_cast<int>(node.blocked) + sign);
  node.unknown =
      static_cast<std::uint32_t>(static_cast<int>(node.unknown) + sign * static_cast<int>(kept.unknown));
  if (kept.gpus != 0) node.whole ^= kept.gpus & ~kept_by_others(kept);
  for (const DeviceShare& share : kept.shares) {
    if (node.shared.empty()) node.shared.assign(node.devices, 0);
    node.shared[share.device] =
        static_cast<std::uint16_t>(node.shared[share.device] + sign * static_cast<int>(share.share));
  }
}

NodeSpace& Space::own(std::size_t index) {
  if (own_.empty()) own_.resize(base_.size());
  std::uint32_t& at = own_[index];
  if (at == 0) {
    Moved& moved = *moved_.emplace_back(std::make_unique<Moved>());
    moved.space = base_[index];
    moved.free.assign(base_[index].free, base_[index].free + table_.resources());
    moved.space.free = moved.free.data();
    at = static_cast<std::uint32_t>(moved_.size());
  }
  return moved_[at - 1]->space;
}

GroupUsage& Space::own_usage() {
  if (!usage_) usage_ = context_.usage;
  return *usage_;
}

// The last answer is kept because tasks of one job come and go one after the other.
bool Space::is_fixed_job(TaskId task) {
  const JobId job = model_.tasks.core(task).job;
  if (job != last_job_) {
    last_job_ = job;
    last_is_fixed_ = is_fixed(context_.effective, job);
  }
  return last_is_fixed_;
}

std::uint64_t Space::surplus_with(TaskId task) const {
  if (!context_.in_flight.any_surplus()) return 0;
  const InFlight::Hold* hold = context_.in_flight.hold(model_.tasks.core(task).job);
  return hold && hold->tasks.front() == task ? hold->entry : 0;
}

void Space::release(TaskId task) {
  work_.spend(kMoveWork);
  move(task, -1);
  own_usage().release(model_, task, is_fixed_job(task));
  if (const std::uint64_t entry = surplus_with(task)) own_usage().release_surplus(context_.in_flight, entry);
}

void Space::take(TaskId task) {
  work_.spend(kMoveWork);
  move(task, 1);
  own_usage().take(model_, task, is_fixed_job(task));
  if (const std::uint64_t entry = surplus_with(task)) own_usage().take_surplus(context_.in_flight, entry);
}

void Space::move(TaskId id, int sign) {
  work_.spend(kMoveWork + kept_.size() / 8);
  gone_[id.value] = sign < 0;
  for (Kept& kept : kept_) {
    if (kept.with == id) block(kept, sign);
  }
  mark_hold(id, sign);
  table_.count(model_, id, sign, own(index_of(model_.tasks.core(id).node)), group_free_);
}

}  // namespace cede
