// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>

#include "base/cow_vector.h"
#include "base/sparse_column.h"
#include "model/ids.h"
#include "model/rows.h"

namespace cede {

// Rows of one kind with dense ids, found by interned name. Freed ids are reused, the last freed first.
template <class IdType, class Row>
class NamedTable {
 public:
  const Row& operator[](IdType id) const { return rows_[id.value]; }
  Row& edit(IdType id) { return rows_.edit(id.value); }

  IdType find(NameId name) const {
    if (name >= by_name_.size()) return {};
    const std::uint32_t slot = by_name_[name];
    return slot == 0 ? IdType{} : IdType{slot - 1};
  }

  IdType add(NameId name) {
    Row row;
    row.name = name;
    return add(row);
  }
  IdType add(const Row& row) {
    const NameId name = row.name;
    std::uint32_t slot = 0;
    if (free_count_ > 0) {
      slot = free_[--free_count_];
      rows_.edit(slot) = row;
    } else {
      slot = static_cast<std::uint32_t>(rows_.size());
      rows_.push_back(row);
    }
    if (name >= by_name_.size()) by_name_.grow_to(name + 1);
    by_name_.edit(name) = slot + 1;
    ++live_;
    return IdType{slot};
  }

  void remove(IdType id) {
    by_name_.edit(rows_[id.value].name) = 0;
    rows_.edit(id.value) = Row{};
    if (free_.size() == free_count_) {
      free_.push_back(id.value);
    } else {
      free_.edit(free_count_) = id.value;
    }
    ++free_count_;
    --live_;
  }

  // The ids that the next added rows will get, one after the other. They can be read while another thread
  // adds the rows.
  class NextIds {
   public:
    explicit NextIds(const NamedTable& table)
        : free_(&table.free_),
          free_count_(table.free_count_),
          fresh_(table.rows_.size()),
          live_(table.live_) {}
    IdType take() {
      ++live_;
      return IdType{free_count_ > 0 ? (*free_)[--free_count_] : fresh_++};
    }
    std::size_t live() const { return live_; }

   private:
    const CowVector<std::uint32_t>* free_;  // add() only shrinks it
    std::uint32_t free_count_;
    std::size_t fresh_;
    std::size_t live_;
  };

  template <class Visit>
  void each_part(Visit visit) {
    visit(rows_, by_name_, free_, free_count_, live_);
  }

  bool is_live(IdType id) const { return id.value < rows_.size() && rows_[id.value].name != kNoName; }
  std::size_t live() const { return live_; }
  std::size_t id_bound() const { return rows_.size(); }

  // For reading rows roughly in the order of their ids. Valid until the table changes.
  class Reader {
   public:
    explicit Reader(const NamedTable& table) : rows_(table.rows_) {}
    const Row& operator[](IdType id) { return rows_[id.value]; }

   private:
    typename CowVector<Row>::Reader rows_;
  };

  // Calls visit(id, row) for every live row in id order. The visitor must not change the table.
  template <class Visit>
  void for_each(Visit visit) const {
    typename CowVector<Row>::Reader rows(rows_);
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const Row& row = rows[i];
      if (row.name != kNoName) visit(IdType{i}, row);
    }
  }

  bool same_storage(const NamedTable& other) const { return rows_.same_storage(other.rows_); }

  // Calls visit(id) for every id, live or not, whose row may differ from the one in `before`.
  template <class Visit>
  void for_each_unshared(const NamedTable& before, Visit visit) const {
    rows_.for_each_unshared(before.rows_, [&](std::size_t i) { visit(IdType{i}); });
  }

 private:
  CowVector<Row> rows_;
  CowVector<std::uint32_t> by_name_;  // id + 1; 0: none
  CowVector<std::uint32_t> free_;
  std::uint32_t free_count_ = 0;
  std::size_t live_ = 0;
};

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
