// SPDX-License-Identifier: MIT
// The ten shapes of requests that must work, each on its example document.
#include <fstream>
#include <sstream>

#include "planned_cluster.h"
#include "support/source_folder.h"

namespace cede {
namespace {

std::string example(std::string_view name) {
  std::ifstream file(source_folder() + "/bindings/c/examples/topology/" + std::string(name) + ".json");
  std::stringstream text;
  text << file.rdbuf();
  EXPECT_FALSE(text.str().empty()) << name;
  return text.str();
}

// Victims and places of the plan for "asks", once it passed the verifier.
std::string planned(const std::string& text) {
  const PlannedCluster cluster(text);
  const Plan plan = cluster.plan();
  EXPECT_EQ(cluster.fault(plan), "") << write_plan(plan, true);
  return answer_of(plan) + " " + victims_of(plan) + " -> " + places_of(plan);
}

TEST(TopologyShapes, OneGpu) { EXPECT_EQ(planned(example("one_gpu")), "preempt short -> n1[2]"); }

TEST(TopologyShapes, FourLinkedGpus) {
  EXPECT_EQ(planned(example("four_linked_gpus")), "preempt high,mid -> n1[4,5,6,7]");
}

TEST(TopologyShapes, EightGpusOnOneNode) {
  EXPECT_EQ(planned(example("eight_on_one_node")), "preempt part -> n2[0,1,2,3,4,5,6,7]");
}

TEST(TopologyShapes, TwoNodesOnOneLeaf) {
  EXPECT_EQ(planned(example("two_nodes_on_one_leaf")),
            "preempt young -> n3[0,1,2,3,4,5,6,7] n4[0,1,2,3,4,5,6,7]");
}

TEST(TopologyShapes, NodesOnTwoLeaves) {
  // Leaf 1 has three free nodes, the others one each: two more of a young leaf, by name.
  EXPECT_EQ(planned(example("nodes_on_two_leaves")), "preempt a10,a11 -> n1[] n10[] n11[] n2[] n3[] n9[]");
}

// A job that has the whole node.
JsonObject& add_running(ClusterBuilder& cluster, const std::string& node) {
  const JsonObject task{{"node", node}, {"resources", JsonObject{{"cpu", 8}}}};
  JsonObject& job = cluster.job("v" + node).put("state", "running").put("class", 2).put("started", 90000);
  return job.put("walltime", "12h").put("tasks", JsonList{task});
}

void add_asks(ClusterBuilder& cluster, const JsonObject& require, int nodes) {
  const JsonObject task{{"id", "w"}, {"count", nodes}, {"resources", JsonObject{{"cpu", 8}}}};
  cluster.job("asks")
      .put("class", 7)
      .put("submitted", 99000)
      .put("require", require)
      .put("tasks", JsonList{task});
}

// `free` nodes of each leaf are idle, the others hold a job of one node each, four of which may leave.
std::string leaves_of_40(const JsonObject& require, const std::vector<std::uint32_t>& free, int nodes) {
  ClusterBuilder cluster(100000);
  cluster.group();
  cluster.queue("root");
  cluster.levels = {"leaf"};
  for (std::size_t leaf = 0; leaf < free.size(); ++leaf) {
    const std::string at = "l" + std::to_string(leaf);
    cluster.domain(at, "leaf");
    for (std::uint32_t i = 0; i < 40; ++i) {
      const std::string name = at + "n" + std::to_string(10 + i);
      cluster.node(name, {{"cpu", 8}}).put("network", JsonList{at});
      if (i >= free[leaf]) add_running(cluster, name).put("preemptible", i < free[leaf] + 4);
    }
  }
  add_asks(cluster, require, nodes);
  return cluster.text();
}

TEST(TopologyShapes, SixtyFourNodesOnTwoLeaves) {
  const JsonObject two = R"("network":[{"level":"leaf","max_domains":2}])";
  // 100 nodes are free, but the best two leaves have 30 and 32 of them: two jobs must leave there.
  const PlannedCluster cluster(leaves_of_40(two, {20, 30, 18, 32}, 64), "class-cost", R"("max_victims":8)");
  const Plan plan = cluster.plan();
  EXPECT_EQ(cluster.fault(plan), "");
  ASSERT_EQ(answer_of(plan), "preempt") << plan.reason;
  EXPECT_EQ(plan.victims.size(), 2u);
  for (const PlannedTask& task : plan.placement) {
    const std::string_view name = plan.model().name(plan.model().nodes[task.node].name);
    EXPECT_TRUE(name.starts_with("l1") || name.starts_with("l3")) << name;
  }
  EXPECT_EQ(answer_of(PlannedCluster(leaves_of_40(two, {20, 32, 18, 32}, 64)).plan()), "fits fits");
  EXPECT_EQ(answer_of(PlannedCluster(leaves_of_40(two, {40, 40, 40}, 81)).plan()), "impossible impossible");
}

TEST(TopologyShapes, SegmentsInNvlinkDomains) {
  EXPECT_EQ(planned(example("segments_in_nvlink_domains")), "preempt v3,v5,v6 -> n1[] n3[] n5[] n6[]");
}

// Two domains of `size` nodes, all but `busy` of each idle.
std::string nvlink_domains(int size, int busy, int segment, int nodes) {
  ClusterBuilder cluster(100000);
  cluster.group();
  cluster.queue("root");
  cluster.levels = {"nvl-domain"};
  for (const std::string domain : {"d0", "d1"}) {
    cluster.domain(domain, "nvl-domain");
    for (int i = 0; i < size; ++i) {
      const std::string name = domain + "n" + std::to_string(10 + i);
      cluster.node(name, {{"cpu", 8}}).put("network", JsonList{domain});
      if (i < busy) add_running(cluster, name);
    }
  }
  const JsonObject network{{"level", "nvl-domain"}, {"segment", segment}};
  add_asks(cluster, {{"network", JsonList{network}}}, nodes);
  return cluster.text();
}

TEST(TopologyShapes, SegmentsOfSixteenInDomainsOfEighteen) {
  // Two nodes of each domain are stranded: 36 nodes hold 32, and no third segment.
  EXPECT_EQ(answer_of(PlannedCluster(nvlink_domains(18, 2, 16, 32)).plan()), "fits fits");
  const PlannedCluster three(nvlink_domains(18, 3, 16, 32));
  const Plan plan = three.plan();
  EXPECT_EQ(three.fault(plan), "");
  EXPECT_EQ(answer_of(plan) + " " + victims_of(plan), "preempt vd0n10,vd1n10");
  EXPECT_EQ(answer_of(PlannedCluster(nvlink_domains(18, 0, 16, 48)).plan()), "impossible impossible");
}

TEST(TopologyShapes, GpuAndNicOnOneSwitch) {
  EXPECT_EQ(planned(example("gpu_and_nic")), "preempt near1,near2 -> n1[0] n2[0]");
}

TEST(TopologyShapes, CpuAndGpusOfOneNumaNode) {
  EXPECT_EQ(planned(example("one_numa_node")), "preempt right -> n1[2,3]");
}

TEST(TopologyShapes, AFreedSliceFreesNoGpu) {
  EXPECT_EQ(planned(example("shared_devices")), "preempt whole -> n1[1]");
}

TEST(TopologyShapes, OneDriverEverywhere) {
  EXPECT_EQ(planned(example("one_driver_everywhere")),
            "preempt dear -> n1[0,1,2,3,4,5,6,7] n3[0,1,2,3,4,5,6,7]");
}

}  // namespace
}  // namespace cede
