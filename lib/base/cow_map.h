// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <string_view>
#include <type_traits>
#include <utility>

#include "base/cow_vector.h"

namespace cede {

// A hash map whose copies share storage as CowVector's do: copying costs a few pointers, writing to a copy
// what is written. Grows by one bucket per insertion and reuses the rows of what was erased.
//
// Keys are texts or integers. The order of for_each() depends on history: sort before anything is decided.
template <class Key, class Value>
class CowMap {
 public:
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }

  template <class Like>
  const Value* find(const Like& key) const {
    const std::uint32_t row = row_of(key, hash_of(key));
    return row == kEnd ? nullptr : &rows_[row].value;
  }

  // The value for writing, null where there is none; valid until the next edit of this map.
  template <class Like>
  Value* find_edit(const Like& key) {
    const std::uint32_t row = row_of(key, hash_of(key));
    return row == kEnd ? nullptr : &rows_.edit(row).value;
  }

  // The value for writing, added where there is none.
  template <class Like>
  Value& edit(const Like& key) {
    const std::uint32_t hash = hash_of(key);
    std::uint32_t row = row_of(key, hash);
    if (row == kEnd) row = add(Key(key), hash);
    return rows_.edit(row).value;
  }

  template <class Like>
  bool erase(const Like& key) {
    const std::uint32_t hash = hash_of(key);
    const std::uint32_t row = row_of(key, hash);
    if (row == kEnd) return false;
    const std::uint32_t after = rows_[row].next;
    const std::size_t bucket = bucket_of(hash);
    if (heads_[bucket] == row) {
      heads_.edit(bucket) = after;
    } else {
      std::uint32_t before = heads_[bucket];
      while (rows_[before].next != row) before = rows_[before].next;
      rows_.edit(before).next = after;
    }
    rows_.edit(row) = Row{.next = free_};
    free_ = row;
    --size_;
    return true;
  }

  template <class Visit>
  void for_each(Visit&& visit) const {
    for (std::size_t row = 0; row < rows_.size(); ++row) {
      if (rows_[row].live) visit(rows_[row].key, rows_[row].value);
    }
  }

 private:
  static constexpr std::uint32_t kEnd = std::numeric_limits<std::uint32_t>::max();

  struct Row {
    Key key{};
    Value value{};
    std::uint32_t hash = 0;
    std::uint32_t next = kEnd;  // in its bucket, or among the free rows
    bool live = false;
  };

  template <class Like>
  static std::uint32_t hash_of(const Like& key) {
    std::uint64_t bits = 0;
    if constexpr (std::is_integral_v<Like>) {
      bits = static_cast<std::uint64_t>(key) * 0x9E3779B97F4A7C15U;
    } else {
      bits = std::hash<std::string_view>{}(key);
    }
    return static_cast<std::uint32_t>(bits >> 32U);
  }

  std::size_t bucket_of(std::uint32_t hash) const {
    const std::size_t mask = std::bit_ceil(heads_.size()) - 1;
    const std::size_t bucket = hash & mask;
    return bucket < heads_.size() ? bucket : bucket & (mask >> 1U);
  }

  template <class Like>
  std::uint32_t row_of(const Like& key, std::uint32_t hash) const {
    if (heads_.empty()) return kEnd;
    std::uint32_t row = heads_[bucket_of(hash)];
    while (row != kEnd && !(rows_[row].hash == hash && rows_[row].key == key)) row = rows_[row].next;
    return row;
  }

  std::uint32_t add(Key key, std::uint32_t hash) {
    if (size_ >= heads_.size()) add_bucket();
    std::uint32_t row = free_;
    if (row == kEnd) {
      row = static_cast<std::uint32_t>(rows_.size());
      rows_.push_back(Row{});
    } else {
      free_ = rows_[row].next;
    }
    std::uint32_t& head = heads_.edit(bucket_of(hash));
    rows_.edit(row) = Row{.key = std::move(key), .hash = hash, .next = head, .live = true};
    head = row;
    ++size_;
    return row;
  }

  // The new last bucket takes its part of the one it was folded onto.
  void add_bucket() {
    const std::size_t added = heads_.size();
    heads_.push_back(kEnd);
    if (added == 0) return;
    std::uint32_t row = std::exchange(heads_.edit(added - std::bit_floor(added)), kEnd);
    while (row != kEnd) {
      std::uint32_t& head = heads_.edit(bucket_of(rows_[row].hash));
      const std::uint32_t after = rows_[row].next;
      rows_.edit(row).next = std::exchange(head, row);
      row = after;
    }
  }

  CowVector<std::uint32_t> heads_;
  CowVector<Row> rows_;
  std::uint32_t free_ = kEnd;
  std::size_t size_ = 0;
};

}  // namespace cede
