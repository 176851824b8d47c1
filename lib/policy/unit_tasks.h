// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <utility>
#include <vector>

#include "model/ids.h"

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

}  // namespace cede
