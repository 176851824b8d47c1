// SPDX-License-Identifier: MIT
// Loop freedom: where every victim comes back at once, every profile comes to rest.
#include <gtest/gtest.h>

#include <cstdlib>
#include <numeric>
#include <random>

#include "closed_loop.h"
#include "policy/settings/setting.h"

namespace cede {

namespace {

class Dice {
 public:
  explicit Dice(std::uint32_t seed) : random_(seed) {}
  int roll(int least, int most) { return std::uniform_int_distribution<int>(least, most)(random_); }
  bool one_in(int n) { return roll(1, n) == 1; }

 private:
  std::mt19937 random_;
};

struct World {
  std::string cluster;
  std::vector<ClosedLoop::Job> jobs;
};

std::string job_members(Dice& dice, Profile profile, const std::string& queue) {
  std::string out = R"("queue":")" + queue + "\"";
  switch (profile) {
    case Profile::priority: out += R"(,"priority":)" + std::to_string(dice.roll(0, 3) * 3); break;
    case Profile::class_cost:
      out += R"(,"class":)" + std::to_string(dice.roll(0, 9));
      if (dice.one_in(2)) out += R"(,"checkpoint":{"mode":"auto"})";
      if (dice.one_in(3)) out += R"(,"walltime":"2h")";
      break;
    case Profile::quota:
      out += R"(,"priority":)" + std::to_string(dice.roll(0, 3));
      if (dice.one_in(3)) out += R"(,"preemptible":false)";
      break;
    case Profile::fair_share: break;
    case Profile::guarantee: out += R"(,"priority":)" + std::to_string(dice.roll(0, 2)); break;
  }
  if (dice.one_in(4)) out += R"(,"gang":)" + std::string(dice.one_in(2) ? "true" : "false");
  if (dice.one_in(4)) out += R"(,"app":"a)" + std::to_string(dice.roll(0, 1)) + "\"";
  if (dice.one_in(4)) out += R"(,"user":"u)" + std::to_string(dice.roll(0, 1)) + "\"";
  return out;
}

// Now and then a task has a priority or a permission of its own.
std::string task_members(Dice& dice) {
  std::string out;
  if (dice.one_in(3)) out += R"("priority":)" + std::to_string(dice.roll(0, 9));
  if (dice.one_in(6)) out += (out.empty() ? "" : ",") + std::string(R"("may_preempt":false)");
  return out;
}

World random_world(Dice& dice, Profile profile) {
  World world;
  const int nodes = dice.roll(1, 3);
  std::string list;
  std::vector<int> free;
  for (int n = 0; n < nodes; ++n) {
    free.push_back(dice.roll(2, 5));
    list += std::string(list.empty() ? "" : ",") + R"({"id":"n)" + std::to_string(n) +
            R"(","resources":{"cpu":)" + std::to_string(free.back()) + "}";
    if (profile == Profile::class_cost && dice.one_in(3)) list += R"(,"home":"root.q0")";
    list += "}";
  }
  const int total = std::accumulate(free.begin(), free.end(), 0);
  std::string queues = R"({"id":"root"})";
  const int count = dice.roll(2, 3);
  for (int q = 0; q < count; ++q) {
    queues += R"(,{"id":"root.q)" + std::to_string(q) + R"(","parent":"root")";
    if (dice.one_in(2))
      queues += R"(,"guaranteed":{"cpu":)" + std::to_string(dice.roll(0, total / count)) + "}";
    if (dice.one_in(4)) queues += R"(,"max":{"cpu":)" + std::to_string(dice.roll(total / 2, total)) + "}";
    queues += "}";
  }
  world.cluster = R"("groups":[{"id":"g"}],"queues":[)" + queues + R"(],"nodes":[)" + list + "]";
  const bool own_members = dice.one_in(2);
  const int jobs = dice.roll(3, 7);
  for (int j = 0; j < jobs; ++j) {
    ClosedLoop::Job job;
    job.id = "j" + std::to_string(j);
    job.members = job_members(dice, profile, "root.q" + std::to_string(dice.roll(0, count - 1)));
    job.submitted = job.waiting_since = 990'000 + dice.roll(0, 100);
    const int tasks = dice.roll(1, 3);
    for (int k = 0; k < tasks; ++k) {
      job.tasks.push_back({dice.roll(1, 2), "", 0, ""});
      if (own_members) job.tasks.back().members = task_members(dice);
    }
    world.jobs.push_back(std::move(job));
  }
  return world;
}

