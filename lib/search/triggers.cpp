// SPDX-License-Identifier: MIT
#include "search/triggers.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "placement/node_attributes.h"
#include "placement/placer.h"
#include "policy/queue_shortfall.h"
#include "policy/rules/triggers.h"

namespace cede {

namespace {

constexpr std::uint64_t kOtherJobsWork = 5'000'000;  // for jobs that are served first

// Requirement, queue, shape and number of tasks, class.
using RequestKey = std::tuple<std::uint32_t, std::uint32_t, ShapeId, std::size_t, std::uint32_t>;

// Requests with equal keys are all possible or all impossible. nullopt if more than the key decides.
std::optional<RequestKey> key_of(const EffectiveSettings& effective, const Request& request) {
  if (request.tasks.empty()) return std::nullopt;
  const Model& model = effective.model();
  const RequestTask& first = request.tasks.front();
  for (const RequestTask& task : request.tasks) {
    if (task.resources != first.resources || task.required_node != kNoName) return std::nullopt;
  }
  const JobCore& core = model.jobs[request.job];
  for (std::uint32_t k = 0; k < core.task_rows; ++k) {
    if (model.tasks.core(TaskId{core.first_task.value + k}).node) return std::nullopt;
  }
  const RequirementId require = model.job_extras[request.job.value].require;
  for (std::size_t i = 0; require && i < model.requirements[require.value]->network.size(); ++i) {
    if (model.requirements[require.value]->network[i].expires != kNoDuration) return std::nullopt;
  }
  return RequestKey{require ? require.value : RequirementId::kNoValue, request.queue.value, first.resources,
                    request.tasks.size(), effective.job_class(request.job)};
}

// Whether the request would fit its group with every node up and empty, and every `max` admits it.
bool is_possible(const RuleContext& other, const GroupIndex& group_index, Work& work) {
  if (other.request.tasks.empty()) return false;
  Space empty(other, group_index.nodes(), Space::Fill::empty, &work);
  mark_usable(empty, other, {}, Usable::ever);
  work.spend(50 + empty.size() / 2);
  if (!queue_shortfalls(other, empty.usage()).empty()) return false;
  // If the work ends before this is known, the job counts as possible.
  return work.ended() || Placer(other, empty.table(), work).fits(empty) != PlacementResult::no_room;
}

}  // namespace

bool gives_way(const RuleContext& rule_context, JobId id) {
  const JobCore& job = rule_context.model().jobs[id];
  for (std::uint32_t k = 0; k < job.task_rows; ++k) {
    if (rule_context.in_flight.is_leaving(TaskId{job.first_task.value + k})) return true;
  }
  return false;
}

JobId find_front_job(const RuleContext& rule_context, const GroupIndex& group_index, Work& work) {
  const WorkShare share(work, kOtherJobsWork);
  std::map<RequestKey, bool> known;
  for (const JobId id : group_index.waiting_before(rule_context.requester())) {
    if (rule_context.in_flight.has_entry(id) || gives_way(rule_context, id)) continue;
    if (!rule_context.effective.preemption_on(rule_context.model().jobs[id].queue)) continue;
    const Request request = make_request(rule_context.effective, id);
    if (!request.may_preempt) continue;
    if (job_shortfall(rule_context.model(), request)) continue;
    const std::optional<RequestKey> key = key_of(rule_context.effective, request);
    const auto alike = key ? known.find(*key) : known.end();
    bool possible = false;
    if (alike != known.end()) {
      possible = alike->second;
    } else {
      const RuleContext other{rule_context.effective, request,
                              rule_context.now,       {},
                              rule_context.usage,     rule_context.in_flight,
                              rule_context.units,     rule_context.fair};
      possible = is_possible(other, group_index, work);
    }
    if (key) known[*key] = possible;
    if (possible) return id;
  }
  return {};
}

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
    const Time resumed = model.job_state_times[id.value].resumed;
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

std::optional<Verdict> refused_by_grace(DecisionContext& context) {
  RuleList<Trigger> grace(context.rule_context);
  grace.add<OvercommitGrace>();
  return first_refusal(context, grace);
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
