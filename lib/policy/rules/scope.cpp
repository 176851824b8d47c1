// SPDX-License-Identifier: MIT
#include "policy/rules/scope.h"

#include "policy/setting_choices.h"

namespace cede {

namespace {

// An owner that nobody named equals no other.
bool same(NameId a, NameId b) { return a != kNoName && a == b; }

}  // namespace

bool Scope::excludes(const Unit& unit, std::string* why) const {
  if (!asking_.requester()) return false;
  const auto scope =
      static_cast<VictimScope>(asking_.effective.setting(Setting::victim_scope, asking_.queue()));
  const JobOwners& theirs = model().job_owners[unit.job.value];
  const JobOwners& ours = model().job_owners[asking_.requester().value];
  switch (scope) {
    case VictimScope::group: return false;
    case VictimScope::user:
      if (same(theirs.user, ours.user)) return false;
      break;
    case VictimScope::project:
      if (same(theirs.project, ours.project)) return false;
      break;
    case VictimScope::tenant:
      if (same(theirs.tenant, ours.tenant)) return false;
      break;
  }
  if (why)
    *why = "victim_scope is " + std::string(to_word(scope, kVictimScopes)) + ", and the job is another's";
  return true;
}

bool Scope::may_exclude() const {
  return asking_.requester() && asking_.effective.setting(Setting::victim_scope, asking_.queue()) !=
                                    static_cast<std::int64_t>(VictimScope::group);
}

}  // namespace cede
