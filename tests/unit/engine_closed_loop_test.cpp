// SPDX-License-Identifier: MIT
// Loop freedom: where every victim comes back at once, every profile comes to rest.
#include <gtest/gtest.h>

#include <cstdlib>
#include <random>

#include "closed_loop.h"
#include "policy/settings/setting.h"

namespace cede {

namespace {

class Random {
 public:
  explicit Random(std::uint32_t seed) : random_(seed) {}
  int roll(int least, int most) { return std::uniform_int_distribution<int>(least, most)(random_); }
  bool one_in(int n) { return roll(1, n) == 1; }

 private:
  std::mt19937 random_;
};

struct LoopCluster {
  ClusterBuilder cluster;
  std::vector<ClosedLoop::Job> jobs;
};

JsonObject job_members(Random& random, Profile profile, const std::string& queue) {
  JsonObject out{{"queue", queue}};
  switch (profile) {
    case Profile::priority: out.put("priority", random.roll(0, 3) * 3); break;
    case Profile::class_cost:
      out.put("class", random.roll(0, 9));
      if (random.one_in(2)) out.put("checkpoint", JsonObject{{"mode", "auto"}});
      if (random.one_in(3)) out.put("walltime", "2h");
      break;
    case Profile::quota:
      out.put("priority", random.roll(0, 3));
      if (random.one_in(3)) out.put("preemptible", false);
      break;
    case Profile::fair_share: break;
    case Profile::guarantee: out.put("priority", random.roll(0, 2)); break;
  }
  if (random.one_in(4)) out.put("gang", random.one_in(2));
  if (random.one_in(4)) out.put("app", "a" + std::to_string(random.roll(0, 1)));
  if (random.one_in(4)) out.put("user", "u" + std::to_string(random.roll(0, 1)));
  return out;
}

// Now and then a task has a priority or a permission of its own, or can run on one node only.
JsonObject task_members(Random& random, int nodes) {
  JsonObject out;
  if (random.one_in(3)) out.put("priority", random.roll(0, 9));
  if (random.one_in(6)) out.put("may_preempt", false);
  if (random.one_in(4)) out.put("required_node", "n" + std::to_string(random.roll(0, nodes - 1)));
  return out;
}

// A legal value of a setting, as a document writes it.
std::string drawn_value(Random& random, const SettingSpec& spec) {
  if (!spec.none_word.empty() && random.one_in(4)) return "null";
  const auto clamped = [&](std::int64_t value) {
    return format_setting(spec, std::clamp(value, spec.min, spec.max));
  };
  static constexpr std::int64_t kThousandths[] = {0, 100, 200, 500, 800, 900, 1'000, 1'500, 3'000};
  static constexpr Duration kDurations[] = {0, kSecond, 30 * kSecond, 5 * kMinute, 2 * kHour, 30 * kHour};
  switch (spec.unit) {
    case SettingUnit::flag:
    case SettingUnit::choice: return clamped(random.roll(0, static_cast<int>(spec.max)));
    case SettingUnit::count: return clamped(spec.min + random.roll(0, 5));
    case SettingUnit::duration: return clamped(kDurations[random.roll(0, 5)]);
    case SettingUnit::ratio:
    case SettingUnit::factor: return clamped(kThousandths[random.roll(0, 8)] * (kWhole / 1'000));
    case SettingUnit::minutes: return clamped(kThousandths[random.roll(0, 8)] * 10);
    case SettingUnit::amounts: return R"({"cpu":)" + std::to_string(random.roll(1, 3)) + "}";
  }
  return "null";
}

// Some of the profile's settings with values drawn at random. Without `protect_home` jobs do chase each
// other, which a test of its own shows; without `preemption` nothing happens. An `entry_timeout` so short
// that entries fail before their victims leave is what `cede check` warns about.
JsonObject drawn_settings(Random& random, Profile profile, int one_in) {
  JsonObject out;
  for (const SettingSpec& spec : settings_of(profile)) {
    if (spec.queue_field || spec.name == "protect_home" || spec.name == "preemption" ||
        !random.one_in(one_in))
      continue;
    const std::string value = drawn_value(random, spec);
    if (spec.name != "entry_timeout") out.put(spec.name, Json::raw(value));
  }
  return out;
}

// `per_queue`: queues have settings of their own.
LoopCluster random_world(Random& random, Profile profile, bool per_queue) {
  LoopCluster loop_cluster;
  const int nodes = random.roll(1, 3);
  int total = 0;
  for (int n = 0; n < nodes; ++n) {
    const int size = random.roll(2, 5);
    total += size;
    JsonObject& node = loop_cluster.cluster.node("n" + std::to_string(n), {{"cpu", size}});
    if (profile == Profile::class_cost && random.one_in(2))
      node.put("home", "root.q" + std::to_string(random.roll(0, 1)));
  }
  loop_cluster.cluster.group();
  loop_cluster.cluster.queue("root");
  const int count = random.roll(2, 3);
  for (int q = 0; q < count; ++q) {
    JsonObject& queue = loop_cluster.cluster.queue("root.q" + std::to_string(q), "root");
    if (random.one_in(2)) queue.put("guaranteed", JsonObject{{"cpu", random.roll(0, total / count)}});
    if (random.one_in(4)) queue.put("max", JsonObject{{"cpu", random.roll(total / 2, total)}});
    if (per_queue && random.one_in(2)) queue.put("settings", drawn_settings(random, profile, 8));
    if (profile == Profile::guarantee && random.one_in(4)) queue.put("priority_offset", random.roll(-2, 2));
  }
  const bool own_members = random.one_in(2);
  const int jobs = random.roll(3, 7);
  for (int j = 0; j < jobs; ++j) {
    ClosedLoop::Job job;
    job.id = "j" + std::to_string(j);
    job.members = job_members(random, profile, "root.q" + std::to_string(random.roll(0, count - 1)));
    job.submitted = job.waiting_since = 990'000 + random.roll(0, 100);
    const int tasks = random.roll(1, 3);
    for (int k = 0; k < tasks; ++k) {
      job.tasks.push_back({random.roll(1, 2), "", 0, {}});
      if (own_members) job.tasks.back().members = task_members(random, nodes);
    }
    loop_cluster.jobs.push_back(std::move(job));
  }
  return loop_cluster;
}

std::string policy_of(Profile profile, const JsonObject& settings) {
  return policy_text(to_word(profile, kProfiles), settings);
}

// Every setting alone that can be flipped, and none.
std::vector<std::string> flipped_settings(Profile profile) {
  std::vector<std::string> out{""};
  for (const SettingSpec& spec : settings_of(profile)) {
    if (spec.unit != SettingUnit::flag || spec.name == "protect_home") continue;
    out.push_back(JsonObject{{spec.name, spec.fallback == 0}}.members());
  }
  return out;
}

constexpr int kPatience = 60;  // times jobs x tasks

// Whether policy and cluster are legal together: some values exclude each other.
bool is_legal(const std::string& policy, const LoopCluster& loop_cluster) {
  ClusterBuilder cluster = loop_cluster.cluster;
  cluster.now = 1'000'000;
  Engine engine{Options{}};
  Problems problems;
  return engine.set_policy(policy, problems) && engine.load(cluster.text(), problems);
}

void comes_to_rest(const std::string& policy, const LoopCluster& loop_cluster, const std::string& story,
                   ClosedLoop::Way way, int& slowest) {
  int tasks = 0;
  for (const ClosedLoop::Job& job : loop_cluster.jobs) tasks += static_cast<int>(job.tasks.size());
  ClosedLoop loop(policy, loop_cluster.cluster, loop_cluster.jobs, way);
  const int plans = loop.run_to_rest(kPatience * tasks);
  ASSERT_GE(plans, 0) << story << '\n' << policy << '\n' << loop.history() << '\n' << loop.document();
  slowest = std::max(slowest, plans * 100 / (static_cast<int>(loop_cluster.jobs.size()) * tasks));
}

class ClosedLoops : public testing::TestWithParam<Profile> {
 protected:
  void all_rest(ClosedLoop::Way way, std::uint32_t worlds) {
    int slowest = 0;
    for (const std::string& settings : flipped_settings(GetParam())) {
      for (std::uint32_t seed = 1; seed <= worlds && !HasFatalFailure(); ++seed) {
        Random random(seed);
        comes_to_rest(policy_of(GetParam(), settings), random_world(random, GetParam(), false),
                      "seed " + std::to_string(seed), way, slowest);
      }
    }
    // As a rule jobs x tasks plans are enough.
    RecordProperty("plans_per_100_jobs_x_tasks", slowest);
  }
  // The same with settings drawn at random, of the policy and of queues.
  void all_rest_with_any_settings(ClosedLoop::Way way, std::uint32_t worlds) {
    int slowest = 0;
    const char* first = std::getenv("CEDE_FIRST_SEED");
    std::uint32_t seed = first ? static_cast<std::uint32_t>(std::atoi(first)) : 1;
    for (const std::uint32_t last = seed + worlds; seed < last && !HasFatalFailure(); ++seed) {
      Random random(seed);
      const std::string policy = policy_of(GetParam(), drawn_settings(random, GetParam(), 3));
      const LoopCluster loop_cluster = random_world(random, GetParam(), true);
      if (!is_legal(policy, loop_cluster)) continue;
      comes_to_rest(policy, loop_cluster, "seed " + std::to_string(seed), way, slowest);
    }
    RecordProperty("plans_per_100_jobs_x_tasks", slowest);
  }
  static std::uint32_t worlds() { return std::getenv("CEDE_LONG") ? 1'000 : 12; }
};

}  // namespace

TEST_P(ClosedLoops, ComeToRest) { all_rest(ClosedLoop::Way::direct, worlds()); }

TEST_P(ClosedLoops, ComeToRestThroughTheSequence) { all_rest(ClosedLoop::Way::sequence, worlds() / 2); }

TEST_P(ClosedLoops, ComeToRestWithSettingsDrawnAtRandom) {
  all_rest_with_any_settings(ClosedLoop::Way::direct, 25 * worlds());
}

TEST_P(ClosedLoops, ComeToRestThroughTheSequenceWithSettingsDrawnAtRandom) {
  all_rest_with_any_settings(ClosedLoop::Way::sequence, 5 * worlds());
}

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
    ClusterBuilder cluster;
    cluster.group();
    cluster.queue("root");
    cluster.queue("root.prod", "root").put("guaranteed", JsonObject{{"cpu", prod_guarantee}});
    cluster.queue("root.test", "root").put("guaranteed", JsonObject{{"cpu", test_guarantee}});
    for (int n = 0; n < nodes; ++n) cluster.node("n" + std::to_string(n), {{"cpu", 1}});
    std::vector<ClosedLoop::Job> jobs;
    int node = 0;
    const auto add = [&](const std::string& queue, int count, int running) {
      for (int i = 0; i < count; ++i) {
        ClosedLoop::Job job;
        job.id = queue + std::to_string(i);
        job.members.put("queue", "root." + queue);
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

// A Test replica less would bring Test below its guarantee: no job moves.
TEST_P(ReplicaSets, NoQueueIsTakenBelowItsGuarantee) {
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

// Three tasks for two jobs with equal shares: one of them always has less than
// `fair_share_starvation_tolerance` of its share, and with a low `preemption_satisfaction_threshold` the
// other's second task is preemptible. It stays where it is, because it would only change places.
TEST(ClosedLoop, AJobThatStarvesAndIsPreemptibleAtOnceComesToRest) {
  for (const auto way : {ClosedLoop::Way::direct, ClosedLoop::Way::sequence}) {
    const std::vector<ClosedLoop::Task> waiting(3);
    std::vector<ClosedLoop::Job> jobs(2);
    jobs[0] = {"a", R"("queue":"root")", waiting, 990'000, 990'000, 0};
    jobs[1] = {"b", R"("queue":"root")", waiting, 990'001, 990'001, 0};
    ClusterBuilder cluster;
    cluster.group();
    cluster.queue("root");
    cluster.node("n", {{"cpu", 3}});
    ClosedLoop loop(policy_of(Profile::fair_share, R"("preemption_satisfaction_threshold":0.6,)"
                                                   R"("aggressive_preemption_satisfaction_threshold":0.1)"),
                    cluster, jobs, way);
    EXPECT_EQ(loop.run_to_rest(50), 3) << loop.history();
    EXPECT_EQ(loop.running("a"), 2);
  }
}

// A job within its queue's guarantee and a daemon that can run nowhere else, of equal priority: the daemon
// takes the node whatever the guarantee, and does not give it back.
TEST(ClosedLoop, ATaskBoundToItsNodeAndAGuaranteeComeToRest) {
  for (const auto way : {ClosedLoop::Way::direct, ClosedLoop::Way::sequence}) {
    for (const int higher : {0, 1}) {
      ClusterBuilder cluster;
      cluster.group();
      cluster.queue("root");
      cluster.queue("root.a", "root");
      cluster.queue("root.b", "root").put("guaranteed", JsonObject{{"cpu", 4}});
      cluster.node("n", {{"cpu", 4}});
      std::vector<ClosedLoop::Job> jobs(2);
      jobs[0] = {"app", {{"queue", "root.b"}, {"priority", higher}}, {{4, "n", 991'000}}, 990'000, 990'000,
                 0};
      jobs[1] = {"daemon", R"("queue":"root.a")", {{4, "", 0, R"("required_node":"n")"}}, 990'001, 990'001,
                 0};
      ClosedLoop loop(policy_of(Profile::guarantee, ""), cluster, jobs, way);
      EXPECT_EQ(loop.run_to_rest(50), 1 - higher) << loop.history();
      EXPECT_EQ(loop.running("daemon"), 1 - higher);
    }
  }
}

// The exception: without `protect_home` an owner and a stronger guest take the node from each other for ever.
TEST(ClosedLoop, WithoutProtectHomeTheyChaseEachOther) {
  ClusterBuilder cluster;
  cluster.group();
  cluster.queue("root");
  cluster.queue("root.own", "root");
  cluster.queue("root.guest", "root");
  cluster.node("n", {{"cpu", 1}}).put("home", "root.own");
  std::vector<ClosedLoop::Job> jobs(2);
  jobs[0] = {"own", R"("queue":"root.own","class":2)", {{1, "", 0}}, 990'000, 990'000, 0};
  jobs[1] = {"guest", R"("queue":"root.guest","class":5)", {{1, "n", 991'000}}, 990'000, 990'000, 0};
  for (const bool protects : {true, false}) {
    const JsonObject settings{{"avoid_borrowed", false}, {"protect_home", protects}};
    ClosedLoop loop(policy_of(Profile::class_cost, settings), cluster, jobs, ClosedLoop::Way::direct);
    EXPECT_EQ(loop.reclaims_and_preempts("root.own", "n", 10), protects ? 1 : 10) << loop.history();
  }
}

}  // namespace cede
