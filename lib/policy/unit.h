// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <utility>
#include <vector>

#include "model/ids.h"
#include "model/plan.h"
#include "policy/group_usage.h"
#include "policy/settings/effective_settings.h"

namespace cede {

// The task rows of a unit, in order. A job's rows are consecutive, and a unit nearly always consists of all
// of them or of one. Such a run is stored as two numbers; any other choice of rows is stored as a list.
class UnitTasks {
 public:
  class Iterator {
   public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = TaskId;
    using difference_type = std::ptrdiff_t;
    using pointer = const TaskId*;
    using reference = TaskId;

    Iterator() = default;
    Iterator(const TaskId* list, std::uint32_t at) : list_(list), at_(at) {}
    TaskId operator*() const { return list_ ? list_[at_] : TaskId{at_}; }
    Iterator& operator++() {
      ++at_;
      return *this;
    }
    Iterator operator++(int) { return std::exchange(*this, Iterator(list_, at_ + 1)); }
    bool operator==(const Iterator& other) const { return at_ == other.at_; }

   private:
    const TaskId* list_ = nullptr;
    std::uint32_t at_ = 0;  // index into the list; for a run, the row itself
  };

  UnitTasks() = default;
  UnitTasks(TaskId task) : bits_(run(task.value, 1)) {}
  UnitTasks(TaskId first, std::uint32_t size) : bits_(run(first.value, size)) {}
  UnitTasks(const std::vector<TaskId>& tasks);
  UnitTasks(const UnitTasks& other) : bits_(other.is_run() ? other.bits_ : bits_of(other.list())) {}
  UnitTasks(UnitTasks&& other) noexcept : bits_(std::exchange(other.bits_, kNone)) {}
  UnitTasks& operator=(UnitTasks other) noexcept {
    std::swap(bits_, other.bits_);
    return *this;
  }
  ~UnitTasks() {
    if (!is_run()) delete &list();
  }

  std::size_t size() const { return is_run() ? run_size() : list().size(); }
  bool empty() const { return bits_ == kNone; }
  TaskId front() const { return *begin(); }
  TaskId operator[](std::size_t i) const { return is_run() ? TaskId{run_first() + i} : list()[i]; }
  Iterator begin() const { return is_run() ? Iterator(nullptr, run_first()) : Iterator(list().data(), 0); }
  Iterator end() const {
    return is_run() ? Iterator(nullptr, run_first() + run_size())
                    : Iterator(list().data(), static_cast<std::uint32_t>(list().size()));
  }
  operator std::vector<TaskId>() const { return std::vector<TaskId>(begin(), end()); }

 private:
  using List = std::vector<TaskId>;
  static constexpr std::uint64_t kNone = 1;

  // The lowest bit marks a run: no list has an odd address.
  static constexpr std::uint64_t run(std::uint32_t first, std::uint32_t size) {
    return std::uint64_t{first} << 32 | std::uint64_t{size} << 1 | 1;
  }
  static std::uint64_t bits_of(const List& list) { return reinterpret_cast<std::uintptr_t>(new List(list)); }
  bool is_run() const { return (bits_ & 1) != 0; }
  std::uint32_t run_first() const { return static_cast<std::uint32_t>(bits_ >> 32); }
  std::uint32_t run_size() const { return static_cast<std::uint32_t>(bits_) >> 1; }
  const List& list() const { return *reinterpret_cast<const List*>(static_cast<std::uintptr_t>(bits_)); }

  std::uint64_t bits_ = kNone;
};

inline UnitTasks::UnitTasks(const std::vector<TaskId>& tasks) {
  bool consecutive = true;
  for (std::size_t i = 1; i < tasks.size(); ++i)
    consecutive = consecutive && tasks[i].value == tasks[0].value + i;
  if (!tasks.empty())
    bits_ = consecutive ? run(tasks[0].value, static_cast<std::uint32_t>(tasks.size())) : bits_of(tasks);
}

// What can be preempted on its own: a whole gang, or one task of a job that is not a gang. An elastic job
// offers each task beyond `min_tasks` (newest first, never an originator), or the whole job. One set never
// contains both.
struct Unit {
  UnitTasks tasks;  // placed rows, in the job's order
  // the entry that holds this space for the job, not ready yet; 0: the unit is running
  std::uint64_t hold = 0;
  Time start = 0;          // for a gang, of its job; else of the task
  std::int64_t held = -1;  // see gpus_or_nodes(); -1: not counted yet, or out of range
  JobId job;
  std::int32_t priority = 0;   // for a gang, the highest of its tasks
  std::uint32_t slot = 0;      // index in the list of all units, if there is one
  bool whole_job = false;      // no placed task of the job remains
  bool whole_elastic = false;  // the whole elastic job; excludes its single tasks
  bool last_resort = false;
  bool preemptible = true;
};
static_assert(sizeof(Unit) == 48, "nearly every running task is one: the widest members come first");

// The units of a victim: a whole gang is one unit; in any other job each task is one.
std::vector<Unit> units_of(const EffectiveSettings& effective, const PlannedVictim& victim);

// The units of one job. A hold that is not ready is one unit of its requester.
std::vector<Unit> make_job_units(const EffectiveSettings& effective, JobId job, const InFlight& in_flight);
// A job that is a single unit, with all tasks placed and no hold. The result equals that of make_job_units().
// This is the fast path for a whole cluster, where nearly all jobs are of this kind and the caller has looked
// up the rows. The job either has one task, or is a gang that is not elastic and whose tasks state nothing
// beyond their cores. `gpus` is how much of that resource the tasks hold; for a gang it is not 0.
struct PlainJob {
  JobId id;
  const JobCore& job;
  const JobTimes& times;
  Amount gpus;
};
void make_plain_unit(const EffectiveSettings& effective, const PlainJob& plain, Unit& out);
// The order in which units are created, which is also the order shown to users.
bool comes_before(const Model& model, const Unit& a, const Unit& b);

// The nodes where a unit frees space: those of its tasks; of a hold also those where its victims leave more
// than its requester takes. A node may be listed twice.
std::vector<NodeId> nodes_of(const Model& model, const InFlight& in_flight, const Unit& unit);

// How many GPUs a unit holds, in thousandths. A unit without GPUs counts the nodes it runs on.
Total gpus_or_nodes(const Model& model, const Unit& unit);

}  // namespace cede
