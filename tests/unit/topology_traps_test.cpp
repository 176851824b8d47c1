// SPDX-License-Identifier: MIT
// Clusters where counting devices says yes and the topology says no, or the other way round.
#include "planned_cluster.h"

namespace cede {
namespace {

using Objects = std::vector<JsonObject>;

struct Parts {
  std::string topology = R"({"gpus":4,"numa":[[0,1],[2,3]],"cores":[8,8],"links":{"nvl":[[0,1,2,3]]}})";
  Objects nodes{{{"id", "n1"}, {"resources", JsonObject{{"cpu", 16}, {"gpu", 4}}}, {"topology", "box"}}};
  Objects jobs;
  std::string require = "{}";
  std::string tasks = R"({"id":"w","resources":{"cpu":1,"gpu":4}})";
  JsonObject asks;  // more members
  std::string text() const {
    ClusterBuilder cluster(100000);
    cluster.document.put("topologies",
                         JsonObject{{"box", Json::raw(topology)}, {"other", JsonObject{{"gpus", 4}}}});
    cluster.levels = {"leaf"};
    for (const char* leaf : {"l1", "l2"}) cluster.domain(leaf, "leaf");
    cluster.group();
    cluster.queue("root");
    cluster.nodes.assign(nodes.begin(), nodes.end());
    cluster.jobs.assign(jobs.begin(), jobs.end());
    JsonObject& job = cluster.job("asks").put("class", 7).put("submitted", 99000).put_all(asks);
    job.put("require", Json::raw(require)).put("tasks", JsonList().add_raw(tasks));
    return cluster.text();
  }
};

// A running job of one task.
JsonObject runs(std::string_view id, std::string_view node, std::string_view gpus, int count, int cpu = 1,
                const JsonObject& more = {}) {
  JsonObject job{{"id", id}, {"queue", "root"}, {"state", "running"}, {"class", 2}, {"started", 90000}};
  job.put("walltime", "12h").put_all(more);
  JsonObject task{{"node", node}, {"resources", JsonObject{{"cpu", cpu}, {"gpu", count}}}};
  if (!gpus.empty()) task.put("gpus", JsonList().add_raw(gpus));
  return job.put("tasks", JsonList{task});
}

constexpr std::string_view kStays = R"("preemptible":false)";

Plan plan_of(const Parts& parts) {
  const PlannedCluster cluster(parts.text());
  Plan plan = cluster.plan();
  EXPECT_EQ(cluster.fault(plan), "") << write_plan(plan, true);
  return plan;
}

std::string planned(const Parts& parts) {
  const Plan plan = plan_of(parts);
  return answer_of(plan) + (plan.victims.empty() ? "" : " " + victims_of(plan)) +
         (plan.placement.empty() ? "" : " -> " + places_of(plan));
}

std::string reason(const Parts& parts) { return plan_of(parts).reason; }

JsonObject node(std::string_view id, const JsonObject& more = R"("topology":"box")") {
  return JsonObject{{"id", id}, {"resources", JsonObject{{"cpu", 16}, {"gpu", 4}}}}.put_all(more);
}

TEST(TopologyTraps, TwoFreeAndTwoFreedOnDifferentNumaNodes) {
  Parts parts;
  parts.jobs = {runs("a", "n1", "1,2", 2)};
  parts.tasks = R"({"id":"w","count":1,"resources":{"cpu":1,"gpu":3}})";
  parts.require = R"({"gpus":[{"level":"numa"}]})";
  EXPECT_EQ(planned(parts), "impossible impossible");
  parts.require = R"({"gpus":[{"level":"nvl"}]})";
  EXPECT_EQ(planned(parts), "preempt a -> n1[0,1,2]");
  // Two of four: 0 and 3 are free, a frees 1, the other of that NUMA node; kept holds 2.
  parts.jobs = {runs("a", "n1", "1", 1), runs("kept", "n1", "2", 1, 1, kStays)};
  parts.tasks = R"({"id":"w","resources":{"cpu":1,"gpu":2}})";
  EXPECT_EQ(planned(parts), "fits fits -> n1[0,3]") << "nvl";
  parts.require = R"({"gpus":[{"level":"numa"}]})";
  EXPECT_EQ(planned(parts), "preempt a -> n1[0,1]");
  parts.jobs = {runs("a", "n1", "1", 1, 1, kStays), runs("kept", "n1", "2", 1, 1, kStays)};
  EXPECT_EQ(planned(parts), "wait no-victims");
}

TEST(TopologyTraps, ACoTenantHoldsTheCores) {
  Parts parts;
  parts.jobs = {runs("gpus", "n1", "0,1,2,3", 4), runs("cores", "n1", "", 0, 12)};
  parts.tasks = R"({"id":"w","resources":{"cpu":8,"gpu":4}})";
  EXPECT_EQ(planned(parts), "preempt cores,gpus -> n1[0,1,2,3]");
  parts.jobs = {runs("gpus", "n1", "0,1,2,3", 4), runs("cores", "n1", "", 0, 12, kStays)};
  EXPECT_EQ(planned(parts), "wait no-set");
  EXPECT_NE(reason(parts).find("8 cpu needed, 4 there"), std::string::npos) << reason(parts);
}

TEST(TopologyTraps, DrainingNode) {
  Parts parts;
  parts.nodes = {node("n1", R"("topology":"box","state":"drain")"), node("n2")};
  parts.jobs = {runs("a", "n1", "0", 1), runs("b", "n2", "0,1", 2)};
  EXPECT_EQ(planned(parts), "preempt b -> n2[0,1,2,3]");
  parts.nodes = {node("n1", R"("topology":"box","state":"drain")")};
  parts.jobs = {runs("a", "n1", "0", 1)};
  EXPECT_EQ(planned(parts), "wait nodes-unavailable");
}

TEST(TopologyTraps, OneSmallJobOnAnExclusiveNode) {
  Parts parts;
  parts.nodes = {node("n1"), node("n2")};
  parts.tasks = R"({"id":"w","resources":{"cpu":1,"gpu":1}})";
  parts.require = R"({"exclusive":"node"})";
  parts.jobs = {runs("small", "n1", "", 0, 1, kStays), runs("big", "n2", "0,1,2,3", 4)};
  EXPECT_EQ(planned(parts), "preempt big -> n2[0]");
  parts.nodes = {node("n1")};
  parts.jobs = {runs("small", "n1", "", 0, 1, kStays), runs("other", "n1", "0", 1)};
  EXPECT_EQ(planned(parts), "wait no-set");
  EXPECT_NE(reason(parts).find("requirement exclusive"), std::string::npos) << reason(parts);
}

TEST(TopologyTraps, MixedModels) {
  Parts parts;
  parts.topology = R"({"gpus":4,"model":["H100","A100","H100","A100"]})";
  parts.tasks = R"({"id":"w","resources":{"cpu":1,"gpu":2}})";
  parts.jobs = {runs("a", "n1", "0,1", 2, 1, kStays), runs("b", "n1", "2", 1)};
  parts.require = R"({"uniform_model":"node"})";
  EXPECT_EQ(planned(parts), "wait no-set");
  parts.jobs = {runs("a", "n1", "0", 1), runs("b", "n1", "1", 1, 1, kStays)};
  EXPECT_EQ(planned(parts), "preempt a -> n1[0,2]");
  parts.require = R"({"gpu_model":["A100"]})";
  EXPECT_EQ(planned(parts), "wait no-set");
  EXPECT_NE(reason(parts).find("requirement gpu_model"), std::string::npos) << reason(parts);
}

TEST(TopologyTraps, DegradedLink) {
  Parts parts;
  parts.topology = R"({"gpus":4,"links":{"nvl":[[0,1,2,3]]},"degraded":[[0,1]]})";
  parts.tasks = R"({"id":"w","resources":{"cpu":1,"gpu":2}})";
  parts.require = R"({"gpus":[{"level":"nvl"}]})";
  parts.jobs = {runs("a", "n1", "2", 1), runs("kept", "n1", "3", 1, 1, kStays)};
  EXPECT_EQ(planned(parts), "preempt a -> n1[0,2]") << "0 and 1 are free and not linked";
}

TEST(TopologyTraps, LinksAreNotTransitive) {
  Parts parts;
  parts.topology = R"({"gpus":4,"links":{"nvl":[[0,1],[1,2],[2,3],[3,0]]}})";
  parts.require = R"({"gpus":[{"level":"nvl"}]})";
  parts.tasks = R"({"id":"w","resources":{"cpu":1,"gpu":3}})";
  EXPECT_EQ(planned(parts), "impossible impossible") << "a ring has no three that are all linked";
  parts.require = R"({"gpus":[{"level":"nvl","mode":"connected"}]})";
  EXPECT_EQ(planned(parts), "fits fits -> n1[0,1,2]");
  parts.tasks = R"({"id":"w","resources":{"cpu":1,"gpu":2}})";
  parts.require = R"({"gpus":[{"level":"nvl"}]})";
  parts.jobs = {runs("a", "n1", "1", 1), runs("kept", "n1", "3", 1, 1, kStays)};
  EXPECT_EQ(planned(parts), "preempt a -> n1[0,1]") << "0 and 2 are free and not linked";
}

TEST(TopologyTraps, EntriesThatPassOnDifferentSubsets) {
  Parts parts;
  parts.topology =
      R"({"gpus":4,"numa":[[0,1],[2,3]],"pcie":[[0,2],[1],[3]],"links":{"nvl":[[1,2]]},"nics":[{"near":[0,2]}]})";
  parts.tasks = R"({"id":"w","resources":{"cpu":1,"gpu":2}})";
  for (const char* entry :
       {R"("gpus":[{"level":"numa"}])", R"("gpus":[{"level":"nvl"}])", R"("nic":{"level":"pcie"})"}) {
    parts.require = JsonObject(entry).text();
    EXPECT_EQ(planned(parts).substr(0, 9), "fits fits") << entry;
  }
  parts.require = R"({"gpus":[{"level":"numa"},{"level":"nvl"}],"nic":{"level":"pcie"}})";
  EXPECT_EQ(planned(parts), "impossible impossible");
}

TEST(TopologyTraps, TwoTasksOnOneNode) {
  Parts parts;
  parts.require = R"({"gpus":[{"level":"numa"}]})";
  parts.tasks = R"({"id":"w","count":2,"resources":{"cpu":1,"gpu":2}})";
  EXPECT_EQ(planned(parts), "fits fits -> n1[0,1] n1[2,3]");
  parts.jobs = {runs("a", "n1", "3", 1)};
  EXPECT_EQ(planned(parts), "preempt a -> n1[0,1] n1[2,3]");
}

TEST(TopologyTraps, IndexesInAnotherOrder) {
  Parts parts;
  parts.topology = R"({"gpus":4,"numa":[[3,0],[2,1]]})";
  parts.require = R"({"gpus":[{"level":"numa"}]})";
  parts.tasks = R"({"id":"w","resources":{"cpu":1,"gpu":2}})";
  parts.jobs = {runs("a", "n1", "3", 1), runs("kept", "n1", "2", 1, 1, kStays)};
  EXPECT_EQ(planned(parts), "preempt a -> n1[0,3]");
}

TEST(TopologyUnknownDevices, NamedWhereCertainElseAssumed) {
  Parts parts;
  parts.jobs = {runs("a", "n1", "0,1", 2), runs("u", "n1", "", 1, 1, kStays)};
  parts.tasks = R"({"id":"w","resources":{"cpu":1,"gpu":2}})";
  EXPECT_EQ(planned(parts), "preempt a -> n1[0,1]") << "u holds 2 or 3";
  parts.tasks = R"({"id":"w","resources":{"cpu":1,"gpu":3}})";
  EXPECT_EQ(planned(parts), "preempt a -> n1[?]");
  parts.require = R"({"gpus":[{"level":"nvl"}]})";
  EXPECT_EQ(planned(parts), "preempt a -> n1[?]") << "every three are linked";
  parts.tasks = R"({"id":"w","resources":{"cpu":1,"gpu":2}})";
  parts.jobs = {runs("u", "n1", "", 2, 1, kStays)};
  parts.require = R"({"gpus":[{"level":"numa"}]})";
  EXPECT_EQ(planned(parts), "wait no-victims") << "u may hold one of each NUMA node";
}

TEST(TopologyUnknownDevices, TooManyAssignmentsAreANo) {
  // 32 devices; it is not known which tasks hold 16 of them: far beyond 10,000 assignments.
  Parts parts;
  const JsonList all_linked = JsonList().add(number_list(0, 32));
  parts.topology = JsonObject{{"gpus", 32}, {"links", JsonObject{{"nvl", all_linked}}}}.text();
  parts.nodes = {R"("id":"n1","resources":{"cpu":16,"gpu":32},"topology":"box")"};
  parts.jobs = {runs("u", "n1", "", 16, 1, kStays)};
  parts.tasks = R"({"id":"w","resources":{"cpu":1,"gpu":2}})";
  EXPECT_EQ(planned(parts), "fits fits -> n1[?]");
  parts.require = R"({"gpus":[{"level":"nvl"}]})";
  EXPECT_EQ(planned(parts), "wait no-victims");
}

TEST(TopologyAnswers, TheFour) {
  Parts parts;
  parts.require = R"({"gpus":[{"level":"nvl"}]})";
  EXPECT_EQ(planned(parts), "fits fits -> n1[0,1,2,3]");
  parts.jobs = {runs("a", "n1", "0", 1)};
  EXPECT_EQ(planned(parts), "preempt a -> n1[0,1,2,3]");
  parts.tasks = R"({"id":"w","resources":{"cpu":1,"gpu":5}})";
  EXPECT_EQ(planned(parts), "impossible impossible");
  parts.tasks = R"({"id":"w","resources":{"cpu":1,"gpu":4}})";
  parts.nodes = {node("n1", R"("topology":"other")")};
  EXPECT_EQ(planned(parts), "wait topology-unknown");
  parts.nodes = {node("n1", "")};
  EXPECT_EQ(planned(parts), "wait topology-unknown");
}

TEST(TopologyAnswers, AnEntryExpires) {
  Parts parts;
  parts.nodes = {node("n1", R"("topology":"box","network":["l1"])"),
                 node("n2", R"("topology":"box","network":["l2"])")};
  parts.tasks = R"({"id":"w","count":2,"resources":{"cpu":1,"gpu":4}})";
  parts.require = R"({"network":[{"level":"leaf","expires":"30m"}]})";
  EXPECT_EQ(planned(parts), "impossible impossible");
  parts.require = R"({"network":[{"level":"leaf","expires":"10m"}]})";
  const Plan plan = plan_of(parts);
  EXPECT_EQ(answer_of(plan), "fits fits");
  EXPECT_EQ(plan.topology_missed, std::vector<std::string>{"leaf"});
}

TEST(TopologyAnswers, MetAndMissedAreReported) {
  Parts parts;
  parts.topology = R"({"gpus":4,"numa":[[0,1],[2,3]],"links":{"nvl":[[0,1,2,3]]}})";
  parts.require = R"({"gpus":[{"level":"nvl"},{"level":"numa","strength":"prefer"}]})";
  parts.tasks = R"({"id":"w","resources":{"cpu":1,"gpu":3}})";
  parts.jobs = {runs("a", "n1", "0,1", 2)};
  const std::string text = write_plan(plan_of(parts), false);
  EXPECT_NE(text.find(R"("topology":{"met":["nvl"],"preferred_missed":["numa"]})"), std::string::npos)
      << text;
}

TEST(TopologyAnswers, ExclusiveDomain) {
  Parts parts;
  parts.nodes = {node("n1", R"("network":["l1"])"), node("n2", R"("network":["l1"])"),
                 node("n3", R"("network":["l2"])")};
  parts.tasks = R"({"id":"w","resources":{"cpu":1}})";
  parts.require = R"({"exclusive":"domain:leaf"})";
  parts.jobs = {runs("a", "n2", "", 1), runs("kept", "n3", "", 1, 1, kStays)};
  EXPECT_EQ(planned(parts), "preempt a -> n1[]");
  // A job that is alone on a leaf keeps it closed, even from a node that is out of use.
  parts.require = "{}";
  parts.nodes = {node("n1", R"("network":["l1"])"), node("n2", R"("network":["l1"],"state":"drain")")};
  parts.jobs = {runs("a", "n2", "", 1, 1, R"("require":{"exclusive":"domain:leaf"})")};
  EXPECT_EQ(planned(parts), "preempt a -> n1[]");
}

TEST(TopologyAnswers, PlacementStyles) {
  const auto placed = [](std::string_view style, std::string_view second_leaf) {
    Parts parts;
    parts.nodes = {node("n1", R"("network":["l1"])"), node("n2", {{"network", JsonList{second_leaf}}}),
                   node("n3", R"("network":["l2"])")};
    parts.tasks = R"({"id":"w","count":2,"resources":{"cpu":16}})";
    parts.require = JsonObject{{"placement", style}}.text();
    return planned(parts);
  };
  EXPECT_EQ(placed("tight", "l2"), "fits fits -> n2[] n3[]");
  EXPECT_EQ(placed("any", "l2"), "fits fits -> n1[] n2[]");
  EXPECT_EQ(placed("any", "l1"), "fits fits -> n1[] n2[]");
  EXPECT_EQ(placed("spread", "l1"), "fits fits -> n1[] n3[]");
}

TEST(TopologyAnswers, PlacedSiblingsPinTheDomain) {
  Parts parts;
  parts.nodes = {node("n1", R"("network":["l1"])"), node("n2", R"("network":["l1"])"),
                 node("n3", R"("network":["l2"])")};
  parts.jobs = {runs("a", "n2", "", 4)};
  parts.asks = R"("state":"running","started":95000)";
  parts.tasks = R"({"node":"n1","resources":{"cpu":1,"gpu":4}},{"id":"w","resources":{"cpu":1,"gpu":4}})";
  EXPECT_EQ(planned(parts), "fits fits -> n3[0,1,2,3]");
  parts.require = R"({"network":[{"level":"leaf"}]})";
  EXPECT_EQ(planned(parts), "preempt a -> n2[0,1,2,3]");
}

struct Drivers : Parts {
  Drivers() {
    nodes = {node("n1", R"("fingerprint":{"driver":"1"},"fingerprint_at":99000)"),
             node("n2", R"("fingerprint":{"driver":"2"},"fingerprint_at":99000)"),
             node("n3", R"("fingerprint":{"driver":"1"},"fingerprint_at":50000)")};
    tasks = R"({"id":"w","count":2,"resources":{"cpu":1,"gpu":4}})";
    jobs = {runs("a", "n3", "", 4)};
  }
};

TEST(TopologyConformance, SensitiveJobsAreUniformByDefault) {
  Drivers parts;
  EXPECT_EQ(planned(parts).substr(0, 9), "fits fits");
  parts.asks = R"("kind":"sensitive")";
  EXPECT_EQ(planned(parts).substr(0, 12), "preempt a ->");
  parts.nodes = {node("n1", ""), node("n2", ""), node("n3", "")};
  EXPECT_EQ(planned(parts).substr(0, 9), "fits fits") << "no node reports";
}

TEST(TopologyConformance, MaxAgeAndBaseline) {
  Drivers parts;
  parts.require = R"({"conformance":{"mode":"uniform","max_age":"1h"}})";
  EXPECT_EQ(planned(parts), "impossible impossible") << "n3's report is too old: it stands alone";
  parts.require = R"({"conformance":{"mode":"baseline","baseline":{"driver":"1"}}})";
  EXPECT_EQ(planned(parts), "preempt a -> n1[0,1,2,3] n3[0,1,2,3]");
  parts.require = R"({"conformance":{"mode":"prefer"}})";
  EXPECT_EQ(plan_of(parts).topology_missed, std::vector<std::string>{"conformance"});
}

TEST(TopologyHindrance, TheFailingEntryIsNamed) {
  const auto named = [](std::string_view require, std::string_view entry) {
    Parts parts;
    parts.topology =
        R"({"gpus":4,"numa":[[0,1],[2,3]],"cores":[8,8],"pcie":[[0],[1],[2],[3]],"links":{"nvl":[[0,1],[2,3]]},"nics":[{"near":[1,3]}]})";
    parts.nodes = {node("n1", R"("topology":"box","network":["l1"],"fingerprint":"x")"),
                   node("n2", R"("topology":"box","network":["l2"],"fingerprint":"y")")};
    // One GPU of each NUMA node of each node can be had.
    parts.jobs = {runs("k1", "n1", "1,3", 2, 1, kStays), runs("k2", "n2", "1,3", 2, 1, kStays),
                  runs("a", "n1", "0", 1)};
    parts.tasks = R"({"id":"w","count":2,"resources":{"cpu":1,"gpu":2}})";
    parts.require = require;
    const Plan plan = plan_of(parts);
    EXPECT_EQ(answer_of(plan), "wait no-set") << require;
    const std::string& text = plan.reason;
    EXPECT_TRUE(text.ends_with("meets the requirement " + std::string(entry))) << require << ": " << text;
  };
  named(R"({"gpus":[{"level":"numa"}]})", "gpus numa");
  named(R"({"gpus":[{"level":"nvl"}]})", "gpus nvl");
  named(R"({"nodes":{"max":1}})", "nodes");
  named(R"({"tasks_per_node":{"min":2}})", "tasks_per_node");
  named(R"({"network":[{"level":"leaf"}]})", "network leaf");
  named(R"({"conformance":{"mode":"uniform"}})", "conformance");
  named(R"({"exclusive":"node"})", "exclusive");
  named(R"({"cpu":{"numa":"single"}})", "cpu.numa");
  named(R"({"nic":{"level":"pcie"}})", "nic");
}

}  // namespace
}  // namespace cede
