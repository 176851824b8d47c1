// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
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

// A job without its tasks.
struct JobHead {
  JobCore core;
  JobTimes times;
  JobStateTimes state_times;
  JobOwners owners;
  JobCheckpoint checkpoint;
  JobExtras extras;
  NameId queue = kNoName;
  NameId group = kNoName;
};

struct JobDraft : JobHead {
  std::vector<TaskDraft> tasks;
};

// The jobs of a document, which wait until all that they may refer to is known. The list is in blocks, and
// each block is freed once its jobs are written.
class WaitingJobs {
 public:
  // `index`: the job's place in its list.
  void add(std::size_t index, const JobDraft& draft) {
    if (blocks_.empty() || blocks_.back().jobs.size() == kBlockJobs) {
      blocks_.emplace_back();
      blocks_.back().jobs.reserve(kBlockJobs);
    }
    Block& block = blocks_.back();
    block.tasks.insert(block.tasks.end(), draft.tasks.begin(), draft.tasks.end());
    block.jobs.push_back({draft, index, block.tasks.size()});
  }

  // Calls take(index, head, tasks) for each in order, and forgets it.
  template <class Take>
  void take_all(Take take) {
    for (Block& block : blocks_) {
      std::size_t first = 0;
      for (const Job& job : block.jobs) {
        take(job.index, job.head, std::span(block.tasks).subspan(first, job.tasks_end - first));
        first = job.tasks_end;
      }
      block = {};
    }
    blocks_.clear();
  }

 private:
  static constexpr std::size_t kBlockJobs = 256;
  struct Job {
    JobHead head;
    std::size_t index;
    std::size_t tasks_end;  // in the tasks of its block
  };
  struct Block {
    std::vector<Job> jobs;
    std::vector<TaskDraft> tasks;
  };

  std::vector<Block> blocks_;
};

// The kinds that have ids of their own, in the order of their words.
enum class Kind : std::uint8_t { topology, domain, group, reservation, queue, node, job };
inline constexpr std::array<std::string_view, 7> kKindMembers{
    "topologies", "domains", "groups", "reservations", "queues", "nodes", "jobs"};
inline constexpr std::array<std::string_view, 7> kKindWords{"topology", "domain", "group", "reservation",
                                                            "queue",    "node",   "job"};

// The jobs and nodes that one change removed from the model. Of very many only some are listed.
struct RemovedNames {
  static constexpr std::size_t kMost = 1024;

  std::vector<std::string> jobs;
  std::vector<std::string> nodes;
  bool more = false;  // others were removed too

  void add(std::vector<std::string>& list, std::string_view name) {
    if (list.size() < kMost) {
      list.emplace_back(name);
    } else {
      more = true;
    }
  }
};

}  // namespace cede
