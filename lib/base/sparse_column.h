// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/cow_vector.h"

namespace cede {

// A column in which most rows have the default value. A default takes four bytes; only another value is
// stored. Copies share storage as those of CowVector do.
template <class T>
class SparseColumn {
 public:
  // Valid until the next set().
  const T& operator[](std::size_t i) const {
    const std::uint32_t place = place_of(i);
    return place == 0 ? kDefault : rows_[place - 1];
  }

  // Writes nothing if the value is already there. Every step that can fail comes before the first visible
  // change.
  void set(std::size_t i, const T& value) {
    const std::uint32_t place = place_of(i);
    if (place == 0) {
      if (!(value == T{})) add(i, value);
    } else if (value == kDefault) {
      give_back(i, place - 1);
    } else if (!(rows_[place - 1] == value)) {
      const T next = value;  // the value may be a row of this column
      rows_.edit(place - 1) = next;
    }
  }

  template <class Visit>
  void each_part(Visit visit) {
    visit(places_, rows_, free_, free_count_);
  }

  std::size_t stored() const { return rows_.size() - free_count_; }

 private:
  static inline const T kDefault{};

  std::uint32_t place_of(std::size_t i) const { return i < places_.size() ? places_[i] : 0; }

  void add(std::size_t i, const T& value) {
    if (i >= places_.size()) places_.grow_to(i + 1);
    std::uint32_t& place = places_.edit(i);
    if (free_count_ > 0) {
      const std::uint32_t row = free_[free_count_ - 1];
      const T next = value;
      rows_.edit(row) = next;
      --free_count_;
      place = row + 1;
    } else {
      rows_.push_back(value);
      place = static_cast<std::uint32_t>(rows_.size());
    }
  }

  // A free row keeps its old value. Nothing reads it until it is written again.
  void give_back(std::size_t i, std::uint32_t row) {
    if (free_.size() == free_count_) free_.grow_to(free_count_ + 1);
    std::uint32_t& top = free_.edit(free_count_);
    places_.edit(i) = 0;
    top = row;
    ++free_count_;
  }

  CowVector<std::uint32_t> places_;  // row + 1; 0, or beyond the end: the default
  CowVector<T> rows_;
  CowVector<std::uint32_t> free_;  // a stack of rows
  std::uint32_t free_count_ = 0;
};

}  // namespace cede
