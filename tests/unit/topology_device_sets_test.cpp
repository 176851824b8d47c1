// SPDX-License-Identifier: MIT
#include "topology/fit/device_sets.h"

#include <gtest/gtest.h>

#include "node_class_samples.h"

namespace cede {
namespace {

constexpr auto kNo = Certainty::no;
constexpr auto kUnknown = Certainty::unknown;
constexpr auto kYes = Certainty::yes;

TEST(DeviceSets, one_device_or_none_satisfies_every_gpus_entry) {
  const DeviceSets sets(box_of(2));
  for (const GpuLevel level : {GpuLevel::nvl, GpuLevel::pcie, GpuLevel::numa, GpuLevel::socket}) {
    for (const GpuMode mode : {GpuMode::clique, GpuMode::connected, GpuMode::same}) {
      EXPECT_EQ(sets.related(0b01, gpus_at(level, mode)), kYes);
      EXPECT_EQ(sets.related(0, gpus_at(level, mode)), kYes);
    }
  }
}

TEST(DeviceSets, links_that_do_not_close_are_no_clique) {
  const DeviceSets sets(chain_of(4));
  EXPECT_EQ(sets.related(0b0011, gpus_at(GpuLevel::nvl)), kYes);
  EXPECT_EQ(sets.related(0b0111, gpus_at(GpuLevel::nvl)), kNo);
  EXPECT_EQ(sets.related(0b0111, gpus_at(GpuLevel::nvl, GpuMode::connected)), kYes);
  EXPECT_EQ(sets.related(0b0101, gpus_at(GpuLevel::nvl, GpuMode::connected)), kNo);
  EXPECT_EQ(sets.related(0b0101, gpus_at(GpuLevel::nvl, GpuMode::same)), kYes);
}

TEST(DeviceSets, same_at_nvl_wants_one_part_of_the_class) {
  NodeClass box = box_of(4);
  box.links = {{LinkClass::nvl, 0b0011, 1}, {LinkClass::nvl, 0b1100, 1}};
  const DeviceSets sets(box);
  EXPECT_EQ(sets.related(0b0011, gpus_at(GpuLevel::nvl, GpuMode::same)), kYes);
  EXPECT_EQ(sets.related(0b0110, gpus_at(GpuLevel::nvl, GpuMode::same)), kNo);
}

TEST(DeviceSets, a_degraded_link_does_not_count) {
  NodeClass box = nvswitch_box();
  box.degraded = {{2, 5}};
  const DeviceSets sets(box);
  EXPECT_EQ(sets.related(0b00100100, gpus_at(GpuLevel::nvl)), kNo);
  EXPECT_EQ(sets.related(0xff, gpus_at(GpuLevel::nvl)), kNo);
  EXPECT_EQ(sets.related(0xff, gpus_at(GpuLevel::nvl, GpuMode::connected)), kYes);
  EXPECT_EQ(sets.related(0xdf, gpus_at(GpuLevel::nvl)), kYes);
  box.links_known = false;  // whatever else there is, this link is not to be counted on
  box.links.clear();
  EXPECT_EQ(DeviceSets(box).related(0b00100100, gpus_at(GpuLevel::nvl)), kNo);
  EXPECT_EQ(DeviceSets(box).related(0b00000110, gpus_at(GpuLevel::nvl)), kUnknown);
}

TEST(DeviceSets, only_nvl_links_count_as_such) {
  NodeClass box = box_of(2);
  box.links = {{LinkClass::pcie, 0b11, 0}, {LinkClass::numa, 0b11, 0}};
  EXPECT_EQ(DeviceSets(box).related(0b11, gpus_at(GpuLevel::nvl)), kNo);
  EXPECT_EQ(DeviceSets(box).related(0b11, gpus_at(GpuLevel::numa)), kUnknown);
}

TEST(DeviceSets, nvlink_does_not_help_a_numa_entry) {
  const DeviceSets sets(nvswitch_box());
  EXPECT_EQ(sets.related(0b00110011, gpus_at(GpuLevel::nvl)), kYes);
  EXPECT_EQ(sets.related(0b00110011, gpus_at(GpuLevel::numa)), kNo);
  EXPECT_EQ(sets.related(0b00110011, gpus_at(GpuLevel::socket)), kNo);
  EXPECT_EQ(sets.related(0b00001111, gpus_at(GpuLevel::numa)), kYes);
  EXPECT_EQ(sets.related(0b00001111, gpus_at(GpuLevel::pcie)), kNo);
  EXPECT_EQ(sets.related(0b00001100, gpus_at(GpuLevel::pcie)), kYes);
}

TEST(DeviceSets, links_that_nobody_told_are_unknown) {
  NodeClass box = box_of(4);
  box.links_known = false;
  box.links = {{LinkClass::nvl, 0b0011, 1}};
  const DeviceSets sets(box);
  EXPECT_EQ(sets.related(0b0011, gpus_at(GpuLevel::nvl)), kYes);
  EXPECT_EQ(sets.related(0b0111, gpus_at(GpuLevel::nvl)), kUnknown);
  EXPECT_EQ(sets.related(0b1100, gpus_at(GpuLevel::nvl, GpuMode::connected)), kUnknown);
  EXPECT_EQ(sets.related(0b1100, gpus_at(GpuLevel::nvl, GpuMode::same)), kUnknown);
}

TEST(DeviceSets, a_device_without_a_place_is_unknown_unless_others_decide) {
  NodeClass box = box_of(4);
  box.numa = {0b0001, 0b0010};
  const DeviceSets sets(box);
  for (const GpuMode mode : {GpuMode::clique, GpuMode::connected, GpuMode::same}) {
    EXPECT_EQ(sets.related(0b0101, gpus_at(GpuLevel::numa, mode)), kUnknown);
    EXPECT_EQ(sets.related(0b1100, gpus_at(GpuLevel::numa, mode)), kUnknown);
    EXPECT_EQ(sets.related(0b0111, gpus_at(GpuLevel::numa, mode)), kNo);
    EXPECT_EQ(sets.related(0b0011, gpus_at(GpuLevel::pcie, mode)), kUnknown);
  }
}

TEST(DeviceSets, counts_all_sixty_four_devices) {
  NodeClass box = box_of(64);
  box.numa = {0xffffffff, ~DeviceMask{0xffffffff}};
  box.links = {{LinkClass::nvl, ~DeviceMask{0}, 1}};
  const DeviceSets sets(box);
  EXPECT_EQ(sets.all(), ~DeviceMask{0});
  EXPECT_EQ(sets.related(~DeviceMask{0}, gpus_at(GpuLevel::nvl)), kYes);
  EXPECT_EQ(sets.related(DeviceMask{3} << 62, gpus_at(GpuLevel::numa)), kYes);
  EXPECT_EQ(sets.related(DeviceMask{1} << 63 | 1, gpus_at(GpuLevel::numa)), kNo);
  EXPECT_EQ(DeviceSets(NodeClass{}).all(), 0u);
}

TEST(DeviceSets, nics_are_near_at_a_level) {
  NodeClass box = nvswitch_box();
  box.nics = {{"", 0b00000011, LinkClass::pcie}};
  const DeviceSets sets(box);
  EXPECT_EQ(sets.near_nic(0b00000011, nic_at(GpuLevel::pcie)), kYes);
  EXPECT_EQ(sets.near_nic(0b00000111, nic_at(GpuLevel::pcie)), kNo);
  EXPECT_EQ(sets.near_nic(0b00001111, nic_at(GpuLevel::numa)), kYes);
  EXPECT_EQ(sets.near_nic(0b00010000, nic_at(GpuLevel::numa)), kNo);
  EXPECT_EQ(sets.near_nic(0, nic_at(GpuLevel::pcie)), kYes);
  box.nics[0].level = LinkClass::numa;
  EXPECT_EQ(DeviceSets(box).near_nic(0b0001, nic_at(GpuLevel::pcie)), kNo);
  EXPECT_EQ(DeviceSets(box).near_nic(0b0001, nic_at(GpuLevel::numa)), kYes);
  box.nics[0].level = LinkClass::socket;
  EXPECT_EQ(DeviceSets(box).near_nic(0b0001, nic_at(GpuLevel::numa)), kNo);
  EXPECT_EQ(DeviceSets(box).near_nic(0b1111, nic_at(GpuLevel::socket)), kYes);
}

TEST(DeviceSets, a_socket_is_reached_through_its_numa_nodes) {
  NodeClass box = box_of(4);
  box.numa = {0b0011, 0b1100};
  box.nics = {{"", 0b0001, LinkClass::pcie}};
  EXPECT_EQ(DeviceSets(box).near_nic(0b0010, nic_at(GpuLevel::socket)), kYes);
  EXPECT_EQ(DeviceSets(box).near_nic(0b0100, nic_at(GpuLevel::socket)), kUnknown);
  box.sockets = {0b1111};
  EXPECT_EQ(DeviceSets(box).near_nic(0b0100, nic_at(GpuLevel::socket)), kYes);
  EXPECT_EQ(DeviceSets(box).near_nic(0b0100, nic_at(GpuLevel::numa)), kNo);
}

TEST(DeviceSets, one_nic_for_all_is_more_than_one_each) {
  const DeviceSets sets(nvswitch_box());
  EXPECT_EQ(sets.near_nic(0b00001111, nic_at(GpuLevel::pcie, true)), kYes);
  EXPECT_EQ(sets.near_nic(0b00001111, nic_at(GpuLevel::pcie, false)), kNo);
  EXPECT_EQ(sets.near_nic(0b00001100, nic_at(GpuLevel::pcie, false)), kYes);
  EXPECT_EQ(sets.near_nic(0b00001111, nic_at(GpuLevel::numa, false)), kYes);
}

TEST(DeviceSets, nics_that_nobody_told_are_unknown) {
  NodeClass box = nvswitch_box();
  box.nics_known = false;
  EXPECT_EQ(DeviceSets(box).near_nic(0b1, nic_at(GpuLevel::pcie)), kUnknown);
  EXPECT_EQ(DeviceSets(box).near_nic(0, nic_at(GpuLevel::pcie)), kYes);
  box.nics_known = true;
  box.nics.clear();
  EXPECT_EQ(DeviceSets(box).near_nic(0b1, nic_at(GpuLevel::pcie)), kNo);
}

TEST(DeviceSets, a_nic_beyond_a_missing_place_is_unknown) {
  NodeClass box = box_of(3);
  box.numa = {0b001, 0b010};
  box.nics = {{"", 0b001, LinkClass::pcie}};
  EXPECT_EQ(DeviceSets(box).near_nic(0b010, nic_at(GpuLevel::numa)), kNo);
  EXPECT_EQ(DeviceSets(box).near_nic(0b100, nic_at(GpuLevel::numa)), kUnknown);  // the device's place
  box.nics[0].near = 0b100;
  EXPECT_EQ(DeviceSets(box).near_nic(0b010, nic_at(GpuLevel::numa)), kUnknown);  // the NIC's
  box.nics[0].level = LinkClass::numa;
  EXPECT_EQ(DeviceSets(box).near_nic(0b010, nic_at(GpuLevel::numa)), kNo);
  box.nics[0].near = 0;
  EXPECT_EQ(DeviceSets(box).near_nic(0b100, nic_at(GpuLevel::numa)), kNo);
}

TEST(DeviceSets, models_are_listed_equal_or_unknown) {
  NodeClass box = box_of(4);
  box.devices[1].model = "NVIDIA H100 80GB HBM3";
  box.devices[2].model = "A100";
  box.devices[3].model = "";
  const DeviceSets sets(box);
  const std::vector<std::string> h100{"h100"};
  const std::vector<std::string> either{"H100", "A100"};
  EXPECT_EQ(sets.of_models(0b0011, h100), kYes);
  EXPECT_EQ(sets.of_models(0b0111, h100), kNo);
  EXPECT_EQ(sets.of_models(0b0111, either), kYes);
  EXPECT_EQ(sets.of_models(0b1001, h100), kUnknown);
  EXPECT_EQ(sets.of_models(0b1101, h100), kNo);
  EXPECT_EQ(sets.of_models(0b1111, {}), kYes);
  EXPECT_EQ(sets.of_model(0b0001, "h100"), kYes);
  EXPECT_EQ(sets.of_model(0b0010, "h100"), kNo);  // as reported it is another one
  EXPECT_EQ(sets.of_model(0b1000, "h100"), kUnknown);
  EXPECT_EQ(sets.one_model(0b0001), kYes);
  EXPECT_EQ(sets.one_model(0b1000), kYes);
  EXPECT_EQ(sets.one_model(0b0011), kNo);
  EXPECT_EQ(sets.one_model(0b1001), kUnknown);
  EXPECT_EQ(sets.one_model(0b1011), kNo);
  box.devices[1].model = "h100";
  EXPECT_EQ(DeviceSets(box).one_model(0b0011), kYes);
}

TEST(DeviceSets, counts_numa_nodes) {
  NodeClass box = box_of(5);
  box.numa = {0b00011, 0, 0b01100};
  const DeviceSets sets(box);
  EXPECT_EQ(sets.within_numa(0b00011, 1), kYes);
  EXPECT_EQ(sets.within_numa(0b00110, 1), kNo);
  EXPECT_EQ(sets.within_numa(0b00110, 2), kYes);
  EXPECT_EQ(sets.within_numa(0b10000, 1), kUnknown);
  EXPECT_EQ(sets.within_numa(0b10110, 1), kNo);
  EXPECT_EQ(sets.numa_nodes(0b00110), 0b101u);
  EXPECT_EQ(sets.devices_of(0b110), 0b01100u);
  EXPECT_FALSE(sets.all_in_numa());
}

}  // namespace
}  // namespace cede
