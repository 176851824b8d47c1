// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>

#include "base/cow_vector.h"
#include "base/sparse_column.h"
#include "model/rows.h"

namespace cede {

// The task rows of all jobs. The rows of a job are consecutive. Freed runs are reused by size, so that the
// table does not grow while jobs come and go in steady state.
class TaskTable {
 public:
  // Allocates a run of `rows` new rows.
  TaskId allocate(std::uint32_t rows) {
    if (rows != 1 || free_[0].count > 0) return allocate_run(rows);
    const std::size_t first = cores_.size();
    cores_.grow_to(first + 1);
    ++live_;
    return TaskId{first};
  }
  void free(TaskId first, std::uint32_t rows);

  const TaskCore& core(TaskId id) const { return cores_[id.value]; }
  // For reading rows roughly in order. Valid until the table changes.
  class Reader {
   public:
    explicit Reader(const TaskTable& table) : cores_(table.cores_) {}
    const TaskCore& operator[](TaskId id) { return cores_[id.value]; }

   private:
    CowVector<TaskCore>::Reader cores_;
  };

  const TaskExtras& extras(TaskId id) const { return extras_[id.value]; }
  TaskCore& edit_core(TaskId id) { return cores_.edit(id.value); }
  [[gnu::always_inline]] void fetch(TaskId id) const { cores_.fetch_one(id.value); }
  void set_extras(TaskId id, const TaskExtras& extras) { extras_.set(id.value, extras); }

  bool same_storage(const TaskTable& other) const { return cores_.same_storage(other.cores_); }
  // Calls visit(id) for every row, live or not, that may differ from the one in `before`.
  template <class Visit>
  void for_each_unshared(const TaskTable& before, Visit visit) const {
    cores_.for_each_unshared(before.cores_, [&](std::size_t i) { visit(TaskId{i}); });
  }

  template <class Visit>
  void each_part(Visit visit) {
    visit(cores_, extras_, live_);
    for (FreeRuns& runs : free_) visit(runs.first, runs.count);
  }

  // Whether any task has more than its core.
  bool has_extras() const { return extras_.stored() > 0; }
  std::size_t live() const { return live_; }
  std::size_t id_bound() const { return cores_.size(); }

 private:
  TaskId allocate_run(std::uint32_t rows);

  static constexpr std::size_t kSizes = 33;
  // Runs are rounded up to a power of two; one stack of free runs per power.
  struct FreeRuns {
    CowVector<std::uint32_t> first;
    std::uint32_t count = 0;
  };

  CowVector<TaskCore> cores_;
  SparseColumn<TaskExtras> extras_;
  std::array<FreeRuns, kSizes> free_;
  std::size_t live_ = 0;
};

}  // namespace cede
