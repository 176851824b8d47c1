// SPDX-License-Identifier: MIT
// Gangs among gangs: what branch and bound over divided costs finds is held against trying every set: with
// `exact_units` 0 no question is small enough for that, with 64 every one here is.
#include "search/spanning_search.h"

#include <cstdlib>
#include <map>
#include <random>

#include "document/document.h"
#include "planned_cluster.h"

namespace cede {
namespace {

constexpr std::string_view kNeverAll = R"("exact_units":0)";
constexpr std::string_view kAlwaysAll = R"("exact_units":64,"search_work":2000000000)";

// Full nodes of 8 GPUs. Gangs have whole nodes, halves or quarters; what is left has small jobs.
class GangCluster {
 public:
  explicit GangCluster(std::uint64_t seed) : random_(seed) {}

  std::string document() {
    ClusterBuilder cluster(1'760'000'000);
    cluster.group();
    cluster.queue("root");
    cluster.queue("asks", "root").put("guaranteed", JsonObject{{"gpu", 64}});
    for (int queue = 0; queue < 3; ++queue)
      cluster.queue("q" + std::to_string(queue), "root").put("guaranteed", JsonObject{{"gpu", below(9)}});
    const std::uint64_t nodes = 5 + below(5);
    for (std::uint64_t node = 0; node < nodes; ++node) {
      cluster.node("n" + std::to_string(node), {{"gpu", 8}});
      free_.push_back(8);
    }
    const std::uint64_t jobs = 5 + below(8);
    for (std::uint64_t j = 0; j < jobs; ++j) add_job(cluster, std::uint64_t{8} >> below(3), 1 + below(4));
    for (int more = 0; more < 3; ++more) add_job(cluster, 1 + below(4), 1);
    JsonObject& p = cluster.job("p", "asks");
    p.put(
        {{"state", "pending"}, {"priority", 50}, {"class", 9}, {"submitted", 1'759'990'000}, {"gang", true}});
    const std::uint64_t size = std::uint64_t{8} >> below(3);
    p.put("tasks", JsonList{JsonObject{{"count", 2 + below(nodes * 8 / size / 2)},
                                       {"resources", JsonObject{{"gpu", size}}}}});
    return cluster.text();
  }

 private:
  std::uint64_t below(std::uint64_t n) { return random_() % n; }

  void add_job(ClusterBuilder& cluster, std::uint64_t size, std::uint64_t tasks) {
    JsonList list;
    std::uint64_t placed = 0;
    const std::uint64_t first = below(free_.size());
    for (std::uint64_t i = 0; i < free_.size() && placed < tasks; ++i) {
      const std::uint64_t node = (first + i) % free_.size();
      if (free_[node] < size) continue;
      free_[node] -= size;
      ++placed;
      list.add(JsonObject{{"node", "n" + std::to_string(node)}, {"resources", JsonObject{{"gpu", size}}}});
    }
    if (placed == 0) return;
    JsonObject& job = cluster.job("j" + std::to_string(jobs_++), "q" + std::to_string(below(3)));
    job.put({{"state", "running"}, {"priority", below(3)}, {"class", below(3)}, {"gang", placed > 1}});
    job.put("started", 1'759'990'000 + 100 * below(6));
    job.put("walltime", 3600 * (3 + below(4)));
    job.put("tasks", list);
  }

  std::mt19937_64 random_;
  std::vector<std::uint64_t> free_;
  int jobs_ = 0;
};

struct Setting {
  const char* profile;
  const char* settings;
};
constexpr Setting kSettings[] = {
    {"priority", R"("front_only":false,"preemption_order":"oldest")"},
    {"priority", R"("front_only":false,"preemption_order":"newest")"},
    {"priority", R"("front_only":false,"preemption_order":"fewest")"},
    {"priority", R"("front_only":false,"preemption_order":"smallest")"},
    {"class-cost", R"("max_victims":100)"},
    {"class-cost", R"("max_victims":4)"},
    {"quota", ""},
    {"guarantee", ""},
};

std::vector<Criterion> leading(std::vector<Criterion> objective, std::size_t count) {
  objective.resize(std::min(count, objective.size()));
  return objective;
}

// An unproven plan says how much better the first criterion that is not proven could be, at most.
TEST(SpanningSearch, StatesATrueGapWhereItsWorkEnds) {
  int unproven = 0;
  int stated = 0;
  for (std::uint64_t seed = 1; seed <= 600; ++seed) {
    const Setting& setting = kSettings[seed % std::size(kSettings)];
    const std::string text = GangCluster(seed).document();
    const std::string work = std::to_string(1000 + 500 * (seed % 7));
    const PlannedCluster hurried(text, setting.profile, setting.settings,
                                 R"("exact_units":0,"search_work":)" + work);
    const Plan plan = hurried.plan("p");
    EXPECT_EQ(plan.gap_bound.has_value(), plan.outcome == Outcome::preempt && !plan.optimal);
    if (!plan.gap_bound) continue;
    ++unproven;
    ASSERT_LT(plan.proven, plan.objective.size());
    const Criterion& open = plan.objective[plan.proven];
    const std::string story = "seed " + std::to_string(seed) + '\n' + write_plan(plan, true) + text;
    ASSERT_EQ(plan.gap_bound->name, open.name) << story;
    ASSERT_FALSE(compare(open, *plan.gap_bound) < 0) << story;
    const Plan best = PlannedCluster(text, setting.profile, setting.settings, kAlwaysAll).plan("p");
    if (!best.optimal) continue;
    ASSERT_EQ(compare(leading(plan.objective, plan.proven), leading(best.objective, plan.proven)),
              std::strong_ordering::equal)
        << story;
    ASSERT_FALSE(compare(best.objective[plan.proven], *plan.gap_bound) < 0) << story;
    stated += open.kind != Criterion::Kind::number || plan.gap_bound->number > 0 ? 1 : 0;
  }
  EXPECT_GT(unproven, 50);
  EXPECT_GT(stated, 20);
}

TEST(SpanningSearch, AgreesWithTryingEverythingInEveryProfile) {
  std::map<std::string, int> sets;
  std::map<std::string, int> optimal;
  const std::uint64_t clusters = std::getenv("CEDE_LONG") ? 40'000 : 1200;
  for (std::uint64_t seed = 1; seed <= clusters; ++seed) {
    const Setting& setting = kSettings[seed % std::size(kSettings)];
    const std::string text = GangCluster(seed).document();
    const PlannedCluster by_division(text, setting.profile, setting.settings, kNeverAll);
    const PlannedCluster by_trying(text, setting.profile, setting.settings, kAlwaysAll);
    const Plan found = by_division.plan("p");
    const Plan best = by_trying.plan("p");
    const std::string story = "seed " + std::to_string(seed) + '\n' + write_plan(found, true) + text;
    ASSERT_EQ(by_division.fault(found), "") << story;
    if (found.rule != "undecided") {
      ASSERT_EQ(answer_of(found), answer_of(best)) << story;
    }
    if (found.outcome != Outcome::preempt || !best.optimal) continue;
    ASSERT_EQ(compare(leading(found.objective, found.proven), leading(best.objective, found.proven)),
              std::strong_ordering::equal)
        << story << '\n'
        << write_plan(best, true);
    ASSERT_FALSE(compare(found.objective, best.objective) < 0) << story;
    ASSERT_LE(found.bound, best.cost) << story;
    ++sets[setting.profile];
    optimal[setting.profile] += found.optimal ? 1 : 0;
  }
  for (const auto& [profile, count] : sets) {
    EXPECT_GT(count, 50) << profile;
    EXPECT_GT(optimal[profile], count * 19 / 20) << profile;
  }
}

}  // namespace
}  // namespace cede
