// SPDX-License-Identifier: MIT
#pragma once

#include <compare>
#include <cstdint>
#include <limits>

namespace cede {

// A dense number for objects of one kind. Numbers of removed objects are reused, so no decision may depend on
// their order; ties are broken by name.
template <class Tag>
struct Id {
  static constexpr std::uint32_t kNoValue = std::numeric_limits<std::uint32_t>::max();
  std::uint32_t value = kNoValue;

  constexpr Id() = default;
  constexpr explicit Id(std::size_t v) : value(static_cast<std::uint32_t>(v)) {}
  constexpr explicit operator bool() const { return value != kNoValue; }
  auto operator<=>(const Id&) const = default;
};

using NodeId = Id<struct NodeTag>;
using GroupId = Id<struct GroupTag>;
using DomainId = Id<struct DomainTag>;
using QueueId = Id<struct QueueTag>;
using JobId = Id<struct JobTag>;
using TaskId = Id<struct TaskTag>;
using ReservationId = Id<struct ReservationTag>;
using TopologyId = Id<struct TopologyTag>;
using ClassId = Id<struct ClassTag>;
using RequirementId = Id<struct RequirementTag>;
using ResourceId = Id<struct ResourceTag>;

// Interned bytes; 0 means "not given" for all of them.
using NameId = std::uint32_t;
using ShapeId = std::uint32_t;  // a resource vector
using BlobId = std::uint32_t;   // any other interned bytes

inline constexpr NameId kNoName = 0;
inline constexpr ShapeId kNoShape = 0;
inline constexpr BlobId kNoBlob = 0;

}  // namespace cede
