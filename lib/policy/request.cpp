// SPDX-License-Identifier: MIT
#include "policy/request.h"

#include <algorithm>
#include <limits>

namespace cede {

Request make_request(const EffectiveSettings& effective, JobId job) {
  const Model& model = effective.model();
  const JobCore& core = model.jobs[job];
  const std::uint32_t min_tasks = model.job_extras[job.value].min_tasks;
  std::uint64_t placed = 0;
  for (std::uint32_t k = 0; k < core.task_rows; ++k) {
    if (model.tasks.core(TaskId{core.first_task.value + k}).node) ++placed;
  }
  std::uint64_t wanted = std::numeric_limits<std::uint64_t>::max();
  if (!effective.is_gang(job)) {
    const std::int64_t per_plan = effective.setting(Setting::tasks_per_plan, core.queue);
    if (per_plan != kNoSetting) wanted = static_cast<std::uint64_t>(per_plan);
  } else if (min_tasks > 0) {
    wanted = min_tasks > placed ? min_tasks - placed : 0;
  }
  Request request;
  request.job = job;
  request.queue = core.queue;
  request.group = core.group;
  for (std::uint32_t k = 0; k < core.task_rows && request.tasks.size() < wanted; ++k) {
    const TaskId row{core.first_task.value + k};
    const TaskCore& task = model.tasks.core(row);
    if (task.node) continue;
    const std::size_t before = request.tasks.size();
    for (std::uint32_t i = 0; i < task.count && request.tasks.size() < wanted; ++i) {
      request.tasks.push_back({row, i, task.resources, model.tasks.extras(row).required_node});
    }
    request.asked.resize(model.resources.size(), 0);
    for (const ResourceAmount& entry : model.shape(task.resources))
      request.asked[entry.resource] +=
          static_cast<Total>(entry.amount) * static_cast<Total>(request.tasks.size() - before);
  }
  return request;
}

std::string task_label(const Model& model, TaskId row, std::uint32_t index) {
  const JobCore& job = model.jobs[model.tasks.core(row).job];
  std::string name = model.task_name(job, row.value - job.first_task.value);
  return model.tasks.core(row).counted ? name + '#' + std::to_string(index) : name;
}

}  // namespace cede
