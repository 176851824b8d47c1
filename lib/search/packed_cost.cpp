// SPDX-License-Identifier: MIT
#include "search/packed_cost.h"

#include <algorithm>
#include <utility>

namespace cede {

namespace {

constexpr int kMostBits = 96;  // of a number, so that sums and products with small factors fit

Total common_divisor(Total a, Total b) {
  while (b != 0) a = std::exchange(b, a % b);
  return a;
}

int bit_width(Total value) {
  int bits = 0;
  for (; value > 0; value >>= 1) ++bits;
  return bits;
}

}  // namespace

PackedCosts::PackedCosts(const CandidateScores& scores, std::span<const Cost> units, const Cost* most)
    : implied_(scores.implied_part()) {
  Total count = static_cast<Total>(units.size());  // of the units of a set, at most
  bool bounded = most != nullptr;                  // whether the next field bounds that count
  int bits = kFineBits;
  covered_ = scores.costed();
  for (const CandidateScores::Field& field : scores.fields()) {
    if (field.part == implied_) continue;
    Digit digit{field};
    Total least = 0;
    Total greatest = 0;
    for (const Cost& unit : units) {
      const Total value = field.in(unit);
      digit.unit = common_divisor(value, digit.unit);
      greatest = std::max(greatest, value);
      least = &unit == &units.front() ? value : std::min(least, value);
    }
    if (greatest > 0) {
      if (bounded && least > 0) count = std::min(count, field.in(*most) / least);
      count = std::max<Total>(count, 1);
      const Total times = greatest / digit.unit;
      digit.most = bit_width(times) + bit_width(count) > kMostBits ? 0 : times * count;
      bits += digit.most == 0 ? kMostBits : bit_width(digit.most);
    }
    bounded = bounded && greatest == 0 && field.in(*most) == 0;
    if (bits > kMostBits) {
      covered_ = field.part;
      break;
    }
    digits_.push_back(digit);
  }
  std::erase_if(digits_, [&](const Digit& digit) { return digit.field.part >= covered_; });
  // The last digit is the lowest.
  int shift = kFineBits;
  Total below = 0;
  for (std::size_t i = digits_.size(); i-- > 0;) {
    Digit& digit = digits_[i];
    digit.below = below;
    digit.shift = shift;
    shift += bit_width(digit.most);
    below += digit.most << digit.shift;
  }
}

Total PackedCosts::of(const Cost& cost) const {
  Total number = 0;
  for (const Digit& digit : digits_) {
    if (digit.most > 0) number += digit.field.in(cost) / digit.unit << digit.shift;
  }
  return number;
}

Total PackedCosts::most(const Cost& cost) const {
  Total number = 0;
  for (const Digit& digit : digits_) {
    const Total value = digit.field.in(cost);
    // Every number of the digit is less, or the one that equals it has a fraction: the rest does not matter.
    if (value > digit.most * digit.unit) return number + (digit.most << digit.shift) + digit.below;
    if (digit.most == 0) continue;
    number += value / digit.unit << digit.shift;
    if (value % digit.unit > 0) return number + digit.below;
  }
  return number;
}

bool PackedCosts::is_exact(const Cost& cost) const {
  const Cost back = least_cost(most(cost));
  return std::all_of(digits_.begin(), digits_.end(),
                     [&](const Digit& digit) { return digit.field.in(back) == digit.field.in(cost); });
}

Total PackedCosts::raised(Total bound) const {
  constexpr Total kFine = Total{1} << kFineBits;
  bound = (bound + kFine - 1) / kFine * kFine;
  Total rest = bound;
  for (const Digit& digit : digits_) {
    if (digit.most == 0) continue;
    const Total value = rest >> digit.shift;
    rest -= value << digit.shift;
    // More than the digits after this one can make: this digit is at least one more.
    if (rest > digit.below) return bound - rest + (Total{1} << digit.shift);
  }
  return bound;
}

Total PackedCosts::leading(Total number, std::size_t parts) const {
  int shift = -1;
  for (const Digit& digit : digits_) {
    if (digit.field.part < parts && digit.most > 0) shift = digit.shift;
  }
  return shift < 0 ? 0 : number >> shift << shift;
}

Cost PackedCosts::least_cost(Total number) const {
  Cost cost;
  Total rest = raised(number);
  for (const Digit& digit : digits_) {
    if (digit.most == 0) continue;
    const Total value = rest >> digit.shift;
    rest -= value << digit.shift;
    cost.parts[digit.field.part] += value * digit.unit << digit.field.shift;
  }
  return cost;
}

}  // namespace cede
