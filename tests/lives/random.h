// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace lives {

// splitmix64: the same numbers on every machine. One life is a pure function of (seed, number of the life).
class Random {
 public:
  Random(std::uint64_t seed, std::uint64_t life) : state_(seed * 0x9e3779b97f4a7c15u + life) {
    state_ = next() ^ life;
  }

  std::uint64_t next() {
    state_ += 0x9e3779b97f4a7c15u;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }

  // 0 .. count-1; 0 where count is 0.
  std::size_t below(std::size_t count) { return count == 0 ? 0 : static_cast<std::size_t>(next() % count); }
  std::int64_t between(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(below(static_cast<std::size_t>(high - low + 1)));
  }
  bool chance(int percent) { return static_cast<int>(below(100)) < percent; }

  template <class Item>
  Item& pick(std::vector<Item>& items) {
    return items[below(items.size())];
  }
  template <class Item>
  const Item& pick(const std::vector<Item>& items) {
    return items[below(items.size())];
  }
  template <class Item>
  void shuffle(std::vector<Item>& items) {
    for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[below(i)]);
  }

 private:
  std::uint64_t state_;
};

}  // namespace lives
