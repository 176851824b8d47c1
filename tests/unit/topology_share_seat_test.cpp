// SPDX-License-Identifier: MIT
#include "topology/share_seat.h"

#include <gtest/gtest.h>

#include <array>

#include "node_class_samples.h"

namespace cede {
namespace {

using Used = std::array<std::uint16_t, 8>;

NodeFit fit_for(const Requirement& require, std::uint32_t devices) {
  TaskTerms terms;
  terms.devices = devices;
  return NodeFit(nvswitch_box(), require, terms);
}

ShareAsk ask_for(DeviceMask free, const Used& used, std::uint32_t share) {
  ShareAsk ask;
  ask.free = free;
  ask.used = used;
  ask.share = share;
  return ask;
}

TEST(ShareSeat, fills_the_shared_device_with_the_least_room_that_does) {
  const NodeFit fit = fit_for({}, 1);
  const Used used{0, 0, 300, 700, 600, 600, 0, 0};
  ShareSeat seat;
  ASSERT_EQ(seat_share(fit, ask_for(0b11000011, used, 300), seat), Fit::yes);
  EXPECT_EQ(seat.device, 3u);
  ASSERT_EQ(seat_share(fit, ask_for(0b11000011, used, 400), seat), Fit::yes);
  EXPECT_EQ(seat.device, 4u) << "the lower of two alike";
  ASSERT_EQ(seat_share(fit, ask_for(0b11000011, used, 700), seat), Fit::yes);
  EXPECT_EQ(seat.device, 2u);
  ASSERT_EQ(seat_share(fit, ask_for(0b11000010, used, 701), seat), Fit::yes);
  EXPECT_EQ(seat.device, 1u) << "else the lowest free one";
  EXPECT_EQ(seat.whole, 0u);
  EXPECT_EQ(seat_share(fit, ask_for(0, used, 701), seat), Fit::no);
}

TEST(ShareSeat, a_shared_device_is_no_whole_one) {
  const Used used{500, 500, 0, 0, 0, 0, 0, 0};
  ShareSeat seat;
  EXPECT_EQ(seat_share(fit_for({}, 3), ask_for(0b00000100, used, 500), seat), Fit::no);
  ASSERT_EQ(seat_share(fit_for({}, 3), ask_for(0b00001100, used, 500), seat), Fit::yes);
  EXPECT_EQ(seat.device, 0u);
  EXPECT_EQ(seat.whole, 0b00001100u);
}

TEST(ShareSeat, a_device_held_whole_takes_no_share) {
  ShareAsk ask = ask_for(0, {100, 0, 0, 0, 0, 0, 0, 0}, 100);
  const Used used{100, 0, 0, 0, 0, 0, 0, 0};
  ask.used = used;
  ask.held = 0b1;
  ShareSeat seat;
  EXPECT_EQ(seat_share(fit_for({}, 1), ask, seat), Fit::no);
}

TEST(ShareSeat, entries_apply_to_the_shared_device_too) {
  const Used used{0, 0, 0, 0, 500, 0, 200, 0};
  ShareSeat seat;
  const NodeFit numa = fit_for(requires_gpus({gpus_at(GpuLevel::numa)}), 2);
  // Device 4 has least room, but no free device stands beside it; device 6 neither.
  ASSERT_EQ(seat_share(numa, ask_for(0b00000110, used, 500), seat), Fit::yes);
  EXPECT_EQ(seat.device, 1u);
  EXPECT_EQ(seat.whole, 0b00000100u);
  ASSERT_EQ(seat_share(numa, ask_for(0b00100110, used, 500), seat), Fit::yes);
  EXPECT_EQ(seat.device, 4u);
  EXPECT_EQ(seat.whole, 0b00100000u);
  EXPECT_EQ(
      seat_share(fit_for(requires_gpus({gpus_at(GpuLevel::pcie)}), 2), ask_for(0b00000110, used, 500), seat),
      Fit::no);
}

TEST(ShareSeat, fewer_missed_preferences_come_before_a_full_device) {
  const Used used{0, 0, 0, 0, 500, 0, 200, 0};
  const NodeFit fit =
      fit_for(requires_gpus({gpus_at(GpuLevel::pcie, GpuMode::clique, GpuScope::task, Strength::prefer)}), 2);
  ShareSeat seat;
  ASSERT_EQ(seat_share(fit, ask_for(0b10000010, used, 500), seat), Fit::yes);
  EXPECT_EQ(seat.device, 6u);
  EXPECT_EQ(seat.whole, 0b10000000u);
  EXPECT_EQ(seat.missed, 0u);
  ASSERT_EQ(seat_share(fit, ask_for(0b00000010, used, 500), seat), Fit::yes);
  EXPECT_EQ(seat.device, 4u);
  EXPECT_EQ(seat.missed, gpus_entry(0));
}

TEST(ShareSeat, minds_the_requests_other_tasks_on_the_node) {
  const Used used{0, 0, 0, 0, 500, 0, 0, 0};
  const NodeFit fit = fit_for(requires_gpus({gpus_at(GpuLevel::numa, GpuMode::clique, GpuScope::node)}), 1);
  ShareAsk ask = ask_for(0b00001110, used, 500);
  ShareSeat seat;
  ASSERT_EQ(seat_share(fit, ask, seat), Fit::yes);
  EXPECT_EQ(seat.device, 4u);
  ask.taken = 0b00000001;
  ASSERT_EQ(seat_share(fit, ask, seat), Fit::yes);
  EXPECT_EQ(seat.device, 1u);
  ask.taken = 0b00010000;  // two tasks may share one device
  ASSERT_EQ(seat_share(fit, ask, seat), Fit::yes);
  EXPECT_EQ(seat.device, 4u);
}

}  // namespace
}  // namespace cede
