// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "model/plan.h"
#include "policy/policy.h"

namespace cede {

struct Question {
  JobId job;
  Time now = 0;
  std::vector<JobId> protect;  // not to be taken
  std::vector<NodeId> avoid;   // not to be used
};

// The whole way from a request to a plan: triggers, eligibility, search. The model must agree with the
// policies.
Plan decide(const Model& model, const PolicySet& policies, const Question& question);

// Why the profile of the job's group cannot be asked yet; empty where it can.
std::string undecidable(const Model& model, const PolicySet& policies, JobId job);

}  // namespace cede
