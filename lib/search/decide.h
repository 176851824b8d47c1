// SPDX-License-Identifier: MIT
#pragma once

#include "model/in_flight.h"
#include "model/plan.h"
#include "policy/policy.h"
#include "search/question.h"

namespace cede {

// The whole way from a request to a plan: triggers, eligibility, search. The model must agree with the
// policies, and the question must make sense (see Engine::plan).
// The group whose nodes and jobs a question is about.
GroupId group_of(const Model& model, const Question& question);

Plan decide(const Model& model, const PolicySet& policies, const std::shared_ptr<const InFlight>& in_flight,
            const Question& question);

}  // namespace cede
