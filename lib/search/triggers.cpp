// SPDX-License-Identifier: MIT
#include "search/triggers.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "placement/usable_nodes.h"
#include "policy/rules/triggers.h"
#include "search/front_job.h"

namespace cede {

namespace {

std::optional<Verdict> first_refusal(DecisionContext& context, const RuleList<Trigger>& triggers) {
  for (const auto& trigger : triggers) {
    if (trigger->needs_front_job())
      context.rule_context.front_job =
          find_front_job(context.rule_context, *context.group_index, context.work);
    std::string why;
    if (trigger->refuses(&why)) return Verdict::wait(trigger->name(), std::move(why));
  }
  return std::nullopt;
}

// The end of a task's walltime, not before now, and the task.
using TaskEnd = std::pair<Time, TaskId>;

// The tasks of the group whose walltime ends within the horizon, earliest first.
std::vector<TaskEnd> task_ends(const DecisionContext& context, Duration horizon) {
  const Model& model = context.model;
  const Time now = context.query.now;
  std::vector<TaskEnd> ends;
  model.jobs.for_each([&](JobId id, const JobCore& core) {
    const JobTimes& times = model.job_times[id.value];
    if (core.group != context.request.group || times.walltime == kNoDuration) return;
    const Time resumed = model.job_spells[id.value].resumed;
    for (std::uint32_t k = 0; k < core.task_rows; ++k) {
      const TaskId task{core.first_task.value + k};
      if (!model.tasks.core(task).node) continue;
      const Time begun = resumed != kNoTime ? resumed : context.effective.task_start(task);
      const Time end = begun + times.walltime;
      if (end <= now + horizon) ends.emplace_back(std::max(end, now), task);
    }
  });
  std::sort(ends.begin(), ends.end());
  return ends;
}

}  // namespace

std::optional<Verdict> refused_by_profile(DecisionContext& context) {
  RuleList<Trigger> triggers(context.rule_context);
  context.profile.add_triggers(triggers);
  return first_refusal(context, triggers);
}

std::optional<Verdict> refused_by_budget(DecisionContext& context) {
  if (context.request.purpose == Purpose::sensitive_claim) return std::nullopt;
  RuleList<Trigger> budget(context.rule_context);
  budget.add<Budget>();
  return first_refusal(context, budget);
}

std::optional<Verdict> worth_waiting(DecisionContext& context, const Needs& needs) {
  const Duration horizon = context.effective.setting(Setting::wait_horizon, context.rule_context.queue());
  if (horizon == 0) return std::nullopt;
  Space space(context.rule_context, context.group_index->nodes(), Space::Fill::as_it_is, &context.work);
  mark_usable(space, context.rule_context, context.query.avoid, Usable::now);
  const std::vector<TaskEnd> ends = task_ends(context, horizon);
  context.work.spend(20 * ends.size());
  // More room never makes a request unfit, so bisection finds the first moment with enough room.
  std::size_t gone = 0;
  const auto fits_at = [&](std::size_t moment) {  // an index into `ends`
    std::size_t until = moment;
    while (until < ends.size() && ends[until].first == ends[moment].first) ++until;
    for (; gone < until; ++gone) space.release(ends[gone].second);
    for (; gone > until; --gone) space.take(ends[gone - 1].second);
    return needs.are_met(space, {});
  };
  if (ends.empty() || !fits_at(ends.size() - 1)) return std::nullopt;
  std::size_t low = 0;
  std::size_t high = ends.size() - 1;
  while (low < high) {
    const std::size_t middle = (low + high) / 2;
    if (fits_at(middle)) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return Verdict::wait("worth-waiting",
                       "by their walltimes, running jobs make room at " + format_time(ends[low].first));
}

}  // namespace cede
