// SPDX-License-Identifier: MIT
#include "search/request_caches.h"

#include <algorithm>

namespace cede {

namespace {

// So many kinds are kept that all of them together know no more than this many nodes.
constexpr std::size_t kNodesKnown = 2'000'000;
constexpr std::size_t kFewestKinds = 4;
constexpr std::size_t kMostKinds = 64;

}  // namespace

std::size_t RequestCaches::most_kept(const GroupIndex& group_index) {
  return std::clamp(kNodesKnown / std::max<std::size_t>(1, group_index.nodes().size()), kFewestKinds,
                    kMostKinds);
}

RequestCaches::Caches& RequestCaches::of(const GroupIndex& group_index, const RequestKind& kind) {
  const auto at = by_kind_.find(kind);
  if (at != by_kind_.end()) return at->second;
  if (by_kind_.size() >= most_kept(group_index)) by_kind_.clear();
  return by_kind_[kind];
}

FreeNodeCache& RequestCaches::free(const GroupIndex& group_index, ShapeId shape) {
  const auto at = by_shape_.find(shape);
  if (at != by_shape_.end()) return at->second;
  if (by_shape_.size() >= most_kept(group_index)) by_shape_.clear();
  return by_shape_.try_emplace(shape, group_index).first->second;
}

NodeCache& RequestCaches::nodes(const GroupIndex& group_index, const RequestKind& kind) {
  Caches& cache = of(group_index, kind);
  if (!cache.nodes) cache.nodes = std::make_unique<NodeCache>(group_index);
  return *cache.nodes;
}

DomainCache& RequestCaches::domains(const GroupIndex& group_index, const RequestKind& kind) {
  Caches& cache = of(group_index, kind);
  if (!cache.domains) cache.domains = std::make_unique<DomainCache>(group_index);
  return *cache.domains;
}

GangAnswerCache& RequestCaches::answer(const GroupIndex& group_index, const RequestKind& kind) {
  Caches& cache = of(group_index, kind);
  if (!cache.answer) cache.answer = std::make_unique<GangAnswerCache>(group_index);
  return *cache.answer;
}

RoomCache& RequestCaches::room(const GroupIndex& group_index, const RequestKind& kind) {
  Caches& cache = of(group_index, kind);
  if (!cache.room) cache.room = std::make_unique<RoomCache>(group_index);
  return *cache.room;
}

RoomCache* RequestCaches::known_room(const RequestKind& kind) {
  const auto at = by_kind_.find(kind);
  return at == by_kind_.end() ? nullptr : at->second.room.get();
}

}  // namespace cede
