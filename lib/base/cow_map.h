// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/cow_vector.h"

namespace cede {

// A hash map whose copies share storage as those of CowVector do: copying costs a few pointers, and writing
// to a copy costs what is written. It grows by one bucket per insertion and reuses the rows of erased keys.
//
// Between begin() and keep() or undo() the map saves each row before the first write to it. An all-or-nothing
// change to an unshared map then costs the rows it writes, not whole pages.
//
// Keys are texts or integers. The order of for_each() depends on history: sort before a decision depends on
// it.
template <class Key, class Value>
class CowMap {
 public:
  CowMap() = default;
  // A copy does not inherit what the original could undo.
  CowMap(const CowMap& other)
      : heads_(other.heads_),
        rows_(other.rows_),
        generation_(other.generation_),
        buckets_(other.buckets_),
        used_(other.used_),
        free_(other.free_),
        size_(other.size_) {}
  CowMap(CowMap&& other) noexcept : CowMap() { swap(other); }
  CowMap& operator=(CowMap other) noexcept {
    swap(other);
    return *this;
  }
  ~CowMap() = default;
  void swap(CowMap& other) noexcept {
    std::swap(heads_, other.heads_);
    std::swap(rows_, other.rows_);
    std::swap(undo_log_, other.undo_log_);
    std::swap(generation_, other.generation_);
    std::swap(begun_, other.begun_);
    std::swap(buckets_, other.buckets_);
    std::swap(used_, other.used_);
    std::swap(free_, other.free_);
    std::swap(size_, other.size_);
    std::swap(then_, other.then_);
  }

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }

  template <class Like>
  const Value* find(const Like& key) const {
    const std::uint32_t row = row_of(key, hash_of(key));
    return row == kEnd ? nullptr : &rows_[row].value;
  }

  // The value for writing; null if there is none. Valid until the next edit of this map.
  template <class Like>
  Value* find_edit(const Like& key) {
    const std::uint32_t row = row_of(key, hash_of(key));
    return row == kEnd ? nullptr : &row_at(row).value;
  }

  // The value for writing; added if there is none.
  template <class Like>
  Value& edit(const Like& key) {
    const std::uint32_t hash = hash_of(key);
    std::uint32_t row = row_of(key, hash);
    if (row == kEnd) row = add(Key(key), hash);
    return row_at(row).value;
  }

  template <class Like>
  bool erase(const Like& key) {
    const std::uint32_t hash = hash_of(key);
    const std::uint32_t row = row_of(key, hash);
    if (row == kEnd) return false;
    const std::uint32_t after = rows_[row].next;
    const std::size_t bucket = bucket_of(hash);
    row_at(row);
    if (heads_[bucket] == row) {
      head_at(bucket) = after;
    } else {
      std::uint32_t before = heads_[bucket];
      while (rows_[before].next != row) before = rows_[before].next;
      row_at(before).next = after;
    }
    rows_.edit(row) = Row{.next = free_, .generation = generation_};
    free_ = row;
    --size_;
    return true;
  }

  template <class Visit>
  void for_each(Visit&& visit) const {
    for (std::size_t row = 0; row < used_; ++row) {
      if (rows_[row].live) visit(rows_[row].key, rows_[row].value);
    }
  }

  // Starts to save what is overwritten. A copy taken later does not, and must be gone before undo().
  void begin() noexcept {
    assert(!begun_);
    begun_ = true;
    ++generation_;
    then_ = {buckets_, used_, free_, size_};
  }
  void keep() noexcept {
    begun_ = false;
    if (undo_log_) undo_log_->clear();
  }
  // Restores the state at begin(). Writes only to rows that were written before, so it needs no memory.
  void undo() noexcept {
    if (!std::exchange(begun_, false)) return;
    for (std::uint32_t row = then_.used; row < used_; ++row) rows_.edit(row) = Row{};
    if (undo_log_) {
      for (auto each = undo_log_->rows.rbegin(); each != undo_log_->rows.rend(); ++each)
        rows_.edit(each->first) = std::move(each->second);
      for (auto each = undo_log_->heads.rbegin(); each != undo_log_->heads.rend(); ++each)
        heads_.edit(each->first) = each->second;
      undo_log_->clear();
    }
    buckets_ = then_.buckets;
    used_ = then_.used;
    free_ = then_.free;
    size_ = then_.size;
  }

