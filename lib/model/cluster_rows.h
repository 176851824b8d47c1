// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "base/amount.h"
#include "base/time.h"
#include "model/ids.h"
#include "model/words.h"

namespace cede {

// The rows of everything but jobs. A row holds resolved ids only; counters of who refers to it make removal
// safe without a search. `site` is the interned text of the object's own `x-` fields. `stamp` is the edit
// that last put the row, which is how a document naming one id twice is noticed.

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
  BlobId pci =
      kNoBlob;  // the devices' PCI addresses, a NUL behind each; they make no difference to the class
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
  ShapeId max = kNoShape;  // explicit zeros count: they forbid
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
  TaskId first_task;  // the tasks placed here, linked through their rows
  std::uint32_t tasks : 30 = 0;
  NodeState state : 2 = NodeState::up;
  std::uint32_t required_by = 0;  // task rows that name it as their `required_node`
  std::uint32_t reservations = 0;
  std::uint32_t stamp = 0;
  Time fingerprint_at = kNoTime;
};
// A hundred thousand of them are looked at for every plan: one cache line each.
static_assert(sizeof(NodeRow) == 64);

}  // namespace cede
