// SPDX-License-Identifier: MIT
#include "topology/unknown_holders.h"

#include <gtest/gtest.h>

#include <bit>

#include "node_class_samples.h"

namespace cede {
namespace {

NodeFit fit_for(const NodeClass& box, GpuLevel level, std::uint32_t devices) {
  TaskTerms terms;
  terms.devices = devices;
  return NodeFit(box, requires_gpus({gpus_at(level)}), terms);
}

TEST(UnknownHolders, fit_only_what_fits_whoever_holds_what) {
  const NodeFit numa = fit_for(nvswitch_box(), GpuLevel::numa, 2);
  // Two of the first four are held: the other two share a NUMA node whichever they are.
  EXPECT_EQ(capacity_beside(numa, 0x0f, {0x0f, 2}), 1);
  // Two of 0, 1, 4, 5 are held: 0 and 4 may be what is left.
  EXPECT_EQ(capacity_beside(numa, 0b00110011, {0b00110011, 2}), 0);
  EXPECT_EQ(fits_beside(numa, 0b00110011, {0b00110011, 1}, 1), Fit::yes);
  EXPECT_EQ(fits_beside(numa, 0b00110011, {0b00110011, 1}, 2), Fit::no);
  EXPECT_EQ(capacity_beside(numa, 0xff, {0xff, 0}), 4);
  EXPECT_EQ(capacity_beside(numa, 0xff, {0xff, 8}), 0);
  EXPECT_EQ(capacity_beside(numa, 0xff, {0x0f, 9}), 2) << "no more can be held than there are";
}

TEST(UnknownHolders, name_devices_only_where_they_are_the_same_each_time) {
  EXPECT_EQ(certainly_free(0xff, {0x0f, 2}), 0xf0u);
  EXPECT_EQ(certainly_free(0xff, {0x0f, 4}), 0xf0u);
  EXPECT_EQ(certainly_free(0xff, {0x0f, 0}), 0xffu);
  EXPECT_EQ(certainly_free(0xf3, {0x0f, 1}), 0xf0u);
}

TEST(UnknownHolders, need_not_be_the_same_devices_each_time) {
  NodeClass chain = chain_of(4);
  const NodeFit fit = fit_for(chain, GpuLevel::nvl, 2);
  // Whichever one of the four is held, two neighbours are left, but never the same two.
  EXPECT_EQ(fits_beside(fit, 0xf, {0xf, 1}, 1), Fit::yes);
  EXPECT_EQ(fit.fits(certainly_free(0xf, {0xf, 1}), 1), Fit::no);
}

TEST(UnknownHolders, beyond_ten_thousand_possibilities_nothing_fits) {
  const NodeFit fit = fit_for(box_of(64), GpuLevel::nvl, 1);
  EXPECT_EQ(fits_beside(fit, 0xffff, {0xffff, 5}, 1), Fit::yes);  // 4368
  EXPECT_EQ(fits_beside(fit, 0xffff, {0xffff, 6}, 1), Fit::yes);  // 8008
  EXPECT_EQ(fits_beside(fit, 0xffff, {0xffff, 7}, 1), Fit::no);   // 11440
  EXPECT_EQ(fits_beside(fit, 0xffff, {0xffff, 11}, 1), Fit::yes);
  EXPECT_EQ(capacity_beside(fit, ~DeviceMask{0}, {~DeviceMask{0}, 32}), 0);
}

TEST(UnknownHolders, agree_with_counting_every_holding) {
  NodeClass box = nvswitch_box();
  box.degraded = {{0, 1}, {2, 6}};
  const NodeFit fit = fit_for(box, GpuLevel::nvl, 2);
  for (DeviceMask pool = 0; pool < 256; pool += 7) {
    for (std::uint32_t held = 0; held <= static_cast<std::uint32_t>(std::popcount(pool)); ++held) {
      std::uint8_t least = 255;
      for (DeviceMask here = 0; here < 256; ++here) {
        if ((here & ~pool) == 0 && static_cast<std::uint32_t>(std::popcount(here)) == held)
          least = std::min(least, fit.capacity(0xef & ~here));
      }
      ASSERT_EQ(capacity_beside(fit, 0xef, {pool, held}), least);
    }
  }
}

}  // namespace
}  // namespace cede
