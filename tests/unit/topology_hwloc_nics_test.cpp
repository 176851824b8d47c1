// SPDX-License-Identifier: MIT
#include "topology/import/hwloc_devices.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "hwloc_sample.h"
#include "topology/import/hwloc_import.h"

namespace cede {
namespace {

using Nic = NodeClass::Nic;

constexpr const char* kConnectX = "0207 [15b3:1021]";
constexpr const char* kConnectXFunction = "0207 [15b3:101e]";
constexpr const char* kEthernet = "0200 [8086:1521]";

std::vector<Nic> nics(const std::string& text) {
  NodeClass out;
  std::string why;
  EXPECT_TRUE(import_hwloc_xml(text, out, why)) << why;
  EXPECT_TRUE(out.nics_known);
  return out.nics;
}

TEST(HwlocNics, finds_the_devices_nearest_to_each) {
  HwlocSample s;
  const std::string first =
      s.host("0000:[10-1f]", s.port("0000:[11-14]", s.pci("0000:12:00.0", kConnectX, s.os("mlx5_0", 3)) +
                                                        s.gpu("0000:13:00.0", 0))) +
      s.alone(s.gpu("0000:14:00.0", 1)) +
      s.alone(s.pci("0000:15:00.0", kConnectX, s.os("ib1", 2) + s.os("mlx5_1", 3)));
  const std::string second = s.alone(s.pci("0000:21:00.0", kConnectX, s.os("mlx5_2", 3)));
  EXPECT_EQ(nics(s.text(first, second)), (std::vector<Nic>{{"mlx5_0", 0b01, LinkClass::pcie},
                                                           {"mlx5_1", 0b11, LinkClass::numa},
                                                           {"mlx5_2", 0, LinkClass::socket}}));
}

TEST(HwlocNics, counts_a_fabric_and_not_the_management_network_beside_it) {
  HwlocSample s;
  const std::string ethernet = s.alone(s.pci("0000:01:00.0", kEthernet, s.os("eno1", 2)));
  const std::string slingshot =
      s.alone(s.pci("0000:02:00.0", "0200 [17db:0501]", s.os("hsn0", 2, "Slingshot")));
  const std::string efa = s.alone(s.pci("0000:03:00.0", "0200 [1d0f:efa0]", s.os("rdmap3s0", 3)));
  const std::string unbound = s.alone(s.pci("0000:04:00.0", kConnectX));
  ASSERT_EQ(nics(s.text(ethernet)).size(), 1u);
  EXPECT_EQ(nics(s.text(ethernet))[0].name, "eno1");
  const std::vector<Nic> all = nics(s.text(ethernet + slingshot + efa + unbound));
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0].name, "hsn0");
  EXPECT_EQ(all[1].name, "rdmap3s0");
  EXPECT_EQ(all[2].name, "");
}

TEST(HwlocNics, leaves_out_radio_and_functions_without_a_network_device) {
  HwlocSample s;
  const std::string io = s.alone(s.pci("0000:01:00.0", "0280 [8086:24fb]", s.os("wlp1s0", 2))) +
                         s.alone(s.pci("0000:02:00.0", kEthernet));
  EXPECT_TRUE(nics(s.text(io)).empty());
}

TEST(HwlocNics, counts_virtual_functions_only_where_nothing_physical_is) {
  HwlocSample s;
  const std::string physical = s.alone(s.pci("0000:01:00.0", kConnectX, s.os("mlx5_0", 3)));
  const std::string function = s.alone(s.pci("0000:01:00.1", kConnectXFunction, s.os("mlx5_1", 3)));
  EXPECT_EQ(nics(s.text(physical + function)).size(), 1u);
  ASSERT_EQ(nics(s.text(function)).size(), 1u);
  EXPECT_EQ(nics(s.text(function))[0].name, "mlx5_1");
}

TEST(HwlocNics, drops_names_made_from_hardware_addresses) {
  HwlocSample s;
  const std::string io = s.alone(s.pci("0000:01:00.0", kEthernet, s.os("enx001122334455", 2)));
  ASSERT_EQ(nics(s.text(io)).size(), 1u);
  EXPECT_EQ(nics(s.text(io))[0].name, "");
}

TEST(HwlocNics, knows_nothing_from_a_capture_without_devices) {
  HwlocSample s;
  NodeClass out;
  std::string why;
  ASSERT_TRUE(import_hwloc_xml(s.text(), out, why)) << why;
  EXPECT_FALSE(out.nics_known);
}

TEST(HwlocNics, refuses_more_than_64) {
  HwlocSample s;
  std::string io;
  for (int i = 0; i < 65; ++i) io += s.pci("0000:" + std::to_string(10 + i) + ":00.0", kConnectX);
  NodeClass out;
  std::string why;
  EXPECT_FALSE(import_hwloc_xml(s.text(s.alone(io)), out, why));
  EXPECT_EQ(why, "the machine has 65 network adapters; at most 64 are supported");
}

}  // namespace
}  // namespace cede
