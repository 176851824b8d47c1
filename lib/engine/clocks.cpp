// SPDX-License-Identifier: MIT
#include <algorithm>

#include "engine/engine.h"
#include "policy/shares/fair_share_status.h"

namespace cede {

// Starvation counts from the change that first found the job below its fair share, and is over with the first
// that finds it satisfied. A plan only reads these clocks.
Engine::Clocks Engine::look_at_clocks(ProjectedCluster& projection, const PolicySet& policies) const {
  const Model& model = *projection.model;
  remember_clocks(projection);
  Clocks clocks;
  std::vector<std::pair<JobId, Time>> next;
  model.groups.for_each([&](GroupId group, const GroupRow& row) {
    const Policy* policy = policy_of(model, row, policies);
    if (!policy || policy->profile != Profile::fair_share) return;
    const EffectiveSettings effective(model, policies, *policy);
    const FairShareStatus standing(effective, group, projection.in_flight, model.now);
    model.jobs.for_each([&](JobId job, const JobCore& core) {
      if (core.group != group) return;
      const Time since = below_since(standing.status(job), projection.in_flight.below_since(job), model.now);
      if (since == kNoTime) return;
      clocks[std::string(model.job_name(job))] = since;
      next.emplace_back(job, since);
    });
  });
  std::sort(next.begin(), next.end());
  projection.in_flight.below_fair_share = std::move(next);
  return clocks;
}

void Engine::remember_clocks(ProjectedCluster& projection) const {
  std::vector<std::pair<JobId, Time>>& known = projection.in_flight.below_fair_share;
  for (const auto& [name, since] : below_since_) {
    if (const JobId job = projection.model->find_job(name)) known.emplace_back(job, since);
  }
  std::sort(known.begin(), known.end());
}

// Whether some group is one where starvation counts.
bool Engine::keeps_clocks(const Model& model, const PolicySet& policies) const {
  bool any = false;
  model.groups.for_each([&](GroupId, const GroupRow& row) {
    const Policy* policy = policy_of(model, row, policies);
    any = any || (policy && policy->profile == Profile::fair_share);
  });
  return any;
}

}  // namespace cede
