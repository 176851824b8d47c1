// SPDX-License-Identifier: MIT
#include "policy/rules/running.h"

namespace cede {

// A job that still waits for some tasks is pending; those it has placed run all the same.
bool Running::spares(const UnitRow& row) const {
  return row.job.state != JobState::running && row.job.state != JobState::pending;
}

bool Running::excludes(const Unit& unit, std::string* why) const {
  if (!spares_unit(unit)) return false;
  const JobState state = model().jobs[unit.job].state;
  if (why) *why = "the job is " + std::string(to_word(state, kJobStates));
  return true;
}

}  // namespace cede
