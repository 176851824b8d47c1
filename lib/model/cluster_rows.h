// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "base/amount.h"
#include "base/time.h"
#include "model/ids.h"
#include "model/words.h"

namespace cede {

// The rows of all objects except jobs. A row holds resolved ids only. Reference counters make removal safe
// without a search. `site` is the interned text of the object's own `x-` fields. `stamp` is the edit that
// last put the row; it detects an id that one document names twice.

struct GroupRow {
  NameId name = kNoName;
  NameId policy = kNoName;
  ShapeId resources = kNoShape;
  BlobId site = kNoBlob;
  std::uint32_t nodes = 0;
  std::uint32_t jobs = 0;
  std::uint32_t stamp = 0;
};

struct DomainRow {
  NameId name = kNoName;
  std::uint32_t level = 0;
  DomainId parent;
  BlobId site = kNoBlob;
  std::uint32_t nodes = 0;
  std::uint32_t children = 0;
  std::uint32_t stamp = 0;
};

struct TopologyRow {
  NameId name = kNoName;
  ClassId node_class;
  BlobId pci = kNoBlob;  // PCI addresses of the devices, each with a NUL; the class ignores them
  BlobId site = kNoBlob;
  std::uint32_t nodes = 0;
  std::uint32_t stamp = 0;
};

enum class ReservedFor : std::uint8_t { nobody, queue, user, job };

struct ReservationRow {
  NameId name = kNoName;
  BlobId nodes = kNoBlob;  // NodeIds, sorted by node name
  Time from = kNoTime;
  Time until = kNoTime;  // none: no end
  NameId user = kNoName;
  NameId job = kNoName;  // a job that need not exist yet
  QueueId queue;
  BlobId site = kNoBlob;
  ReservedFor reserved_for = ReservedFor::nobody;
  std::uint32_t stamp = 0;
};

struct QueueRow {
  NameId name = kNoName;
  QueueId parent;
  ShapeId guaranteed = kNoShape;
  ShapeId max = kNoShape;  // explicit zeros count: they forbid the resource
  Amount weight = kNoAmount;
  Duration delay = kNoDuration;
  std::int64_t fair_share = -1;  // in 10^-12; -1: the library computes it
  std::int32_t priority_offset = 0;
  BlobId settings = kNoBlob;
  BlobId site = kNoBlob;
  JobKind kind = JobKind::absent;
  QueuePolicy policy = QueuePolicy::absent;
  std::uint32_t children = 0;
  std::uint32_t jobs = 0;
  std::uint32_t home_nodes = 0;
  std::uint32_t reservations = 0;
  std::uint32_t stamp = 0;
};

struct NodeRow {
  NameId name = kNoName;
  GroupId group;
  ShapeId resources = kNoShape;
  TopologyId topology;
  BlobId network = kNoBlob;  // DomainIds in the order of their levels
  QueueId home;
  BlobId fingerprint = kNoBlob;  // pairs, sorted; one text is the pair ("", text)
  BlobId labels = kNoBlob;       // pairs, sorted
  BlobId site = kNoBlob;
  TaskId first_task;  // head of the list of tasks placed here
  std::uint32_t tasks : 30 = 0;
  NodeState state : 2 = NodeState::up;
  std::uint32_t required_by = 0;  // number of task rows with this `required_node`
  std::uint32_t reservations = 0;
  std::uint32_t stamp = 0;
  Time fingerprint_at = kNoTime;
};
// Every plan reads a hundred thousand of them, so each fits one cache line.
static_assert(sizeof(NodeRow) == 64);

}  // namespace cede
