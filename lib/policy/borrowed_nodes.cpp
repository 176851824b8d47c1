// SPDX-License-Identifier: MIT
#include "policy/borrowed_nodes.h"

#include <algorithm>

#include "policy/group_usage.h"

namespace cede {

bool borrows(const Model& model, QueueId queue, NodeId node) {
  const QueueId home = model.nodes[node].home;
  return home && !model.is_below(queue, home);
}

bool is_borrowed(const Model& model, const Unit& unit) {
  const QueueId queue = model.jobs[unit.job].queue;
  return std::any_of(unit.tasks.begin(), unit.tasks.end(),
                     [&](TaskId task) { return borrows(model, queue, model.tasks.core(task).node); });
}

bool never_preempted(const EffectiveSettings& effective, JobId job) {
  constexpr std::uint8_t kHighClass = 7;
  const std::uint8_t job_class = effective.job_class(job);
  const bool unsaved = effective.checkpoint_mode(job) == CheckpointMode::none && job_class >= kHighClass;
  return job_class == kSensitiveClass || unsaved || is_fixed(effective, job);
}

}  // namespace cede
