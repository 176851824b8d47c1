// SPDX-License-Identifier: MIT
#include "engine_fixture.h"

namespace cede {
namespace {

constexpr std::string_view kTree =
    R"(SwitchName=s0 Nodes=n[1-2]\nSwitchName=s1 Nodes=n[3-4]\nSwitchName=s2 Switches=s[0-1])";

std::string with_network(std::string_view network,
                         std::string_view nodes = R"({"id":"n1"},{"id":"n3"},{"id":"m"})") {
  return R"({"format":"cede-cluster/1","groups":[{"id":"g"}],)" + std::string(R"("nodes":[)") +
         std::string(nodes) + R"(],"network":{)" + std::string(network) + "}}";
}

std::string slurm(std::string_view text) { return R"("slurm_topology":")" + std::string(text) + '"'; }

TEST(SlurmNetwork, loads_as_plain_levels_and_domains) {
  const std::string text = with_network(slurm(kTree) + R"(,"x-from":"head")");
  const std::string exported = export_of(text);
  EXPECT_NE(exported.find(R"("network":{"levels":["leaf","spine"],
"domains":[
{"id":"s0","level":"leaf","parent":"s2"},
{"id":"s1","level":"leaf","parent":"s2"},
{"id":"s2","level":"spine"}],"x-from":"head"})"),
            std::string::npos)
      << exported;
  EXPECT_NE(exported.find(R"({"id":"m","group":"g"},
{"id":"n1","group":"g","network":["s0"]},
{"id":"n3","group":"g","network":["s1"]})"),
            std::string::npos)
      << exported;
  EXPECT_EQ(exported.find("slurm"), std::string::npos);
  EXPECT_EQ(export_of(exported), exported);
}

TEST(SlurmNetwork, does_not_care_what_comes_first) {
  const std::string text = R"({"format":"cede-cluster/1","network":{)" + slurm(kTree) +
                           R"(},"nodes":[{"id":"n1"},{"id":"n3"},{"id":"m"}],"groups":[{"id":"g"}]})";
  EXPECT_EQ(export_of(text), export_of(with_network(slurm(kTree))));
}

TEST(SlurmNetwork, levels_can_be_required) {
  EXPECT_EQ(load_fault(cluster_with(job_with(R"("require":{"network":[{"level":"spine"}]})"),
                                    R"(,"network":{)" + slurm(kTree) + "}")),
            "");
}

TEST(SlurmNetwork, warns_of_nodes_the_cluster_lacks) {
  Engine engine{Options{}};
  Problems problems;
  ASSERT_TRUE(engine.load(with_network(slurm(kTree)), problems));
  ASSERT_EQ(problems.all().size(), 1u);
  EXPECT_EQ(problems.all()[0].severity, Severity::warning);
  EXPECT_EQ(
      problems.all()[0].message(),
      "network.slurm_topology: 2 nodes of topology.conf, the first 'n2' (line 1), are not in the cluster "
      "(line 1, column 123)");
  Problems one;
  ASSERT_TRUE(engine.load(with_network(slurm("SwitchName=s Nodes=n1,x")), one));
  ASSERT_EQ(one.all().size(), 1u);
  EXPECT_EQ(one.all()[0].text, "node 'x' of topology.conf (line 1), is not in the cluster");
  Problems none;
  ASSERT_TRUE(engine.load(with_network(slurm("SwitchName=s Nodes=n1")), none));
  EXPECT_TRUE(none.all().empty());
}

TEST(SlurmNetwork, refuses_a_node_that_says_where_it_is_itself) {
  EXPECT_EQ(load_fault(with_network(slurm(kTree), R"({"id":"n1"},{"id":"n3","network":["s0"]})")),
            "nodes[1].network: topology.conf has node 'n3' too, in 's1' (line 2); one of the two is enough "
            "(line 1, column 92)");
  // One that is not listed may use the domains.
  EXPECT_EQ(load_fault(with_network(slurm(kTree), R"({"id":"n1","network":[]},{"id":"m","network":["s1"]})")),
            "");
}

TEST(SlurmNetwork, refuses_what_is_wrong_with_its_line) {
  EXPECT_EQ(
      load_fault(with_network(slurm(R"(SwitchName=s1 Nodes=n7\n# more\nSwitchName=s2 Nodes=n7)"))),
      "network.slurm_topology: topology.conf line 3: node 'n7' is already on leaf 's1' (line 1) (line 1, "
      "column 123)");
  EXPECT_NE(load_fault(with_network(R"("slurm_topology":7)")).find("network.slurm_topology: 7 is not a text"),
            std::string::npos);
  EXPECT_NE(load_fault(with_network(R"("slurm_topology":[])"))
                .find("network.slurm_topology: a list is not allowed"),
            std::string::npos);
  EXPECT_NE(load_fault(with_network(R"("slurm_topology_file":"f")"))
                .find("network.slurm_topology_file: the library reads no files"),
            std::string::npos);
  EXPECT_NE(
      load_fault(with_network(R"("levels":["leaf"],)" + slurm(kTree)))
          .find("network: 'slurm_topology' says it all; neither levels nor domains may stand beside it"),
      std::string::npos);
  EXPECT_EQ(load_fault(with_network(R"("slurm_topology":null)")), "");
}

TEST(SlurmNetwork, holds_to_the_limits_of_the_engine) {
  const auto status_with = [](std::uint64_t Limits::*limit) {
    Options options;
    options.limits.*limit = 1;
    Engine engine(options);
    Problems problems;
    EXPECT_FALSE(engine.load(with_network(slurm(kTree), R"({"id":"n1"})"), problems));
    return problems.all().empty() ? Status::ok : problems.all()[0].status;
  };
  EXPECT_EQ(status_with(&Limits::max_levels), Status::limit);
  EXPECT_EQ(status_with(&Limits::max_domains), Status::limit);
  EXPECT_EQ(status_with(&Limits::max_nodes), Status::limit);
}

TEST(SlurmNetwork, cannot_be_changed) {
  Engine engine{Options{}};
  Problems problems;
  ASSERT_TRUE(engine.load(with_network(slurm(kTree)), problems));
  Problems changes;
  EXPECT_FALSE(
      engine.apply(R"({"format":"cede-changes/1","put":{"network":{)" + slurm(kTree) + "}}}", changes));
  ASSERT_FALSE(changes.all().empty());
  EXPECT_EQ(changes.all()[0].text, "levels cannot be changed; load the whole cluster instead");
}

}  // namespace
}  // namespace cede
