// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "search/node_change_tracker.h"

namespace cede {

// How much room each node and each domain would have with everybody gone who may go, for one kind of request;
// kept from one decision to the next, and looked at again where something changed. Where that is not enough
// the answer is no, whoever would be taken.
class RoomCache {
 public:
  explicit RoomCache(const GroupIndex& group_index) : group_index_(group_index), watch_(group_index) {}

  // Brings it up to the ground's state. The request must be bound to domains of one level at most.
  void follow(const SearchProblem& terms, const NodeCandidates::Eligible& eligible);
  // Whether the nodes that may be used together take so many tasks.
  bool takes(std::uint64_t tasks) const;
  // The same of all nodes, wherever they are.
  bool takes_anywhere(std::uint64_t tasks) const { return tasks_ >= tasks; }
  std::size_t units() const { return units_; }      // that may go
  std::uint64_t places() const { return places_; }  // nodes that may be used and are in some domain
  // What would be free of a resource that is asked for on nodes.
  Total free(std::uint32_t resource) const;

 private:
  struct NodeRoom {
    std::uint32_t tasks = 0;
    std::uint32_t units = 0;  // whose first task is here
    std::uint32_t domain = kNowhere;
    bool usable = false;
  };
  void begin(const SearchProblem& terms);
  std::vector<const Unit*> units_on(const std::vector<std::uint32_t>& nodes) const;
  void add_first_nodes(std::vector<std::uint32_t>& nodes) const;
  void count(std::uint32_t node, int sign);
  bool has_place(const NodeRoom& room) const { return room.usable && (!bound_ || room.domain != kNowhere); }

  const GroupIndex& group_index_;
  NodeChangeTracker watch_;
  bool bound_ = false;  // to domains
  DomainConstraint need_;
  std::vector<std::uint32_t> asked_;  // resources
  std::vector<NodeRoom> by_node_;
  std::vector<Total> free_;  // by node, then resource asked
  std::vector<std::uint64_t> by_domain_;
  std::uint64_t tasks_ = 0;
  std::uint64_t places_ = 0;
  std::size_t units_ = 0;
  std::vector<Total> sums_;  // of free_
  std::vector<CandidateScores::Index> book_;
};

}  // namespace cede
