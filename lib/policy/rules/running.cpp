// SPDX-License-Identifier: MIT
#include "policy/rules/running.h"

namespace cede {

bool Running::excludes(const Unit& unit, std::string* why) const {
  const JobState state = model().jobs[unit.job].state;
  // A job that still waits for some tasks is pending; those it has placed run all the same.
  if (state == JobState::running || state == JobState::pending) return false;
  if (why) *why = "the job is " + std::string(to_word(state, kJobStates));
  return true;
}

}  // namespace cede
