// SPDX-License-Identifier: MIT
// A bound that says too much would hide the best set: what is found with bounds is what a search of every
// node finds.
#include "search/node_bounds.h"

#include <random>
#include <set>

#include "engine_fixture.h"
#include "search/decide.h"
#include "support/cluster_builder.h"
#include "verify/verify.h"

namespace cede {
namespace {

// Nodes of eight devices, full to a varying degree with jobs of one to four; some jobs have two tasks, on one
// node or on two, some say which devices they hold, some are too strong. Prices are few.
class MixedCluster {
 public:
  explicit MixedCluster(std::uint64_t seed) : random_(seed) {}

  std::string document() {
    ClusterBuilder cluster(100000);
    cluster.group();
    cluster.queue("root");
    for (std::size_t n = 0; n < kNodes; ++n) cluster.node(numbered("n", n), {{"gpu", 8}, {"cpu", 32}});
    for (std::size_t n = 0; n < kNodes; ++n) fill(cluster, n);
    for (std::size_t gpus = 1; gpus <= 8; ++gpus) add_waiting(cluster, gpus);
    return cluster.text();
  }

 private:
  static constexpr std::size_t kNodes = 90;

  std::uint64_t below(std::uint64_t n) { return random_() % n; }
  static std::string numbered(const char* head, std::size_t n) { return head + std::to_string(n); }
  JsonObject task(std::size_t node, std::uint64_t gpus, std::uint64_t first) {
    JsonObject out{{"node", numbered("n", node)},
                   {"resources", JsonObject{{"gpu", gpus}, {"cpu", 1 + below(4)}}}};
    if (known_) out.put("gpus", number_list(first, gpus));
    return out;
  }
  void fill(ClusterBuilder& cluster, std::size_t node) {
    known_ = below(2) == 0;
    for (std::uint64_t device = below(8) == 0 ? 3 : 0; device < 8;) {
      const std::uint64_t gpus = std::min<std::uint64_t>(1 + below(4), 8 - device);
      JsonList tasks{task(node, gpus, device)};
      device += gpus;
      if (device < 8 && below(6) == 0) {
        tasks.add(task(node, 1, device));
        ++device;
      }
      const std::string name = numbered("j", below(1000)) + '-' + std::to_string(count_++);
      JsonObject& job = cluster.job(name).put("state", "running").put("gang", true);
      job.put("class", below(20) == 0 ? 9 : below(3)).put("started", 90000 + 600 * below(4));
      job.put("walltime", 20000 + 10000 * below(2));
      if (below(2) == 0) job.put("checkpoint", JsonObject{{"mode", "auto"}, {"estimate", 60 * below(4)}});
      job.put("tasks", tasks);
    }
  }
  void add_waiting(ClusterBuilder& cluster, std::size_t gpus) {
    JsonObject& job = cluster.job(numbered("ask", gpus)).put("class", 9).put("submitted", 99000);
    const JsonObject resources{{"gpu", gpus}, {"cpu", 1 + below(24)}};
    job.put("tasks", JsonList{JsonObject{{"resources", resources}}});
  }

  std::mt19937_64 random_;
  std::size_t count_ = 0;
  bool known_ = false;
};

std::string price_policy_of(std::uint64_t seed) {
  JsonObject settings = R"("max_victims":null)";
  if (seed % 3 == 0) settings.put("cost_model", "lost-work");
  return policy_text("class-cost", settings);
}

std::set<std::string> victim_set_of(const Plan& plan) {
  std::set<std::string> names;
  for (const PlannedVictim& victim : plan.victims) names.emplace(plan.model().job_name(victim.job));
  return names;
}

TEST(NodeBounds, HideNoBetterSet) {
  int preempting = 0;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    Problems problems;
    Engine engine{Options{}};
    ASSERT_TRUE(engine.set_policy(price_policy_of(seed), problems)) << problems.all()[0].message();
    ASSERT_TRUE(engine.load(MixedCluster(seed).document(), problems)) << problems.all()[0].message();
    for (int gpus = 1; gpus <= 8; ++gpus) {
      // The second time some nodes have been looked at, and prices have risen.
      for (const Time now : {Time{100'000'000}, Time{101'000'000}}) {
        const std::optional<Plan> plan = engine.plan("ask" + std::to_string(gpus), now, {}, problems);
        ASSERT_TRUE(plan) << problems.all()[0].message();
        ASSERT_EQ(verify(*plan, *engine.policies()), "");
        Query query;
        query.job = plan->subject.job;
        query.now = now;
        const Plan plain = decide({plan->snapshot, engine.policies(), plan->in_flight}, query);
        ASSERT_EQ(plain.outcome, plan->outcome) << plain.reason << " / " << plan->reason;
        ASSERT_EQ(plain.optimal, plan->optimal);
        ASSERT_EQ(victim_set_of(plain), victim_set_of(*plan)) << "seed " << seed << ", " << gpus;
        ASSERT_EQ(plain.cost, plan->cost);
        preempting += plan->outcome == Outcome::preempt ? 1 : 0;
      }
    }
  }
  EXPECT_GT(preempting, 200);
}

}  // namespace
}  // namespace cede
