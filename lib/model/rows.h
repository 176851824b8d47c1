// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "base/amount.h"
#include "base/time.h"
#include "model/ids.h"
#include "model/node_class.h"
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

// A job in parallel columns: the fields that decisions read first, its times, and separate columns for rare
// fields. Fields that the document does not give stay absent, because some defaults depend on the profile.

struct JobCore {
  NameId name = kNoName;  // in the table of job names, which is separate from all other names
  QueueId queue;
  GroupId group;
  TaskId first_task;  // its task rows are consecutive, in document order
  std::uint32_t task_rows = 0;
  std::int32_t priority = 0;
  bool has_priority = false;
  JobState state = JobState::pending;
  JobKind kind = JobKind::absent;
  std::uint8_t job_class = 0xFF;  // 0xFF: absent
  OptionalFlag gang = OptionalFlag::absent;
  Preemptible preemptible = Preemptible::absent;
  OptionalFlag may_preempt = OptionalFlag::absent;
  bool resume = false;
  bool interruptible = false;
  std::uint32_t stamp = 0;
};

inline constexpr std::uint8_t kNoClass = 0xFF;

struct JobTimes {
  Time submitted = kNoTime;
  Time started = kNoTime;
  Duration walltime = kNoDuration;

  bool operator==(const JobTimes&) const = default;
};

// Since when the job has been waiting, running or below its share this time.
struct JobStateTimes {
  Time waiting_since = kNoTime;
  Time resumed = kNoTime;
  Time below_fair_share_since = kNoTime;

  bool operator==(const JobStateTimes&) const = default;
};

struct JobOwners {
  NameId app = kNoName;
  NameId user = kNoName;
  NameId project = kNoName;
  NameId tenant = kNoName;

  bool operator==(const JobOwners&) const = default;
};

struct JobCheckpoint {
  Time last = kNoTime;
  Duration estimate = kNoDuration;
  Duration timeout = kNoDuration;
  Duration restart = kNoDuration;
  CheckpointMode mode = CheckpointMode::absent;
  CheckpointVia via = CheckpointVia::absent;

  bool operator==(const JobCheckpoint&) const = default;
};

struct JobExtras {
  std::int64_t value = -1;       // in thousandths of a minute; -1: none
  std::int64_t fair_share = -1;  // in 10^-12; -1: the library computes it
  ShapeId max = kNoShape;        // explicit zeros count
  BlobId settings = kNoBlob;
  RequirementId require;
  BlobId site = kNoBlob;
  std::uint32_t preempted_count = 0;
  std::uint32_t min_tasks = 0;  // 0: not elastic

  bool operator==(const JobExtras&) const = default;
};

inline constexpr std::uint32_t kMaxTaskCount = (1U << 30) - 1;

// One element of `tasks`: a running task, a waiting task, or `count` equal waiting tasks.
struct TaskCore {
  JobId job;
  NodeId node;  // none: waits
  ShapeId resources = kNoShape;
  std::uint32_t count : 30 = 1;
  bool counted : 1 = false;     // given with `count`: its tasks are id#0, id#1 … even if there is only one
  bool gpus_given : 1 = false;  // `gpus` was given, possibly as an empty list
  DeviceMask gpus = 0;          // whole devices held
  TaskId next_on_node;
  TaskId previous_on_node;
};

struct TaskExtras {
  Time started = kNoTime;
  NameId name = kNoName;  // none: `t` and its position
  NameId required_node = kNoName;
  BlobId shares = kNoBlob;  // DeviceShares
  BlobId site = kNoBlob;
  std::int32_t priority = 0;
  bool has_priority = false;
  bool originator = false;
  Preemptible preemptible = Preemptible::absent;
  OptionalFlag may_preempt = OptionalFlag::absent;

  bool operator==(const TaskExtras&) const = default;
};

// Every running task has these three, so each byte here costs a byte per task of the cluster. Rare fields
// belong into the other rows, which are sparse columns.
static_assert(sizeof(JobCore) == 40 && sizeof(JobTimes) == 24 && sizeof(TaskCore) == 32);

}  // namespace cede
