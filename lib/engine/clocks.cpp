// SPDX-License-Identifier: MIT
#include <algorithm>

#include "engine/engine.h"
#include "policy/fair_standing.h"

namespace cede {

// Starvation counts from the change that first found the job below its fair share, and is over with the first
// that finds it satisfied. A plan only reads these clocks.
Engine::Clocks Engine::clocks_after(const Model& model) const {
  Clocks clocks;
  if (policies_ && model.now != kNoTime) {
    const std::shared_ptr<const InFlight> known = in_flight(model);
    model.groups.for_each([&](GroupId group, const GroupRow& row) {
      const Policy* policy = policy_of(model, row, *policies_);
      if (!policy || policy->profile != Profile::fair_share) return;
      const Effective effective(model, *policies_, *policy);
      const FairStanding standing(effective, group, *known, model.now);
      model.jobs.for_each([&](JobId job, const JobCore& core) {
        if (core.group != group) return;
        const Time since = below_since(standing.status(job), known->below_since(job), model.now);
        if (since != kNoTime) clocks[std::string(model.job_name(job))] = since;
      });
    });
  }
  return clocks;
}

std::shared_ptr<const InFlight> Engine::in_flight(const Model& model) const {
  auto out = std::make_shared<InFlight>();
  for (const auto& [name, since] : below_since_) {
    const JobId job = model.find_job(name);
    if (job) out->below_fair_share.emplace_back(job, since);
  }
  std::sort(out->below_fair_share.begin(), out->below_fair_share.end());
  return out;
}

}  // namespace cede
