// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "search/cap_record.h"
#include "search/node_bounds.h"

namespace cede {

// The best set on each node for one kind of request for one task. A node is searched again if something
// changed there. If prices rise with time, old results are bounds, and the leading nodes are searched again
// until the first one is current. If a price leads, most nodes get only a bound; a set is searched where it
// could beat the best.
//
// Sets that a cap forbids are left out of the search of a node, as far as CapRecord follows the cap. As
// queues use more, a result that has become forbidden is a bound, and its node is searched again if it leads;
// as they use less, the record tells which nodes must be searched again.
class NodeCache {
 public:
  struct Entry {
    std::vector<std::int64_t> numbers;  // see CandidateScores::numbers
    std::vector<const Unit*> units;
    Time at = 0;
    bool certain = true;
    bool under_caps = false;  // a better set is forbidden by a cap
  };
  explicit NodeCache(const GroupIndex& group_index) : group_index_(group_index), watch_(group_index) {}

  // What decides between sets: nothing that depends on time; a price first; something else first. The latter
  // two only rise with time.
  enum class Order : std::uint8_t { timeless, price, other };
  struct Terms {
    const NodeCandidates::Eligible& eligible;
    Order order = Order::timeless;
    std::vector<std::int64_t> figures = {};  // see EligibilityRule::figure()
  };
  // The entry and the node of the best set that keeps the caps that CapRecord follows; null if there is no
  // set, or if it is not certain which set is best now.
  const Entry* best(const SearchProblem& problem, const Terms& terms, std::uint32_t& node);
  bool is_certain() const { return uncertain_ == 0; }
  // How many nodes were searched so far.
  std::uint64_t searched() const { return searched_; }

 private:
  static constexpr std::uint32_t kNoCandidate = 0xFFFF'FFFF;
  bool is_better(std::uint32_t a, std::uint32_t b) const;
  std::uint32_t better(std::uint32_t a, std::uint32_t b) const;
  void look_at(const SearchProblem& problem, const NodeCandidates::Eligible& eligible, const CapList& caps,
               const std::vector<std::uint32_t>& nodes);
  class Look;
  std::vector<std::uint32_t> changed(const SearchProblem& problem, const Terms& terms, const CapList& caps);
  std::vector<std::uint32_t> forbidden_nodes(const CapList& caps) const;
  void begin(std::size_t nodes);
  void play(const std::vector<std::uint32_t>& nodes);
  void forget(std::uint32_t node);
  std::vector<std::uint32_t> bound(const SearchProblem& problem, const NodeCandidates::Eligible& eligible,
                                   const std::vector<std::uint32_t>& nodes);
  std::vector<std::uint32_t> next_bounded(std::size_t most);

  const GroupIndex& group_index_;
  NodeChangeTracker watch_;
  std::vector<std::unique_ptr<Entry>> by_node_;
  // A winner tree: the better one of 2i and 2i + 1 is at i, and the leaves start in the middle. Only current
  // entries are compared, because old ones may refer to units that are gone.
  std::vector<std::uint32_t> winners_;
  struct Bounded {
    std::int64_t price = 0;
    std::uint32_t node = 0;
    bool operator>(const Bounded& other) const { return price > other.price; }
  };
  static constexpr std::int64_t kNoBound = -1;
  std::vector<Bounded> bounded_;      // min-heap by price; contains outdated entries
  std::vector<std::int64_t> bounds_;  // by node: the bound while no set was searched; empty: no bounds
  std::vector<CandidateScores::Index> book_;
  std::size_t uncertain_ = 0;
  std::set<std::uint32_t> unsolved_;  // nodes of which it is not known whether they have a set
  std::uint64_t searched_ = 0;
  Time latest_ = kNoTime;
  CapRecord record_;
  std::vector<std::int64_t> figures_;
  std::uint64_t state_ = 0;  // GroupIndex::state() at the last call
};

}  // namespace cede
