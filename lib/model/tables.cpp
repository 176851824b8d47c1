// SPDX-License-Identifier: MIT
#include "model/tables.h"

#include <bit>

namespace cede {

TaskId TaskTable::allocate_run(std::uint32_t rows) {
  if (rows == 0) return {};
  const auto power = static_cast<std::size_t>(std::bit_width(rows - 1));
  FreeRuns& runs = free_[power];
  live_ += rows;
  if (runs.count > 0) {
    const std::uint32_t first = runs.first[--runs.count];
    for (std::uint32_t i = 0; i < rows; ++i) cores_.edit(first + i) = TaskCore{};
    return TaskId{first};
  }
  const std::size_t first = cores_.size();
  const std::size_t bound = first + (std::size_t{1} << power);
  cores_.grow_to(bound);
  return TaskId{first};
}

void TaskTable::free(TaskId first, std::uint32_t rows) {
  if (rows == 0) return;
  const auto power = static_cast<std::size_t>(std::bit_width(rows - 1));
  for (std::uint32_t i = 0; i < rows; ++i) {
    cores_.edit(first.value + i) = TaskCore{};
    extras_.set(first.value + i, {});
  }
  FreeRuns& runs = free_[power];
  if (runs.first.size() == runs.count) {
    runs.first.push_back(first.value);
  } else {
    runs.first.edit(runs.count) = first.value;
  }
  ++runs.count;
  live_ -= rows;
}

}  // namespace cede
