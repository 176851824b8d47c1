// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/cow_map.h"
#include "base/time.h"

namespace cede {

enum class StormScope : std::uint8_t { queue, user, group };

// How much was taken lately: preemptions of a victim queue and of a victim user, lost work of a group, each
// counted at commit. What was taken at t counts at every now < t + window.
//
// Beyond kMaxRecords of one name, those within a 2048th of the window count as of the latest of them: never
// too little, and memory stays bounded. Sums stop at kMaxSum.
class StormWindow {
 public:
  struct Record {
    Time at = kNoTime;
    std::int64_t amount = 0;
    bool operator==(const Record&) const = default;
  };
  static constexpr std::size_t kMaxRecords = 4096;
  static constexpr std::int64_t kMaxSum = 1'000'000'000'000'000'000;

  // Forgets what lies further back than `window`, which is the longest anyone will ask about.
  void add(StormScope scope, std::string_view name, Time now, std::int64_t amount, Duration window);

  std::int64_t taken(StormScope scope, std::string_view name, Time now, Duration window) const;
  // The first time, from now on, at which `amount` more would stay within `limit`; kNoTime: never, for it is
  // more than the limit.
  Time free_at(StormScope scope, std::string_view name, Time now, Duration window, std::int64_t limit,
               std::int64_t amount = 1) const;

  struct Row {
    StormScope scope = StormScope::queue;
    std::string name;
    std::vector<Record> records;  // ascending
    bool operator==(const Row&) const = default;
  };
  std::vector<Row> rows() const;  // by scope and name
  void restore(const Row& row);

 private:
  friend class SequenceUndo;
  void sweep(Time now, Duration window);

  CowMap<std::string, std::vector<Record>> records_;
  std::size_t sweep_at_ = 64;  // names that nobody adds to any more are dropped when there are this many
};

}  // namespace cede
