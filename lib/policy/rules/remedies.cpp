// SPDX-License-Identifier: MIT
#include "policy/rules/remedies.h"

#include <algorithm>
#include <limits>
#include <map>

#include "base/text.h"
#include "policy/class_price.h"
#include "policy/queue_shortfall.h"
#include "policy/reclaim.h"
#include "policy/shares/starvation.h"

namespace cede {

namespace {

constexpr int kHighestClass = 9;  // that a job may ask for; class 10 is for sensitive work

std::string job_name(const RuleContext& rule_context, JobId job) {
  return quote(rule_context.model().job_name(job));
}

std::string queue_name(const RuleContext& rule_context, QueueId queue) {
  return "queue " + quote(rule_context.model().name(rule_context.model().queues[queue].name));
}

std::string from_to(const std::string& from, const std::string& to) { return " from " + from + " to " + to; }

std::string from_to(std::int64_t from, std::int64_t to) {
  return from_to(std::to_string(from), std::to_string(to));
}

std::string wait_until(Time time) { return "wait until " + format_time(time); }

std::string joined(const std::vector<std::string>& parts) {
  std::string out;
  for (const std::string& part : parts) out += (out.empty() ? "" : " and ") + part;
  return out;
}

// Nearest queue first, of each queue the resources in byte order of names.
std::string raise_limits(const RuleContext& rule_context, std::vector<QueueShortfall> shortfalls) {
  const Model& model = rule_context.model();
  for (auto from = shortfalls.begin(); from != shortfalls.end();) {
    const auto to = std::find_if(from, shortfalls.end(),
                                 [&](const QueueShortfall& each) { return each.queue != from->queue; });
    std::sort(from, to, [&](const QueueShortfall& a, const QueueShortfall& b) {
      return model.resource_name(a.resource) < model.resource_name(b.resource);
    });
    from = to;
  }
  std::vector<std::string> parts;
  for (const QueueShortfall& each : shortfalls) {
    parts.push_back("raise the " + std::string(each.limit) + " of " + queue_name(rule_context, each.queue) +
                    from_to(format_total(each.bound), format_total(each.would_be)) + ' ' +
                    std::string(rule_context.model().resource_name(each.resource)));
  }
  return joined(parts);
}

std::string for_class(const RuleContext& rule_context, const Unit& unit, bool alone) {
  const ClassOrder classes(rule_context);
  const int victim_class = rule_context.effective.job_class(unit.job);
  const int least = classes.least_for(victim_class);
  std::string out;
  if (least <= kHighestClass)
    out = "raise the class of " + job_name(rule_context, rule_context.requester()) +
          from_to(classes.own(), least);
  if (!alone && !out.empty()) return out;
  int lower = victim_class;
  while (lower >= 0 && !classes.allows(lower)) --lower;
  if (lower < 0) return out;
  return out + (out.empty() ? "" : " or ") + "lower the class of " + job_name(rule_context, unit.job) +
         from_to(victim_class, lower);
}

std::string for_priority(const RuleContext& rule_context, const Unit& unit) {
  const EffectiveSettings& effective = rule_context.effective;
  const std::int64_t own = rule_context.request.priority;
  std::int64_t least = std::int64_t{unit.priority} + 1;
  if (effective.profile() == Profile::guarantee) {
    // Equal priorities are enough between leaves, and both count with their queues' offsets.
    const QueueId queue = rule_context.model().jobs[unit.job].queue;
    least += effective.priority_offset(queue) - effective.priority_offset(rule_context.queue());
    if (queue != rule_context.queue()) --least;
    least = std::max(least, own + 1);
  }
  return "raise the priority of " + job_name(rule_context, rule_context.requester()) + from_to(own, least);
}

// So that every queue may lose what these victims hold.
std::string lower_guarantee(const RuleContext& rule_context, std::span<const Unit* const> victims) {
  if (!guarantee_excess(rule_context, victims)) return {};
  const Model& model = rule_context.model();
  std::map<std::pair<std::string_view, std::string_view>, std::string> parts;  // by queue and resource
  model.queues.for_each([&](QueueId queue, const QueueRow& row) {
    for (const ResourceAmount& guaranteed : model.shape(row.guaranteed)) {
      Total lost = 0;
      for (const Unit* unit : victims) {
        if (!model.is_below(model.jobs[unit->job].queue, queue)) continue;
        for (const TaskId task : unit->tasks)
          lost += amount_of(model.shape(model.tasks.core(task).resources), guaranteed.resource);
      }
      const std::optional<Total> room = guarantee_room(rule_context, queue, guaranteed.resource);
      if (!room || lost <= *room) continue;
      const Total kept =
          std::min<Total>(guaranteed.amount, rule_context.usage.used(queue, guaranteed.resource));
      const std::string_view resource = model.resource_name(guaranteed.resource);
      parts[{model.name(row.name), resource}] =
          "lower the guarantee of " + queue_name(rule_context, queue) +
          from_to(format_total(guaranteed.amount), format_total(std::max<Total>(0, kept - (lost - *room)))) +
          ' ' + std::string(resource);
    }
  });
  std::vector<std::string> texts;
  for (auto& [where, text] : parts) texts.push_back(std::move(text));
  return joined(texts);
}

// The guarantee that this queue would need so that the request serves it.
std::string raise_guarantee(const RuleContext& rule_context, QueueId queue) {
  const Model& model = rule_context.model();
  const bool within = rule_context.effective.flag(Setting::within_guarantee, rule_context.queue());
  // Of what is asked for, GPUs are what people look at; else the first by name.
  const std::uint32_t gpu = model.find_resource("gpu");
  std::uint32_t resource = ResourceId::kNoValue;
  for (std::uint32_t r = 0; r < model.resources.size(); ++r) {
    const bool better = resource == ResourceId::kNoValue || r == gpu ||
                        (resource != gpu && model.resource_name(r) < model.resource_name(resource));
    if (asked(rule_context, r) > 0 && better) resource = r;
  }
  if (resource == ResourceId::kNoValue) return {};
  const Total used = rule_context.usage.used(queue, resource);
  const std::string name(model.resource_name(resource));
  const Amount now = amount_of(model.shape(model.queues[queue].guaranteed), resource);
  return "raise the guarantee of " + queue_name(rule_context, queue) + " from " + format_total(now) +
         (within ? " to " + format_total(used + asked(rule_context, resource)) + ' ' + name
                 : ' ' + name + " to more than the " + format_total(used) + " it uses");
}

// The highest queue on the request's path that the unit is not below.
std::string for_shared_guarantee(const RuleContext& rule_context, const Unit& unit) {
  const Model& model = rule_context.model();
  const QueueId victim = model.jobs[unit.job].queue;
  QueueId highest;
  for (QueueId queue = rule_context.queue(); queue && !model.is_below(victim, queue);
       queue = model.queues[queue].parent)
    highest = queue;
  return highest ? raise_guarantee(rule_context, highest) : std::string{};
}

// Under quotas, a job that may be preempted counts in another way against the limits of its queues.
std::string for_opted_out(const RuleContext& rule_context, const Unit& unit) {
  const Model& model = rule_context.model();
  if (rule_context.effective.profile() == Profile::quota) {
    for (const QueueId queue : limited_path(rule_context)) {
      if (model.queues[queue].max != kNoShape && model.is_below(model.jobs[unit.job].queue, queue)) return {};
    }
  }
  return "let job " + job_name(rule_context, unit.job) + " be preempted (preemptible)";
}

std::string for_over_guarantee(const RuleContext& rule_context) {
  const Model& model = rule_context.model();
  const QueueId top = fence_of(rule_context);
  // A queue that guarantees something already is the one an administrator would look at.
  for (QueueId queue = rule_context.queue(); queue; queue = model.queues[queue].parent) {
    if (model.queues[queue].guaranteed != kNoShape) return raise_guarantee(rule_context, queue);
    if (queue == top) break;
  }
  return raise_guarantee(rule_context, rule_context.queue());
}

std::string for_starvation(const RuleContext& rule_context) {
  const Time since = rule_context.fair->below_since(rule_context.requester());
  if (rule_context.fair->status(rule_context.requester()) == ShareStatus::normal) return {};
  const Duration timeout = starvation_terms(rule_context.effective, rule_context.requester()).timeout;
  // It must be below for longer than that.
  return wait_until((since == kNoTime ? rule_context.now : since) + timeout + kSecond);
}

std::string for_no_lower_priority(const RuleContext& rule_context) {
  std::int64_t lowest = std::numeric_limits<std::int64_t>::max();
  for (const Unit* unit : rule_context.units) {
    if (unit->job != rule_context.requester()) lowest = std::min<std::int64_t>(lowest, unit->priority);
  }
  if (lowest == std::numeric_limits<std::int64_t>::max()) return {};
  return "raise the priority of " + job_name(rule_context, rule_context.requester()) +
         from_to(rule_context.request.priority, lowest + 1);
}

std::string for_front(const RuleContext& rule_context, bool alone) {
  if (!rule_context.front_job) return {};
  const std::int32_t front = request_priority(rule_context.effective, rule_context.front_job);
  std::string out = "raise the priority of " + job_name(rule_context, rule_context.requester()) +
                    from_to(rule_context.request.priority, std::int64_t{front} + 1);
  if (alone) out += ", or let job " + job_name(rule_context, rule_context.front_job) + " start first";
  return out;
}

}  // namespace

std::string unit_remedy(const RuleContext& rule_context, std::string_view rule, const Unit& unit,
                        bool alone) {
  const EffectiveSettings& effective = rule_context.effective;
  const Model& model = rule_context.model();
  const QueueId queue = model.jobs[unit.job].queue;
  const auto setting = [&](Setting id) { return effective.setting(id, queue); };
  const std::string job = job_name(rule_context, unit.job);
  const std::string of_queue = queue_name(rule_context, queue);
  if (rule == "class") return for_class(rule_context, unit, alone);
  if (rule == "priority") return for_priority(rule_context, unit);
  if (rule == "priority-threshold")
    return "raise preemptible_priority of " + of_queue +
           from_to(setting(Setting::preemptible_priority), unit.priority);
  if (rule == "min-runtime")
    return wait_until(effective.running_since(unit) + setting(Setting::min_runtime)) + " (min_runtime of " +
           of_queue + ')';
  if (rule == "cooldown")
    return wait_until(model.job_state_times[unit.job.value].resumed + effective.policies().limits.cooldown) +
           " (cooldown)";
  if (rule == "near-completion")
    return wait_until(effective.running_since(unit) + model.job_times[unit.job.value].walltime) +
           ", when the walltime of job " + job + " ends";
  if (rule == "not-preemptible") return for_opted_out(rule_context, unit);
  if (rule == "protected") return "do not protect job " + job;
  if (rule == "queue-off") return "switch preemption on for " + of_queue;
  if (rule == "preempted-often")
    return "raise max_preempted_count of " + of_queue +
           from_to(setting(Setting::max_preempted_count),
                   std::int64_t{model.job_extras[unit.job.value].preempted_count} + 1);
  if (rule == "aggressive-forbidden") return "set allow_aggressive_preemption for " + of_queue;
  if (rule == "starving-victim") return "set allow_preemption_from_starving for " + of_queue;
  if (rule == "home") return "switch protect_home off for " + of_queue;
  if (rule == "unsaved-high-class") return "let job " + job + " write checkpoints";
  if (rule == "scope") return "widen victim_scope of " + queue_name(rule_context, rule_context.queue());
  if (rule == "shared-guarantee") return for_shared_guarantee(rule_context, unit);
  if (rule == "queue-not-over") {
    const Unit* const alone = &unit;
    return lower_guarantee(rule_context, {&alone, 1});
  }
  return {};
}

std::string trigger_remedy(const RuleContext& rule_context, std::string_view trigger, bool alone) {
  const EffectiveSettings& effective = rule_context.effective;
  if (trigger == "queue-max") return limit_remedy(rule_context, rule_context.usage);
  if (trigger == "quota-max") return raise_limits(rule_context, maximum_shortfalls(rule_context));
  if (trigger == "quota-min") {
    const std::string raised = raise_limits(rule_context, minimum_shortfalls(rule_context));
    if (!alone) return raised;
    return raised + ", or let job " + job_name(rule_context, rule_context.requester()) +
           " be preempted (preemptible)";
  }
  if (trigger == "over-guarantee") return for_over_guarantee(rule_context);
  if (trigger == "not-front") return for_front(rule_context, alone);
  if (trigger == "no-lower-priority") return for_no_lower_priority(rule_context);
  if (trigger == "not-starving") return for_starvation(rule_context);
  if (trigger == "pending-delay")
    return wait_until(effective.waiting_since(rule_context.requester()) +
                      effective.preemption_delay(rule_context.queue())) +
           " (preemption.delay)";
  if (trigger == "attempt-interval")
    return wait_until(rule_context.allowance.last_attempt +
                      effective.setting(Setting::attempt_interval, rule_context.queue())) +
           " (attempt_interval)";
  if (trigger == "off") return "switch preemption on for " + queue_name(rule_context, rule_context.queue());
  if (trigger == "may-not-preempt")
    return "let job " + job_name(rule_context, rule_context.requester()) + " preempt (may_preempt)";
  if (trigger == "job-max") {
    const std::optional<JobShortfall> shortfall = job_shortfall(rule_context.model(), rule_context.request);
    if (!shortfall) return {};
    return "raise the max of job " + job_name(rule_context, rule_context.requester()) +
           from_to(format_total(shortfall->bound), format_total(shortfall->would_be)) + ' ' +
           std::string(rule_context.model().resource_name(shortfall->resource));
  }
  return {};
}

std::string cap_remedy(const RuleContext& rule_context, const Cap& cap,
                       std::span<const Unit* const> victims) {
  const std::string_view name = cap.name();
  if (name == "max-victims")
    return "raise max_victims" +
           from_to(rule_context.effective.setting(Setting::max_victims, rule_context.queue()),
                   cap.figure(victims));
  if (name == "value-exceeded")
    return "give job " + job_name(rule_context, rule_context.requester()) + " a value above " +
           format_scaled(cap.figure(victims), 3) + " minutes (it has " +
           format_scaled(request_value(rule_context), 3) + ')';
  if (name == "below-guarantee") return lower_guarantee(rule_context, victims);
  return {};
}

std::string limit_remedy(const RuleContext& rule_context, const GroupUsage& usage) {
  return raise_limits(rule_context, queue_shortfalls(rule_context, usage));
}

}  // namespace cede
