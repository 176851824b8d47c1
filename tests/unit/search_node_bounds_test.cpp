// SPDX-License-Identifier: MIT
// A bound that says too much would hide the best set: what is found with bounds is what a search of every
// node finds.
#include "search/node_bounds.h"

#include <random>
#include <set>

#include "engine_fixture.h"
#include "search/decide.h"
#include "verify/verify.h"

namespace cede {
namespace {

// Nodes of eight devices, full to a varying degree with jobs of one to four; some jobs have two tasks, on one
// node or on two, some say which devices they hold, some are too strong. Prices are few.
class MixedCluster {
 public:
  explicit MixedCluster(std::uint64_t seed) : random_(seed) {}

  std::string document() {
    std::string nodes, jobs;
    for (std::size_t n = 0; n < kNodes; ++n)
      append(nodes, R"({"id":"n)" + std::to_string(n) + R"(","resources":{"gpu":8,"cpu":32}})");
    for (std::size_t n = 0; n < kNodes; ++n) fill(n, jobs);
    for (int gpus = 1; gpus <= 8; ++gpus) append(jobs, waiting(gpus));
    return R"({"format":"cede-cluster/1","now":100000,"groups":[{"id":"g"}],"queues":[{"id":"root"}],)"
           R"("nodes":[)" +
           nodes + R"(],"jobs":[)" + jobs + "]}";
  }

 private:
  static constexpr std::size_t kNodes = 90;

  std::uint64_t below(std::uint64_t n) { return random_() % n; }
  static void append(std::string& list, const std::string& item) { list += (list.empty() ? "" : ",") + item; }
  std::string task(std::size_t node, std::uint64_t gpus, std::uint64_t first) {
    std::string out = R"({"node":"n)" + std::to_string(node) + R"(","resources":{"gpu":)" +
                      std::to_string(gpus) + R"(,"cpu":)" + std::to_string(1 + below(4)) + '}';
    if (known_) {
      out += R"(,"gpus":[)";
      for (std::uint64_t d = first; d < first + gpus; ++d) out += (d > first ? "," : "") + std::to_string(d);
      out += ']';
    }
    return out + '}';
  }
  void fill(std::size_t node, std::string& jobs) {
    known_ = below(2) == 0;
    for (std::uint64_t device = below(8) == 0 ? 3 : 0; device < 8;) {
      const std::uint64_t gpus = std::min<std::uint64_t>(1 + below(4), 8 - device);
      std::string tasks = task(node, gpus, device);
      device += gpus;
      if (device < 8 && below(6) == 0) {
        tasks += ',' + task(node, 1, device);
        ++device;
      }
      append(jobs, R"({"id":"j)" + std::to_string(below(1000)) + '-' + std::to_string(count_++) +
                       R"(","queue":"root","state":"running","gang":true,"class":)" +
                       std::to_string(below(20) == 0 ? 9 : below(3)) + R"(,"started":)" +
                       std::to_string(90000 + 600 * below(4)) + R"(,"walltime":)" +
                       std::to_string(20000 + 10000 * below(2)) +
                       (below(2) == 0 ? R"(,"checkpoint":{"mode":"auto","estimate":)" +
                                            std::to_string(60 * below(4)) + '}'
                                      : "") +
                       R"(,"tasks":[)" + tasks + "]}");
    }
  }
  std::string waiting(int gpus) {
    return R"({"id":"ask)" + std::to_string(gpus) + R"(","queue":"root","class":9,"submitted":99000,)" +
           R"("tasks":[{"resources":{"gpu":)" + std::to_string(gpus) + R"(,"cpu":)" +
           std::to_string(1 + below(24)) + "}}]}";
  }

  std::mt19937_64 random_;
  std::size_t count_ = 0;
  bool known_ = false;
};

std::string price_policy_of(std::uint64_t seed) {
  const std::string settings =
      seed % 3 == 0 ? R"({"max_victims":null,"cost_model":"lost-work"})" : R"({"max_victims":null})";
  return R"({"format":"cede-policy/1","policies":{"default":{"profile":"class-cost","settings":)" + settings +
         "}}}";
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
