// SPDX-License-Identifier: MIT
#include "policy/rules/max_victims.h"

#include <set>

namespace cede {

std::int64_t MaxVictims::figure(std::span<const Unit* const> victims) const {
  std::set<std::uint32_t> jobs;
  for (const Unit* unit : victims) jobs.insert(unit->job.value);
  return static_cast<std::int64_t>(jobs.size());
}

bool MaxVictims::may_break() const {
  return asking_.effective.setting(Setting::max_victims, asking_.queue()) != kNoSetting &&
         !asking_.request.is_claim();
}

bool MaxVictims::breaks(std::span<const Unit* const> victims, std::string* why) const {
  const std::int64_t most = asking_.effective.setting(Setting::max_victims, asking_.queue());
  if (most == kNoSetting || asking_.request.is_claim()) return false;
  const std::int64_t jobs = figure(victims);
  if (jobs <= most) return false;
  if (why) *why = std::to_string(jobs) + " jobs would have to go, max_victims is " + std::to_string(most);
  return true;
}

}  // namespace cede
