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

// Counts over a time window: preemptions per victim queue and per victim user, lost work per group, all
// counted at the commit. An amount added at t counts at every now < t + window.
//
// If one name has more than kMaxRecords records, records within a 2048th of the window count at the time of
// the latest of them. So the sum is never too small and memory stays bounded. Sums saturate at kMaxSum.
class StormWindow {
 public:
  struct Record {
    Time at = kNoTime;
    std::int64_t amount = 0;
    bool operator==(const Record&) const = default;
  };
  static constexpr std::size_t kMaxRecords = 4096;
  static constexpr std::int64_t kMaxSum = 1'000'000'000'000'000'000;

  // Drops records older than `window`, the longest window in use.
  void add(StormScope scope, std::string_view name, Time now, std::int64_t amount, Duration window);

  std::int64_t taken(StormScope scope, std::string_view name, Time now, Duration window) const;
  // The first time, from now on, when `amount` more would stay within `limit`. kNoTime: never, because
  // `amount` exceeds the limit.
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

  template <class Visit>
  void each_part(Visit visit) {
    visit(records_, sweep_at_);
  }

 private:
  void sweep(Time now, Duration window);

  CowMap<std::string, std::vector<Record>> records_;
  std::size_t sweep_at_ = 64;  // at this size, names without recent records are dropped
};

}  // namespace cede
