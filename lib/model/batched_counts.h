// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace cede {

// Collects increments of a few counters that are each incremented very often, up to a hundred thousand times,
// and passes on the sums at the end.
template <std::size_t kSlots>
class BatchedCounts {
 public:
  BatchedCounts() = default;
  BatchedCounts(const BatchedCounts&) = delete;
  BatchedCounts& operator=(const BatchedCounts&) = delete;

  // Announces many increments: a larger set of slots then pays off.
  void gather() {
    if (many_) return;
    many_ = std::make_unique<std::array<Slot, kSlots>>();
    for (const Slot& slot : few_) {
      if (slot.times > 0) left_.push_back(slot);
    }
    slots_ = many_->data();
    last_ = kSlots - 1;
  }
  void count(std::uint32_t key) {
    Slot& slot = slots_[key & last_];
    if (slot.key == key) [[likely]] {
      ++slot.times;
    } else {
      replace(slot, key);
    }
  }
  // Calls add(key, times); a key may come more than once.
  template <class Add>
  void hand_on(Add add) {
    for (const Slot& slot : left_) add(slot.key, slot.times);
    left_.clear();
    for (std::size_t i = 0; i <= last_; ++i) {
      if (slots_[i].times > 0) add(slots_[i].key, slots_[i].times);
      slots_[i].times = 0;
    }
  }

 private:
  struct Slot {
    std::uint32_t key = 0;
    std::uint32_t times = 0;
  };
  static_assert((kSlots & (kSlots - 1)) == 0);

  [[gnu::noinline]] void replace(Slot& slot, std::uint32_t key) {
    if (slot.times > 0) left_.push_back(slot);
    slot = {key, 1};
  }

  std::array<Slot, 4> few_{};
  std::unique_ptr<std::array<Slot, kSlots>> many_;
  Slot* slots_ = few_.data();
  std::uint32_t last_ = 3;
  std::vector<Slot> left_;  // evicted from their slots
};

}  // namespace cede
