// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <vector>

#include "model/ids.h"
#include "policy/setting.h"

namespace cede {

class Effective;

// What Effective answers about each queue, worked out once: rules ask it for every unit.
class QueueTable {
 public:
  explicit QueueTable(const Effective& effective);

  // Of the profile's own settings.
  std::int64_t setting(Setting id, QueueId queue) const {
    return rows_[queue.value].settings[static_cast<std::size_t>(id)];
  }
  bool preemption_on(QueueId queue) const { return rows_[queue.value].on; }
  JobKind kind(QueueId queue) const { return rows_[queue.value].kind; }
  std::int64_t priority_offset(QueueId queue) const { return rows_[queue.value].offset; }

 private:
  struct Row {
    std::array<std::int64_t, kSettingCount> settings{};
    std::int64_t offset = 0;
    JobKind kind = JobKind::batch;
    bool on = true;
  };
  std::vector<Row> rows_;  // by QueueId
};

}  // namespace cede
