// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "search/node_change_tracker.h"

namespace cede {

// The criteria that lead every objective with a price. Sums are compared from the front.
struct LeadingCost {
  Total last_resort = 0;
  Total price = 0;
  void add(const LeadingCost& other) {
    last_resort += other.last_resort;
    price += other.price;
  }
  auto operator<=>(const LeadingCost&) const = default;
};

inline LeadingCost lead_of(const Cost& cost) { return {cost.parts[0], cost.parts[1]}; }

// For each domain of a level: lower bounds on the cost of room for one more task after the other, for one
// kind of request. Prices only rise with time, so old bounds stay valid until something changes; they are
// recomputed when they have become too weak.
class DomainCache {
 public:
  struct Domain {
    std::uint32_t number = 0;
    std::vector<std::uint32_t> nodes;  // ascending
    std::uint64_t takes = 0;           // tasks, with no unit gone
    std::vector<LeadingCost> steps;    // for each further task; the cheapest first
    std::uint64_t most() const { return takes + steps.size(); }
  };
  explicit DomainCache(const GroupIndex& group_index) : group_index_(group_index), watch_(group_index) {}

  // Brings the cache up to the state of the group index.
  void follow(const SearchProblem& terms, const NodeCandidates::Eligible& eligible,
              const DomainConstraint& need);
  // By number, without empty domains.
  const std::vector<Domain>& domains() const { return domains_; }
  // Makes the next follow() recompute the bounds, unless they are of this moment.
  void weaken(Time now) { weak_ = since_ < now; }
  // Scratch for NodeCandidates, one per thread.
  std::vector<CandidateScores::Index>& book(std::size_t i) { return books_[i]; }
  static constexpr std::size_t kBooks = 8;

 private:
  static constexpr std::uint32_t kNoCandidate = 0xFFFF'FFFF;
  struct NodeSteps {
    std::uint32_t takes = 0;
    std::vector<LeadingCost> steps;
  };
  bool group_nodes(std::uint32_t level);
  void look_at(const SearchProblem& terms, const NodeCandidates::Eligible& eligible,
               const std::vector<std::uint32_t>& nodes, const DomainConstraint& need);
  void gather(Domain& domain) const;

  const GroupIndex& group_index_;
  NodeChangeTracker watch_;
  std::vector<NodeSteps> by_node_;
  std::vector<std::uint32_t> domain_of_;  // by node: position in domains_
  std::vector<Domain> domains_;
  std::vector<std::vector<CandidateScores::Index>> books_{kBooks};
  bool weak_ = false;
  Time since_ = kNoTime;
};

}  // namespace cede
