// SPDX-License-Identifier: MIT
#include "search/request_memos.h"

#include <algorithm>

namespace cede {

namespace {

// So many kinds are kept that all of them together know no more than this many nodes.
constexpr std::size_t kNodesKnown = 2'000'000;
constexpr std::size_t kFewestKinds = 4;
constexpr std::size_t kMostKinds = 64;

}  // namespace

std::size_t RequestMemos::most_kept(const Ground& ground) {
  return std::clamp(kNodesKnown / std::max<std::size_t>(1, ground.nodes().size()), kFewestKinds, kMostKinds);
}

RequestMemos::Memo& RequestMemos::of(const Ground& ground, const RequestKind& kind) {
  const auto at = by_kind_.find(kind);
  if (at != by_kind_.end()) return at->second;
  if (by_kind_.size() >= most_kept(ground)) by_kind_.clear();
  return by_kind_[kind];
}

FreeMemo& RequestMemos::free(const Ground& ground, ShapeId shape) {
  const auto at = by_shape_.find(shape);
  if (at != by_shape_.end()) return at->second;
  if (by_shape_.size() >= most_kept(ground)) by_shape_.clear();
  return by_shape_.try_emplace(shape, ground).first->second;
}

NodeMemo& RequestMemos::nodes(const Ground& ground, const RequestKind& kind) {
  Memo& memo = of(ground, kind);
  if (!memo.nodes) memo.nodes = std::make_unique<NodeMemo>(ground);
  return *memo.nodes;
}

DomainMemo& RequestMemos::domains(const Ground& ground, const RequestKind& kind) {
  Memo& memo = of(ground, kind);
  if (!memo.domains) memo.domains = std::make_unique<DomainMemo>(ground);
  return *memo.domains;
}

AnswerMemo& RequestMemos::answer(const Ground& ground, const RequestKind& kind) {
  Memo& memo = of(ground, kind);
  if (!memo.answer) memo.answer = std::make_unique<AnswerMemo>(ground);
  return *memo.answer;
}

RoomMemo& RequestMemos::room(const Ground& ground, const RequestKind& kind) {
  Memo& memo = of(ground, kind);
  if (!memo.room) memo.room = std::make_unique<RoomMemo>(ground);
  return *memo.room;
}

RoomMemo* RequestMemos::known_room(const RequestKind& kind) {
  const auto at = by_kind_.find(kind);
  return at == by_kind_.end() ? nullptr : at->second.room.get();
}

}  // namespace cede
