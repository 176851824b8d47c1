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