std::string policy_of(Profile profile, const std::string& settings) {
  return R"({"format":"cede-policy/1","policies":{"default":{"profile":")" +
         std::string(to_word(profile, kProfiles)) + R"(","settings":{)" + settings + "}}}}";
}

// Every setting alone that can be flipped, and none.
std::vector<std::string> flipped_settings(Profile profile) {
  std::vector<std::string> out{""};
  for (const SettingSpec& spec : settings_of(profile)) {
    if (spec.unit != SettingUnit::flag || spec.name == "protect_home") continue;
    out.push_back('"' + std::string(spec.name) + "\":" + (spec.fallback != 0 ? "false" : "true"));
  }
  return out;
}

constexpr int kPatience = 60;  // times jobs x tasks

void comes_to_rest(Profile profile, const std::string& settings, std::uint32_t seed, ClosedLoop::Way way,
                   int& slowest) {
  Dice dice(seed);
  World world = random_world(dice, profile);
  int tasks = 0;
  for (const ClosedLoop::Job& job : world.jobs) tasks += static_cast<int>(job.tasks.size());
  ClosedLoop loop(policy_of(profile, settings), world.cluster, world.jobs, way);
  const int plans = loop.run_to_rest(kPatience * tasks);
  ASSERT_GE(plans, 0) << to_word(profile, kProfiles) << " {" << settings << "} seed " << seed << ": "
                      << loop.history() << '\n'
                      << loop.document();
  slowest = std::max(slowest, plans * 100 / (static_cast<int>(world.jobs.size()) * tasks));
}

class ClosedLoops : public testing::TestWithParam<Profile> {
 protected:
  void all_rest(ClosedLoop::Way way, std::uint32_t worlds) {
    int slowest = 0;
    for (const std::string& settings : flipped_settings(GetParam())) {
      for (std::uint32_t seed = 1; seed <= worlds && !HasFatalFailure(); ++seed)
        comes_to_rest(GetParam(), settings, seed, way, slowest);
    }
    // As a rule jobs x tasks plans are enough.
    RecordProperty("plans_per_100_jobs_x_tasks", slowest);
  }
  static std::uint32_t worlds() { return std::getenv("CEDE_LONG") ? 1'000 : 12; }
};

}  // namespace

TEST_P(ClosedLoops, ComeToRest) { all_rest(ClosedLoop::Way::direct, worlds()); }

TEST_P(ClosedLoops, ComeToRestThroughTheSequence) { all_rest(ClosedLoop::Way::sequence, worlds() / 2); }

INSTANTIATE_TEST_SUITE_P(EveryProfile, ClosedLoops,
                         testing::Values(Profile::priority, Profile::class_cost, Profile::quota,
                                         Profile::fair_share, Profile::guarantee),
                         [](const auto& info) {
                           std::string name(to_word(info.param, kProfiles));
                           std::erase(name, '-');
                           return name;
                         });

