// SPDX-License-Identifier: MIT
#include "report/topology_pictures.h"

#include <gtest/gtest.h>

#include <random>

#include "report/text_block.h"

namespace cede {
namespace {

NodeClass box() {
  NodeClass c;
  c.devices = {{"H100", "", -1}, {"H100", "", -1}, {"A30", "", 0}, {"A30", "", 0}};
  c.numa = {0b0011, 0b1100, 0, 0};
  c.cores = {8, 8, 4, 4};
  c.sockets = {0b0011, 0b1100};
  c.pcie = {0b0001, 0b0010, 0b1100};
  c.links = {{LinkClass::nvl, 0b0011, 18}};
  c.links_known = true;
  c.nics = {{"mlx5_0", 0b0001, LinkClass::pcie},   {"eth0", 0b0011, LinkClass::numa},
            {"mlx5_1", 0b1100, LinkClass::socket}, {"", 0b1100, LinkClass::pcie},
            {"", 0b1100, LinkClass::pcie},         {"far", 0, LinkClass::socket},
            {"farther", 0, LinkClass::numa}};
  c.nics_known = true;
  return c;
}

TEST(NodeClassPicture, shows_all_there_is) {
  EXPECT_EQ(draw_node_class(box(), "box"),
            R"(box: 4 GPUs (A30, H100) cut from 3, 4 NUMA nodes, 2 sockets, 24 cores, 7 NICs
┌─ NUMA 0, socket 0, 8 cores ───────┐ ┌─ NUMA 1, socket 1, 8 cores ─────────┐
│ ┌─ PCIe switch ─┐ ┌─────────────┐ │ │ ┌─ PCIe switch ───────────────────┐ │
│ │ GPU 0  H100   │ │ GPU 1  H100 │ │ │ │ GPU 2,3  A30, parts of device 0 │ │
│ │ NIC mlx5_0    │ └─────────────┘ │ │ │ 2 NICs                          │ │
│ └───────────────┘                 │ │ └─────────────────────────────────┘ │
│ NIC eth0                          │ └─────────────────────────────────────┘
└───────────────────────────────────┘
without GPUs: NUMA [2-3], 4 cores each
NIC mlx5_1: same socket as GPU 2,3
NIC far, farther: near no GPU
links: GPU 0,1 each to each, 18 links per pair; GPU 2,3 not at all
)");
}

TEST(NodeClassPicture, says_what_is_not_known) {
  NodeClass c;
  EXPECT_EQ(draw_node_class(c, "none"), "none: 0 GPUs, NICs not known\n");
  c.devices.resize(2);
  EXPECT_EQ(draw_node_class(c, "bare"), R"(bare: 2 GPUs, NICs not known
┌─ machine ───────────┐
│ ┌───────┐ ┌───────┐ │
│ │ GPU 0 │ │ GPU 1 │ │
│ └───────┘ └───────┘ │
└─────────────────────┘
links: not known
)");
  c.sockets = {0b01};
  EXPECT_NE(draw_node_class(c, "x").find("┌─ socket 0 ─┐ ┌─ place not known ─┐"), std::string::npos)
      << draw_node_class(c, "x");
}

TEST(NodeClassPicture, names_of_strangers_do_no_harm) {
  NodeClass c = box();
  c.devices[0].model = std::string(200, 'm') + "\x1b[2J";
  c.nics[0].name = "a\nb\x1b" + std::string(200, 'n');
  const std::string picture = draw_node_class(c, "t\x1b\n" + std::string(300, 't'));
  EXPECT_EQ(picture.find('\x1b'), std::string::npos);
  EXPECT_NE(picture.find("GPU 0  mmmmmmmmmmmmmmmmmmmmmmm…"), std::string::npos);
  EXPECT_NE(picture.find("NIC a\\u000ab\\u001bnnn"), std::string::npos);
}

// Whatever the class, no line is too wide, every frame is straight and every device is there.
TEST(NodeClassPicture, fits_any_class) {
  std::mt19937_64 random(5);
  for (int round = 0; round < 400; ++round) {
    NodeClass c;
    c.devices.resize(random() % 65);
    const DeviceMask all = c.devices.empty() ? 0 : ~DeviceMask{0} >> (64 - c.devices.size());
    for (auto& device : c.devices) {
      device.model = std::string(random() % 40, 'x');
      device.parent = static_cast<std::int16_t>(random() % 3 == 0 ? static_cast<int>(random() % 4) : -1);
    }
    for (auto* partition : {&c.numa, &c.sockets, &c.pcie}) {
      if (random() % 4 == 0) continue;
      partition->resize(1 + random() % 9);
      for (std::size_t i = 0; i < c.devices.size(); ++i) {
        if (random() % 8 != 0) (*partition)[random() % partition->size()] |= DeviceMask{1} << i;
      }
    }
    if (random() % 2 == 0) c.cores.assign(c.numa.size(), 7);
    for (std::uint64_t i = 0, n = random() % 12; i < n; ++i)
      c.nics.push_back({std::string(random() % 60, 'n'), random() & random() & all,
                        static_cast<LinkClass>(1 + random() % 4)});
    for (std::uint64_t i = 0, n = random() % 6; i < n; ++i) {
      const DeviceMask group = random() & random() & all;
      if (std::popcount(group) > 1)
        c.links.push_back({random() % 5 == 0 ? LinkClass::phb : LinkClass::nvl, group,
                           static_cast<std::uint16_t>(random() % 3)});
    }
    c.links_known = random() % 2 == 0;
    c.nics_known = true;
    const std::string picture = draw_node_class(c, "random");
    std::size_t opened = 0, closed = 0;
    for (std::size_t at = 0; at < picture.size();) {
      const std::size_t end = picture.find('\n', at);
      ASSERT_LE(columns_of(std::string_view(picture).substr(at, end - at)), kPictureColumns) << picture;
      at = end + 1;
    }
    for (std::size_t at = picture.find("┌"); at != std::string::npos; at = picture.find("┌", at + 1))
      ++opened;
    for (std::size_t at = picture.find("┘"); at != std::string::npos; at = picture.find("┘", at + 1))
      ++closed;
    EXPECT_EQ(opened, closed);
    for (const auto& nic : c.nics) {
      EXPECT_NE(picture.find(nic.name.substr(0, 20)), std::string::npos) << picture;
    }
  }
}

}  // namespace
}  // namespace cede
