// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "search/capacity_search.h"
#include "search/decision_context.h"

namespace cede {

// A search for victims without its candidates: what must hold once the victims are gone, how sets are
// compared, and what no set may break.
struct VictimProblem {
  const Needs& needs;
  const Placer* placer;  // null if nothing is placed
  Space& space;          // restored by a search
  OneNode one_node;      // where the victims that make space must be
  const Objective& objective;
  const RuleList<Cap>& caps;
};

inline constexpr std::size_t kEveryCap = SIZE_MAX;  // as the index of a cap: no cap is left out

// What a search may still spend on proofs.
SearchLimits search_limits(const DecisionContext& context);

// A problem with a placer in the form that CapacitySearch and AnswerCache take, with only the caps that some
// set can break.
class CapacityProblem {
 public:
  CapacityProblem(const DecisionContext& context, const VictimProblem& problem,
                  std::size_t without_cap = kEveryCap);
  CapacityProblem(const CapacityProblem&) = delete;
  CapacityProblem& operator=(const CapacityProblem&) = delete;
  const SearchProblem& problem() const { return problem_; }

 private:
  const CapList caps_;
  const SearchProblem problem_;
};

// Whether answers to this kind of request are cached, so that AnswerCache may be used.
bool may_reuse_answers(const DecisionContext& context, const VictimProblem& problem);

}  // namespace cede
