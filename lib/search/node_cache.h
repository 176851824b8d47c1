// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "search/node_bounds.h"

namespace cede {

// The best set on each node for one kind of request for one task, kept from one decision to the next. It is
// looked for again where something changed; and where prices rise with time, which makes what was found
// before a bound, on the nodes that come first as long as the first one is of an earlier moment. Where a
// price leads, a bound is all that is worked out for most nodes: a set is looked for where one could be
// better than the best.
class NodeCache {
 public:
  struct Entry {
    std::vector<std::int64_t> numbers;  // see CandidateScores::numbers
    std::vector<const Unit*> units;
    Time at = 0;
    bool certain = true;
  };
  explicit NodeCache(const GroupIndex& group_index) : group_index_(group_index), watch_(group_index) {}

  // What decides between sets: nothing that depends on the time; a price before all else, or something else,
  // either of which only rises with time.
  enum class Order : std::uint8_t { timeless, price, other };
  // The node with the best set; none where there is no set at all, or where it is not certain which one is
  // the best at this time.
  const Entry* best(const SearchProblem& terms, const NodeCandidates::Eligible& eligible, Order order,
                    std::uint32_t& node);
  bool is_certain() const { return uncertain_ == 0; }

 private:
  static constexpr std::uint32_t kNobody = 0xFFFF'FFFF;
  bool is_better(std::uint32_t a, std::uint32_t b) const;
  std::uint32_t better(std::uint32_t a, std::uint32_t b) const;
  void look_at(const SearchProblem& terms, const NodeCandidates::Eligible& eligible,
               const std::vector<std::uint32_t>& nodes);
  void play(const std::vector<std::uint32_t>& nodes);
  void forget(std::uint32_t node);
  std::vector<std::uint32_t> bound(const SearchProblem& terms, const NodeCandidates::Eligible& eligible,
                                   const std::vector<std::uint32_t>& nodes);
  std::vector<std::uint32_t> next_bounded(std::size_t most);

  const GroupIndex& group_index_;
  NodeChangeTracker watch_;
  std::vector<std::unique_ptr<Entry>> by_node_;
  // A tournament: the winner of 2i and 2i + 1 is at i, the nodes themselves begin in the middle. Only entries
  // that are up to date meet, for those before may name units that are gone.
  std::vector<std::uint32_t> winners_;
  struct Bounded {
    std::int64_t price = 0;
    std::uint32_t node = 0;
    bool operator>(const Bounded& other) const { return price > other.price; }
  };
  static constexpr std::int64_t kNoBound = -1;
  std::vector<Bounded> bounded_;      // a heap, the least price first; with some that no longer count
  std::vector<std::int64_t> bounds_;  // by node: where no set was looked for yet; empty: nowhere
  std::vector<CandidateScores::Index> book_;
  std::size_t uncertain_ = 0;
  Time latest_ = kNoTime;
};

}  // namespace cede
