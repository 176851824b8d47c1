// SPDX-License-Identifier: MIT
#include "policy/shares/task_split.h"

#include "fair_share_fixture.h"

namespace cede {
namespace {

constexpr std::int64_t kFifth = 200'000'000;

// A job of equal tasks t0, t1 … on 100 CPUs and as much memory, with shares in percent.
class Split {
 public:
  Split(int tasks, Amount cpu, Share fair, Share demand) : fair_{fair}, demand_{demand} {
    for (int i = 0; i < tasks; ++i) add(i, {cpu});
    terms.aggressive_threshold = kFifth;
    terms.satisfaction_threshold = kWhole;
  }
  Split(std::vector<Share> fair, std::vector<Share> demand) : Split(0, 0, 0, 0) {
    fair_ = std::move(fair);
    demand_ = std::move(demand);
  }

  void add(Time start, const std::vector<Amount>& amounts, std::string name = {}) {
    if (name.empty()) name = "t" + std::to_string(tasks_.size());
    std::vector<ResourceAmount>& own = amounts_.emplace_back();
    for (std::uint32_t r = 0; r < amounts.size(); ++r) own.push_back({amounts[r] * kOne, r, 0});
    tasks_.push_back({.row = TaskId{tasks_.size()}, .start = start, .name = std::move(name)});
  }

  // `-` protected, `a` aggressively preemptible, `p` preemptible, with the names in the order of the split.
  std::string run(bool names = false) {
    std::vector<SplitTask> tasks = tasks_;
    for (std::size_t i = 0; i < tasks.size(); ++i) tasks[i].resources = amounts_[i];
    std::vector<Share> fair = fair_;
    std::vector<Share> demand = demand_;
    for (auto* row : {&fair, &demand}) {
      for (Share& share : *row) share *= kFullShare / 100;
    }
    const std::vector<Share> usage(fair.size(), 0);  // the split goes by the tasks
    const std::vector<Total> capacity(fair.size(), 100 * kOne);
    split_tasks(tasks, {usage, fair, demand}, capacity, terms);
    std::string out;
    for (const SplitTask& task : tasks) {
      if (names) out += (out.empty() ? "" : " ") + task.name + ":";
      out += "-ap"[static_cast<std::size_t>(task.tier)];
    }
    return out;
  }

  SplitTerms terms;

