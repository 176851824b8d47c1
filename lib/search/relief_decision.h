// SPDX-License-Identifier: MIT
#pragma once

#include "search/decision.h"

namespace cede {

// Decides who leaves so that a node is within its capacity, or a queue or job within its `max`. There is no
// requester, and nothing is placed.
class ReliefDecision final : public Decision {
 public:
  using Decision::Decision;
  Plan run() override;

 private:
  std::string target() const;
  std::string target_name() const;  // as ledger entries are named
  // No set is enough: every unit that brings it down, in the order of the objective, as long as no cap
  // breaks.
  Plan as_far_as_possible(const ReliefNeeds& needs, std::vector<const Unit*> all);
  std::string done_text(std::size_t jobs) const override;
};

// Decides whether a queue gets the nodes it claims: everybody else there leaves, or nobody.
class ClaimDecision final : public Decision {
 public:
  using Decision::Decision;
  Plan run() override;

 private:
  std::string done_text(std::size_t jobs) const override;
};

}  // namespace cede
