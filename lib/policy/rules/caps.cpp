// SPDX-License-Identifier: MIT
#include "policy/rules/caps.h"

#include <algorithm>
#include <functional>
#include <map>
#include <queue>
#include <set>

#include "base/text.h"
#include "policy/class_price.h"
#include "policy/composition.h"
#include "policy/queue_shortfall.h"
#include "policy/shares/starvation.h"

namespace cede {

bool BelowGuarantee::breaks(std::span<const Unit* const> victims, std::string* why) const {
  if (context_.requester() && for_required_node(context_)) return false;
  return loses_guarantee(context_, victims, why);
}

std::optional<Total> BelowGuarantee::most_freed(std::span<const Unit* const> candidates,
                                                std::uint32_t resource) const {
  if (context_.requester() && for_required_node(context_)) return std::nullopt;
  return freed_within_guarantees(context_, candidates, resource);
}

std::vector<LinearLimit> BelowGuarantee::linear_limits(std::span<const Unit* const> candidates) const {
  if (context_.requester() && for_required_node(context_)) return {};
  return guarantee_limits(context_, candidates);
}

// A limit is a queue and a resource.
std::optional<Cap::Excess> BelowGuarantee::excess(std::span<const Unit* const> victims) const {
  const std::optional<GuaranteeExcess> found = guarantee_excess(context_, victims);
  if (!found) return std::nullopt;
  return Excess{std::uint64_t{found->queue.value} << 32 | found->resource, found->lost};
}

Total BelowGuarantee::room(std::uint64_t limit) const {
  const QueueId queue{static_cast<std::uint32_t>(limit >> 32)};
  const std::optional<Total> room = guarantee_room(context_, queue, static_cast<std::uint32_t>(limit));
  constexpr Total kUnlimited = Total{1} << 120;
  return room.value_or(kUnlimited);
}

namespace {

std::string over_budget(const std::string& whose, std::int64_t taken, const Allowance::Budget& budget) {
  std::string out = whose + " would lose " + std::to_string(taken) + ", the storm limits leave " +
                    std::to_string(budget.left);
  return budget.free_at == kNoTime ? out : out + " until " + format_time(budget.free_at);
}

}  // namespace

bool BudgetLeft::breaks(std::span<const Unit* const> victims, std::string* why) const {
  const Allowance& allowed = context_.allowance;
  if (!allowed.bounds()) return false;
  std::map<QueueId, std::int64_t> queues;
  std::map<NameId, std::int64_t> users;
  std::string_view named;  // the queue or user of `why`
  bool over = false;
  const auto exceeds = [&](std::string_view what, std::string_view name, std::int64_t taken,
                           const Allowance::Budget& budget) {
    if (taken <= budget.left || (over && named < name)) return;
    over = true;
    named = name;
    if (why) *why = over_budget(std::string(what) + quote(name), taken, budget);
  };
  std::int64_t lost = 0;
  for (const Unit* unit : victims) {
    if (unit->hold != 0) continue;
    if (allowed.bounds_queues) ++queues[model().jobs[unit->job].queue];
    const NameId user = model().job_owners[unit->job.value].user;
    if (allowed.bounds_users && user != kNoName) ++users[user];
    if (allowed.bounds_lost_work) lost += lost_work(context_, *unit);
  }
  for (const auto& [queue, taken] : queues)
    exceeds("queue ", model().name(model().queues[queue].name), taken, allowed.of_queue(queue));
  if (over) return true;
  for (const auto& [user, taken] : users) exceeds("user ", model().name(user), taken, allowed.of_user(user));
  if (over) return true;
  if (!allowed.bounds_lost_work || lost <= allowed.lost_work.left) return false;
  if (why)
    *why = format_amount(lost) + " GPU-minutes would be lost, the storm limits leave " +
           format_amount(allowed.lost_work.left);
  return true;
}

// Per victim queue, per user, and of lost work. Holds cost nothing.
std::vector<LinearLimit> BudgetLeft::linear_limits(std::span<const Unit* const> candidates) const {
  const Allowance& allowed = context_.allowance;
  std::map<QueueId, LinearLimit> queues;
  std::map<NameId, LinearLimit> users;
  LinearLimit lost;
  for (std::uint32_t i = 0; i < candidates.size(); ++i) {
    const Unit& unit = *candidates[i];
    if (unit.hold != 0) continue;
    if (allowed.bounds_queues) queues[model().jobs[unit.job].queue].taken.push_back({i, 1});
    const NameId user = model().job_owners[unit.job.value].user;
    if (allowed.bounds_users && user != kNoName) users[user].taken.push_back({i, 1});
    if (!allowed.bounds_lost_work) continue;
    if (const std::int64_t work = lost_work(context_, unit); work > 0) lost.taken.push_back({i, work});
  }
  std::vector<LinearLimit> out;
  for (auto& [queue, limit] : queues) {
    limit.most = allowed.of_queue(queue).left;
    out.push_back(std::move(limit));
  }
  for (auto& [user, limit] : users) {
    limit.most = allowed.of_user(user).left;
    out.push_back(std::move(limit));
  }
  if (allowed.bounds_lost_work) {
    lost.most = allowed.lost_work.left;
    out.push_back(std::move(lost));
  }
  return out;
}

std::int64_t MaxVictims::figure(std::span<const Unit* const> victims) const {
  std::set<std::uint32_t> jobs;
  for (const Unit* unit : victims) {
    if (!reclaim_.is_lent(*unit)) jobs.insert(unit->job.value);
  }
  return static_cast<std::int64_t>(jobs.size());
}

// The largest jobs together, as many as the cap allows. Stops early once that is all the request asks for.
std::optional<Total> MaxVictims::most_freed(std::span<const Unit* const> candidates,
                                            std::uint32_t resource) const {
  if (!may_break()) return std::nullopt;
  const auto most =
      static_cast<std::size_t>(context_.effective.setting(Setting::max_victims, context_.queue()));
  const Total enough = asked(context_, resource);
  std::priority_queue<Total, std::vector<Total>, std::greater<>> largest;
  Total sum = 0;
  Total lent = 0;  // by units that do not count
  const auto add = [&](Total held) {
    largest.push(held);
    sum += held;
    if (largest.size() <= most) return;
    sum -= largest.top();
    largest.pop();
  };
  struct Held {
    Total whole = 0;
    Total parts = 0;
  };
  std::map<std::uint32_t, Held> in_parts;  // by job
  for (const Unit* unit : candidates) {
    if (unit->hold != 0) return std::nullopt;  // it may free more than its own tasks
    Total held = 0;
    for (const TaskId task : unit->tasks)
      held += amount_of(model().shape(model().tasks.core(task).resources), resource);
    if (reclaim_.is_lent(*unit)) {
      lent += held;
    } else if (unit->whole_elastic) {
      in_parts[unit->job.value].whole += held;
    } else if (!unit->whole_job) {
      in_parts[unit->job.value].parts += held;
    } else {
      add(held);
    }
    if (sum + lent >= enough) return sum + lent;
  }
  for (const auto& [job, held] : in_parts) add(std::max(held.whole, held.parts));
  return sum + lent;
}

// Only for jobs that are one unit. A job that may lose several units counts once, and no sum over units says
// that.
std::vector<LinearLimit> MaxVictims::linear_limits(std::span<const Unit* const> candidates) const {
  if (!may_break()) return {};
  LinearLimit limit;
  limit.most = context_.effective.setting(Setting::max_victims, context_.queue());
  for (std::uint32_t i = 0; i < candidates.size(); ++i) {
    const Unit& unit = *candidates[i];
    if (unit.whole_job && !unit.whole_elastic && !reclaim_.is_lent(unit)) limit.taken.push_back({i, 1});
  }
  return {std::move(limit)};
}

bool MaxVictims::may_break() const {
  return context_.effective.setting(Setting::max_victims, context_.queue()) != kNoSetting &&
         !context_.request.is_claim();
}

std::optional<Cap::Excess> MaxVictims::excess(std::span<const Unit* const> victims) const {
  return Excess{0, figure(victims)};
}

Total MaxVictims::room(std::uint64_t) const {
  return context_.effective.setting(Setting::max_victims, context_.queue());
}

bool MaxVictims::breaks(std::span<const Unit* const> victims, std::string* why) const {
  const std::int64_t most = context_.effective.setting(Setting::max_victims, context_.queue());
  if (most == kNoSetting || context_.request.is_claim()) return false;
  const std::int64_t jobs = figure(victims);
  if (jobs <= most) return false;
  if (why) *why = std::to_string(jobs) + " jobs would have to go, max_victims is " + std::to_string(most);
  return true;
}

namespace {

Wide fair_share_of(const RuleContext& rule_context, JobId job) {
  const FairShareStatus& fair = *rule_context.fair;
  return fair.shares().dominant[fair.tree().element(job)];
}

// What the job uses, as the share of its dominant resource.
Share usage_of(const RuleContext& rule_context, JobId job) {
  const FairShareTree& tree = rule_context.fair->tree();
  return dominant(tree.usage_of(tree.element(job)));
}

using LostTask = std::pair<JobId, TaskId>;

// The same without some of its placed tasks.
Share usage_without(const RuleContext& rule_context, JobId job, std::span<const LostTask> lost) {
  const Model& model = rule_context.model();
  const FairShareTree& tree = rule_context.fair->tree();
  const std::span<const Total> placed = tree.placed_of(tree.element(job));
  std::vector<Total> left(placed.begin(), placed.end());
  for (const auto& [unused, task] : lost) {
    for (const ResourceAmount& entry : model.shape(model.tasks.core(task).resources))
      left[entry.resource] -= entry.amount;
  }
  Share most = 0;
  for (std::uint32_t r = 0; r < left.size(); ++r)
    most = std::max(most, share_of(left[r], rule_context.usage.capacity(r)));
  return most;
}

}  // namespace

// A requester that uses nothing is less satisfied than every job that uses anything, whatever it is owed.
Dependencies NoGain::depends_on() const {
  const bool uses_nothing = context_.requester() && fair_share_of(context_, context_.requester()) > 0 &&
                            usage_of(context_, context_.requester()) == 0;
  return uses_nothing ? Dependencies{Dependency::fair_shares} : Dependencies::everything();
}

std::uint64_t NoGain::work(std::span<const Unit* const> victims) const {
  std::uint64_t sum = 10;
  for (const Unit* unit : victims) sum += 20 + 4 * unit->tasks.size();
  return sum;
}

bool NoGain::breaks(std::span<const Unit* const> victims, std::string* why) const {
  if (!context_.requester()) return false;
  std::vector<LostTask> lost;
  for (const Unit* unit : victims) {
    for (const TaskId task : unit->tasks) lost.emplace_back(unit->job, task);
  }
  std::sort(lost.begin(), lost.end());
  lost.erase(std::unique(lost.begin(), lost.end()), lost.end());
  const Wide own_usage = usage_of(context_, context_.requester());
  const Wide own_fair = fair_share_of(context_, context_.requester());
  std::string_view named;  // the job of `why`
  bool none_gains = false;
  for (std::size_t from = 0, to = 0; from < lost.size(); from = to) {
    const JobId job = lost[from].first;
    while (to < lost.size() && lost[to].first == job) ++to;
    const Wide fair = fair_share_of(context_, job);
    if (fair == 0) continue;  // it is owed nothing, so it is satisfied with nothing
    const Wide left = usage_without(context_, job, std::span(lost).subspan(from, to - from));
    if (more_satisfied(left, fair, own_usage, own_fair)) continue;
    if (!why) return true;
    if (none_gains && named < model().job_name(job)) continue;
    none_gains = true;
    named = model().job_name(job);
    *why = "job " + quote(named) + " would be no more satisfied than the requester is now";
  }
  return none_gains;
}

ValueExceeded::ValueExceeded(const RuleContext& rule_context)
    : Cap(rule_context), value_(request_value(rule_context)), reclaim_(rule_context) {}

std::int64_t ValueExceeded::figure(std::span<const Unit* const> victims) const {
  std::int64_t total = 0;
  for (const Unit* unit : victims) {
    if (reclaim_.is_lent(*unit)) continue;
    for (const CostPart& part : composition(context_.effective.profile()).price(context_, *unit))
      total += part.value;
  }
  return total;
}

std::vector<LinearLimit> ValueExceeded::linear_limits(std::span<const Unit* const> candidates) const {
  if (value_ < 0) return {};
  LinearLimit limit;
  limit.most = std::max<Total>(0, Total{value_} - 1);
  for (std::uint32_t i = 0; i < candidates.size(); ++i) {
    if (const std::int64_t price = figure(candidates.subspan(i, 1)); price > 0)
      limit.taken.push_back({i, price});
  }
  return {std::move(limit)};
}

bool ValueExceeded::breaks(std::span<const Unit* const> victims, std::string* why) const {
  if (value_ < 0 ||
      std::all_of(victims.begin(), victims.end(), [&](const Unit* unit) { return reclaim_.is_lent(*unit); }))
    return false;
  const std::int64_t total = figure(victims);
  if (total < value_) return false;
  if (why) {
    *why = "the victims would cost " + format_scaled(total, 3) + " minutes, the request is worth " +
           format_scaled(value_, 3);
  }
  return true;
}

}  // namespace cede
