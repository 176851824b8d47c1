// SPDX-License-Identifier: MIT
#include "policy/queue_shortfall.h"

#include <algorithm>

#include "base/text.h"

namespace cede {

Total asked(const RuleContext& rule_context, std::uint32_t resource) {
  const std::vector<Total>& sums = rule_context.request.asked;
  return resource < sums.size() ? sums[resource] : 0;
}

std::vector<QueueId> limited_path(const RuleContext& rule_context) {
  std::vector<QueueId> path;
  const bool own_only = rule_context.effective.profile() == Profile::quota &&
                        !rule_context.effective.flag(Setting::check_parent_quota, rule_context.queue());
  for (QueueId queue = rule_context.queue(); queue; queue = rule_context.model().queues[queue].parent) {
    path.push_back(queue);
    if (own_only) break;
  }
  return path;
}

std::vector<QueueShortfall> queue_shortfalls(const RuleContext& rule_context, const GroupUsage& usage) {
  std::vector<QueueShortfall> shortfall;
  for (const QueueId queue : limited_path(rule_context)) {
    for (const ResourceAmount& bound : rule_context.model().shape(rule_context.model().queues[queue].max)) {
      const Total more = asked(rule_context, bound.resource);
      const Total sum = usage.occupied(queue, bound.resource) + more;
      if (more > 0 && sum > bound.amount)
        shortfall.push_back({queue, bound.resource, bound.amount, sum, "max"});
    }
  }
  return shortfall;
}

const QueueShortfall& first_by_name(const Model& model, const std::vector<QueueShortfall>& shortfall) {
  return *std::min_element(shortfall.begin(), shortfall.end(),
                           [&](const QueueShortfall& a, const QueueShortfall& b) {
                             const bool a_first = a.queue == shortfall.front().queue;
                             const bool b_first = b.queue == shortfall.front().queue;
                             if (a_first != b_first) return a_first;
                             return model.resource_name(a.resource) < model.resource_name(b.resource);
                           });
}

std::optional<JobShortfall> job_shortfall(const Model& model, const Request& request) {
  if (!request.job) return std::nullopt;
  const JobCore& job = model.jobs[request.job];
  std::optional<JobShortfall> first;
  for (const ResourceAmount& bound : model.shape(model.job_extras[request.job.value].max)) {
    const Total more = bound.resource < request.asked.size() ? request.asked[bound.resource] : 0;
    if (more == 0) continue;
    if (first && model.resource_name(first->resource) < model.resource_name(bound.resource)) continue;
    Total sum = more;
    for (std::uint32_t k = 0; k < job.task_rows; ++k) {
      const TaskCore& task = model.tasks.core(TaskId{job.first_task.value + k});
      if (task.node) sum += amount_of(model.shape(task.resources), bound.resource);
    }
    if (sum > bound.amount) first = JobShortfall{bound.resource, bound.amount, more, sum};
  }
  return first;
}

std::string describe(const Model& model, const QueueShortfall& shortfall) {
  return "queue " + quote(model.name(model.queues[shortfall.queue].name)) + " would hold " +
         format_total(shortfall.would_be) + ' ' + std::string(model.resource_name(shortfall.resource)) +
         ", its " + std::string(shortfall.limit) + " is " + format_total(shortfall.bound);
}

std::vector<QueueShortfall> minimum_shortfalls(const RuleContext& rule_context) {
  std::vector<QueueShortfall> shortfall;
  if (!rule_context.requester() || !is_fixed(rule_context.effective, rule_context.requester()))
    return shortfall;
  const Model& model = rule_context.model();
  for (const QueueId queue : limited_path(rule_context)) {
    if (model.queues[queue].guaranteed == kNoShape) continue;
    for (std::uint32_t r = 0; r < rule_context.usage.resources(); ++r) {
      const Total more = asked(rule_context, r);
      if (more == 0) continue;
      const Amount least = amount_of(model.shape(model.queues[queue].guaranteed), r);
      const Total sum = rule_context.usage.fixed_used(queue, r) + more;
      if (sum > least) shortfall.push_back({queue, r, least, sum, "guaranteed"});
    }
  }
  return shortfall;
}

std::vector<QueueShortfall> maximum_shortfalls(const RuleContext& rule_context) {
  std::vector<QueueShortfall> shortfall;
  if (!rule_context.requester() || is_fixed(rule_context.effective, rule_context.requester()))
    return shortfall;
  const Model& model = rule_context.model();
  for (const QueueId queue : limited_path(rule_context)) {
    for (const ResourceAmount& most : model.shape(model.queues[queue].max)) {
      const Total more = asked(rule_context, most.resource);
      if (more == 0) continue;
      const Amount least = amount_of(model.shape(model.queues[queue].guaranteed), most.resource);
      const Total owed = std::min<Total>(least, rule_context.usage.fixed_requested(queue, most.resource));
      const Total sum = owed + rule_context.usage.preemptible_used(queue, most.resource) + more;
      if (sum > most.amount) shortfall.push_back({queue, most.resource, most.amount, sum, "max"});
    }
  }
  return shortfall;
}

bool for_required_node(const RuleContext& rule_context) {
  const std::vector<RequestTask>& tasks = rule_context.request.tasks;
  return !tasks.empty() && std::all_of(tasks.begin(), tasks.end(),
                                       [](const RequestTask& task) { return task.required_node != kNoName; });
}

bool within_leaf(const RuleContext& rule_context, QueueId victim) {
  return rule_context.requester() && victim == rule_context.queue() &&
         rule_context.effective.flag(Setting::intra_queue, rule_context.queue());
}

QueueId fence_of(const RuleContext& rule_context) {
  const Model& model = rule_context.model();
  const std::vector<QueueShortfall> shortfall = queue_shortfalls(rule_context, rule_context.usage);
  QueueId queue = rule_context.queue();
  for (;; queue = model.queues[queue].parent) {
    const bool full = std::any_of(shortfall.begin(), shortfall.end(),
                                  [&](const QueueShortfall& l) { return l.queue == queue; });
    if (full || model.queues[queue].policy == QueuePolicy::fence || !model.queues[queue].parent) return queue;
  }
}

namespace {

bool justifies(const RuleContext& rule_context, QueueId queue) {
  const Model& model = rule_context.model();
  const bool within = rule_context.effective.flag(Setting::within_guarantee, rule_context.queue());
  bool unmet = false;
  for (const ResourceAmount& entry : model.shape(model.queues[queue].guaranteed)) {
    const Total more = asked(rule_context, entry.resource);
    if (more == 0) continue;
    const Total used = rule_context.usage.used(queue, entry.resource);
    if (within && used + more > entry.amount) return false;
    unmet = unmet || used < entry.amount;
  }
  return unmet;
}

}  // namespace

QueueId lowest_justifying_queue(const RuleContext& rule_context) {
  const QueueId top = fence_of(rule_context);
  for (QueueId queue = rule_context.queue(); queue; queue = rule_context.model().queues[queue].parent) {
    if (justifies(rule_context, queue)) return queue;
    if (queue == top) break;
  }
  return {};
}

namespace {

// Whether law 2 does not bind the requester's own queue: with `intra_queue`, if no victim below it holds more
// of what it guarantees than the request brings.
bool own_queue_may_shrink(const RuleContext& rule_context, std::span<const Unit* const> victims) {
  if (!within_leaf(rule_context, rule_context.queue())) return false;
  const Model& model = rule_context.model();
  const ResourceView guarantees = model.shape(model.queues[rule_context.queue()].guaranteed);
  return std::none_of(victims.begin(), victims.end(), [&](const Unit* unit) {
    if (!model.is_below(model.jobs[unit->job].queue, rule_context.queue())) return false;
    return std::any_of(guarantees.begin(), guarantees.end(), [&](const ResourceAmount& guarantee) {
      Total held = 0;
      for (const TaskId task : unit->tasks)
        held += amount_of(model.shape(model.tasks.core(task).resources), guarantee.resource);
      return held > asked(rule_context, guarantee.resource);
    });
  });
}

// What a queue loses of an amount that it guarantees.
struct GuaranteeLoss {
  QueueId queue;
  ResourceAmount guarantee;
  Total lost = 0;
};

// Each queue and resource once.
std::vector<GuaranteeLoss> guarantee_losses(const Model& model, std::span<const Unit* const> victims) {
  std::vector<GuaranteeLoss> out;
  for (const Unit* unit : victims) {
    for (QueueId queue = model.jobs[unit->job].queue; queue; queue = model.queues[queue].parent) {
      for (const ResourceAmount& guarantee : model.shape(model.queues[queue].guaranteed)) {
        Total lost = 0;
        for (const TaskId task : unit->tasks)
          lost += amount_of(model.shape(model.tasks.core(task).resources), guarantee.resource);
        if (lost > 0) out.push_back({queue, guarantee, lost});
      }
    }
  }
  const auto key = [](const GuaranteeLoss& loss) {
    return std::pair(loss.queue.value, loss.guarantee.resource);
  };
  std::sort(out.begin(), out.end(),
            [&](const GuaranteeLoss& a, const GuaranteeLoss& b) { return key(a) < key(b); });
  std::size_t kept = 0;
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (kept > 0 && key(out[kept - 1]) == key(out[i])) {
      out[kept - 1].lost += out[i].lost;
    } else {
      out[kept++] = out[i];
    }
  }
  out.resize(kept);
  return out;
}

// What the queue may lose without getting below its guarantee, or below what it holds now.
Total room_above(const RuleContext& rule_context, QueueId queue, const ResourceAmount& guarantee) {
  const Total usage = rule_context.usage.used(queue, guarantee.resource);
  const bool gains = rule_context.requester() && rule_context.model().is_below(rule_context.queue(), queue);
  const Total placed = gains ? asked(rule_context, guarantee.resource) : 0;
  return usage + placed - std::min<Total>(guarantee.amount, usage);
}

}  // namespace