 private:
  std::vector<SplitTask> tasks_;
  std::vector<std::vector<ResourceAmount>> amounts_;
  std::vector<Share> fair_;
  std::vector<Share> demand_;
};

TEST(TaskSplit, GoesByTheUsageOfTheTasksBefore) {
  // Bounds at 10 and 50 percent: 0, 10, 20 … are before the tasks.
  EXPECT_EQ(Split(8, 10, 50, 90).run(), "-aaaappp");
  EXPECT_EQ(Split(8, 11, 50, 90).run(), "-aaaappp");
}

TEST(TaskSplit, TheTaskThatCrossesABoundStaysOnTheSaferSide) {
  EXPECT_EQ(Split(4, 9, 50, 90).run(), "--aa") << "9 is below 10, so the second is protected as well";
  EXPECT_EQ(Split(3, 30, 50, 90).run(), "-ap") << "30 is below 50, so the second is only aggressively so";
  EXPECT_EQ(Split(1, 90, 50, 90).run(), "-");
}

TEST(TaskSplit, BothThresholdsMoveTheirBound) {
  Split split(8, 10, 50, 90);
  split.terms.aggressive_threshold = 700'000'000;  // 35
  EXPECT_EQ(split.run(), "----appp");
  split.terms.satisfaction_threshold = 1'200'000'000;  // 60
  EXPECT_EQ(split.run(), "----aapp");
  split.terms.aggressive_threshold = 0;
  EXPECT_EQ(split.run(), "aaaaaapp");
  split.terms.satisfaction_threshold = 0;
  EXPECT_EQ(split.run(), "pppppppp");
  split.terms.aggressive_threshold = split.terms.satisfaction_threshold = 1000 * kWhole;
  EXPECT_EQ(split.run(), "--------");
}

TEST(TaskSplit, DifferencesUpToABillionthAreNone) {
  // Thirds: after two of three tasks the job has its 66.6… percent, whichever way they were rounded.
  const std::vector<Share> fair{666'666'666'667};
  const std::vector<Share> demand{kFullShare};
  const std::vector<Share> usage{kFullShare};
  const std::vector<Total> capacity{3 * kOne};
  const std::vector<ResourceAmount> one{{kOne, 0, 0}};
  std::vector<SplitTask> tasks;
  for (int i = 0; i < 3; ++i)
    tasks.push_back({.row = TaskId{std::size_t(i)}, .start = i, .name = "t", .resources = one});
  split_tasks(tasks, {usage, fair, demand}, capacity,
              {.aggressive_threshold = kFifth, .satisfaction_threshold = kWhole});
  EXPECT_EQ(tasks[0].tier, TaskTier::non_preemptible);
  EXPECT_EQ(tasks[1].tier, TaskTier::aggressively_preemptible);
  EXPECT_EQ(tasks[2].tier, TaskTier::preemptible);
}

TEST(TaskSplit, TheOldestComeFirstAndOfEqualStartTheLesserName) {
  Split split({10}, {90});
  split.add(30, {10}, "a");
  split.add(10, {10}, "d");
  split.add(20, {10}, "c");
  split.add(20, {10}, "b");
  EXPECT_EQ(split.run(true), "d:- b:p c:p a:p");
}

TEST(TaskSplit, AJobWithoutAnyShareIsPreemptibleAsAWhole) { EXPECT_EQ(Split(3, 10, 0, 30).run(), "ppp"); }

TEST(TaskSplit, AJobThatIsDueAllItDemandsHasNoPreemptibleTask) {
  Split split(5, 10, 50, 50);
  EXPECT_EQ(split.run(), "-aaaa");
  split.terms.satisfaction_threshold = kFifth;
  EXPECT_EQ(split.run(), "-aaaa") << "whatever the threshold";
  Split more(5, 10, 50, 51);
  more.terms.satisfaction_threshold = kFifth;
  EXPECT_EQ(more.run(), "-pppp");
}

TEST(TaskSplit, AJobBelowTheUsageThresholdLosesNothing) {
  Split split(5, 10, 20, 90);
  EXPECT_EQ(split.run(), "-appp");
  split.terms.usage_threshold = {{51 * kOne, 0, 0}};
  EXPECT_EQ(split.run(), "-----");
  split.terms.usage_threshold = {{50 * kOne, 0, 0}};
  EXPECT_EQ(split.run(), "-appp") << "the whole usage must be below, not only that of some tasks";
  split.terms.usage_threshold = {{51 * kOne, 0, 0}, {1 * kOne, 1, 0}};
  EXPECT_EQ(split.run(), "-----") << "it uses nothing of the second";
  split.terms.usage_threshold = {{51 * kOne, 0, 0}, {0, 1, 0}};
  EXPECT_EQ(split.run(), "-appp") << "in every resource named";
  split.terms.usage_threshold = {{kOne, ResourceId::kNoValue, 0}};
  EXPECT_EQ(split.run(), "-----") << "a resource that no task has";
}

TEST(TaskSplit, AGangIsAsProtectedAsItsMostProtectedTask) {
  Split split(5, 10, 20, 90);
  split.terms.gang = true;
  EXPECT_EQ(split.run(), "-----");
  split.terms.aggressive_threshold = 0;
  EXPECT_EQ(split.run(), "aaaaa");
  split.terms.satisfaction_threshold = 0;
  EXPECT_EQ(split.run(), "ppppp");
}

TEST(TaskSplit, AResourceWhoseFairShareMeetsTheDemandDoesNotCount) {
  // All of the second resource goes to the first task; the job is protected by its share of the first.
  Split split({50, 30}, {90, 30});
  split.add(0, {20, 30});
  split.add(1, {20, 0});
  split.add(2, {20, 0});
  split.add(3, {20, 0});
  EXPECT_EQ(split.run(), "-aap");
}

TEST(TaskSplit, OneCountedResourceAtItsBoundIsEnoughToPassIt) {
  Split split({50, 50}, {90, 90});
  split.add(0, {10, 0});
  split.add(1, {10, 0});
  split.add(2, {30, 0});
  split.add(3, {10, 50});
  EXPECT_EQ(split.run(), "-aap");
}

TEST(TaskSplit, OfNoTasksIsFine) {
  Split split({50}, {90});
  split.terms.gang = true;
  EXPECT_EQ(split.run(), "");
}

// 10 CPUs. In `a`, `wide` holds 6 in six tasks and wants 10, `gang` and `elastic` hold 2 each; all are due
// less than they want.
const std::string kSplitCluster = R"({"format":"cede-cluster/1","now":1000,"groups":[{"id":"g"}],
  "queues":[{"id":"root"},
            {"id":"a","parent":"root","settings":{"aggressive_preemption_satisfaction_threshold":0.5}},
            {"id":"small","parent":"root","settings":{"non_preemptible_resource_usage_threshold":{"cpu":2}}},
            {"id":"none","parent":"small","settings":{"non_preemptible_resource_usage_threshold":"none"}}],
  "nodes":[{"id":"n","resources":{"cpu":10}}],
  "jobs":[{"id":"wide","queue":"a","state":"running","started":100,"fair_share":0.4,
           "tasks":[{"id":"x","node":"n","started":103,"resources":{"cpu":1}},
                    {"id":"y","node":"n","started":102,"resources":{"cpu":1}},
                    {"id":"z","node":"n","resources":{"cpu":1}},
                    {"id":"w","count":5,"resources":{"cpu":1}},
                    {"id":"u","node":"n","started":104,"resources":{"cpu":1}},
                    {"id":"v","node":"n","started":105,"resources":{"cpu":1}}]},
          {"id":"gang","queue":"a","state":"running","started":100,"fair_share":0.1,"gang":true,
           "tasks":[{"node":"n","resources":{"cpu":1}},{"node":"n","resources":{"cpu":1}},
                    {"resources":{"cpu":1}}]},
          {"id":"elastic","queue":"a","state":"running","started":100,"fair_share":0.1,"gang":true,
           "min_tasks":1,
           "tasks":[{"node":"n","resources":{"cpu":1}},{"node":"n","resources":{"cpu":1}},
                    {"resources":{"cpu":1}}]},
          {"id":"little","queue":"small","state":"running","started":100,"fair_share":0,
           "tasks":[{"node":"n","resources":{"cpu":1}},{"resources":{"cpu":1}}]},
          {"id":"undone","queue":"none","state":"running","started":100,"fair_share":0,
           "tasks":[{"node":"n","resources":{"cpu":1}},{"resources":{"cpu":1}}]}]})";

class TaskSplitOfAJob : public testing::Test {
 protected:
  std::vector<SplitTask> split(std::string_view job) const {
    return split_job(cluster_.effective(), tree_, shares_, cluster_.job(job));
  }
  std::string tiers(std::string_view job) const {
    std::string out;
    for (const SplitTask& task : split(job))
      out += (out.empty() ? "" : " ") + task.name + ":" + "-ap"[static_cast<std::size_t>(task.tier)];
    return out;
  }

