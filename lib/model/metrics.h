// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <utility>

namespace cede {

// How many observations fell into each bucket. Bounds and sum are integers in units of 10^-kDecimals seconds.
template <const auto& kUpperBounds, int kDecimals>
struct Histogram {
  static constexpr const auto& kBounds = kUpperBounds;
  static constexpr int kPlaces = kDecimals;
  static constexpr std::int64_t kMaxSum = 1'000'000'000'000'000'000;

  std::array<std::uint64_t, kUpperBounds.size() + 1>
      counts{};  // per bucket, not cumulative; the last bucket has no bound
  std::int64_t sum = 0;

  void observe(std::int64_t value) {
    std::size_t bucket = 0;
    while (bucket < kUpperBounds.size() && value > kUpperBounds[bucket]) ++bucket;
    ++counts[bucket];
    sum = std::min(sum + std::clamp<std::int64_t>(value, 0, kMaxSum), kMaxSum);
  }
  std::uint64_t count() const {
    std::uint64_t all = 0;
    for (const std::uint64_t each : counts) all += each;
    return all;
  }
  bool operator==(const Histogram&) const = default;
};

// Checkpoints: one second to two hours, in milliseconds. Plans: a hundredth of a millisecond to ten seconds,
// in microseconds.
inline constexpr std::array<std::int64_t, 13> kCheckpointBounds{
    1'000,   5'000,   10'000,    30'000,    60'000,    120'000,  300'000,
    600'000, 900'000, 1'200'000, 1'800'000, 3'600'000, 7'200'000};
inline constexpr std::array<std::int64_t, 19> kPlanBounds{
    10,     20,     50,      100,     200,     500,       1'000,     2'000,     5'000,     10'000,
    20'000, 50'000, 100'000, 200'000, 500'000, 1'000'000, 2'000'000, 5'000'000, 10'000'000};

using CheckpointHistogram = Histogram<kCheckpointBounds, 3>;
using PlanHistogram = Histogram<kPlanBounds, 6>;

// The counters of an engine as plain data for reports.
struct Metrics {
  using TwoLabels = std::pair<std::string, std::string>;

  std::map<TwoLabels, std::uint64_t> preemptions;  // by queue and reason
  CheckpointHistogram checkpoint_seconds;
  std::uint64_t requeues = 0;
  std::uint64_t failed_checkpoints = 0;
  std::map<TwoLabels, std::uint64_t> plans;  // by profile and outcome
  PlanHistogram plan_seconds;
  std::map<std::string, std::int64_t> lost_work;  // by queue, in thousandths of a GPU-minute
  std::uint64_t holds = 0;
  std::uint64_t holds_expired = 0;
  std::uint64_t in_flight = 0;
  std::uint64_t ignored_events = 0;

  bool operator==(const Metrics&) const = default;
};

}  // namespace cede
