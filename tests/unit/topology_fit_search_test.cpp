// SPDX-License-Identifier: MIT
#include "topology/fit/fit_search.h"

#include <gtest/gtest.h>

#include <bit>
#include <random>

#include "node_class_samples.h"
#include "topology/fit/node_fit.h"

namespace cede {
namespace {

NodeFit fit_for(const NodeClass& box, const Requirement& require, std::uint32_t devices,
                std::uint32_t table_devices = FitTable::kMaxTableDevices) {
  TaskTerms terms;
  terms.devices = devices;
  return NodeFit(box, require, terms, table_devices);
}

// Eight physical devices cut into seven slices each.
NodeClass sliced_box() {
  NodeClass box = box_of(56, "H100 1g.10gb");
  for (int i = 0; i < 8; ++i) {
    box.pcie.push_back(DeviceMask{0x7f} << 7 * i);
    for (int d = 7 * i; d < 7 * i + 7; ++d)
      box.devices[static_cast<std::size_t>(d)].parent = static_cast<std::int16_t>(i);
  }
  box.numa = {(DeviceMask{1} << 28) - 1, ((DeviceMask{1} << 28) - 1) << 28};
  box.cores = {28, 28};
  return box;
}

TEST(FitSearch, counts_on_more_devices_than_a_table_has) {
  const NodeFit fit = fit_for(sliced_box(), requires_gpus({gpus_at(GpuLevel::pcie)}), 3);
  EXPECT_FALSE(fit.has_table());
  EXPECT_EQ(fit.capacity(~DeviceMask{0}), 16);
  EXPECT_EQ(fit.fits(~DeviceMask{0}, 17), Fit::no);
  // Two slices of each: plenty of devices, no three together.
  DeviceMask two_each = 0;
  for (int i = 0; i < 8; ++i) two_each |= DeviceMask{0x50} << 7 * i;
  EXPECT_EQ(fit.capacity(two_each), 0);
  EXPECT_EQ(fit_for(sliced_box(), requires_gpus({gpus_at(GpuLevel::numa)}), 3).capacity(two_each), 4);
}

TEST(FitSearch, decides_numa_cpu_on_large_nodes) {
  TaskTerms terms{2, 2 * kOne, 56 * kOne, Unknown::fails, {}};
  Requirement require = requires_gpus({gpus_at(GpuLevel::pcie)});
  require.cpu_numa = CpuNuma::single;
  const NodeFit fit(sliced_box(), require, terms);
  const std::vector<Amount> free{6 * kOne, 10 * kOne};
  EXPECT_EQ(fit.capacity(~DeviceMask{0}, free), 8);
  EXPECT_EQ(fit.fits(~DeviceMask{0}, 9, free), Fit::no);
}

// The same devices are left after 0 and 1 as after 0 and 2, but not the same cpu.
TEST(FitSearch, remembers_which_cpu_was_taken_with_the_devices) {
  NodeClass box = box_of(7);
  box.numa = {0b0000101, 0b0001010, 0b1110000, 0};
  box.cores = {1, 1, 1, 1};
  for (const DeviceMask pair : {0b0000011, 0b0000101, 0b0011000, 0b0101000, 0b1001000}) {
    box.links.push_back({LinkClass::nvl, pair, 1});
  }
  Requirement require = requires_gpus({gpus_at(GpuLevel::nvl)});
  require.cpu_numa = CpuNuma::restricted;
  const std::vector<Amount> free{2, 3, 0, 1};
  for (const std::uint32_t table_devices : {FitTable::kMaxTableDevices, 0u}) {
    const NodeFit fit(box, require, {2, 3, 8, Unknown::fails, {}}, table_devices);
    ASSERT_EQ(fit.numa_terms({}).limit, 2u);
    std::vector<DeviceMask> out(2);
    ASSERT_EQ(fit.assign(0b1111111, 2, out, nullptr, free), Fit::yes);
    EXPECT_EQ(out, (std::vector<DeviceMask>{0b0000101, 0b0011000}));
  }
}

TEST(FitSearch, takes_devices_from_the_lowest_up) {
  const NodeFit fit = fit_for(sliced_box(), requires_gpus({gpus_at(GpuLevel::pcie)}), 2);
  std::vector<DeviceMask> out(3);
  const DeviceMask free = ~(DeviceMask{0b1011111}) & ~(DeviceMask{0b0001011} << 7);
  ASSERT_EQ(fit.assign(free, 3, out), Fit::yes);
  EXPECT_EQ(out[0], DeviceMask{0b0010100} << 7);
  EXPECT_EQ(out[1], DeviceMask{0b1100000} << 7);
  EXPECT_EQ(out[2], DeviceMask{0b11} << 14);
}

TEST(FitSearch, says_undecided_rather_than_guess) {
  std::mt19937_64 random(7);
  NodeClass box = box_of(64);
  for (int i = 0; i < 400; ++i) {
    const DeviceMask pair = DeviceMask{1} << random() % 64 | DeviceMask{1} << random() % 64;
    if (std::popcount(pair) == 2) box.links.push_back({LinkClass::nvl, pair, 1});
  }
  const NodeFit fit = fit_for(box, requires_gpus({gpus_at(GpuLevel::nvl)}), 3);
  const std::uint8_t shown = fit.capacity(~DeviceMask{0});
  std::uint8_t most = 21;  // 64 devices, 3 for each task
  while (most > shown && fit.fits(~DeviceMask{0}, most) == Fit::no) --most;
  ASSERT_LT(shown, most) << "choose a harder graph";
  EXPECT_EQ(fit.fits(~DeviceMask{0}, most), Fit::undecided);
  std::vector<DeviceMask> out(shown);
  ASSERT_EQ(fit.assign(~DeviceMask{0}, shown, out), Fit::yes);
  DeviceMask used = 0;
  for (const DeviceMask task : out) {
    EXPECT_EQ(std::popcount(task), 3);
    EXPECT_EQ(used & task, 0u);
    EXPECT_EQ(DeviceSets(box).related(task, gpus_at(GpuLevel::nvl)), Certainty::yes);
    used |= task;
  }
  Work nothing(0);
  EXPECT_EQ(fit.fits(~DeviceMask{0}, 1, {}, &nothing), Fit::undecided);
  EXPECT_EQ(nothing.left_open(), 1u);
}

// Twins, islands and remembered failures are worth their risk on larger classes, so those are compared too:
// what the table found by trying everything against what the search finds.
TEST(FitSearch, agrees_with_the_table_on_ten_devices) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937_64 random(seed);
    NodeClass box = box_of(10);
    for (std::uint64_t i = random() % 8; i > 0; --i)
      box.links.push_back({LinkClass::nvl, random() % 1024, 1});
    box.numa = {0b0000011111, 0b1111100000};
    box.pcie = {0b0000000011, 0b0000001100, 0b0000110000, 0b0011000000, 0b1100000000};
    for (std::uint64_t i = random() % 4; i > 0; --i)
      box.nics.push_back({"", random() % 1024, LinkClass::pcie});
    Requirement require;
    for (std::uint64_t i = 1 + random() % 2; i > 0; --i) {
      require.gpus.push_back(gpus_at(static_cast<GpuLevel>(random() % 3), static_cast<GpuMode>(random() % 3),
                                     static_cast<GpuScope>(random() % 2)));
    }
    if (random() % 3 == 0) require.nic = nic_at(GpuLevel::pcie, random() % 2 == 0);
    const auto devices = static_cast<std::uint32_t>(1 + random() % 4);
    const NodeFit table = fit_for(box, require, devices);
    const NodeFit search = fit_for(box, require, devices, 0);
    ASSERT_TRUE(table.has_table() && !search.has_table());
    for (int i = 0; i < 20; ++i) {
      const DeviceMask free = random() % 1024;
      ASSERT_EQ(table.capacity(free), search.capacity(free));
      for (std::uint32_t tasks = 1; tasks <= 10 / devices; ++tasks) {
        ASSERT_EQ(table.fits(free, tasks), search.fits(free, tasks));
      }
    }
  }
}

}  // namespace
}  // namespace cede
