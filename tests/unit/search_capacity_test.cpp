// SPDX-License-Identifier: MIT
// What counting finds is held against trying everything: with `exact_units` 0 no question is small enough for
// the search that goes through all sets of a request at once.
#include "search/capacity_search.h"

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <random>

#include "document/document.h"
#include "planned_cluster.h"
#include "profile_cluster.h"
#include "search/decide.h"
#include "small_cluster.h"
#include "support/cluster_builder.h"
#include "topology_cluster.h"

namespace cede {
namespace {

constexpr std::string_view kCountAlways = R"("exact_units":0,"search_work":100000)";

std::vector<Criterion> leading(std::vector<Criterion> objective, std::size_t count) {
  objective.resize(std::min(count, objective.size()));
  return objective;
}

void run_on(ClusterBuilder& cluster, const std::string& name, const std::string& queue, int priority,
            const std::string& node, int gpus) {
  JsonObject& job = cluster.job(name, queue);
  job.put({{"state", "running"}, {"priority", priority}, {"started", 1'759'990'000}});
  job.put("tasks", JsonList{JsonObject{{"node", node}, {"resources", JsonObject{{"gpu", gpus}}}}});
}

struct CountTally {
  std::map<std::string, int> answers;
  int compared = 0;
  int proven = 0;

  // Sound whatever it says; and what it calls proven is what the oracle finds.
  void check(const PlannedCluster& loaded, const Plan& plan, const std::string& story) {
    ASSERT_EQ(loaded.fault(plan), "") << story;
    ++answers[answer_of(plan)];
    if (plan.units > 9) return;  // too many sets to try
    if (plan.outcome == Outcome::preempt) {
      const auto best = loaded.oracle(plan);
      ASSERT_TRUE(best) << "a set that the oracle does not know; " << story;
      ASSERT_EQ(compare(leading(plan.objective, plan.proven), leading(*best, plan.proven)),
                std::strong_ordering::equal)
          << story;
      ASSERT_FALSE(compare(leading(plan.objective, best->size()), *best) < 0) << story;
      ++compared;
      proven += plan.optimal ? 1 : 0;
    } else if (plan.rule == "no-set" || plan.rule == "no-victims" || plan.rule == "max-victims") {
      ASSERT_FALSE(loaded.oracle(plan)) << "there is a set; " << story;
    }
  }
};

TEST(CapacitySearch, AgreesWithTheEnumeratorInEveryOrder) {
  static constexpr std::array<const char*, 4> kOrders{"oldest", "newest", "fewest", "smallest"};
  CountTally tally;
  for (std::uint64_t seed = 1; seed <= 1500; ++seed) {
    const std::string settings = R"("front_only":false,"preemption_order":")" +
                                 std::string(kOrders[seed % 4]) + "\"" +
                                 (seed % 5 == 0 ? R"(,"max_victims":1)" : "");
    const PlannedCluster loaded(small_cluster(seed), "priority", settings, kCountAlways);
    ASSERT_TRUE(loaded.loaded);
    const Plan plan = loaded.plan("p");
    ASSERT_NO_FATAL_FAILURE(tally.check(
        loaded, plan, "seed " + std::to_string(seed) + '\n' + write_plan(plan, true) + small_cluster(seed)));
  }
  EXPECT_GT(tally.compared, 100);
  EXPECT_GT(tally.proven, tally.compared * 9 / 10);
}

TEST(CapacitySearch, AgreesWithTheEnumeratorOnTopologies) {
  CountTally tally;
  for (std::uint64_t seed = 1; seed <= 800; ++seed) {
    const TopologyCluster cluster(seed);
    const PlannedCluster loaded(cluster.text(), seed % 3 == 0 ? "priority" : "class-cost",
                                seed % 2 == 0 && seed % 3 != 0 ? R"("max_victims":null)" : "", kCountAlways);
    ASSERT_TRUE(loaded.loaded);
    const Plan plan = loaded.plan("p");
    ASSERT_NO_FATAL_FAILURE(tally.check(
        loaded, plan, "seed " + std::to_string(seed) + '\n' + write_plan(plan, true) + cluster.text()));
  }
  EXPECT_GT(tally.compared, 60);
  EXPECT_GT(tally.proven, tally.compared * 9 / 10);
}

// Eight one-GPU jobs of a low priority on every node; `p` waits.
ClusterBuilder full_cluster(int nodes, const std::string& waiting_tasks) {
  ClusterBuilder cluster(1'760'000'000);
  cluster.group();
  cluster.queue("root");
  cluster.queue("root.low", "root").put("guaranteed", JsonObject{{"gpu", 1}});
  cluster.queue("root.high", "root").put("guaranteed", JsonObject{{"gpu", 8 * nodes - 1}});
  for (int node = 0; node < nodes; ++node) {
    const std::string name = "n" + std::to_string(node);
    cluster.node(name, {{"gpu", 8}});
    for (int gpu = 0; gpu < 8; ++gpu) {
      JsonObject& job = cluster.job("j" + std::to_string(node) + '_' + std::to_string(gpu), "root.low");
      job.put({{"state", "running"}, {"priority", 1 + (node + gpu) % 3}, {"class", 2}});
      job.put("started", 1'759'990'000 + 7 * node + gpu);
      job.put("tasks", JsonList{JsonObject{{"node", name}, {"resources", JsonObject{{"gpu", 1}}}}});
    }
  }
  JsonObject& waiting = cluster.job("p", "root.high");
  waiting.put({{"state", "pending"}, {"priority", 50}, {"class", 8}, {"gang", true}});
  waiting.put("submitted", 1'759'990'000).put("tasks", JsonList().add_raw(waiting_tasks));
  return cluster;
}

// The victims that make room for a task run on its node, whether the rule `one-node` is stated or follows
// from taking nobody in vain: a gang under `guarantee` is counted like any other.
TEST(CapacitySearch, ProvesTheBestVictimsOfAGangUnderGuarantee) {
  const PlannedCluster loaded(full_cluster(20, R"({"count":5,"resources":{"gpu":8}})").text(), "guarantee");
  ASSERT_TRUE(loaded.loaded);
  const Plan plan = loaded.plan("p");
  EXPECT_EQ(loaded.fault(plan), "");
  EXPECT_EQ(plan.outcome, Outcome::preempt) << plan.reason;
  EXPECT_EQ(plan.victims.size(), 40u);
  EXPECT_TRUE(plan.optimal);
}

// With most of the nodes full, most sets of victims leave too little room for tasks of unlike shape. Each
// such set costs a count, not a search for an arrangement that cannot exist.
TEST(VictimSearch, FindsVictimsForAGangOfUnlikeTasksInEveryProfile) {
  const std::string tasks =
      R"({"count":8,"resources":{"gpu":8}},{"id":"small","count":2,"resources":{"gpu":2}})";
  const std::string cluster = full_cluster(300, tasks).text();
  for (const std::string profile : {"priority", "class-cost", "quota", "guarantee"}) {
    const PlannedCluster loaded(cluster, profile, profile == "class-cost" ? R"("max_victims":null)" : "");
    ASSERT_TRUE(loaded.loaded);
    const Plan plan = loaded.plan("p");
    EXPECT_EQ(loaded.fault(plan), "") << profile;
    EXPECT_EQ(plan.outcome, Outcome::preempt) << profile << ": " << plan.reason;
  }
}

// `highest` is settled before every sum only if it comes before them. Behind `lost-work` a set with a higher
// priority may be the better one.
TEST(CapacitySearch, LosesLessWorkRatherThanALowerPriority) {
  ClusterBuilder cluster(1'760'000'000);
  cluster.group();
  cluster.queue("root");
  for (int node = 0; node < 30; ++node) {
    const std::string name = "n" + std::to_string(node);
    cluster.node(name, {{"gpu", 1}});
    JsonObject& job = cluster.job("j" + std::to_string(node));
    // The one with the highest priority has lost the least.
    job.put({{"state", "running"}, {"priority", node == 17 ? 4 : 1}});
    job.put("started", node == 17 ? 1'759'999'940 : 1'759'990'000);
    job.put("tasks", JsonList{JsonObject{{"node", name}, {"resources", JsonObject{{"gpu", 1}}}}});
  }
  JsonObject& waiting = cluster.job("p");
  waiting.put({{"state", "pending"}, {"priority", 50}, {"submitted", 1'759'990'000}});
  waiting.put("tasks", JsonList().add_raw(R"({"count":1,"resources":{"gpu":1}})"));
  for (const std::string order : {"fewest", "smallest"}) {
    const PlannedCluster loaded(cluster.text(), "priority",
                                R"("cost_model":"lost-work","preemption_order":")" + order + '"');
    ASSERT_TRUE(loaded.loaded);
    const Plan plan = loaded.plan("p");
    ASSERT_EQ(plan.outcome, Outcome::preempt) << plan.reason;
    ASSERT_EQ(plan.victims.size(), 1u);
    EXPECT_EQ(plan.model().job_name(plan.victims[0].job), "j17") << order;
  }
}

// One victim on a node may make room for four tasks at once: the second, third and fourth cost nothing. The
// cheapest sets of such a node are not nested steps of rising cost.
TEST(CapacitySearch, TakesOneLargeVictimForSeveralTasks) {
  ClusterBuilder cluster(1'760'000'000);
  cluster.group();
  cluster.queue("root");
  for (int node = 0; node < 40; ++node) {
    const std::string name = "n" + std::to_string(node);
    cluster.node(name, {{"gpu", 8}});
    const int jobs = node % 10 == 3 ? 1 : 4;
    for (int i = 0; i < jobs; ++i)
      run_on(cluster, "j" + std::to_string(node) + '_' + std::to_string(i), "root", 1, name, 8 / jobs);
  }
  JsonObject& waiting = cluster.job("p");
  waiting.put({{"state", "pending"}, {"priority", 50}, {"submitted", 1'759'990'000}});
  waiting.put("tasks", JsonList().add_raw(R"({"count":16,"resources":{"gpu":2}})"));
  const PlannedCluster loaded(cluster.text(), "quota");
  ASSERT_TRUE(loaded.loaded);
  const Plan plan = loaded.plan("p");
  EXPECT_EQ(loaded.fault(plan), "");
  ASSERT_EQ(plan.outcome, Outcome::preempt) << plan.reason;
  EXPECT_EQ(plan.victims.size(), 4u);
  EXPECT_TRUE(plan.optimal);
}

// Every node is full of jobs of all queues, and each queue may lose few: most choices of five nodes break the
// cap, although each node has only one set. Held against every choice.
struct FullNode {
  std::array<int, 12> of_queue{};
  std::array<int, 4> of_priority{};  // the number of jobs, highest priority first
};

// The fewest jobs of the highest priority, then of the next, on five nodes that all queues can lose.
std::optional<std::array<int, 4>> best_choice(const std::array<FullNode, 10>& nodes,
                                              const std::array<int, 12>& guaranteed) {
  std::optional<std::array<int, 4>> best;
  for (unsigned choice = 0; choice < 1024; ++choice) {
    if (std::popcount(choice) != 5) continue;
    std::array<int, 4> cost{};
    std::array<int, 12> stays{};
    std::array<int, 12> leaves{};
    for (std::size_t node = 0; node < 10; ++node) {
      const bool gone = (choice >> node & 1) != 0;
      for (std::size_t q = 0; q < 12; ++q) (gone ? leaves : stays)[q] += nodes[node].of_queue[q];
      for (std::size_t p = 0; gone && p < 4; ++p) cost[p] += nodes[node].of_priority[p];
    }
    bool allowed = true;
    for (std::size_t q = 0; q < 12; ++q) allowed = allowed && (leaves[q] == 0 || stays[q] >= guaranteed[q]);
    if (allowed && (!best || cost < *best)) best = cost;
  }
  return best;
}

TEST(CapacitySearch, ChoosesNodesWithinTheGuaranteesOfManyQueues) {
  int sets = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    std::mt19937_64 random(seed);
    ClusterBuilder cluster(1'760'000'000);
    cluster.group();
    cluster.queue("root");
    cluster.queue("asks", "root").put("guaranteed", JsonObject{{"gpu", 40}});
    std::array<int, 12> guaranteed{};
    for (std::size_t q = 0; q < 12; ++q) {
      guaranteed[q] = 1 + static_cast<int>(random() % 3);
      cluster.queue("q" + std::to_string(q), "root").put("guaranteed", JsonObject{{"gpu", guaranteed[q]}});
    }
    std::array<FullNode, 10> nodes;
    for (std::size_t node = 0; node < 10; ++node) {
      const std::string name = "n" + std::to_string(node);
      cluster.node(name, {{"gpu", 8}});
      for (std::size_t i = 0; i < 8; ++i) {
        const std::size_t queue = random() % 12;
        const std::size_t priority = random() % 4;
        ++nodes[node].of_queue[queue];
        ++nodes[node].of_priority[3 - priority];
        run_on(cluster, "j" + std::to_string(8 * node + i), "q" + std::to_string(queue),
               static_cast<int>(priority), name, 1);
      }
    }
    JsonObject& waiting = cluster.job("p", "asks");
    waiting.put({{"state", "pending"}, {"priority", 50}, {"submitted", 1'759'990'000}, {"gang", true}});
    waiting.put("tasks", JsonList().add_raw(R"({"count":5,"resources":{"gpu":8}})"));
    const PlannedCluster loaded(cluster.text(), "guarantee");
    ASSERT_TRUE(loaded.loaded);
    const Plan plan = loaded.plan("p");
    EXPECT_EQ(loaded.fault(plan), "");
    const auto best = best_choice(nodes, guaranteed);
    EXPECT_EQ(plan.outcome == Outcome::preempt, best.has_value()) << "seed " << seed << ": " << plan.reason;
    EXPECT_NE(plan.rule, "undecided") << "seed " << seed;
    if (plan.outcome != Outcome::preempt) continue;
    EXPECT_TRUE(plan.optimal) << "seed " << seed;
    std::array<int, 4> cost{};
    for (const PlannedVictim& victim : plan.victims)
      ++cost[static_cast<std::size_t>(3 - plan.model().jobs[victim.job].priority)];
    EXPECT_EQ(cost, *best) << "seed " << seed;
    ++sets;
  }
  EXPECT_GT(sets, 10);
}

// Eight gangs of four whole nodes make room for the request. The other gangs have half of eight nodes each,
// so every node seems to cost a quarter of a victim.
TEST(CapacitySearch, TakesGangsOfWholeNodesRatherThanOfHalves) {
  constexpr std::size_t kNodes = 400;
  std::mt19937_64 random(7);
  std::vector<std::size_t> whole(kNodes);
  for (std::size_t i = 0; i < kNodes; ++i) whole[i] = i;
  std::shuffle(whole.begin(), whole.end(), random);
  std::vector<std::size_t> halves;
  for (std::size_t i = 32; i < kNodes; ++i) halves.insert(halves.end(), {whole[i], whole[i]});
  std::shuffle(halves.begin(), halves.end(), random);
  ClusterBuilder cluster(1'760'000'000);
  cluster.group();
  cluster.queue("root");
  for (std::size_t node = 0; node < kNodes; ++node) cluster.node("n" + std::to_string(node), {{"gpu", 8}});
  const auto run_gang = [&](std::span<const std::size_t> nodes, int gpus, std::size_t number) {
    JsonObject& job = cluster.job("j" + std::to_string(1000 * gpus + static_cast<int>(number)));
    job.put({{"state", "running"}, {"priority", 1}, {"gang", true}});
    job.put("started", 1'759'990'000 + gpus * 100);  // older ones go first among equals
    JsonList tasks;
    for (const std::size_t node : nodes)
      tasks.add(JsonObject{{"node", "n" + std::to_string(node)}, {"resources", JsonObject{{"gpu", gpus}}}});
    job.put("tasks", tasks);
  };
  for (std::size_t i = 0; i < 32; i += 4) run_gang(std::span(whole).subspan(i, 4), 8, i);
  for (std::size_t i = 0; i < halves.size(); i += 8) run_gang(std::span(halves).subspan(i, 8), 4, i);
  JsonObject& waiting = cluster.job("p");
  waiting.put({{"state", "pending"}, {"priority", 50}, {"submitted", 1'759'990'000}, {"gang", true}});
  waiting.put("tasks", JsonList().add_raw(R"({"count":32,"resources":{"gpu":8}})"));
  for (const std::string profile : {"priority", "quota"}) {
    const PlannedCluster loaded(cluster.text(), profile,
                                profile == "priority" ? R"("front_only":false)" : "");
    ASSERT_TRUE(loaded.loaded);
    const Plan plan = loaded.plan("p");
    EXPECT_EQ(loaded.fault(plan), "");
    ASSERT_EQ(plan.outcome, Outcome::preempt) << plan.reason;
    EXPECT_EQ(plan.victims.size(), 8u) << profile;
  }
}

// A full cluster of which one queue, with gangs over several nodes, uses nearly all that its max allows. The
// request needs room on a node and in the queue.
std::string cluster_short_of_queue_room(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto below = [&](std::uint64_t n) { return static_cast<int>(random() % n); };
  ClusterBuilder cluster(1'760'000'000);
  cluster.group();
  cluster.queue("root");
  cluster.queue("root.other", "root");
  JsonObject& lacking = cluster.queue("root.lacking", "root");
  constexpr int kNodes = 30;
  std::vector<int> free(kNodes, 64);
  for (int node = 0; node < kNodes; ++node) cluster.node("n" + std::to_string(node), {{"cpu", 64}});
  int used = 0;
  for (int j = 0; j < 90; ++j) {
    const bool is_lacking = below(2) == 0;
    const int cpu = 1 + below(20);
    JsonList tasks;
    for (int t = 1 + below(4); t > 0; --t) {
      const int node = below(kNodes);
      int& left = free[static_cast<std::size_t>(node)];
      if (left < cpu) continue;
      left -= cpu;
      used += is_lacking ? cpu : 0;
      tasks.add(JsonObject{{"node", "n" + std::to_string(node)}, {"resources", JsonObject{{"cpu", cpu}}}});
    }
    if (tasks.empty()) continue;
    JsonObject& job = cluster.job("j" + std::to_string(j), is_lacking ? "root.lacking" : "root.other");
    job.put({{"state", "running"},
             {"gang", below(2) == 0},
             {"priority", below(6)},
             {"started", 1'759'900'000 + below(90'000)}});
    job.put("tasks", tasks);
  }
  lacking.put("max", JsonObject{{"cpu", used - 20}});
  JsonObject& waiting = cluster.job("p", "root.lacking");
  waiting.put({{"state", "pending"}, {"priority", 50}, {"submitted", 1'759'990'000}});
  waiting.put("tasks", JsonList{JsonObject{{"count", 1}, {"resources", JsonObject{{"cpu", 30}}}}});
  return cluster.text();
}

// A subproblem is searched for victims on one node and for room in the queue. A victim for the queue may also
// make room on a node of another subproblem, so that one for the first is not needed.
TEST(VictimSearch, TakesNoNeedlessVictimWhereAQueueLacksRoom) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const PlannedCluster loaded(cluster_short_of_queue_room(seed), "priority", {}, {{"search_work", 1000}});
    ASSERT_TRUE(loaded.loaded);
    const Plan plan = loaded.plan("p");
    ASSERT_EQ(plan.outcome, Outcome::preempt) << seed << ": " << plan.reason;
    ASSERT_EQ(loaded.fault(plan), "") << seed;
  }
}

}  // namespace
}  // namespace cede
