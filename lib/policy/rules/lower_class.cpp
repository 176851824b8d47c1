// SPDX-License-Identifier: MIT
#include "policy/rules/lower_class.h"

namespace cede {

namespace {

// The lowest class that may take one of this class when classes go by bands: 0 by any higher, 1-3 by 4 and
// above, 4-6 by 7 and above, 7-9 by 10.
constexpr int taken_from(int victim) { return victim == 0 ? 1 : victim <= 3 ? 4 : victim <= 6 ? 7 : 10; }

}  // namespace

LowerClass::LowerClass(const Asking& asking)
    : EligibilityRule(asking),
      own_(asking.requester() ? asking.effective.job_class(asking.requester()) : 0),
      by_bands_(asking.requester() && asking.effective.setting(Setting::class_rule, asking.queue()) !=
                                          static_cast<std::int64_t>(ClassRule::lower)) {}

int LowerClass::least_for(int theirs) const { return by_bands_ ? taken_from(theirs) : theirs + 1; }

bool LowerClass::spares(const UnitRow& row) const {
  return asking_.requester() && own_ < least_for(row.job_class);
}

bool LowerClass::excludes(const Unit& unit, std::string* why) const {
  if (!spares_unit(unit)) return false;
  if (why) {
    const int theirs = asking_.effective.job_class(unit.job);
    *why = "its class " + std::to_string(theirs) + " gives way to class " +
           std::to_string(least_for(theirs)) + " and above, the requester's is " + std::to_string(own_);
  }
  return true;
}

}  // namespace cede
