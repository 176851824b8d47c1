// SPDX-License-Identifier: MIT
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>

#include "search/domain_cache.h"
#include "search/free_node_cache.h"
#include "search/gang_answer_cache.h"
#include "search/node_cache.h"
#include "search/room_cache.h"

namespace cede {

// What two requests must have in common for the same sets of victims to do for both.
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

// What is remembered for each kind of request that was asked for lately. Whoever uses it holds the mutex.
class RequestCaches {
 public:
  std::mutex mutex;
  NodeCache& nodes(const GroupIndex& group_index, const RequestKind& kind);
  DomainCache& domains(const GroupIndex& group_index, const RequestKind& kind);
  GangAnswerCache& answer(const GroupIndex& group_index, const RequestKind& kind);
  RoomCache& room(const GroupIndex& group_index, const RequestKind& kind);
  // Null where no request of the kind was refused for lack of room.
  RoomCache* known_room(const RequestKind& kind);
  FreeNodeCache& free(const GroupIndex& group_index, ShapeId shape);

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
