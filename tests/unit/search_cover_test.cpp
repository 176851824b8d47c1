// SPDX-License-Identifier: MIT
// What the search by one sum finds is held against trying every set: with `exact_units` 0 no question is
// small enough for that, with 64 every one here is.
#include "search/cover_search.h"

#include <random>

#include "document/document.h"
#include "planned_cluster.h"

namespace cede {
namespace {

constexpr std::string_view kNeverAll = R"("exact_units":0)";
constexpr std::string_view kAlwaysAll = R"("exact_units":64)";

// A queue that is over its limit, or full when job `p` asks; its jobs have tasks of unlike size, some are
// elastic, some gangs.
class FullQueue {
 public:
  explicit FullQueue(std::uint64_t seed) : random_(seed) {}

  std::string document() {
    ClusterBuilder cluster(100'000);
    cluster.group();
    cluster.queue("root");
    const std::uint64_t jobs = 4 + below(5);
    const std::uint64_t waiting = chance(50) ? 1 + below(6) : 0;
    std::uint64_t used = 0;
    std::string nodes;
    for (std::uint64_t j = 0; j < jobs; ++j) used += add_job(cluster, j);
    for (std::uint64_t node = 0; node < 4; ++node)
      cluster.node("n" + std::to_string(node), {{"gpu", 60}, {"cpu", 200}});
    const std::uint64_t over = 1 + below(used > 4 ? used - 3 : 1);
    JsonObject most{{"gpu", used > over ? used - over : 1}};
    if (chance(30)) most.put("cpu", 2 * used > 5 ? 2 * used - below(5) : 2 * used);
    cluster.queue("full", "root").put("max", most);
    JsonObject& p = cluster.job("p", "full");
    p.put({{"priority", 90}, {"class", 9}, {"submitted", 10}, {"gang", true}});
    p.put("tasks",
          JsonList{JsonObject{{"count", 1 + below(2)}, {"resources", JsonObject{{"gpu", 1 + waiting}}}}});
    return cluster.text();
  }

 private:
  std::uint64_t below(std::uint64_t n) { return random_() % n; }
  bool chance(unsigned percent) { return below(100) < percent; }

  std::uint64_t add_job(ClusterBuilder& cluster, std::uint64_t number) {
    JsonObject& job = cluster.job("j" + std::to_string(number), "full");
    const std::uint64_t size = 1 + below(4);
    const std::uint64_t tasks = 1 + below(3);
    job.put({{"state", "running"}, {"priority", 1 + below(3)}, {"class", 1 + below(3)}});
    job.put("started", 90'000 + 100 * below(4));
    const bool gang = tasks > 1 && chance(60);
    if (gang) job.put("gang", true);
    if (gang && chance(60)) job.put("min_tasks", 1);
    JsonList list;
    for (std::uint64_t t = 0; t < tasks; ++t) {
      const std::string node = "n" + std::to_string(below(4));
      list.add(JsonObject{{"node", node}, {"resources", JsonObject{{"gpu", size}, {"cpu", 2 * size}}}});
    }
    job.put("tasks", list);
    return size * tasks;
  }

  std::mt19937_64 random_;
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
    {"class-cost", ""},
    {"class-cost", R"("cost_model":"lost-work","max_victims":null)"},
    {"quota", ""},
    {"quota", R"("max_victims":2)"},
    {"fair-share", ""},
    {"guarantee", R"("intra_queue":true)"},
};

std::string set_of(const Plan& plan) {
  std::string out = answer_of(plan) + ' ';
  for (const PlannedVictim& victim : plan.victims) {
    out += std::string(plan.model().job_name(victim.job)) + '(';
    for (const TaskId task : victim.tasks)
      out += std::to_string(task.value - plan.model().jobs[victim.job].first_task.value) + ' ';
    out += ')';
  }
  for (const Criterion& each : plan.objective)
    out += ' ' + std::string(each.name) + '=' + std::to_string(each.number);
  return out;
}

// `cover` says whether any sum was searched for.
template <class Ask>
int compare_answers(std::uint64_t seeds, Ask ask) {
  int sets = 0;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    const Setting& setting = kSettings[seed % std::size(kSettings)];
    const std::string text = FullQueue(seed).document();
    const PlannedCluster by_sum(text, setting.profile, setting.settings, kNeverAll);
    const PlannedCluster by_trying(text, setting.profile, setting.settings, kAlwaysAll);
    const Plan found = ask(by_sum);
    const Plan best = ask(by_trying);
    EXPECT_EQ(by_sum.fault(found), "");
    EXPECT_TRUE(best.outcome != Outcome::preempt || best.optimal) << "seed " << seed;
    EXPECT_EQ(set_of(found), set_of(best)) << "seed " << seed << '\n' << text;
    EXPECT_EQ(found.optimal, best.optimal) << "seed " << seed << '\n' << text;
    if (::testing::Test::HasFailure()) return sets;
    sets += found.outcome == Outcome::preempt && found.victims.size() > 1 ? 1 : 0;
  }
  return sets;
}

TEST(CoverSearch, BringsAQueueWithinItsLimitAsTryingEverythingDoes) {
  const int sets = compare_answers(600, [](const PlannedCluster& loaded) {
    Problems problems;
    std::optional<Plan> plan = loaded.engine.plan_relief("queue:full", "", kNoTime, {}, problems);
    EXPECT_TRUE(plan) << (problems.all().empty() ? "" : problems.all()[0].message());
    return plan ? std::move(*plan) : Plan{};
  });
  EXPECT_GT(sets, 200);
}

TEST(CoverSearch, MakesRoomInAFullQueueAsTryingEverythingDoes) {
  const int sets = compare_answers(600, [](const PlannedCluster& loaded) { return loaded.plan("p"); });
  EXPECT_GT(sets, 100);
}

}  // namespace
}  // namespace cede
