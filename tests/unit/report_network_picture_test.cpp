// SPDX-License-Identifier: MIT
#include "report/topology_pictures.h"

#include <gtest/gtest.h>

#include "report/text_block.h"
#include "topology/import/slurm_topology.h"

namespace cede {
namespace {

std::string drawn(const std::string& text) {
  NetworkDescription network;
  SlurmFault fault;
  EXPECT_TRUE(read_slurm_topology(text, {}, network, fault)) << fault.message();
  return draw_network(network, "net");
}

TEST(NetworkPicture, is_a_tree) {
  EXPECT_EQ(drawn("SwitchName=s0 Nodes=n[1-4]\nSwitchName=s1 Nodes=n[5-8]\nSwitchName=s2 Switches=s[0-1]\n"
                  "SwitchName=s3 Nodes=login\nSwitchName=s4\n"),
            R"(net: 9 nodes; levels: 4 leaf, 1 spine
spine s2  8 nodes
├─ leaf s0  4 nodes  n[1-4]
└─ leaf s1  4 nodes  n[5-8]
leaf s3  1 node  login
leaf s4  0 nodes
)");
}

TEST(NetworkPicture, shows_a_few_of_many) {
  std::string text = "SwitchName=top Switches=s[0-9]\n";
  for (int i = 0; i < 10; ++i)
    text += "SwitchName=s" + std::to_string(i) + " Nodes=n" + std::to_string(i) + "\n";
  const std::string picture = drawn(text);
  EXPECT_NE(picture.find("├─ leaf s7  1 node  n7\n└─ … 2 more with 2 nodes\n"), std::string::npos) << picture;
  EXPECT_EQ(picture.find("s8"), std::string::npos);
}

TEST(NetworkPicture, draws_the_first_branch_of_a_large_one) {
  std::string text;
  for (int i = 0; i < 4; ++i) {
    const std::string spine = std::to_string(i);
    text += "SwitchName=p" + spine + " Switches=l" + spine + "[00-19]\n";
    for (int k = 0; k < 20; ++k) {
      const std::string leaf = spine + (k < 10 ? "0" : "") + std::to_string(k);
      text += "SwitchName=l" + leaf + " Nodes=n" + leaf + "[1-2]\n";
    }
  }
  EXPECT_EQ(drawn(text), R"(net: 160 nodes; levels: 80 leaf, 4 spine
spine p0  40 nodes
├─ leaf l000  2 nodes  n[0001-0002]
├─ leaf l001  2 nodes  n[0011-0012]
├─ leaf l002  2 nodes  n[0021-0022]
├─ leaf l003  2 nodes  n[0031-0032]
├─ leaf l004  2 nodes  n[0041-0042]
├─ leaf l005  2 nodes  n[0051-0052]
├─ leaf l006  2 nodes  n[0061-0062]
├─ leaf l007  2 nodes  n[0071-0072]
└─ … 12 more with 24 nodes
spine p1  40 nodes
spine p2  40 nodes
spine p3  40 nodes
)");
}

TEST(NetworkPicture, keeps_its_width) {
  std::string text = "SwitchName=" + std::string(200, 's') + " Nodes=" + std::string(200, 'a');
  for (int i = 0; i < 60; ++i) text += ",x" + std::to_string(i * 3);
  for (int i = 1; i < 16; ++i)
    text += "\nSwitchName=t" + std::to_string(i) +
            " Switches=" + (i == 1 ? std::string(200, 's') : "t" + std::to_string(i - 1));
  const std::string picture = drawn(text);
  for (std::size_t at = 0; at < picture.size();) {
    const std::size_t end = picture.find('\n', at);
    EXPECT_LE(columns_of(std::string_view(picture).substr(at, end - at)), kPictureColumns) << picture;
    at = end + 1;
  }
}

}  // namespace
}  // namespace cede
