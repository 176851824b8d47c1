// SPDX-License-Identifier: MIT
#include "search/victim_problem.h"

#include <algorithm>

namespace cede {

namespace {

CapList breakable(const RuleList<Cap>& caps, std::size_t without_cap) {
  CapList out;
  for (std::size_t i = 0; i < caps.size(); ++i) {
    if (i != without_cap && caps[i].may_break()) out.push_back(&caps[i]);
  }
  return out;
}

}  // namespace

SearchLimits search_limits(const DecisionContext& context) {
  const StormLimits& of_policy = context.effective.policies().limits;
  const auto proof = static_cast<std::uint64_t>(of_policy.search_work);
  SearchLimits limits;
  limits.exact_units = of_policy.exact_units;
  limits.proof = proof - std::min(proof, context.proof_spent);
  return limits;
}

CountTerms::CountTerms(const DecisionContext& context, const VictimProblem& problem, std::size_t without_cap)
    : caps_(breakable(problem.caps, without_cap)),
      terms_{context.asking,
             *problem.placer,
             *context.ground,
             problem.space,
             problem.needs,
             problem.objective,
             caps_,
             search_limits(context),
             context.input.crew} {}

bool may_recall(const DecisionContext& context, const VictimProblem& problem) {
  return problem.placer && context.explains_units_later() &&
         Counting::decides(context.asking, *problem.placer, problem.space, problem.one_node);
}

}  // namespace cede
