// SPDX-License-Identifier: MIT
#include "policy/rules/same_app.h"

#include "base/text.h"

namespace cede {

bool SameApp::excludes(const Unit& unit, std::string* why) const {
  if (!asking_.requester()) return false;
  const auto app = [&](JobId job) {
    const NameId stated = model().job_owners[job.value].app;
    return stated == kNoName ? model().job_name(job) : model().name(stated);
  };
  if (app(unit.job) != app(asking_.requester())) return false;
  if (why) *why = "it is of the same application " + quote(app(unit.job));
  return true;
}

}  // namespace cede
