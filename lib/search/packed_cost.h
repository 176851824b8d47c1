// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "search/objective.h"

namespace cede {

// Costs as single numbers of the same order: the leading parts of a cost, as many as fit, as the digits of
// one number. For sets of some candidates that cost no more than a known set.
class PackedCosts {
 public:
  // Numbers are multiples of this, so that little is lost when several nodes share a cost.
  static constexpr int kFineBits = 14;

  // `units`: of the candidates. `most`: what a set may cost at most; null: anything.
  PackedCosts(const CandidateScores& scores, std::span<const Cost> units, const Cost* most);

  // How many leading parts the numbers cover.
  std::size_t parts() const { return covered_; }
  // For the cost of a set of these candidates.
  Total of(const Cost& cost) const;
  // The largest number of any set that costs no more than this; the cost may be that of any set.
  Total most(const Cost& cost) const;
  // Whether that set has exactly this cost, as far as the numbers cover it.
  bool is_exact(const Cost& cost) const;
  // The least number of any set that is at least this.
  Total raised(Total bound) const;
  // Without the parts from this one on.
  Total leading(Total number, std::size_t parts) const;
  // A lower bound on the costs of all sets with this number or a greater one.
  Cost least_cost(Total number) const;

 private:
  struct Digit {
    CandidateScores::Field field;
    Total unit = 0;   // every cost is a multiple of this
    Total most = 0;   // of any set; 0: not part of a number
    int shift = 0;    // of the digit in a number
    Total below = 0;  // the greatest number that the digits after it make
  };
  const std::size_t implied_;  // a part that follows from those before it
  std::vector<Digit> digits_;  // for all fields of the parts that are covered, without the implied one
  std::size_t covered_ = 0;
};

}  // namespace cede
