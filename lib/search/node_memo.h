// SPDX-License-Identifier: MIT
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <vector>

#include "search/count_search.h"

namespace cede {

// What two requests of one task must have in common for the same sets of victims to do for both.
struct RequestKind {
  QueueId queue;
  std::int32_t priority = 0;
  std::uint8_t job_class = 0;
  JobKind kind = JobKind::absent;
  NameId app = kNoName;
  NameId user = kNoName;
  NameId project = kNoName;
  NameId tenant = kNoName;
  ShapeId shape = kNoShape;
  RequirementId require;
  auto operator<=>(const RequestKind&) const = default;
};

// The best set on each node for one kind of request, kept from one decision to the next and looked for again
// only where something changed.
class NodeMemo {
 public:
  using Eligible = std::function<bool(const Unit&)>;
  struct Entry {
    std::vector<std::int64_t> numbers;  // see Merits::numbers
    std::vector<const Unit*> units;
    bool certain = true;
  };
  explicit NodeMemo(const Ground& ground) : ground_(ground), order_(Less{this}) {}
  // Brings it up to the ground's state.
  void follow(const SearchTerms& terms, const Eligible& eligible);
  // The node with the best set; none where there is no set at all.
  const Entry* best(std::uint32_t& node) const;
  bool is_certain() const { return uncertain_ == 0; }

 private:
  struct Less {
    const NodeMemo* memo;
    bool operator()(std::uint32_t a, std::uint32_t b) const { return memo->is_better(a, b); }
  };
  bool is_better(std::uint32_t a, std::uint32_t b) const;
  std::vector<std::uint32_t> nodes_to_look_at(const SearchTerms& terms);
  void forget(std::uint32_t node);
  bool is_same(const SearchTerms& terms);

  const Ground& ground_;
  std::uint64_t seen_ = 0;
  std::vector<Total> capacity_;
  std::vector<ResourceAmount> asked_;
  std::shared_ptr<const Requirement> require_;
  std::vector<std::unique_ptr<Entry>> by_node_;
  std::set<std::uint32_t, Less> order_;
  std::size_t uncertain_ = 0;
};

// One for each kind of request that was asked for lately. Whoever uses them holds the mutex.
class NodeMemos {
 public:
  std::mutex mutex;
  NodeMemo& of(const Ground& ground, const RequestKind& kind);

 private:
  std::map<RequestKind, std::unique_ptr<NodeMemo>> by_kind_;
};

}  // namespace cede
