// SPDX-License-Identifier: MIT
#include "search/tiers.h"

#include <algorithm>
#include <limits>

#include "search/places.h"

namespace cede {

namespace {

constexpr std::size_t kFewNodesOfSpace = 500;  // so few that every set can look at all of them

// Whether some cap lets all candidates together free less than the request lacks.
bool caps_leave_too_little(const Placer& placer, const VictimProblem& problem,
                           const std::vector<const Unit*>& candidates, std::size_t without_cap) {
  const RuleList<Cap>& caps = problem.caps;
  const std::size_t resources = problem.space.model().resources.size();
  for (std::uint32_t r = 0; r < resources; ++r) {
    if (placer.asked(r) == 0) continue;
    const Total shortfall = placer.asked(r) - free_of(problem.space, r);
    for (std::size_t i = 0; shortfall > 0 && i < caps.size(); ++i) {
      const std::optional<Total> most = i == without_cap ? std::nullopt : caps[i].most_freed(candidates, r);
      if (most && *most < shortfall) return true;
    }
  }
  return false;
}

// nullopt if the capacity model does not decide.
std::optional<SearchResult> search_by_counting(DecisionContext& context, const VictimProblem& problem,
                                               const std::vector<const Unit*>& candidates,
                                               std::size_t without_cap) {
  if (caps_leave_too_little(*problem.placer, problem, candidates, without_cap)) {
    SearchResult no;
    no.proven = true;
    no.needs_met = true;  // by all candidates together, as far as known
    return no;
  }
  if (!CapacityModel::decides(context.rule_context, *problem.placer, problem.space, problem.one_node))
    return std::nullopt;
  const CountTerms counted(context, problem, without_cap);
  const std::uint64_t before = context.work.spent();
  std::optional<SearchResult> found = CapacitySearch(counted.terms(), candidates).run();
  if (!found) return std::nullopt;
  context.search_spent += found->work;
  context.proof_spent += context.work.spent() - before;
  return found;
}

}  // namespace

int tier_of(const DecisionContext& context, const Unit& unit) {
  return unit.last_resort ? std::numeric_limits<int>::max()
                          : context.profile.tier(context.rule_context, unit);
}

SearchResult search_candidates(DecisionContext& context, const VictimProblem& problem,
                               const std::vector<const Unit*>& candidates, std::size_t without_cap) {
  const SearchLimits limits = search_limits(context);
  const auto exact_units = static_cast<std::size_t>(limits.exact_units);
  const bool few = candidates.size() <= exact_units && problem.space.size() <= kFewNodesOfSpace;
  if (problem.placer && !few) {
    if (std::optional<SearchResult> found = search_by_counting(context, problem, candidates, without_cap))
      return std::move(*found);
  }
  std::vector<SearchPlace> places{{{}, candidates}};
  if (problem.placer) {
    places = split_into_places(context.rule_context, *problem.placer, problem.space, candidates, exact_units,
                               problem.one_node);
  }
  SearchResult found =
      VictimSearch(problem.space, problem.needs, problem.objective, problem.caps, limits, without_cap)
          .run(places);
  context.search_spent += found.work;
  context.proof_spent += found.work;
  return found;
}

SearchResult search_tiers(DecisionContext& context, const VictimProblem& problem,
                          const std::vector<const Unit*>& eligible) {
  std::vector<int> tiers;
  for (const Unit* unit : eligible) {
    const int tier = tier_of(context, *unit);
    if (std::find(tiers.begin(), tiers.end(), tier) == tiers.end()) tiers.push_back(tier);
  }
  std::sort(tiers.begin(), tiers.end());
  SearchResult found;
  for (const int tier : tiers) {
    if (tier == tiers.back()) return search_candidates(context, problem, eligible);
    std::vector<const Unit*> candidates;
    std::copy_if(eligible.begin(), eligible.end(), std::back_inserter(candidates),
                 [&](const Unit* unit) { return tier_of(context, *unit) <= tier; });
    found = search_candidates(context, problem, candidates);
    if (found.best || !found.proven) break;
  }
  return found;
}

}  // namespace cede
