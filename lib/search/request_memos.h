// SPDX-License-Identifier: MIT
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>

#include "search/answer_memo.h"
#include "search/domain_memo.h"
#include "search/free_memo.h"
#include "search/node_memo.h"
#include "search/room_memo.h"

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
class RequestMemos {
 public:
  std::mutex mutex;
  NodeMemo& nodes(const Ground& ground, const RequestKind& kind);
  DomainMemo& domains(const Ground& ground, const RequestKind& kind);
  AnswerMemo& answer(const Ground& ground, const RequestKind& kind);
  RoomMemo& room(const Ground& ground, const RequestKind& kind);
  // Null where no request of the kind was refused for lack of room.
  RoomMemo* known_room(const RequestKind& kind);
  FreeMemo& free(const Ground& ground, ShapeId shape);

 private:
  struct Memo {
    std::unique_ptr<NodeMemo> nodes;
    std::unique_ptr<DomainMemo> domains;
    std::unique_ptr<AnswerMemo> answer;
    std::unique_ptr<RoomMemo> room;
  };
  Memo& of(const Ground& ground, const RequestKind& kind);
  static std::size_t most_kept(const Ground& ground);
  std::map<RequestKind, Memo> by_kind_;
  std::map<ShapeId, FreeMemo> by_shape_;
};

}  // namespace cede