 private:
  static constexpr std::uint32_t kEnd = std::numeric_limits<std::uint32_t>::max();

  struct Row {
    Key key{};
    Value value{};
    std::uint32_t hash = 0;
    std::uint32_t next = kEnd;     // in its bucket, or in the list of free rows
    std::uint64_t generation = 0;  // of the begin() after which it was saved or added
    bool live = false;
  };

  // What was overwritten since begin(), latest last.
  struct UndoLog {
    std::vector<std::pair<std::uint32_t, Row>> rows;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> heads;
    void clear() noexcept {
      rows.clear();
      heads.clear();
    }
  };
  struct Extent {
    std::uint32_t buckets = 0;
    std::uint32_t used = 0;
    std::uint32_t free = kEnd;
    std::size_t size = 0;
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
    const std::size_t mask = std::bit_ceil(std::size_t{buckets_}) - 1;
    const std::size_t bucket = hash & mask;
    return bucket < buckets_ ? bucket : bucket & (mask >> 1U);
  }

  template <class Like>
  std::uint32_t row_of(const Like& key, std::uint32_t hash) const {
    if (size_ == 0) return kEnd;
    std::uint32_t row = heads_[bucket_of(hash)];
    while (row != kEnd && !(rows_[row].hash == hash && rows_[row].key == key)) row = rows_[row].next;
    return row;
  }

  UndoLog& undo_log() {
    if (!undo_log_) undo_log_ = std::make_unique<UndoLog>();
    return *undo_log_;
  }
  // The row for writing. First makes the row this map's own, then saves it, so that undo() needs no memory.
  Row& row_at(std::uint32_t at) {
    Row& row = rows_.edit(at);
    if (begun_ && row.generation != generation_) {
      undo_log().rows.emplace_back(at, row);
      row.generation = generation_;
    }
    return row;
  }
  std::uint32_t& head_at(std::size_t bucket) {
    std::uint32_t& head = heads_.edit(bucket);
    if (begun_) undo_log().heads.emplace_back(static_cast<std::uint32_t>(bucket), head);
    return head;
  }

  // Every step that can fail comes before the first visible change.
  std::uint32_t add(Key key, std::uint32_t hash) {
    if (size_ >= buckets_) add_bucket();
    std::uint32_t row = free_;
    std::uint32_t free = kEnd;
    if (row == kEnd) {
      row = used_;
      if (row == rows_.size()) rows_.push_back(Row{});
      rows_.edit(row).generation = generation_;
    } else {
      free = row_at(row).next;
    }
    std::uint32_t& head = head_at(bucket_of(hash));
    rows_.edit(row) =
        Row{.key = std::move(key), .hash = hash, .next = head, .generation = generation_, .live = true};
    if (row == used_) ++used_;
    free_ = free;
    head = row;
    ++size_;
    return row;
  }

  // Moves entries to the new last bucket from the bucket that held them so far.
  void add_bucket() {
    const std::size_t added = buckets_;
    if (added == heads_.size()) heads_.push_back(kEnd);
    heads_.edit(added) = kEnd;
    if (added == 0) {
      ++buckets_;
      return;
    }
    const std::size_t folded = added - std::bit_floor(added);
    for (std::uint32_t row = heads_[folded]; row != kEnd; row = rows_[row].next) row_at(row);
    std::uint32_t row = std::exchange(head_at(folded), kEnd);
    ++buckets_;
    while (row != kEnd) {
      std::uint32_t& head = heads_.edit(bucket_of(rows_[row].hash));
      const std::uint32_t after = rows_[row].next;
      rows_.edit(row).next = std::exchange(head, row);
      row = after;
    }
  }

  CowVector<std::uint32_t> heads_;     // the first buckets_ are in use
  CowVector<Row> rows_;                // the first used_ are in use or free
  std::unique_ptr<UndoLog> undo_log_;  // null until something is saved
  std::uint64_t generation_ = 0;       // number of begin() calls, including those before it was copied
  bool begun_ = false;
  std::uint32_t buckets_ = 0;
  std::uint32_t used_ = 0;
  std::uint32_t free_ = kEnd;
  std::size_t size_ = 0;
  Extent then_;  // at begin()
};

}  // namespace cede
