// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>

#include "planned_cluster.h"
#include "topology_cluster.h"

namespace cede {
namespace {

std::vector<Criterion> first(std::vector<Criterion> objective, std::size_t count) {
  objective.resize(std::min(count, objective.size()));
  return objective;
}

// Not because of what the requester is or has: no set of victims would do.
bool refused_for_want_of_victims(const Plan& plan) {
  static constexpr std::array<std::string_view, 9> kRules{
      "impossible",     "nodes-unavailable", "no-set",  "no-victims", "max-victims",
      "value-exceeded", "below-guarantee",   "no-gain", "one-node"};
  return std::find(kRules.begin(), kRules.end(), plan.rule) != kRules.end();
}

class TopologyOracle : public testing::TestWithParam<const char*> {};

TEST_P(TopologyOracle, AgreesOnSmallClusters) {
  const std::string profile = GetParam();
  const std::uint64_t clusters = std::getenv("CEDE_LONG") ? 20'000 : 1'000;
  std::map<std::string, std::uint64_t> answers;
  for (std::uint64_t seed = 1; seed <= clusters; ++seed) {
    const TopologyCluster cluster(seed, {}, profile);
    const PlannedCluster loaded(cluster.text(), profile);
    ASSERT_TRUE(loaded.loaded) << "seed " << seed;
    const Plan plan = loaded.plan("p");
    const std::string shown = "seed " + std::to_string(seed) + '\n' + write_plan(plan, true) + cluster.text();
    ASSERT_EQ(loaded.fault(plan), "") << shown;
    ++answers[answer_of(plan)];
    if (plan.outcome == Outcome::preempt) {
      ASSERT_TRUE(plan.optimal) << shown;
      const auto best = loaded.oracle(plan);
      ASSERT_TRUE(best) << "a set that the oracle does not know; " << shown;
      ASSERT_EQ(compare(first(plan.objective, plan.proven), first(*best, plan.proven)),
                std::strong_ordering::equal)
          << shown;
      const bool segments = cluster.text().find(R"("segment":)") != std::string::npos;
      ASSERT_EQ(plan.proven == plan.objective.size(), !segments) << shown;
    } else if (refused_for_want_of_victims(plan)) {
      ASSERT_FALSE(loaded.oracle(plan)) << "there is a set; " << shown;
    }
  }
  // The clusters must keep asking every kind of question.
  for (const auto& [answer, count] : answers) RecordProperty(answer, static_cast<int>(count));
  EXPECT_GT(answers["preempt"], clusters / 70);
  EXPECT_GT(answers["fits fits"], clusters / 8);
  EXPECT_GT(answers["impossible impossible"], clusters / 10);
  EXPECT_GT(answers["wait topology-unknown"], clusters / 25);
  EXPECT_GT(answers["wait no-set"] + answers["wait no-victims"], clusters / 50);
}

INSTANTIATE_TEST_SUITE_P(All, TopologyOracle,
                         testing::Values("priority", "class-cost", "quota", "fair-share", "guarantee"),
                         [](const auto& info) {
                           std::string name = info.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST(SearchTopology, WhatFitsStillFitsWithoutARunningJob) {
  int removed = 0;
  for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
    const TopologyCluster cluster(seed);
    const Plan before = PlannedCluster(cluster.text(), "priority").plan("p");
    if (before.outcome != Outcome::fits) continue;
    for (const std::string& job : cluster.running_jobs()) {
      const TopologyCluster fewer(seed, job);
      const Plan after = PlannedCluster(fewer.text(), "priority").plan("p");
      ASSERT_EQ(answer_of(after), "fits fits") << "seed " << seed << " without " << job << '\n'
                                               << fewer.text();
      ++removed;
    }
  }
  EXPECT_GT(removed, 300);
}

// Two devices on two nodes, and the model of neither is known.
TEST(SearchTopology, OneModelForTheJobNeedsModelsThatAreKnown) {
  const auto asked = [](const char* model) {
    return PlannedCluster(
        std::string(R"({"format":"cede-cluster/1","now":100000,"topologies":{"t":{"gpus":1)") + model +
        R"(}},"groups":[{"id":"g"}],"queues":[{"id":"root"}],"nodes":[
      {"id":"n0","resources":{"gpu":1},"topology":"t"},{"id":"n1","resources":{"gpu":1},"topology":"t"}],"jobs":[
      {"id":"asks","queue":"root","require":{"uniform_model":"job"},"tasks":[{"count":2,"resources":{"gpu":1}}]}]})");
  };
  EXPECT_EQ(answer_of(asked(R"(,"model":["H100"])").plan()), "fits fits");
  EXPECT_EQ(answer_of(asked("").plan()), "wait topology-unknown");
}

// The node without a victim comes first by name, but would close the domain to a victim on the other.
TEST(SearchTopology, OneNodeLooksForThePlaceWhoseOwnVictimsDo) {
  const PlannedCluster loaded(R"({"format":"cede-cluster/1","now":100000,
    "network":{"levels":["leaf"],"domains":[{"id":"l","level":"leaf"}]},"groups":[{"id":"g"}],
    "queues":[{"id":"root"},{"id":"mine","parent":"root","guaranteed":{"gpu":2}},{"id":"theirs","parent":"root"}],
    "nodes":[{"id":"n0","resources":{"gpu":2},"network":["l"]},{"id":"n1","resources":{"gpu":2},"network":["l"]}],
    "jobs":[{"id":"asks","queue":"mine","submitted":90000,"require":{"exclusive":"domain:leaf"},
             "tasks":[{"resources":{"gpu":1}}]},
            {"id":"v","queue":"theirs","state":"running","started":90000,
             "tasks":[{"node":"n1","resources":{"gpu":1},"gpus":[0]}]}]})",
                              "guarantee");
  const Plan plan = loaded.plan();
  EXPECT_EQ(victims_of(plan), "v") << plan.reason;
  EXPECT_EQ(loaded.fault(plan), "");
  ASSERT_EQ(plan.placement.size(), 1U);
  EXPECT_EQ(plan.model().name(plan.model().nodes[plan.placement[0].node].name), "n1");
}

}  // namespace
}  // namespace cede
