// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "search/count_search.h"

namespace cede {

// Tells for one kind of request which nodes may be other than when it was asked last.
class NodeWatch {
 public:
  explicit NodeWatch(const Ground& ground) : ground_(ground) {}

  // Their numbers, ascending. All of them, and then `everything` is set, where nothing is known from before.
  std::vector<std::uint32_t> changed(const SearchTerms& terms, bool& everything);

 private:
  bool is_same(const SearchTerms& terms);
  std::vector<std::uint32_t> in_flight_nodes(const SearchTerms& terms) const;

  const Ground& ground_;
  bool begun_ = false;
  std::uint64_t seen_ = 0;
  std::vector<Total> capacity_;
  std::vector<ResourceAmount> asked_;
  std::shared_ptr<const Requirement> require_;
  std::vector<std::uint32_t> moving_;  // where something was in flight
};

// The units on some nodes that may go, as a search sees them. `book` is used while this is there and left as
// it was: by slot, nobody.
struct NodeView {
  using Eligible = std::function<bool(const Unit&)>;
  NodeView(const SearchTerms& terms, const Eligible& eligible, const std::vector<std::uint32_t>& nodes,
           std::vector<Merits::Index>& book);
  const Merits merits;
  const Counting counting;
};

}  // namespace cede
