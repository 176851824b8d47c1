// SPDX-License-Identifier: MIT
#include "model/plan.h"

#include <algorithm>
#include <unordered_map>

namespace cede {

namespace {

constexpr std::size_t kMany = 256;  // values; usually few of them are distinct

}  // namespace

Criterion Criterion::of_number(std::string_view name, std::int64_t number) {
  Criterion c;
  c.name = name;
  c.number = number;
  return c;
}

Criterion Criterion::of_counts(std::string_view name, std::vector<std::int64_t> values) {
  Criterion c;
  c.name = name;
  c.kind = Kind::counts;
  if (values.size() > kMany) {
    std::unordered_map<std::int64_t, std::int64_t> counts;
    for (const std::int64_t value : values) ++counts[value];
    c.counts.assign(counts.begin(), counts.end());
    std::sort(c.counts.begin(), c.counts.end(), std::greater<>());
    return c;
  }
  std::sort(values.begin(), values.end(), std::greater<>());
  for (const std::int64_t value : values) {
    if (c.counts.empty() || c.counts.back().first != value) c.counts.emplace_back(value, 0);
    ++c.counts.back().second;
  }
  return c;
}

Criterion Criterion::of_times(std::string_view name, std::vector<Time> times, bool later_wins) {
  Criterion c;
  c.name = name;
  c.kind = Kind::times;
  c.later_wins = later_wins;
  c.times = std::move(times);
  std::sort(c.times.begin(), c.times.end());
  if (later_wins) std::reverse(c.times.begin(), c.times.end());
  return c;
}

Criterion Criterion::of_younger(std::string_view name, std::vector<Time> times) {
  Criterion c = of_times(name, std::move(times), false);
  c.later_wins = true;
  return c;
}

namespace {

// At the highest value where the counts differ, the smaller count wins.
std::strong_ordering compare_counts(const Criterion& a, const Criterion& b) {
  std::size_t i = 0;
  std::size_t k = 0;
  while (i < a.counts.size() || k < b.counts.size()) {
    if (k == b.counts.size()) return std::strong_ordering::greater;
    if (i == a.counts.size()) return std::strong_ordering::less;
    if (a.counts[i].first != b.counts[k].first) return a.counts[i].first <=> b.counts[k].first;
    if (a.counts[i].second != b.counts[k].second) return a.counts[i].second <=> b.counts[k].second;
    ++i;
    ++k;
  }
  return std::strong_ordering::equal;
}

}  // namespace

std::strong_ordering compare(const Criterion& a, const Criterion& b) {
  switch (a.kind) {
    case Criterion::Kind::number: return a.number <=> b.number;
    case Criterion::Kind::counts: return compare_counts(a, b);
    case Criterion::Kind::times:
      for (std::size_t i = 0; i < std::min(a.times.size(), b.times.size()); ++i) {
        if (a.times[i] != b.times[i])
          return a.later_wins ? b.times[i] <=> a.times[i] : a.times[i] <=> b.times[i];
      }
      return a.times.size() <=> b.times.size();
  }
  return std::strong_ordering::equal;
}

std::strong_ordering compare(const std::vector<Criterion>& a, const std::vector<Criterion>& b) {
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    const std::strong_ordering order = compare(a[i], b[i]);
    if (order != std::strong_ordering::equal) return order;
  }
  return a.size() <=> b.size();
}

}  // namespace cede
