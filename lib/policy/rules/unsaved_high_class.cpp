// SPDX-License-Identifier: MIT
#include "policy/rules/unsaved_high_class.h"

namespace cede {

namespace {

constexpr std::uint8_t kHighClass = 7;

}  // namespace

bool UnsavedHighClass::spares(const UnitRow& row) const {
  return row.job_class >= kHighClass &&
         asking_.effective.checkpoint_mode(row.unit.job) == CheckpointMode::none;
}

bool UnsavedHighClass::excludes(const Unit& unit, std::string* why) const {
  if (!spares_unit(unit)) return false;
  const std::uint8_t job_class = asking_.effective.job_class(unit.job);
  if (why) *why = "its class " + std::to_string(job_class) + " is 7 or above and it cannot checkpoint";
  return true;
}

}  // namespace cede
