// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/amount.h"
#include "policy/shares/share.h"

namespace cede {

// Water filling in a queue whose share is divided (share_division.h): finds the level at which each kind of
// claim stops. Equal claims are one kind with a count.
//
// The exact level is a fraction too long to compute (a sum of ratios with as many denominators as there are
// kinds). So the level has steps of 2^-64 of a share's unit, the progress of a kind towards its cap has steps
// of 2^-86, and a share within 2^-30 below a whole number is that number.
class WaterFilling {
 public:
  explicit WaterFilling(std::span<const Share> whole);

  // `first` is what each claim has before the level rises. All of them together do not exceed the whole.
  void add_kind(std::span<const Share> cap, std::span<const Share> first, Amount weight, std::uint32_t count);
  void rise();

  // The final share of a claim of this kind, rounded down.
  Share share(std::size_t kind, std::size_t resource) const;
  // Whether nothing of the resource was left before rounding.
  bool used_up(std::size_t resource) const;

 private:
  struct Kind {
    std::uint64_t largest = 0;  // the largest of its caps
    UnsignedWide weight = 0;
    UnsignedWide top = 0;   // the level from which on the kind gets no more
    UnsignedWide stop = 0;  // how far it may go; less than its cap if a resource is used up
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
  std::vector<bool> stopped_;  // by resource: no kind takes more of it
  std::vector<UnsignedWide> totals_;
};

}  // namespace cede