// The three stories of YuniKorn's design: Prod and Test are siblings, replicas of one unit each, all alike.
class ReplicaSets : public testing::TestWithParam<ClosedLoop::Way> {
 protected:
  static ClosedLoop siblings(int nodes, int prod_guarantee, int test_guarantee, int prod, int prod_running,
                             int test) {
    std::string list;
    for (int n = 0; n < nodes; ++n)
      list += std::string(list.empty() ? "" : ",") + R"({"id":"n)" + std::to_string(n) +
              R"(","resources":{"cpu":1}})";
    const std::string cluster =
        R"("groups":[{"id":"g"}],"queues":[{"id":"root"},{"id":"root.prod","parent":"root","guaranteed":{"cpu":)" +
        std::to_string(prod_guarantee) + R"(}},{"id":"root.test","parent":"root","guaranteed":{"cpu":)" +
        std::to_string(test_guarantee) + R"(}}],"nodes":[)" + list + "]";
    std::vector<ClosedLoop::Job> jobs;
    int node = 0;
    const auto add = [&](const std::string& queue, int count, int running) {
      for (int i = 0; i < count; ++i) {
        ClosedLoop::Job job;
        job.id = queue + std::to_string(i);
        job.members = R"("queue":"root.)" + queue + "\"";
        job.submitted = job.waiting_since = 990'000;
        job.tasks.push_back({1, i < running ? "n" + std::to_string(node++) : "", 991'000});
        jobs.push_back(std::move(job));
      }
    };
    add("prod", prod, prod_running);
    add("test", test, test);
    return ClosedLoop(policy_of(Profile::guarantee, ""), cluster, std::move(jobs), GetParam());
  }
};

// Prod is one short of its guarantee: it gets one, both queues are then where they may be, and all is quiet.
TEST_P(ReplicaSets, BothEndAtOrAboveTheirGuarantees) {
  ClosedLoop loop = siblings(6, 3, 2, 5, 2, 4);
  EXPECT_EQ(loop.run_to_rest(50), 1) << loop.history();
  EXPECT_EQ(loop.running("prod"), 3);
  EXPECT_EQ(loop.running("test"), 3);
}

// A Test replica less would bring Test below its guarantee: nobody moves.
TEST_P(ReplicaSets, NobodyIsTakenBelowTheGuarantee) {
  ClosedLoop loop = siblings(5, 4, 3, 5, 2, 3);
  EXPECT_EQ(loop.run_to_rest(50), 0) << loop.history();
  EXPECT_EQ(loop.running("prod"), 2);
  EXPECT_EQ(loop.running("test"), 3);
}

// Prod stays below its guarantee after the first: it goes on, as far as Test has something to give.
TEST_P(ReplicaSets, AQueueStillBelowGoesOn) {
  ClosedLoop loop = siblings(7, 6, 3, 6, 1, 6);
  EXPECT_EQ(loop.run_to_rest(50), 3) << loop.history();
  EXPECT_EQ(loop.running("prod"), 4);
  EXPECT_EQ(loop.running("test"), 3);
}

INSTANTIATE_TEST_SUITE_P(BothWays, ReplicaSets,
                         testing::Values(ClosedLoop::Way::direct, ClosedLoop::Way::sequence),
                         [](const auto& info) {
                           return info.param == ClosedLoop::Way::direct ? "Direct" : "Sequence";
                         });

// The exception: without `protect_home` an owner and a stronger guest take the node from each other for ever.
TEST(ClosedLoop, WithoutProtectHomeTheyChaseEachOther) {
  const std::string cluster =
      R"("groups":[{"id":"g"}],"queues":[{"id":"root"},{"id":"root.own","parent":"root"},)"
      R"({"id":"root.guest","parent":"root"}],"nodes":[{"id":"n","home":"root.own","resources":{"cpu":1}}])";
  std::vector<ClosedLoop::Job> jobs(2);
  jobs[0] = {"own", R"("queue":"root.own","class":2)", {{1, "", 0}}, 990'000, 990'000, 0};
  jobs[1] = {"guest", R"("queue":"root.guest","class":5)", {{1, "n", 991'000}}, 990'000, 990'000, 0};
  for (const bool protects : {true, false}) {
    const std::string settings =
        std::string(R"("avoid_borrowed":false,"protect_home":)") + (protects ? "true" : "false");
    ClosedLoop loop(policy_of(Profile::class_cost, settings), cluster, jobs, ClosedLoop::Way::direct);
    EXPECT_EQ(loop.reclaims_and_preempts("root.own", "n", 10), protects ? 1 : 10) << loop.history();
  }
}

}  // namespace cede
