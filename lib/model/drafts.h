// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "model/node_class.h"
#include "model/rows.h"

namespace cede {

// What a document or a typed call says about one object: its row, and beside it the references that can only
// be resolved once everything else is known. Names, shapes and texts are already interned in the edit's
// model. Readers reuse one draft for all objects of a kind, so nothing is allocated per object.

struct GroupDraft {
  GroupRow row;
};

struct DomainDraft {
  DomainRow row;
  NameId level = kNoName;
  NameId parent = kNoName;
};

struct TopologyDraft {
  TopologyRow row;
  NodeClass node_class;
};

struct ReservationDraft {
  ReservationRow row;
  NameId queue = kNoName;
  std::vector<NameId> nodes;
};

struct QueueDraft {
  QueueRow row;
  NameId parent = kNoName;
};

struct NodeDraft {
  NodeRow row;
  Time overcommit_since = kNoTime;
  NameId group = kNoName;
  NameId topology = kNoName;
  NameId home = kNoName;
  std::vector<NameId> network;
};

struct TaskDraft {
  TaskCore core;
  TaskExtras extras;
  NameId node = kNoName;
  Amount gpu = -1;  // how much of that its resources are, where it is known
};

// What many jobs say about themselves.
struct JobHead {
  JobCore core;
  JobTimes times;
  JobSpells spells;
  JobOwners owners;
  JobCheckpoint checkpoint;
};

struct JobDraft : JobHead {
  JobExtras extras;
  NameId queue = kNoName;
  NameId group = kNoName;
  std::vector<TaskDraft> tasks;
};

struct Model;
// A job as it is, to be put again with something changed.
JobDraft draft_of(const Model& model, JobId id);

// The kinds that have ids of their own, in the order of their words.
enum class Kind : std::uint8_t { topology, domain, group, reservation, queue, node, job };
inline constexpr std::array<std::string_view, 7> kKindMembers{
    "topologies", "domains", "groups", "reservations", "queues", "nodes", "jobs"};
inline constexpr std::array<std::string_view, 7> kKindWords{"topology", "domain", "group", "reservation",
                                                            "queue",    "node",   "job"};

}  // namespace cede
