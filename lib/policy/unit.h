// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <utility>
#include <vector>

#include "model/ids.h"
#include "model/plan.h"
#include "policy/settings/effective_settings.h"
#include "policy/shape_views.h"

namespace cede {

// The task rows of a unit, in order. A job's rows are consecutive, and nearly always all of them, or just
// one, make up a unit: such a run is kept as two numbers, and only any other choice of rows as a list.
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
    std::uint32_t at_ = 0;  // in the list; of a run the row itself
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

  // The lowest bit tells the two apart: no list lies at an odd address.
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
// offers each task beyond `min_tasks`, newest first and never an originator, or itself as a whole, never both
// in one set.
struct Unit {
  UnitTasks tasks;         // placed rows, in the job's order
  std::uint64_t hold = 0;  // not running: space kept for the job by this entry, not yet ready
  Time start = 0;          // of a gang its job's, else the task's own
  std::int64_t held = -1;  // see gpus_or_nodes(); -1: not counted yet, or too much for this
  JobId job;
  std::int32_t priority = 0;   // of a gang the highest of its tasks
  std::uint32_t slot = 0;      // its place in the list of all units, where there is one
  bool whole_job = false;      // none of the job's placed tasks stays
  bool whole_elastic = false;  // the exclusive alternative to its single tasks
  bool last_resort = false;
  bool preemptible = true;
};
static_assert(sizeof(Unit) == 48, "nearly every running task is one: the widest members come first");

// The units a victim is made of: a whole gang is one, of any other job each task is.
std::vector<Unit> units_of(const EffectiveSettings& effective, const PlannedVictim& victim);

// All units with a task on a node of the group, in the order of their job's name and their position in it.
// A hold that is not ready is one unit of its requester.
std::vector<Unit> make_units(const EffectiveSettings& effective, GroupId group, const InFlight& in_flight);
// Those of one job.
std::vector<Unit> make_job_units(const EffectiveSettings& effective, JobId job, const InFlight& in_flight);
// The unit of a job that is one, all of whose tasks are placed and no hold; the same as make_job_units()
// makes of it. For whoever makes those of a whole cluster, where nearly all are of this sort, and has looked
// up the rows: either it has one task, or it is a gang that is not elastic and whose tasks say nothing beyond
// their cores. `gpus`: how much of that resource they hold; for a gang not 0.
struct PlainJob {
  JobId id;
  const JobCore& job;
  const JobTimes& times;
  Amount gpus;
};
void make_plain_unit(const EffectiveSettings& effective, const PlainJob& plain, Unit& out);
// The order they are made in, which is also the one people are shown.
bool comes_before(const Model& model, const Unit& a, const Unit& b);

// How many GPUs a unit holds, in thousandths; where it holds none, on how many nodes it runs.
Total gpus_or_nodes(const Model& model, const Unit& unit);

}  // namespace cede
