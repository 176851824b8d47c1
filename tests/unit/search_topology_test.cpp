// SPDX-License-Identifier: MIT
#include <map>

#include "planned_cluster.h"
#include "topology_cluster.h"

namespace cede {
namespace {

std::vector<Criterion> first(std::vector<Criterion> objective, std::size_t count) {
  objective.resize(std::min(count, objective.size()));
  return objective;
}

TEST(SearchTopology, AgreesWithTheEnumeratorOnSmallClusters) {
  std::map<std::string, int> answers;
  for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
    const TopologyCluster cluster(seed);
    const PlannedCluster loaded(cluster.text(), seed % 3 == 0 ? "priority" : "class-cost");
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
    } else if (plan.outcome != Outcome::fits) {
      ASSERT_FALSE(loaded.oracle(plan)) << "there is a set; " << shown;
    }
  }
  // The clusters must keep asking every kind of question.
  EXPECT_GT(answers["preempt"], 300);
  EXPECT_GT(answers["fits fits"], 300);
  EXPECT_GT(answers["impossible impossible"], 300);
  EXPECT_GT(answers["wait topology-unknown"], 100);
  EXPECT_GT(answers["wait no-set"], 40);
  EXPECT_GT(answers["wait no-victims"], 5);
}

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

}  // namespace
}  // namespace cede
