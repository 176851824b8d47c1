// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/cow_map.h"
#include "model/metrics.h"

namespace cede {

// Counts the metrics in storage that copies share. Labelled counters never decrease.
class MetricsCounter {
 public:
  static constexpr std::int64_t kMaxLostWork = 1'000'000'000'000'000'000;  // the sum saturates here

  void preempted(std::string_view queue, std::string_view reason, std::uint64_t units,
                 std::int64_t lost_work);
  void planned(std::string_view profile, std::string_view outcome, std::int64_t micros);
  void checkpointed(std::int64_t milliseconds) { plain_.checkpoint_seconds.observe(milliseconds); }
  void requeued() { ++plain_.requeues; }
  void checkpoint_failed() { ++plain_.failed_checkpoints; }
  void hold_expired() { ++plain_.holds_expired; }
  void ignored(std::uint64_t events) { plain_.ignored_events += events; }

  // Without the gauges, which are computed on demand.
  Metrics metrics() const;
  static MetricsCounter of(const Metrics& metrics);

  template <class Visit>
  void each_part(Visit visit) {
    visit(plain_, preemptions_, plans_, lost_work_);
  }

 private:
  Metrics plain_;  // metrics without labels
  CowMap<std::string, std::uint64_t> preemptions_;
  CowMap<std::string, std::uint64_t> plans_;
  CowMap<std::string, std::int64_t> lost_work_;
};

}  // namespace cede
