// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "search/node_watch.h"

namespace cede {

// What leads every objective with a price. Adds up, and is compared from the front.
struct Lead {
  Total last_resort = 0;
  Total price = 0;
  void add(const Lead& other) {
    last_resort += other.last_resort;
    price += other.price;
  }
  auto operator<=>(const Lead&) const = default;
};

inline Lead lead_of(const Cost& cost) { return {cost.parts[0], cost.parts[1]}; }

// What it costs at least to make room for one task after the other in each domain of a level, for one kind of
// request; kept from one decision to the next. Prices only rise with time, so what was worked out before
// stays a bound until something changes; it is worked out anew when it has become too weak.
class DomainMemo {
 public:
  struct Domain {
    std::uint32_t number = 0;
    std::vector<std::uint32_t> nodes;  // ascending
    std::uint64_t takes = 0;           // tasks, with nobody gone
    std::vector<Lead> steps;           // of each task more; the cheapest first
    std::uint64_t most() const { return takes + steps.size(); }
  };
  explicit DomainMemo(const Ground& ground) : ground_(ground), watch_(ground) {}

  // Brings it up to the ground's state.
  void follow(const SearchTerms& terms, const NodeView::Eligible& eligible, const DomainNeed& need);
  // By number, without those that have no node.
  const std::vector<Domain>& domains() const { return domains_; }
  // The bounds are to be worked out anew the next time, unless they are of this moment.
  void weaken(Time now) { weak_ = since_ < now; }
  // For views of some nodes, one per thread.
  std::vector<Merits::Index>& book(std::size_t i) { return books_[i]; }
  static constexpr std::size_t kBooks = 8;

 private:
  static constexpr std::uint32_t kNobody = 0xFFFF'FFFF;
  struct NodeSteps {
    std::uint32_t takes = 0;
    std::vector<Lead> steps;
  };
  bool group_nodes(std::uint32_t level);
  void look_at(const SearchTerms& terms, const NodeView::Eligible& eligible,
               const std::vector<std::uint32_t>& nodes, const DomainNeed& need);
  void gather(Domain& domain) const;

  const Ground& ground_;
  NodeWatch watch_;
  std::vector<NodeSteps> by_node_;
  std::vector<std::uint32_t> domain_of_;  // by node: position in domains_
  std::vector<Domain> domains_;
  std::vector<std::vector<Merits::Index>> books_{kBooks};
  bool weak_ = false;
  Time since_ = kNoTime;
};

}  // namespace cede
