// SPDX-License-Identifier: MIT
#include "policy/request.h"

#include <algorithm>
#include <limits>
#include <set>
#include <tuple>

namespace cede {

namespace {

constexpr std::size_t kMostKinds = 256;  // of waiting tasks of one job that are tried without victims

// The rows of a job whose tasks wait.
std::vector<TaskId> waiting_rows(const Model& model, JobId job) {
  const JobCore& core = model.jobs[job];
  std::vector<TaskId> rows;
  for (std::uint32_t k = 0; k < core.task_rows; ++k) {
    const TaskId row{core.first_task.value + k};
    if (!model.tasks.core(row).node) rows.push_back(row);
  }
  return rows;
}

// How many tasks one plan for the job places at most.
std::uint64_t most_tasks(const EffectiveSettings& effective, JobId job, std::size_t waiting) {
  const JobCore& core = effective.model().jobs[job];
  if (!effective.is_gang(job)) {
    const std::int64_t per_plan = effective.setting(Setting::tasks_per_plan, core.queue);
    if (per_plan != kNoSetting) return static_cast<std::uint64_t>(per_plan);
  } else if (const std::uint32_t least = effective.model().job_extras[job.value].min_tasks; least > 0) {
    const std::size_t placed = core.task_rows - waiting;
    return least > placed ? least - placed : 0;
  }
  return std::numeric_limits<std::uint64_t>::max();
}

// The request for the first tasks of these rows.
Request request_for(const EffectiveSettings& effective, JobId job, const std::vector<TaskId>& rows,
                    std::uint64_t most) {
  const Model& model = effective.model();
  Request request;
  request.job = job;
  request.queue = model.jobs[job].queue;
  request.group = model.jobs[job].group;
  request.priority = effective.priority(job);
  request.may_preempt = effective.may_preempt(job);
  for (const TaskId row : rows) {
    const TaskCore& task = model.tasks.core(row);
    const std::size_t before = request.tasks.size();
    const NameId required_node = model.tasks.extras(row).required_node;
    if (before == 0) request.tasks.reserve(std::min<std::uint64_t>(task.count, most));
    for (std::uint32_t i = 0; i < task.count && request.tasks.size() < most; ++i)
      request.tasks.push_back({row, i, task.resources, required_node});
    const std::size_t added = request.tasks.size() - before;
    if (added == 0) break;
    const std::int32_t priority = effective.task_priority(row);
    request.priority = before == 0 ? priority : std::min(request.priority, priority);
    request.may_preempt = (before == 0 || request.may_preempt) && effective.task_may_preempt(row);
    request.asked.resize(model.resources.size(), 0);
    for (const ResourceAmount& entry : model.shape(task.resources))
      request.asked[entry.resource] += static_cast<Total>(entry.amount) * static_cast<Total>(added);
  }
  const auto comes_before = [](const RequestTask& a, const RequestTask& b) {
    return std::tie(a.row, a.index) < std::tie(b.row, b.index);
  };
  // Nearly always in order: only rows that follow a later row are not.
  if (!std::is_sorted(request.tasks.begin(), request.tasks.end(), comes_before))
    std::sort(request.tasks.begin(), request.tasks.end(), comes_before);
  return request;
}

// The row and the rows that may share a request with it, in the job's order from this row on, then from the
// job's first row up to it.
std::vector<TaskId> rows_with(const EffectiveSettings& effective, const std::vector<TaskId>& rows,
                              std::size_t first) {
  const auto kind = [&](TaskId row) {
    return std::pair(effective.task_priority(row), effective.task_may_preempt(row));
  };
  std::vector<TaskId> out;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const TaskId row = rows[(first + i) % rows.size()];
    if (kind(row) == kind(rows[first])) out.push_back(row);
  }
  return out;
}

}  // namespace

Request make_request(const EffectiveSettings& effective, JobId job) {
  std::vector<TaskId> rows = waiting_rows(effective.model(), job);
  const std::uint64_t most = most_tasks(effective, job, rows.size());
  if (rows.size() > 1 && effective.model().tasks.has_extras() && !effective.is_gang(job)) {
    const auto may =
        std::find_if(rows.begin(), rows.end(), [&](TaskId row) { return effective.task_may_preempt(row); });
    rows = rows_with(effective, rows, may == rows.end() ? 0 : static_cast<std::size_t>(may - rows.begin()));
  }
  return request_for(effective, job, rows, most);
}

std::int32_t request_priority(const EffectiveSettings& effective, JobId job) {
  const Model& model = effective.model();
  const JobCore& core = model.jobs[job];
  for (std::uint32_t k = 0; k < core.task_rows && model.tasks.has_extras(); ++k) {
    if (model.tasks.extras(TaskId{core.first_task.value + k}).has_priority)
      return make_request(effective, job).priority;
  }
  return effective.priority(core);
}

std::vector<FreeStart> free_starts(const EffectiveSettings& effective, JobId job) {
  const Model& model = effective.model();
  if (effective.is_gang(job)) return {};
  const std::vector<TaskId> rows = waiting_rows(model, job);
  const auto kind = [&](TaskId row) {
    return std::tuple(effective.task_priority(row), effective.task_may_preempt(row),
                      model.tasks.core(row).resources, model.tasks.extras(row).required_node);
  };
  std::vector<std::size_t> firsts;  // of each kind
  std::set<decltype(kind(TaskId{}))> kinds;
  for (std::size_t i = 0; i < rows.size() && firsts.size() < kMostKinds; ++i) {
    if (kinds.insert(kind(rows[i])).second) firsts.push_back(i);
  }
  const std::uint64_t most = most_tasks(effective, job, rows.size());
  std::vector<FreeStart> out;
  for (const std::size_t first : firsts) {
    FreeStart& next = out.emplace_back();
    next.rows = rows_with(effective, rows, first);
    std::uint64_t tasks = 0;
    for (const TaskId row : next.rows) tasks += model.tasks.core(row).count;
    next.tasks = std::min(most, tasks);
  }
  if (out.size() == 1 && out.front().tasks < 2) out.clear();
  return out;
}

Request request_from(const EffectiveSettings& effective, JobId job, const FreeStart& start,
                     std::uint64_t tasks) {
  return request_for(effective, job, start.rows, tasks);
}

std::string task_label(const Model& model, TaskId row, std::uint32_t index) {
  const JobCore& job = model.jobs[model.tasks.core(row).job];
  std::string name = model.task_name(job, row.value - job.first_task.value);
  return model.tasks.core(row).counted ? name + '#' + std::to_string(index) : name;
}

}  // namespace cede