bool loses_guarantee(const RuleContext& rule_context, std::span<const Unit* const> victims,
                     std::string* why) {
  const Model& model = rule_context.model();
  const bool may_shrink = own_queue_may_shrink(rule_context, victims);
  std::pair<std::string_view, std::string_view> named;  // queue and resource of `why`
  bool loses = false;
  for (const GuaranteeLoss& loss : guarantee_losses(model, victims)) {
    if (may_shrink && loss.queue == rule_context.queue()) continue;
    const Total room = room_above(rule_context, loss.queue, loss.guarantee);
    if (loss.lost <= room) continue;
    if (!why) return true;
    const std::pair names(model.name(model.queues[loss.queue].name),
                          model.resource_name(loss.guarantee.resource));
    if (loses && named < names) continue;
    loses = true;
    named = names;
    const Total least =
        std::min<Total>(loss.guarantee.amount, rule_context.usage.used(loss.queue, loss.guarantee.resource));
    *why = "queue " + quote(names.first) + " would be left with " + format_total(least + room - loss.lost) +
           ' ' + std::string(names.second) + " of its guaranteed " + format_amount(loss.guarantee.amount);
  }
  return loses;
}

bool alone_loses_guarantee(const RuleContext& rule_context, const Unit& unit) {
  const Model& model = rule_context.model();
  const Unit* const alone = &unit;
  const bool may_shrink = own_queue_may_shrink(rule_context, {&alone, 1});
  for (QueueId queue = model.jobs[unit.job].queue; queue; queue = model.queues[queue].parent) {
    if (may_shrink && queue == rule_context.queue()) continue;
    for (const ResourceAmount& guarantee : model.shape(model.queues[queue].guaranteed)) {
      Total lost = 0;
      for (const TaskId task : unit.tasks)
        lost += amount_of(model.shape(model.tasks.core(task).resources), guarantee.resource);
      if (lost > 0 && lost > room_above(rule_context, queue, guarantee)) return true;
    }
  }
  return false;
}

