// SPDX-License-Identifier: MIT
#include "policy/rules/same_job.h"

namespace cede {

bool SameJob::spares(const UnitRow& row) const {
  return asking_.requester() && row.unit.job == asking_.requester();
}

// Who has no task anywhere yet has no unit.
bool SameJob::may_exclude() const {
  if (!asking_.requester()) return false;
  const JobCore& job = model().jobs[asking_.requester()];
  for (std::uint32_t k = 0; k < job.task_rows; ++k) {
    if (model().tasks.core(TaskId{job.first_task.value + k}).node) return true;
  }
  return false;
}

bool SameJob::excludes(const Unit& unit, std::string* why) const {
  if (!spares_unit(unit)) return false;
  if (why) *why = "it belongs to the requester itself";
  return true;
}

}  // namespace cede
