// SPDX-License-Identifier: MIT
#include "topology/import/slurm_topology.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "mutated_text.h"

namespace cede {
namespace {

NetworkDescription read_slurm(std::string_view text, const SlurmLimits& limits = {}) {
  NetworkDescription network;
  SlurmFault fault;
  EXPECT_TRUE(read_slurm_topology(text, limits, network, fault)) << fault.message();
  return network;
}

std::string slurm_refusal(std::string_view text, const SlurmLimits& limits = {}) {
  NetworkDescription network;
  SlurmFault fault;
  EXPECT_FALSE(read_slurm_topology(text, limits, network, fault));
  EXPECT_TRUE(network.domains.empty());
  return fault.message();
}

// `leaf a<b`, one per domain.
std::string shape(const NetworkDescription& network) {
  std::string out;
  for (const auto& domain : network.domains) {
    out += (out.empty() ? "" : " ") + network.levels[domain.level] + ':' + domain.name;
    if (domain.parent >= 0) out += '<' + network.domains[static_cast<std::size_t>(domain.parent)].name;
  }
  return out;
}

std::string nodes(const NetworkDescription& network) {
  std::string out;
  for (const auto& node : network.nodes)
    out += (out.empty() ? "" : " ") + node.name + '@' + network.domains[node.domain].name;
  return out;
}

using Levels = std::vector<std::string>;

TEST(SlurmTree, names_levels_by_height) {
  const NetworkDescription network = read_slurm(
      "SwitchName=s2 Switches=s[0-1]\n"
      "SwitchName=s0 Nodes=n[1-2]\n"
      "SwitchName=s1 Nodes=n3\n");
  EXPECT_EQ(network.levels, (Levels{"leaf", "spine"}));
  EXPECT_EQ(shape(network), "spine:s2 leaf:s0<s2 leaf:s1<s2");
  EXPECT_EQ(nodes(network), "n1@s0 n2@s0 n3@s1");
  EXPECT_EQ(network.domains[1].line, 2u);
  EXPECT_EQ(network.nodes[2].line, 3u);

  std::string tower = "SwitchName=s0 Nodes=n\n";
  for (int i = 1; i < 6; ++i)
    tower += "SwitchName=s" + std::to_string(i) + " Switches=s" + std::to_string(i - 1) + "\n";
  EXPECT_EQ(read_slurm(tower).levels, (Levels{"leaf", "spine", "core", "level3", "level4", "level5"}));
  SlurmLimits limits;
  limits.levels = 5;
  EXPECT_EQ(slurm_refusal(tower, limits),
            "topology.conf: switches stand 6 high; at most 5 levels are allowed");
}

TEST(SlurmTree, takes_several_roots_and_uneven_heights) {
  EXPECT_EQ(shape(read_slurm("SwitchName=a Switches=b,c\nSwitchName=b Switches=d\nSwitchName=c Nodes=n1\n"
                             "SwitchName=d Nodes=n2\nSwitchName=e Nodes=n3\nSwitchName=f\n")),
            "core:a spine:b<a leaf:c<a leaf:d<b leaf:e leaf:f");
}

TEST(SlurmTree, reads_lines_as_slurm_does) {
  const NetworkDescription network = read_slurm(
      "# a comment\r\n"
      "\n"
      "   \t \n"
      "switchname = s0   NODES=\"n1,n2\"  LinkSpeed=100 # and another\r\n"
      "SWITCHNAME=s1 \\\n"
      "  Nodes=n3,\\   # goes on\n"
      "n4\n"
      "SwitchName=s2 Switches=s0,\\\n"
      "s1");
  EXPECT_EQ(shape(network), "leaf:s0<s2 leaf:s1<s2 spine:s2");
  EXPECT_EQ(nodes(network), "n1@s0 n2@s0 n3@s1 n4@s1");
  EXPECT_EQ(network.domains[1].line, 5u);
  EXPECT_EQ(network.nodes[2].line, 6u);
  EXPECT_EQ(network.nodes[3].line, 7u);
}

TEST(SlurmTree, passes_over_blank_lines_of_every_kind) {
  const std::string blanks = "\r\\\n\r \n\\\n\t\r\n";
  EXPECT_EQ(shape(read_slurm(blanks + "SwitchName=s0 Nodes=n1\n" + blanks)), "leaf:s0");
  EXPECT_EQ(slurm_refusal(blanks), "topology.conf: it names no switch and no block");
}

TEST(SlurmTree, counts_a_node_named_twice_below_one_switch_once) {
  EXPECT_EQ(nodes(read_slurm("SwitchName=s Nodes=b,a,b,a,c\n")), "b@s a@s c@s");
}

TEST(SlurmTree, names_both_lines_of_a_node_on_two_leaves) {
  EXPECT_EQ(
      slurm_refusal(
          "SwitchName=s0 Nodes=z\n\nSwitchName=s1 Nodes=n[1-8]\nSwitchName=s2 Nodes=n[9-12],\\\nn7,z\n"),
      "topology.conf line 5: node 'n7' is already on leaf 's1' (line 3)");
}

struct Wrong {
  const char* text;
  const char* message;
};

class SlurmRefuses : public testing::TestWithParam<Wrong> {};

TEST_P(SlurmRefuses, with_the_line) { EXPECT_EQ(slurm_refusal(GetParam().text), GetParam().message); }

INSTANTIATE_TEST_SUITE_P(
    Rules, SlurmRefuses,
    testing::Values(
        Wrong{"", "topology.conf: it names no switch and no block"},
        Wrong{"# nothing\n", "topology.conf: it names no switch and no block"},
        Wrong{"\nNodes=a\n",
              "topology.conf line 2: 'Nodes' starts a line; 'SwitchName', 'BlockName' or 'BlockSizes' does"},
        Wrong{"SwitchName=s Nodez=a", "topology.conf line 1: unknown key 'Nodez'; did you mean 'Nodes'?"},
        Wrong{"SwitchName=s \\\n Nodes=a \\\n nodes=b", "topology.conf line 3: 'nodes' is given twice"},
        Wrong{"SwitchName=s Nodes=", "topology.conf line 1: 'Nodes' has no value"},
        Wrong{"SwitchName=s Nodes=\"a", "topology.conf line 1: a quote is not closed"},
        Wrong{"SwitchName=s Nodes", "topology.conf line 1: 'Nodes' is not of the form Key=Value"},
        Wrong{"SwitchName=s =a", "topology.conf line 1: '=a' is not of the form Key=Value"},
        Wrong{"SwitchName=s Nodes=a\ninclude other.conf",
              "topology.conf line 2: 'Include' is not followed; put the lines of that file in its place"},
        Wrong{"RingName=r Nodes=a",
              "topology.conf line 1: 'RingName' describes a ring; trees (SwitchName) and blocks (BlockName) "
              "are "
              "read"},
        Wrong{"SwitchName=s Nodes=a\nSwitchName=s Nodes=b",
              "topology.conf line 2: switch 's' is already defined (line 1)"},
        Wrong{"SwitchName=s Nodes=a Switches=t",
              "topology.conf line 1: switch 's' has both nodes and switches "
              "below it"},
        Wrong{"SwitchName=s Switches=t,u\nSwitchName=t",
              "topology.conf line 1: 'u' below switch 's' is not a switch of this file"},
        Wrong{"SwitchName=s Switches=s", "topology.conf line 1: switch 's' is below itself"},
        Wrong{"SwitchName=a Switches=c\nSwitchName=b Switches=c\nSwitchName=c",
              "topology.conf line 2: switch 'c' is already below 'a' (line 1)"},
        Wrong{"SwitchName=r Switches=a\nSwitchName=a Switches=b\nSwitchName=b Switches=a",
              "topology.conf line 3: switch 'a' is already below 'r' (line 1)"},
        Wrong{"SwitchName=l\nSwitchName=a Switches=b\nSwitchName=b Switches=c\nSwitchName=c Switches=a",
              "topology.conf line 2: switch 'a' is below 'c', which is below it: the switches form a circle"},
        Wrong{"SwitchName=s Nodes=n[3-1]",
              "topology.conf line 1: 'n[3-1]' has the range '3-1', which runs backwards"},
        Wrong{"SwitchName=s Nodes=a,\\\nn[0-99999999]",
              "topology.conf line 2: 'n[0-99999999]' stands for too many names; at most 1000000 nodes are "
              "allowed"},
        Wrong{"SwitchName=s Nodes=a\x01", "topology.conf line 1: there is a control character"},
        Wrong{"SwitchName=s Nodes=a\xff", "topology.conf: it is not UTF-8"},
        Wrong{"SwitchName=s Nodes=a\nBlockName=b Nodes=c",
              "topology.conf line 2: a file describes a tree or blocks, not both; the other kind starts in "
              "line 1"},
        Wrong{"BlockName=b Nodes=c Switches=a", "topology.conf line 1: 'Switches' in the line of a block"},
        Wrong{"SwitchName=b Nodes=c BlockName=a",
              "topology.conf line 1: 'BlockName' in the line of a switch"},
        Wrong{"BlockName=b", "topology.conf line 1: block 'b' has no nodes"},
        Wrong{"BlockName=b Nodes=n1\nBlockName=c Nodes=n[2-3],n1",
              "topology.conf line 2: node 'n1' is already in block 'b' (line 1)"},
        Wrong{"BlockName=b Nodes=n[1-2]\nBlockName=c Nodes=n3\nBlockSizes=2",
              "topology.conf line 2: block 'c' has 1 node, fewer than the 2 of BlockSizes (line 3)"},
        Wrong{"BlockSizes=2\nBlockSizes=2",
              "topology.conf line 2: 'BlockSizes' is given twice, first in line 1"},
        Wrong{"BlockName=b Nodes=n1\nBlockSizes=0",
              "topology.conf line 2: BlockSizes has '0', which is not a number of nodes"},
        Wrong{"BlockName=b Nodes=n[1-4]\nBlockSizes=4,12",
              "topology.conf line 2: BlockSizes has '12'; each size is the first, '4', times a power of two "
              "up to "
              "32768"},
        Wrong{
            "BlockName=x Nodes=a\nBlockName=y..z Nodes=b\nBlockName=x..y Nodes=c\nBlockName=z Nodes=d\n"
            "BlockSizes=1,2",
            "topology.conf line 5: two blocks would be named 'x..y..z', the larger ones after their parts"}));

TEST(SlurmTopology, holds_to_its_limits) {
  SlurmLimits limits;
  limits.domains = 2;
  EXPECT_EQ(slurm_refusal("SwitchName=a\nSwitchName=b\nSwitchName=c\n", limits),
            "topology.conf line 3: more than 2 switches or blocks");
  limits.nodes = 3;
  EXPECT_EQ(slurm_refusal("SwitchName=a Nodes=n[1-2]\nSwitchName=b Nodes=n[3-4]\n", limits),
            "topology.conf line 2: 'n[3-4]' stands for too many names; at most 3 nodes are allowed");
  limits.bytes = 10;
  EXPECT_EQ(slurm_refusal("SwitchName=a", limits), "topology.conf: it has 12 bytes; at most 10 are read");
}

TEST(SlurmTopology, takes_its_time_over_no_text) {
  std::string continued, pairs = "SwitchName=a", commas = "SwitchName=a Nodes=", switches;
  for (int i = 0; i < 1'000'000; ++i) {
    continued += "\\\n";
    pairs += " a=b";
    commas += ",,";
  }
  EXPECT_EQ(nodes(read_slurm(continued + "SwitchName=s Nodes=n")), "n@s");
  EXPECT_EQ(read_slurm(continued + "SwitchName=s Nodes=n").nodes[0].line, 1'000'001u);
  EXPECT_EQ(slurm_refusal(pairs), "topology.conf line 1: a line has more than 16 keys");
  EXPECT_EQ(nodes(read_slurm(commas + "x")), "x@a");
  for (int i = 0; i < 100'000; ++i)
    switches += "SwitchName=s" + std::to_string(i) + " Nodes=n" + std::to_string(i) + "\n";
  EXPECT_EQ(read_slurm(switches + "SwitchName=top Switches=s[0-99999]").domains.size(), 100'001u);
}

TEST(SlurmTopology, answers_any_damage) {
  Mutator mutator(3);
  const std::string text =
      "SwitchName=s0 Nodes=n[001-016,20],r[0-1]n[0-3]-ib LinkSpeed=1 # c\nSwitchName=s1 \\\n "
      "Nodes=\"m[1-4]\"\n"
      "SwitchName=s2 Switches=s[0-1]\n";
  const std::string blocks = "BlockName=b[1] Nodes=n[1-4]\nBlockName=b2 Nodes=n[5-8]\nBlockSizes=4,8\n";
  for (int i = 0; i < 20'000; ++i) {
    const std::string damaged = mutator.mutate(i % 2 == 0 ? text : blocks);
    NetworkDescription network;
    SlurmFault fault;
    const bool good = read_slurm_topology(damaged, {}, network, fault);
    ASSERT_TRUE(good ? !network.levels.empty() : !fault.text.empty()) << damaged;
    ASSERT_EQ(fault.message().find('\n'), std::string::npos);
    ASSERT_LE(fault.line, 8u);
  }
}

TEST(SlurmBlocks, are_levels_of_their_own) {
  const NetworkDescription plain = read_slurm("BlockName=b1 Nodes=n[1-4]\nBlockName=b2 Nodes=n[5-8]\n");
  EXPECT_EQ(plain.levels, (Levels{"block"}));
  EXPECT_EQ(shape(plain), "block:b1 block:b2");

  std::string text = "BlockSizes=4,8,16,32,64\n";
  for (int i = 0; i < 5; ++i)
    text += "BlockName=b" + std::to_string(i) + " Nodes=n" + std::to_string(i) + "[0-3]\n";
  const NetworkDescription network = read_slurm(text);
  EXPECT_EQ(network.levels, (Levels{"block", "block8", "block16", "block32"}));
  EXPECT_EQ(shape(network),
            "block:b0<b0..b1 block:b1<b0..b1 block:b2<b2..b3 block:b3<b2..b3 block:b4<b0..b4 "
            "block8:b0..b1<b0..b3 block8:b2..b3<b0..b3 block16:b0..b3<b0..b4 block32:b0..b4");
  EXPECT_EQ(network.nodes.size(), 20u);
}

TEST(SlurmBlocks, may_leave_sizes_out) {
  const NetworkDescription network = read_slurm(
      "BlockName=a Nodes=n[1-18]\nBlockName=b Nodes=n[19-36]\nBlockName=c "
      "Nodes=n[37-54]\nBlockSizes=16,64\n");
  EXPECT_EQ(network.levels, (Levels{"block", "block64"}));
  EXPECT_EQ(shape(network), "block:a<a..c block:b<a..c block:c<a..c block64:a..c");
}

// Files of real clusters. They are not part of the project: CEDE_DATA names the folder that holds them.
class SlurmData : public testing::Test {
 protected:
  static std::filesystem::path folder() {
    const char* const data = std::getenv("CEDE_DATA");
    return data ? std::filesystem::path(data) / "topologies" / "network" : std::filesystem::path();
  }
  static std::string text_of(const std::string& name) {
    std::ifstream in(folder() / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  void SetUp() override {
    if (!std::filesystem::is_directory(folder()))
      GTEST_SKIP() << "CEDE_DATA names no folder with topologies/network";
  }
};

TEST_F(SlurmData, is_read_as_it_is) {
  struct Facts {
    const char* file;
    Levels levels;
    std::size_t domains;
    std::size_t nodes;
  };
  const std::vector<Facts> all{
      {"real-tara-tree.conf", {"leaf", "spine"}, 5, 10},
      {"slurm-check-block.conf", {"block", "block8", "block16", "block32"}, 8 + 4 + 2 + 1, 32},
      {"slurm-test133_1-tree-testcase1.conf", {"leaf", "spine", "core", "level3"}, 500 + 26 + 2 + 1, 10000},
      {"slurm-test133_1-tree-testcase2.conf", {"leaf", "spine", "core", "level3"}, 500 + 26 + 1 + 1, 10000},
      {"slurm-test133_1-tree-testcase3.conf", {"leaf", "spine", "core"}, 20 + 2 + 1, 400},
      {"slurm-test133_1-tree-testcase6.conf", {"leaf", "spine"}, 7, 40},
      {"topograph-expected-dra-block.conf", {"block", "block16", "block32"}, 12 + 6 + 3, 96},
      {"topograph-expected-oci-sim-tree.conf", {"leaf", "spine", "core"}, 12 + 6 + 1, 96},
  };
  for (const Facts& facts : all) {
    SCOPED_TRACE(facts.file);
    const NetworkDescription network = read_slurm(text_of(facts.file));
    EXPECT_EQ(network.levels, facts.levels);
    EXPECT_EQ(network.domains.size(), facts.domains);
    EXPECT_EQ(network.nodes.size(), facts.nodes);
  }
}

TEST_F(SlurmData, has_a_real_mistake_that_is_told) {
  EXPECT_EQ(slurm_refusal(text_of("real-circe-superpod-tree.conf")),
            "topology.conf line 5: node 'circe-n051' is already on leaf 's2' (line 3)");
}

}  // namespace
}  // namespace cede