std::optional<GuaranteeExcess> guarantee_excess(const RuleContext& rule_context,
                                                std::span<const Unit* const> victims) {
  if (within_leaf(rule_context, rule_context.queue())) return std::nullopt;
  for (const GuaranteeLoss& loss : guarantee_losses(rule_context.model(), victims)) {
    if (loss.lost > room_above(rule_context, loss.queue, loss.guarantee))
      return GuaranteeExcess{loss.queue, loss.guarantee.resource, loss.lost};
  }
  return std::nullopt;
}

std::optional<Total> guarantee_room(const RuleContext& rule_context, QueueId queue, std::uint32_t resource) {
  const Model& model = rule_context.model();
  for (const ResourceAmount& guarantee : model.shape(model.queues[queue].guaranteed)) {
    if (guarantee.resource == resource) return room_above(rule_context, queue, guarantee);
  }
  return std::nullopt;
}

std::vector<LinearLimit> guarantee_limits(const RuleContext& rule_context,
                                          std::span<const Unit* const> candidates) {
  const Model& model = rule_context.model();
  std::vector<LinearLimit> out;
  std::vector<std::uint32_t> first(model.queues.id_bound(), 0);  // by queue: its first limit, plus 1
  model.queues.for_each([&](QueueId id, const QueueRow& row) {
    if (id == rule_context.queue() && within_leaf(rule_context, id)) return;
    first[id.value] = static_cast<std::uint32_t>(out.size()) + 1;
    for (const ResourceAmount& guarantee : model.shape(row.guaranteed))
      out.push_back({room_above(rule_context, id, guarantee), {}});
  });
  for (std::uint32_t i = 0; i < candidates.size(); ++i) {
    const Unit& unit = *candidates[i];
    for (QueueId queue = model.jobs[unit.job].queue; queue; queue = model.queues[queue].parent) {
      if (first[queue.value] == 0) continue;
      std::size_t limit = first[queue.value] - 1;
      for (const ResourceAmount& guarantee : model.shape(model.queues[queue].guaranteed)) {
        Total held = 0;
        for (const TaskId task : unit.tasks)
          held += amount_of(model.shape(model.tasks.core(task).resources), guarantee.resource);
        if (held > 0) out[limit].taken.push_back({i, held});
        ++limit;
      }
    }
  }
  std::erase_if(out, [](const LinearLimit& limit) { return limit.taken.empty(); });
  return out;
}

