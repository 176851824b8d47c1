// SPDX-License-Identifier: MIT
#include "sequence/storm_window.h"

#include <algorithm>

namespace cede {

namespace {

std::string key_of(StormScope scope, std::string_view name) {
  std::string key(1, static_cast<char>('0' + static_cast<int>(scope)));
  key += name;
  return key;
}

// Both arguments are within 0..kMaxSum.
std::int64_t sum_of(std::int64_t a, std::int64_t b) { return std::min(a + b, StormWindow::kMaxSum); }

// Leaves at most one record per 2048th of the window, and one at either end.
void merge_near(std::vector<StormWindow::Record>& records, Duration window) {
  const Duration width = window / 2048 + 1;
  const Time origin = records.front().at;
  std::size_t kept = 0;
  for (const StormWindow::Record& record : records) {
    if (kept > 0 && (records[kept - 1].at - origin) / width == (record.at - origin) / width) {
      records[kept - 1] = {record.at, sum_of(records[kept - 1].amount, record.amount)};
    } else {
      records[kept++] = record;
    }
  }
  records.resize(kept);
}

}  // namespace

void StormWindow::add(StormScope scope, std::string_view name, Time now, std::int64_t amount,
                      Duration window) {
  amount = std::min(amount, kMaxSum);
  if (amount <= 0) return;
  if (records_.size() >= sweep_at_) sweep(now, window);
  std::vector<Record>& records = records_.edit(key_of(scope, name));
  std::erase_if(records, [&](const Record& record) { return record.at + window <= now; });
  if (!records.empty() && records.back().at == now) {
    records.back().amount = sum_of(records.back().amount, amount);
  } else {
    records.push_back({now, amount});
  }
  if (records.size() > kMaxRecords) merge_near(records, window);
}

void StormWindow::sweep(Time now, Duration window) {
  std::vector<std::string> stale;
  records_.for_each([&](const std::string& key, const std::vector<Record>& records) {
    if (records.empty() || records.back().at + window <= now) stale.push_back(key);
  });
  for (const std::string& key : stale) records_.erase(key);
  sweep_at_ = 2 * records_.size() + 64;
}

std::int64_t StormWindow::taken(StormScope scope, std::string_view name, Time now, Duration window) const {
  std::int64_t sum = 0;
  if (const std::vector<Record>* records = records_.find(key_of(scope, name))) {
    for (const Record& record : *records) {
      if (record.at + window > now) sum = sum_of(sum, record.amount);
    }
  }
  return sum;
}

Time StormWindow::free_at(StormScope scope, std::string_view name, Time now, Duration window,
                          std::int64_t limit, std::int64_t amount) const {
  if (amount > limit) return kNoTime;
  std::int64_t sum = taken(scope, name, now, window);
  if (sum <= limit - amount) return now;
  for (const Record& record : *records_.find(key_of(scope, name))) {
    if (record.at + window <= now) continue;
    sum -= record.amount;
    if (sum <= limit - amount) return record.at + window;
  }
  return now;
}

std::vector<StormWindow::Row> StormWindow::rows() const {
  std::vector<Row> rows;
  records_.for_each([&](const std::string& key, const std::vector<Record>& records) {
    rows.push_back({static_cast<StormScope>(key[0] - '0'), key.substr(1), records});
  });
  std::sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) {
    return a.scope != b.scope ? a.scope < b.scope : a.name < b.name;
  });
  return rows;
}

void StormWindow::restore(const Row& row) { records_.edit(key_of(row.scope, row.name)) = row.records; }

}  // namespace cede
