// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/array_edit.h"

namespace cede {

// Puts and removes single tasks of jobs that are there. Each job touched is put again as it is but for those
// tasks, so everything that holds of a job is checked.
class TaskEdit {
 public:
  explicit TaskEdit(ArrayEdit& arrays) : arrays_(arrays) {}

  // Entry `index` of the call. A task whose id the job has is replaced, any other comes behind the last; one
  // without an id always does.
  void put(std::string_view job, const TaskDraft& task, std::size_t index);
  void remove(std::string_view job, std::string_view task, std::size_t index);
  // Hands all of it to the edit.
  void finish();
  // The edit speaks of the jobs; makes its problems speak of the call's entries where they are about one, and
  // of the job by name elsewhere.
  void rename_places(Problems& problems) const;

 private:
  static constexpr std::size_t kUntouched = static_cast<std::size_t>(-1);
  struct Touched {
    JobDraft draft;
    std::string name;
    std::vector<std::size_t> entries;  // which entry gave each task; kUntouched: none did
    std::vector<bool> gone;
    std::unordered_map<std::string, std::uint32_t> positions;  // by task id
  };

  Touched* find(std::string_view job);
  void drop_removed(Touched& job);
  void name_new(Touched& job);

  ArrayEdit& arrays_;
  std::vector<Touched> jobs_;
  std::map<std::uint32_t, std::size_t> by_id_;  // JobId to its place in jobs_
};

}  // namespace cede
