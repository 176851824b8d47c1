// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace cede {

// Counts that rise by one a hundred thousand times, those of few things: how often each was counted is
// gathered here and handed on in one go, when another takes its place or in the end.
template <std::size_t kSlots>
class GatheredCounts {
 public:
  // Hands on as add(key, times).
  template <class Add>
  void count(std::uint32_t key, Add add) {
    Slot& slot = slots_[key % kSlots];
    if (slot.key == key) [[likely]] {
      ++slot.times;
    } else {
      replace(slot, key, add);
    }
  }
  template <class Add>
  void hand_on(Add add) {
    for (Slot& slot : slots_) {
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

  std::array<Slot, kSlots> slots_{};
};

}  // namespace cede
