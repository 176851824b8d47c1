// SPDX-License-Identifier: MIT
#pragma once

#include "model/in_flight.h"
#include "model/plan.h"
#include "policy/settings/policy.h"
#include "search/crew.h"
#include "search/ground.h"
#include "search/question.h"

namespace cede {

// What an engine keeps from one decision to the next. Without it everything is made for the one at hand.
struct Means {
  std::shared_ptr<const PolicySet> policies;  // the set decided by
  Grounds* grounds = nullptr;
  Crew* crew = nullptr;  // who works on one decision; the answer does not depend on it
};

// The group whose nodes and jobs a question is about.
GroupId group_of(const Model& model, const Question& question);

// The whole way from a request to a plan: triggers, eligibility, search. The model must agree with the
// policies, and the question must make sense (see Engine::plan). The plan keeps the model.
Plan decide(const std::shared_ptr<const Model>& model, const PolicySet& policies,
            const std::shared_ptr<const InFlight>& in_flight, const Question& question,
            const Means& means = {});

// Works out, for a plan about many units, why each of them was not taken.
void tell_units(Plan& plan);

}  // namespace cede
