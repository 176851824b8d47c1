// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "search/capacity_search.h"
#include "search/decision_context.h"

namespace cede {

// A search for victims apart from who may be taken: what must hold once they are gone, how sets are compared,
// and what no set may break.
struct VictimProblem {
  const Needs& needs;
  const Placer* placer;  // null: nothing is placed
  Space& space;          // a search leaves it as it was
  OneNode one_node;      // where the victims that make space must be
  const Objective& objective;
  const RuleList<Cap>& caps;
};

inline constexpr std::size_t kEveryCap = SIZE_MAX;  // as a cap's index: none is left out

// What a search may still spend on proofs.
SearchLimits search_limits(const DecisionContext& context);

// A problem with a placer in the form that CapacitySearch and Recall take it: only caps that some set can
// break.
class CountTerms {
 public:
  CountTerms(const DecisionContext& context, const VictimProblem& problem,
             std::size_t without_cap = kEveryCap);
  CountTerms(const CountTerms&) = delete;
  CountTerms& operator=(const CountTerms&) = delete;
  const SearchProblem& terms() const { return terms_; }

 private:
  const CapList caps_;
  const SearchProblem terms_;
};

// Whether requests of this kind are remembered, so that a Recall may be asked.
bool may_reuse_answers(const DecisionContext& context, const VictimProblem& problem);

}  // namespace cede
