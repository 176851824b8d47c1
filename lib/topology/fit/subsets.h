// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cstdint>

#include "base/bits.h"
#include "model/node_class.h"

namespace cede {

// n over k, cut at 2^32: whoever asks wants to know whether it is few.
constexpr std::uint64_t subset_count(std::uint32_t n, std::uint32_t k) {
  if (k > n) return 0;
  std::uint64_t count = 1;
  for (std::uint32_t i = 1; i <= k; ++i) {
    count = count * (n - k + i) / i;
    if (count > std::uint64_t{1} << 32) return std::uint64_t{1} << 32;
  }
  return count;
}

// Calls visit(subset) for every subset of `size` devices, lowest first, until it says false.
template <class Visit>
void for_each_subset(DeviceMask set, std::uint32_t size, Visit visit) {
  const auto count = static_cast<std::uint32_t>(count_bits(set));
  if (size > count) return;
  if (size == 0) {
    visit(DeviceMask{0});
    return;
  }
  std::uint32_t chosen[kMaxDevices];
  std::uint32_t device[kMaxDevices];
  std::uint32_t n = 0;
  for (DeviceMask left = set; left != 0; left &= left - 1)
    device[n++] = static_cast<std::uint32_t>(std::countr_zero(left));
  for (std::uint32_t i = 0; i < size; ++i) chosen[i] = i;
  for (;;) {
    DeviceMask subset = 0;
    for (std::uint32_t i = 0; i < size; ++i) subset |= DeviceMask{1} << device[chosen[i]];
    if (!visit(subset)) return;
    std::uint32_t i = size;
    while (i > 0 && chosen[i - 1] == count - size + i - 1) --i;
    if (i == 0) return;
    ++chosen[i - 1];
    for (std::uint32_t j = i; j < size; ++j) chosen[j] = chosen[j - 1] + 1;
  }
}

}  // namespace cede
