// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/amount.h"
#include "policy/shares/share.h"

namespace cede {

// The level that rises in a queue whose share is divided (share_division.h), and where it leaves each kind of
// claim. Equal claims are one kind with a count.
//
// The exact level is a fraction nobody can write down (a sum of ratios with as many denominators as there
// are kinds). It is found in steps of 2^-64 of a share's unit, how far a kind has come towards its cap in
// 2^-86, and a share within 2^-30 below a whole number is that number.
class WaterFilling {
 public:
  explicit WaterFilling(std::span<const Share> whole);

  // `first` is what each claim has before the level rises, all together not more than the whole.
  void add_kind(std::span<const Share> cap, std::span<const Share> first, Amount weight, std::uint32_t count);
  void rise();

  // What a claim of this kind has in the end, rounded down.
  Share share(std::size_t kind, std::size_t resource) const;
  // Whether nothing was left of it before rounding.
  bool used_up(std::size_t resource) const;

 private:
  struct Kind {
    std::uint64_t largest = 0;  // of its caps
    UnsignedWide weight = 0;
    UnsignedWide top = 0;   // the level from which on the kind stands still
    UnsignedWide stop = 0;  // how far it may come; less than its cap where a resource was used up
    UnsignedWide count = 0;
  };

  UnsignedWide reached(const Kind& kind, UnsignedWide level) const;
  UnsignedWide amount(std::size_t kind, std::size_t resource, UnsignedWide reached) const;
  bool fits(UnsignedWide level);
  UnsignedWide extrapolate(UnsignedWide level, UnsignedWide top) const;
  UnsignedWide first_that_does_not_fit(UnsignedWide low, UnsignedWide high);
  void stop_at(UnsignedWide level);

  std::span<const Share> whole_;
  std::vector<Kind> kinds_;
  std::vector<std::uint64_t> caps_;  // kind by kind
  std::vector<std::uint64_t> firsts_;
  std::vector<bool> stopped_;  // by resource: nobody takes more of it any longer
  std::vector<UnsignedWide> totals_;
};

}  // namespace cede
