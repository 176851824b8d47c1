// SPDX-License-Identifier: MIT
#include "policy/rules/budget_left.h"

#include <map>

#include "base/text.h"
#include "policy/composition.h"

namespace cede {

namespace {

std::string text(const std::string& whose, std::int64_t taken, const Allowance::Budget& budget) {
  std::string out = whose + " would lose " + std::to_string(taken) + ", the storm limits leave " +
                    std::to_string(budget.left);
  return budget.free_at == kNoTime ? out : out + " until " + format_time(budget.free_at);
}

}  // namespace

bool BudgetLeft::breaks(std::span<const Unit* const> victims, std::string* why) const {
  const Allowance& allowed = asking_.allowance;
  if (!allowed.bounds()) return false;
  std::map<QueueId, std::int64_t> queues;
  std::map<NameId, std::int64_t> users;
  std::int64_t lost = 0;
  for (const Unit* unit : victims) {
    if (unit->hold != 0) continue;
    if (allowed.bounds_queues) ++queues[model().jobs[unit->job].queue];
    const NameId user = model().job_owners[unit->job.value].user;
    if (allowed.bounds_users && user != kNoName) ++users[user];
    if (allowed.bounds_lost_work) lost += lost_work(asking_, *unit);
  }
  for (const auto& [queue, taken] : queues) {
    const Allowance::Budget budget = allowed.of_queue(queue);
    if (taken <= budget.left) continue;
    if (why) *why = text("queue " + quote(model().name(model().queues[queue].name)), taken, budget);
    return true;
  }
  for (const auto& [user, taken] : users) {
    const Allowance::Budget budget = allowed.of_user(user);
    if (taken <= budget.left) continue;
    if (why) *why = text("user " + quote(model().name(user)), taken, budget);
    return true;
  }
  if (!allowed.bounds_lost_work || lost <= allowed.lost_work.left) return false;
  if (why)
    *why = format_amount(lost) + " GPU-minutes would be lost, the storm limits leave " +
           format_amount(allowed.lost_work.left);
  return true;
}

}  // namespace cede
