// SPDX-License-Identifier: MIT
#include "model/drafts.h"
#include "model/model.h"

namespace cede {

JobDraft draft_of(const Model& model, JobId id) {
  JobDraft draft;
  draft.core = model.jobs[id];
  draft.times = model.job_times[id.value];
  draft.spells = model.job_spells[id.value];
  draft.owners = model.job_owners[id.value];
  draft.checkpoint = model.job_checkpoints[id.value];
  draft.extras = model.job_extras[id.value];
  draft.queue = model.queues[draft.core.queue].name;
  draft.group = model.groups[draft.core.group].name;
  draft.tasks.reserve(draft.core.task_rows);
  for (std::uint32_t k = 0; k < draft.core.task_rows; ++k) {
    const TaskId task{draft.core.first_task.value + k};
    TaskDraft& out = draft.tasks.emplace_back();
    out.core = model.tasks.core(task);
    out.extras = model.tasks.extras(task);
    if (out.core.node) out.node = model.nodes[out.core.node].name;
    out.core.node = {};
    out.core.next_on_node = out.core.previous_on_node = {};
  }
  return draft;
}

}  // namespace cede
