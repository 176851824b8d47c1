// SPDX-License-Identifier: MIT
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "search/domain_search.h"
#include "search/group_index.h"
#include "search/node_bounds.h"
#include "search/node_cache.h"

namespace cede {

// The nodes whose free amounts are enough for one task of a shape, so that a query on a full cluster need not
// look at every node. Devices, requirements and what is in flight are not checked: a listed node may still
// have no room, but an unlisted one has none.
class FreeNodeCache {
 public:
  explicit FreeNodeCache(const GroupIndex& group_index) : group_index_(group_index) {}

  // The numbers of the nodes, ascending.
  const std::vector<std::uint32_t>& nodes(ResourceView shape);

 private:
  bool takes_one(std::uint32_t node) const;

  const GroupIndex& group_index_;
  bool begun_ = false;
  std::uint64_t seen_ = 0;
  std::vector<ResourceAmount> shape_;  // compared by value: an interned id may have a new meaning
  std::vector<std::uint32_t> nodes_;
};

// The best set of victims for one gang as it was found last, valid while no node changes. Only for requests
// whose answer depends on nothing else, such as time or a cap.
class GangAnswerCache {
 public:
  explicit GangAnswerCache(const GroupIndex& group_index) : watch_(group_index) {}

  // Null if the request is another one, or if anything changed.
  const SearchResult* find(const SearchProblem& problem);
  void keep(const SearchProblem& problem, const SearchResult& answer);

 private:
  bool is_same_request(const SearchProblem& problem) const;

  NodeChangeTracker watch_;
  JobId job_;
  std::vector<RequestTask> tasks_;
  std::optional<SearchResult> answer_;
};

// How much room each node and each domain would have with all candidates gone, for one kind of request. If
// that is not enough, no set of victims is.
class RoomCache {
 public:
  explicit RoomCache(const GroupIndex& group_index) : group_index_(group_index), watch_(group_index) {}

  // Brings the cache up to the state of the group index. The request may constrain domains of one level at
  // most.
  void follow(const SearchProblem& problem, const NodeCandidates::Eligible& eligible);
  // Whether nodes that may be used together take so many tasks.
  bool takes(std::uint64_t tasks) const;
  // Whether all nodes together do, regardless of domains.
  bool takes_anywhere(std::uint64_t tasks) const { return tasks_ >= tasks; }
  std::size_t units() const { return units_; }                    // candidates
  std::uint64_t counted_nodes() const { return counted_nodes_; }  // usable nodes that are in some domain
  // How much of a resource would be free; for resources asked for on nodes.
  Total free(std::uint32_t resource) const;

 private:
  struct NodeRoom {
    std::uint32_t tasks = 0;
    std::uint32_t units = 0;  // units with their first task here
    std::uint32_t domain = kNowhere;
    bool usable = false;
  };
  void begin(const SearchProblem& problem);
  std::vector<const Unit*> units_on(const std::vector<std::uint32_t>& nodes) const;
  void add_first_nodes(std::vector<std::uint32_t>& nodes) const;
  void count(std::uint32_t node, int sign);
  bool is_counted(const NodeRoom& room) const { return room.usable && (!bound_ || room.domain != kNowhere); }

  const GroupIndex& group_index_;
  NodeChangeTracker watch_;
  bool bound_ = false;  // whether the request constrains domains
  DomainConstraint need_;
  std::vector<std::uint32_t> asked_;  // resources
  std::vector<NodeRoom> by_node_;
  std::vector<Total> free_;  // by node, then by resource in asked_
  std::vector<std::uint64_t> by_domain_;
  std::uint64_t tasks_ = 0;
  std::uint64_t counted_nodes_ = 0;
  std::size_t units_ = 0;
  std::vector<Total> sums_;  // of free_
  std::vector<CandidateScores::Index> book_;
};

// What two requests must have in common to be served by the same sets of victims.
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
  std::uint32_t most_per_node = 1;
  bool gang = false;  // several tasks
  auto operator<=>(const RequestKind&) const = default;
};

// The caches of each recent kind of request. Callers must hold the mutex.
class RequestCaches {
 public:
  std::mutex mutex;
  NodeCache& nodes(const GroupIndex& group_index, const RequestKind& kind);
  DomainCache& domains(const GroupIndex& group_index, const RequestKind& kind);
  GangAnswerCache& answer(const GroupIndex& group_index, const RequestKind& kind);
  RoomCache& room(const GroupIndex& group_index, const RequestKind& kind);
  // Null if no request of this kind was refused for lack of room.
  RoomCache* known_room(const RequestKind& kind);
  FreeNodeCache& free(const GroupIndex& group_index, ShapeId shape);
  // How many nodes were searched for requests for one task.
  std::uint64_t searched_nodes() const;

 private:
  struct Caches {
    std::unique_ptr<NodeCache> nodes;
    std::unique_ptr<DomainCache> domains;
    std::unique_ptr<GangAnswerCache> answer;
    std::unique_ptr<RoomCache> room;
  };
  Caches& of(const GroupIndex& group_index, const RequestKind& kind);
  static std::size_t most_kept(const GroupIndex& group_index);
  std::map<RequestKind, Caches> by_kind_;
  std::map<ShapeId, FreeNodeCache> by_shape_;
};

}  // namespace cede
