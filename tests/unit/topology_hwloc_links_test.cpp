// SPDX-License-Identifier: MIT
#include "topology/import/hwloc_devices.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "hwloc_sample.h"
#include "topology/import/hwloc_import.h"

namespace cede {
namespace {

using Group = NodeClass::LinkGroup;
using Rows = std::vector<std::vector<int>>;

constexpr LinkClass kNvl = LinkClass::nvl;

NodeClass import_links(const std::string& text) {
  NodeClass out;
  std::string why;
  EXPECT_TRUE(import_hwloc_xml(text, out, why)) << why;
  return out;
}

// As many devices of one kind, each alone on its port, with one matrix over their NVML names.
NodeClass machine_with(const std::string& matrix, const Rows& rows,
                       const std::string& type = "0302 [10de:2330]") {
  HwlocSample s;
  std::string io;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    io += s.alone(s.gpu("0000:" + std::to_string(10 + i) + ":00.0", static_cast<int>(i), type));
    names.push_back("nvml" + std::to_string(i));
  }
  return import_links(s.text(io, "", "", s.matrix(matrix, names, rows)));
}

Rows mesh(std::size_t size, int value) {
  Rows rows(size, std::vector<int>(size, value));
  for (std::size_t i = 0; i < size; ++i) rows[i][i] = 1000000;
  return rows;
}

TEST(HwlocLinks, makes_one_group_of_a_mesh) {
  const NodeClass machine = machine_with("NVLinkBandwidth", mesh(4, 150000));
  EXPECT_TRUE(machine.links_known);
  EXPECT_EQ(machine.links, (std::vector<Group>{{kNvl, 0b1111, 6}}));
}

TEST(HwlocLinks, counts_links_by_the_rate_of_each_generation) {
  EXPECT_EQ(machine_with("NVLinkBandwidth", mesh(2, 40000), "0302 [10de:15f9]").links[0].lanes, 2);
  EXPECT_EQ(machine_with("NVLinkBandwidth", mesh(2, 50000), "0302 [10de:1db1]").links[0].lanes, 2);
  EXPECT_EQ(machine_with("NVLinkBandwidth", mesh(2, 900000), "0302 [10de:2941]").links[0].lanes, 18);
  EXPECT_EQ(machine_with("NVLinkBandwidth", mesh(2, 12345)).links[0].lanes, 0);
}

TEST(HwlocLinks, does_not_close_over_devices) {
  const NodeClass machine =
      machine_with("NVLinkBandwidth", {{0, 25000, 0}, {25000, 0, 25000}, {0, 25000, 0}});
  EXPECT_TRUE(machine.links_known);
  EXPECT_EQ(machine.links, (std::vector<Group>{{kNvl, 0b011, 1}, {kNvl, 0b110, 1}}));
}

TEST(HwlocLinks, keeps_groups_of_different_strength_apart) {
  const NodeClass machine = machine_with("NVLinkBandwidth", {{0, 50000, 25000, 25000},
                                                             {50000, 0, 25000, 25000},
                                                             {25000, 25000, 0, 50000},
                                                             {25000, 25000, 50000, 0}});
  EXPECT_EQ(machine.links, (std::vector<Group>{{kNvl, 0b0011, 2},
                                               {kNvl, 0b0101, 1},
                                               {kNvl, 0b0110, 1},
                                               {kNvl, 0b1001, 1},
                                               {kNvl, 0b1010, 1},
                                               {kNvl, 0b1100, 2}}));
}

TEST(HwlocLinks, wants_both_directions) {
  for (const Rows& rows : {Rows{{0, 25000}, {0, 0}}, Rows{{0, 0}, {25000, 0}}}) {
    const NodeClass machine = machine_with("NVLinkBandwidth", rows);
    EXPECT_TRUE(machine.links_known);
    EXPECT_TRUE(machine.links.empty());
  }
}

// Two boards whose switches are joined by trunks that no capture shows.
TEST(HwlocLinks, closes_over_all_switches_of_the_machine) {
  HwlocSample s;
  std::string io;
  for (int i = 0; i < 4; ++i) {
    io += s.alone(s.gpu("0000:" + std::to_string(10 + i) + ":00.0", i, "0302 [10de:1db8]"));
  }
  io += s.alone(s.pci("0000:c1:00.0", "0680 [10de:1ac2]", "", "NVSwitch"));
  io += s.alone(s.pci("0000:c2:00.0", "0680 [10de:1ac2]"));
  Rows rows(6, std::vector<int>(6, 0));
  for (std::size_t device = 0; device < 4; ++device) {
    const std::size_t at = device < 2 ? 4 : 5;
    rows[device][at] = rows[at][device] = 75000;
  }
  const std::vector<std::string> names{"nvml0", "nvml1", "nvml2", "nvml3", "0000:c1:00.0", "0000:c2:00.0"};
  const NodeClass machine = import_links(s.text(io, "", "", s.matrix("NVLinkBandwidth", names, rows, true)));
  EXPECT_TRUE(machine.links_known);
  EXPECT_EQ(machine.links, (std::vector<Group>{{kNvl, 0b1111, 3}}));
}

TEST(HwlocLinks, knows_nothing_without_a_matrix_for_every_device) {
  HwlocSample s;
  const std::string two = s.alone(s.gpu("0000:01:00.0", 0)) + s.alone(s.gpu("0000:02:00.0", 1));
  const std::string third = s.alone(s.gpu("0000:03:00.0", 2));
  const std::string matrix = s.matrix("NVLinkBandwidth", {"nvml0", "nvml1"}, mesh(2, 25000));
  const NodeClass all = import_links(s.text(two, "", "", matrix));
  EXPECT_TRUE(all.links_known);
  const NodeClass partly = import_links(s.text(two, third, "", matrix));
  EXPECT_FALSE(partly.links_known);
  EXPECT_EQ(partly.links, all.links);
  const NodeClass none = import_links(s.text(two));
  EXPECT_FALSE(none.links_known);
  EXPECT_TRUE(none.links.empty());
}

TEST(HwlocLinks, reads_the_links_of_other_makers) {
  const NodeClass xe = machine_with("XeLinkBandwidth", mesh(2, 26000), "0380 [8086:0bd5]");
  EXPECT_TRUE(xe.links_known);
  EXPECT_EQ(xe.links, (std::vector<Group>{{kNvl, 0b11, 0}}));
  const NodeClass xgmi = machine_with("XGMIBandwidth", mesh(2, 100000), "0380 [1002:738c]");
  EXPECT_EQ(xgmi.links, (std::vector<Group>{{kNvl, 0b11, 0}}));
  const NodeClass hops = machine_with("XGMIHops", {{0, 1, 2}, {1, 0, 1}, {2, 1, 0}}, "0380 [1002:738c]");
  EXPECT_EQ(hops.links, (std::vector<Group>{{kNvl, 0b011, 0}, {kNvl, 0b110, 0}}));
}

TEST(HwlocLinks, corrects_the_mesh_that_mi250x_nodes_claim) {
  const NodeClass machine = machine_with("XGMIBandwidth", mesh(8, 100000), "0380 [1002:7408]");
  EXPECT_TRUE(machine.links_known);
  std::vector<DeviceMask> peers(8);
  for (const Group& group : machine.links) {
    for (std::size_t i = 0; i < 8; ++i) {
      if (group.devices >> i & 1) peers[i] |= group.devices & ~(DeviceMask{1} << i);
    }
  }
  EXPECT_EQ(peers, (std::vector<DeviceMask>{0b01000110, 0b00101001, 0b00011001, 0b10000110, 0b01100100,
                                            0b10010010, 0b10010001, 0b01101000}));
  ASSERT_EQ(machine.links.size(), 12u);
  EXPECT_EQ(machine.links[0], (Group{kNvl, 0b11, 4}));
}

TEST(HwlocLinks, doubts_the_mesh_of_an_unlisted_number_of_mi250x) {
  const NodeClass machine = machine_with("XGMIBandwidth", mesh(4, 100000), "0380 [1002:7408]");
  EXPECT_FALSE(machine.links_known);
  EXPECT_TRUE(machine.links.empty());
  Rows told = mesh(4, 50000);
  told[0][3] = told[3][0] = 0;
  EXPECT_TRUE(machine_with("XGMIBandwidth", told, "0380 [1002:7408]").links_known);
}

TEST(HwlocLinks, knows_the_mesh_of_mi300x_nodes_without_any_matrix) {
  for (const char* number : {"74a1", "74b5"}) {
    HwlocSample s;
    std::string io;
    for (int i = 0; i < 8; ++i)
      io += s.alone(
          s.pci("0000:" + std::to_string(10 + i) + ":00.0", "1200 [1002:" + std::string(number) + "]"));
    const NodeClass machine = import_links(s.text(io));
    EXPECT_TRUE(machine.links_known);
    EXPECT_EQ(machine.links, (std::vector<Group>{{kNvl, 0xff, 1}}));
  }
}

}  // namespace
}  // namespace cede
