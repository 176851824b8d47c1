// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "base/cow_map.h"
#include "base/cow_vector.h"
#include "base/time.h"
#include "sequence/order.h"

namespace cede {

// The order in which entries are due: a binary heap with the position of each entry. A step looks only at due
// entries, however many are in flight. Copies share storage.
class DueQueue {
 public:
  struct Item {
    Time due = kNoTime;
    EntryId entry = kNoEntry;
  };

  // Adds, moves or removes an entry; kNoTime (never due) removes it.
  void set(EntryId entry, Time due) {
    const std::uint32_t* known = position_.find(entry);
    if (due == kNoTime) {
      if (known) remove(*known);
      return;
    }
    std::uint32_t at = known ? *known : static_cast<std::uint32_t>(size_);
    if (!known) {
      if (size_ == heap_.size()) heap_.push_back({});
      ++size_;
    }
    place(at, {due, entry});
    sift(at);
  }

  std::optional<Item> first() const {
    if (size_ == 0) return std::nullopt;
    return heap_[0];
  }

  template <class Visit>
  void each_part(Visit visit) {
    visit(heap_, size_, position_);
  }

 private:
  static bool before(const Item& a, const Item& b) {
    return a.due != b.due ? a.due < b.due : a.entry < b.entry;
  }

  void place(std::size_t at, Item item) {
    heap_.edit(at) = item;
    position_.edit(item.entry) = static_cast<std::uint32_t>(at);
  }

  void remove(std::size_t at) {
    position_.erase(heap_[at].entry);
    --size_;
    if (at == size_) return;
    place(at, heap_[size_]);
    sift(at);
  }

  void sift(std::size_t at) {
    const Item item = heap_[at];
    while (at > 0 && before(item, heap_[(at - 1) / 2])) {
      place(at, heap_[(at - 1) / 2]);
      at = (at - 1) / 2;
    }
    for (;;) {
      std::size_t child = 2 * at + 1;
      if (child >= size_) break;
      if (child + 1 < size_ && before(heap_[child + 1], heap_[child])) ++child;
      if (!before(heap_[child], item)) break;
      place(at, heap_[child]);
      at = child;
    }
    place(at, item);
  }

  CowVector<Item> heap_;  // the first size_ items count
  std::size_t size_ = 0;
  CowMap<EntryId, std::uint32_t> position_;
};

}  // namespace cede
