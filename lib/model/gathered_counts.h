// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace cede {

// Counts that rise by one a hundred thousand times, those of few things: how often each was counted is
// gathered here and handed on in one go, when another takes its place or in the end. Until gather() is called
// each is handed on at once: for few it is not worth it.
template <std::size_t kSlots>
class GatheredCounts {
 public:
  void gather() {
    if (!slots_) slots_ = std::make_unique<std::array<Slot, kSlots>>();
  }
  // Hands on as add(key, times).
  template <class Add>
  void count(std::uint32_t key, Add add) {
    if (!slots_) return add(key, 1);
    Slot& slot = (*slots_)[key % kSlots];
    if (slot.key == key) [[likely]] {
      ++slot.times;
    } else {
      replace(slot, key, add);
    }
  }
  template <class Add>
  void hand_on(Add add) {
    if (!slots_) return;
    for (Slot& slot : *slots_) {
      if (slot.times > 0) add(slot.key, slot.times);
      slot.times = 0;
    }
  }

 private:
  struct Slot {
    std::uint32_t key = 0;
    std::uint32_t times = 0;
  };
  template <class Add>
  [[gnu::noinline]] static void replace(Slot& slot, std::uint32_t key, Add& add) {
    if (slot.times > 0) add(slot.key, slot.times);
    slot = {key, 1};
  }

  std::unique_ptr<std::array<Slot, kSlots>> slots_;
};

}  // namespace cede
