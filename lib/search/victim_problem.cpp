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

CapacityProblem::CapacityProblem(const DecisionContext& context, const VictimProblem& problem,
                                 std::size_t without_cap)
    : caps_(breakable(problem.caps, without_cap)),
      problem_{
          context.rule_context, *problem.placer, *context.group_index,   problem.space,        problem.needs,
          problem.objective,    caps_,           search_limits(context), context.input.workers} {}

bool may_reuse_answers(const DecisionContext& context, const VictimProblem& problem) {
  return problem.placer && context.explains_units_later() &&
         CapacityModel::decides(context.rule_context, *problem.placer, problem.space, problem.one_node);
}

}  // namespace cede
