// SPDX-License-Identifier: MIT
#include "sequence/metrics_counter.h"

#include <algorithm>

namespace cede {

namespace {

// No name contains a control character, so a NUL separates two names.
std::string joined(std::string_view a, std::string_view b) {
  std::string key(a);
  key += '\0';
  key += b;
  return key;
}

Metrics::TwoLabels apart(std::string_view key) {
  const std::size_t end = key.find('\0');
  return {std::string(key.substr(0, end)), std::string(key.substr(end + 1))};
}

}  // namespace

void MetricsCounter::preempted(std::string_view queue, std::string_view reason, std::uint64_t units,
                               std::int64_t lost_work) {
  preemptions_.edit(joined(queue, reason)) += units;
  std::int64_t& lost = lost_work_.edit(queue);
  lost = std::min(lost + std::min(lost_work, kMaxLostWork), kMaxLostWork);
}

void MetricsCounter::planned(std::string_view profile, std::string_view outcome, std::int64_t micros) {
  ++plans_.edit(joined(profile, outcome));
  if (micros >= 0) plain_.plan_seconds.observe(micros);
}

Metrics MetricsCounter::metrics() const {
  Metrics all = plain_;
  preemptions_.for_each([&](const std::string& key, std::uint64_t n) { all.preemptions[apart(key)] = n; });
  plans_.for_each([&](const std::string& key, std::uint64_t n) { all.plans[apart(key)] = n; });
  lost_work_.for_each([&](const std::string& queue, std::int64_t lost) { all.lost_work[queue] = lost; });
  return all;
}

MetricsCounter MetricsCounter::of(const Metrics& metrics) {
  MetricsCounter tally;
  tally.plain_ = metrics;
  tally.plain_.preemptions.clear();
  tally.plain_.plans.clear();
  tally.plain_.lost_work.clear();
  for (const auto& [labels, n] : metrics.preemptions) {
    tally.preemptions_.edit(joined(labels.first, labels.second)) = n;
  }
  for (const auto& [labels, n] : metrics.plans) tally.plans_.edit(joined(labels.first, labels.second)) = n;
  for (const auto& [queue, lost] : metrics.lost_work) tally.lost_work_.edit(queue) = lost;
  return tally;
}

}  // namespace cede
