// SPDX-License-Identifier: MIT
#include "verify/guarantee_laws.h"

#include <algorithm>

namespace cede {

bool would_exceed_max(const PlanFacts& facts, QueueId queue) {
  for (const ResourceAmount& most : facts.model.shape(facts.model.queues[queue].max)) {
    const Total more = facts.asked(most.resource);
    if (more > 0 && facts.occupied(queue, most.resource) + more > most.amount) return true;
  }
  return false;
}

QueueId fence_above(const PlanFacts& facts) {
  QueueId queue = facts.queue();
  while (facts.model.queues[queue].policy != QueuePolicy::fence && !would_exceed_max(facts, queue) &&
         facts.model.queues[queue].parent)
    queue = facts.model.queues[queue].parent;
  return queue;
}

namespace {

bool justifies(const PlanFacts& facts, QueueId queue) {
  const bool must_fit = facts.flag(Setting::within_guarantee, facts.queue());
  bool lacks = false;
  for (const ResourceAmount& guarantee : facts.model.shape(facts.model.queues[queue].guaranteed)) {
    const Total more = facts.asked(guarantee.resource);
    if (more == 0) continue;
    const Total used = facts.usage.used(queue, guarantee.resource);
    if (used < guarantee.amount) lacks = true;
    if (must_fit && used + more > guarantee.amount) return false;
  }
  return lacks;
}

}  // namespace

QueueId justifying_queue(const PlanFacts& facts) {
  const QueueId top = fence_above(facts);
  for (QueueId queue = facts.queue(); queue; queue = facts.model.queues[queue].parent) {
    if (justifies(facts, queue)) return queue;
    if (queue == top) return {};
  }
  return {};
}

QueueId queue_that_may_shrink(const PlanFacts& facts, std::span<const VictimUnit> units) {
  const QueueId own = facts.queue();
  if (!is_intra_queue(facts, own)) return {};
  for (const VictimUnit& unit : units) {
    const auto lost = lost_by(facts, unit);
    const auto here = lost.find(own);
    if (here == lost.end()) continue;
    for (const ResourceAmount& guarantee : facts.model.shape(facts.model.queues[own].guaranteed)) {
      const auto held = here->second.find(guarantee.resource);
      if (held != here->second.end() && held->second > facts.asked(guarantee.resource)) return {};
    }
  }
  return own;
}

QueueId queue_below_guarantee(const PlanFacts& facts, const std::map<QueueId, PlanFacts::Amounts>& lost,
                              QueueId exempt) {
  for (const auto& [queue, amounts] : lost) {
    if (queue == exempt) continue;
    const bool gains = facts.for_job() && facts.model.is_below(facts.queue(), queue);
    for (const ResourceAmount& guarantee : facts.model.shape(facts.model.queues[queue].guaranteed)) {
      const auto less = amounts.find(guarantee.resource);
      if (less == amounts.end() || less->second == 0) continue;
      const Total used = facts.usage.used(queue, guarantee.resource);
      const Total left = used - less->second + (gains ? facts.asked(guarantee.resource) : 0);
      if (left < std::min<Total>(guarantee.amount, used)) return queue;
    }
  }
  return {};
}

std::map<QueueId, PlanFacts::Amounts> lost_by(const PlanFacts& facts, const VictimUnit& unit) {
  std::map<QueueId, PlanFacts::Amounts> lost;
  for (const TaskId task : unit.tasks) {
    for (const ResourceAmount& entry : facts.model.shape(facts.model.tasks.core(task).resources)) {
      for (QueueId queue = facts.model.jobs[unit.job].queue; queue; queue = facts.model.queues[queue].parent)
        lost[queue][entry.resource] += entry.amount;
    }
  }
  return lost;
}

bool is_intra_queue(const PlanFacts& facts, QueueId victim) {
  return facts.requester() && victim == facts.queue() && facts.flag(Setting::intra_queue, facts.queue());
}

}  // namespace cede
