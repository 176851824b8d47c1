// SPDX-License-Identifier: MIT
#include "policy/rules/lower_class.h"

namespace cede {

namespace {

// The lowest class that may take one of this class when classes go by bands: 0 by any higher, 1-3 by 4 and
// above, 4-6 by 7 and above, 7-9 by 10.
constexpr int taken_from(int victim) { return victim == 0 ? 1 : victim <= 3 ? 4 : victim <= 6 ? 7 : 10; }

}  // namespace

bool LowerClass::excludes(const Unit& unit, std::string* why) const {
  if (!asking_.requester()) return false;
  const int own = asking_.effective.job_class(asking_.requester());
  const int theirs = asking_.effective.job_class(unit.job);
  const auto rule = static_cast<ClassRule>(asking_.effective.setting(Setting::class_rule, asking_.queue()));
  const int least = rule == ClassRule::lower ? theirs + 1 : taken_from(theirs);
  if (own >= least) return false;
  if (why) {
    *why = "its class " + std::to_string(theirs) + " gives way to class " + std::to_string(least) +
           " and above, the requester's is " + std::to_string(own);
  }
  return true;
}

}  // namespace cede
