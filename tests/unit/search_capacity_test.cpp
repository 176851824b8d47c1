// SPDX-License-Identifier: MIT
// What counting finds is held against trying everything: with `exact_units` 0 no question is small enough for
// the search that goes through all sets of a request at once.
#include "search/capacity_search.h"

#include <map>

#include "document/document.h"
#include "planned_cluster.h"
#include "profile_cluster.h"
#include "search/decide.h"
#include "small_cluster.h"
#include "topology_cluster.h"

namespace cede {
namespace {

constexpr std::string_view kCountAlways = R"("exact_units":0,"search_work":100000)";

std::vector<Criterion> leading(std::vector<Criterion> objective, std::size_t count) {
  objective.resize(std::min(count, objective.size()));
  return objective;
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

}  // namespace
}  // namespace cede