Total freed_within_guarantees(const RuleContext& rule_context, std::span<const Unit* const> candidates,
                              std::uint32_t resource) {
  const Model& model = rule_context.model();
  std::vector<Total> freed(model.queues.id_bound(), 0);  // by queue: freed by its own units
  for (const Unit* unit : candidates) {
    for (const TaskId task : unit->tasks)
      freed[model.jobs[unit->job].queue.value] +=
          amount_of(model.shape(model.tasks.core(task).resources), resource);
  }
  std::vector<std::vector<QueueId>> below(model.queues.id_bound());
  QueueId root;
  model.queues.for_each([&](QueueId id, const QueueRow& row) {
    if (row.parent) {
      below[row.parent.value].push_back(id);
    } else {
      root = id;
    }
  });
  const auto sum_up = [&](const auto& self, QueueId queue) -> Total {
    Total sum = freed[queue.value];
    for (const QueueId child : below[queue.value]) sum += self(self, child);
    // Whether this queue may shrink depends on the set.
    if (queue == rule_context.queue() && within_leaf(rule_context, queue)) return sum;
    const std::optional<Total> room = guarantee_room(rule_context, queue, resource);
    return room ? std::min(sum, *room) : sum;
  };
  return root ? sum_up(sum_up, root) : 0;
}

}  // namespace cede
