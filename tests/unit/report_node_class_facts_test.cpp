// SPDX-License-Identifier: MIT
#include "report/topology_pictures.h"

#include <gtest/gtest.h>

namespace cede {
namespace {

TEST(NodeClassFacts, are_counted) {
  NodeClass c;
  c.devices = {{"A", "", 0}, {"A", "", 0}, {"B", "", -1}, {"A", "", 1}, {"C", "", -1}};
  c.numa = {1, 2, 4};
  c.cores = {4, 0, 8};
  c.sockets = {7};
  c.links = {{LinkClass::nvl, 0b00011, 0}, {LinkClass::nvl, 0b00110, 0}, {LinkClass::phb, 0b11000, 0}};
  c.nics.resize(2);
  const NodeClassFacts facts = count_facts(c);
  EXPECT_EQ(facts.devices, 5u);
  EXPECT_EQ(facts.physical_devices, 4u);
  EXPECT_EQ(facts.numa_nodes, 3u);
  EXPECT_EQ(facts.sockets, 1u);
  EXPECT_EQ(facts.cores, 12u);
  EXPECT_EQ(facts.islands, 1u);
  EXPECT_EQ(facts.nics, 2u);
}

TEST(NodeClassFacts, islands_are_what_links_connect) {
  NodeClass c;
  c.links = {{LinkClass::nvl, 0b1100, 0}, {LinkClass::nvl, 0b110000, 0}, {LinkClass::nvl, 0b11, 0}};
  EXPECT_EQ(link_islands(c), (std::vector<DeviceMask>{0b11, 0b1100, 0b110000}));
  c.links.push_back({LinkClass::nvl, 0b10010, 0});
  EXPECT_EQ(link_islands(c), (std::vector<DeviceMask>{0b110011, 0b1100}));
  EXPECT_TRUE(link_islands({}).empty());
}

TEST(NodeClassFacts, lists_indexes) {
  EXPECT_EQ(index_list(0), "");
  EXPECT_EQ(index_list(0b1), "0");
  EXPECT_EQ(index_list(0b11), "0,1");
  EXPECT_EQ(index_list(0b101111), "0-3,5");
  EXPECT_EQ(index_list(~DeviceMask{0}), "0-63");
  EXPECT_EQ(index_list(DeviceMask{1} << 63 | 1), "0,63");
}

}  // namespace
}  // namespace cede