  FairCluster cluster_{kSplitCluster};
  FairShareTree tree_ = fair_share_tree(cluster_.effective(), cluster_.group());
  FairShares shares_ = compute_fair_shares(tree_.tree);
};

TEST_F(TaskSplitOfAJob, TakesPlacedTasksAndTheSettingsOfItsQueue) {
  EXPECT_EQ(tiers("wide"), "z:- y:- x:a u:a v:p");
}

TEST_F(TaskSplitOfAJob, GangsGoTogetherAndElasticJobsShrink) {
  EXPECT_EQ(tiers("gang"), "t0:- t1:-");
  EXPECT_EQ(tiers("elastic"), "t0:- t1:p");
}

TEST_F(TaskSplitOfAJob, TheUsageThresholdIsTheNearestQueues) {
  EXPECT_EQ(tiers("little"), "t0:-");
  EXPECT_EQ(tiers("undone"), "t0:p");
  const FairCluster by_policy(kSplitCluster, R"("non_preemptible_resource_usage_threshold":{"cpu":9})");
  EXPECT_EQ(by_policy.effective().usage_threshold(by_policy.queue("a")), (NamedAmounts{{"cpu", 9 * kOne}}));
  EXPECT_EQ(by_policy.effective().usage_threshold(by_policy.queue("small")),
            (NamedAmounts{{"cpu", 2 * kOne}}));
  EXPECT_EQ(by_policy.effective().usage_threshold(by_policy.queue("none")), NamedAmounts{});
  EXPECT_EQ(cluster_.effective().usage_threshold(cluster_.queue("a")), NamedAmounts{});
}

TEST_F(TaskSplitOfAJob, AUnitIsAsProtectedAsItsMostProtectedTask) {
  const std::vector<SplitTask> wide = split("wide");
  const std::vector<TaskId> pair{wide[4].row, wide[2].row};
  EXPECT_EQ(most_protected(wide, pair), TaskTier::aggressively_preemptible);
  EXPECT_EQ(most_protected(wide, std::vector<TaskId>{wide[4].row}), TaskTier::preemptible);
  EXPECT_EQ(most_protected(wide, std::vector<TaskId>{wide[3].row, wide[0].row}), TaskTier::non_preemptible);
}

}  // namespace
}  // namespace cede
