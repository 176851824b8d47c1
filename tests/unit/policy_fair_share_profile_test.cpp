// SPDX-License-Identifier: MIT
#include "policy/profiles/profiles.h"

#include "fair_engine.h"
#include "search/decide.h"
#include "search/query.h"

namespace cede {
namespace {

// `v:t8,v:t9`, or the rule that decided.
std::string answer_of(const Plan& plan) {
  if (plan.outcome != Outcome::preempt) return std::string(plan.rule);
  std::string out;
  for (const PlannedVictim& victim : plan.victims) {
    for (const TaskId task : victim.tasks)
      out += (out.empty() ? "" : ",") + std::string(plan.model().job_name(victim.job)) + ':' +
             task_label(plan.model(), task, 0);
  }
  return out;
}

// Below its share for long enough to starve, and to starve aggressively where that is enabled.
constexpr std::string_view kStarving = R"("below_fair_share_since":900)";
constexpr std::string_view kAggressive = R"("below_fair_share_since":879)";
constexpr std::string_view kEnabled = R"("enable_aggressive_starvation":true)";

// v holds the node's ten CPUs in ten tasks, p waits for `first` CPUs and more; each is due half. Of v, t0 is
// non-preemptible, t1 to t4 are aggressively preemptible, t5 to t9 preemptible.
std::string half_each(const JsonObject& p_members = kStarving, int first = 1,
                      const JsonObject& v_members = {}) {
  return fair_cluster({fair_job("v", ones(10), {}, v_members),
                       fair_job("p", {}, {waiting(first), waiting(1, 10)}, p_members)});
}

TEST(FairShareProfile, FreeSpaceIsTakenWithoutStarving) {
  const Plan plan =
      FairEngine(fair_cluster({fair_job("v", ones(9), {}), fair_job("p", {}, {waiting(1, 5)})})).plan();
  EXPECT_EQ(plan.outcome, Outcome::fits) << plan.rule;
}

TEST(FairShareProfile, AStarvingJobTakesTheYoungestTaskBeyondAnothersShare) {
  const Plan plan = FairEngine(half_each()).plan();
  EXPECT_EQ(answer_of(plan), "v:t9") << plan.reason;
  EXPECT_EQ(plan.cause, "starvation");
  EXPECT_EQ(plan.placement.size(), 1u) << "one task at a time";
}

// ---- Split

TEST(FairShareProfile, SplitsAJobsTasksFromTheOldest) {
  const Plan plan = FairEngine(half_each()).plan();
  EXPECT_EQ(left_out(plan, "protected-task"), "t0");
  EXPECT_EQ(left_out(plan, "aggressive-only"), "t1,t2,t3,t4");
  EXPECT_EQ(plan.not_needed.size(), 4u) << "t5 to t8";
}

TEST(FairShareProfile, TheTaskThatCrossesABoundStaysOnTheSaferSide) {
  // t0 crosses 10 %, t1 crosses 50 %.
  const std::string cluster = fair_cluster(
      {fair_job("v", {{4, 1}, {4, 2}, {2, 3}}, {}), fair_job("p", {}, {waiting(2, 5)}, kStarving)});
  const Plan plan = FairEngine(cluster).plan();
  EXPECT_EQ(left_out(plan, "protected-task"), "t0");
  EXPECT_EQ(left_out(plan, "aggressive-only"), "t1");
  EXPECT_EQ(answer_of(plan), "v:t2");
}

TEST(FairShareProfile, OldIsWhatATaskRunsNow) {
  std::vector<FairTask> tasks = ones(10);
  tasks[0].started = 500;  // it was the first and began again
  const Plan plan =
      FairEngine(fair_cluster({fair_job("v", tasks, {}), fair_job("p", {}, {waiting(1, 10)}, kStarving)}))
          .plan();
  EXPECT_EQ(answer_of(plan), "v:t0");
  EXPECT_EQ(left_out(plan, "protected-task"), "t1");
}

TEST(FairShareProfile, ThresholdsMoveTheBounds) {
  const Plan plan =
      FairEngine(half_each(), fair_policy(R"("aggressive_preemption_satisfaction_threshold":0.4,)"
                                          R"("preemption_satisfaction_threshold":0.8)"))
          .plan();
  EXPECT_EQ(left_out(plan, "protected-task"), "t0,t1");
  EXPECT_EQ(left_out(plan, "aggressive-only"), "t2,t3");
}

TEST(FairShareProfile, AJobBelowTheUsageThresholdLosesNothing) {
  const auto with = [](std::string_view threshold) {
    return FairEngine(half_each(), fair_policy(R"("non_preemptible_resource_usage_threshold":{)" +
                                               std::string(threshold) + "}"))
        .plan();
  };
  EXPECT_EQ(answer_of(with(R"("cpu":11)")), "no-victims");
  EXPECT_EQ(left_out(with(R"("cpu":11)"), "protected-task"), "t0,t1,t2,t3,t4,t5,t6,t7,t8,t9");
  EXPECT_EQ(answer_of(with(R"("cpu":10)")), "v:t9") << "it is not below";
  EXPECT_EQ(answer_of(with(R"("cpu":11,"licence":1)")), "no-victims") << "below in both";
  EXPECT_EQ(answer_of(with(R"("cpu":11,"licence":0)")), "v:t9") << "below in one of two is not enough";
}

TEST(FairShareProfile, AJobThatIsDueAllItDemandsHasNoPreemptibleTask) {
  // v demands 3 of 10 and is due that. By the thresholds alone its t2 would be preemptible.
  const std::string cluster = fair_cluster({fair_job("v", ones(3), {}),
                                            fair_job("w", ones(7), {waiting(1, 3)}, R"("preemptible":false)"),
                                            fair_job("p", {}, {waiting(1, 10)}, kStarving)});
  const Plan plan = FairEngine(cluster, fair_policy(R"("preemption_satisfaction_threshold":0.5)")).plan();
  EXPECT_EQ(left_out(plan, "aggressive-only"), "t1,t2");
  EXPECT_EQ(answer_of(plan), "no-victims");
}

TEST(FairShareProfile, AGangIsAsProtectedAsItsMostProtectedTask) {
  const Plan plan = FairEngine(half_each(kStarving, 1, R"("gang":true)")).plan();
  EXPECT_EQ(left_out(plan, "protected-task"), "t0,t1,t2,t3,t4,t5,t6,t7,t8,t9");
  const Plan bold = FairEngine(half_each(kStarving, 1, R"("gang":true)"),
                               fair_policy(R"("aggressive_preemption_satisfaction_threshold":0)"))
                        .plan();
  EXPECT_EQ(left_out(bold, "aggressive-only"), "t0,t1,t2,t3,t4,t5,t6,t7,t8,t9");
}

// ---- The aggressive stage

TEST(FairShareProfile, OnlyAggressivelyStarvingJobsTakeTasksWithinAShare) {
  // Six CPUs: the five preemptible tasks and one within v's share.
  const auto asks = [](const JsonObject& since, const JsonObject& settings) {
    return answer_of(FairEngine(half_each(since, 6), fair_policy(settings)).plan());
  };
  EXPECT_EQ(asks(kAggressive, kEnabled), "v:t4,v:t5,v:t6,v:t7,v:t8,v:t9");
  EXPECT_EQ(asks(kAggressive, ""), "no-set") << "not enabled";
  EXPECT_EQ(asks(kStarving, kEnabled), "no-set") << "not for long enough";
  EXPECT_EQ(asks(R"("below_fair_share_since":880)", kEnabled), "no-set") << "120 s are not longer than 120 s";
  EXPECT_EQ(asks(R"("below_fair_share_since":880)",
                 JsonObject(kEnabled).put_all(R"("fair_share_aggressive_starvation_timeout":119)")),
            "v:t4,v:t5,v:t6,v:t7,v:t8,v:t9");
}

TEST(FairShareProfile, NoJobTakesANonPreemptibleTask) {
  const Plan plan = FairEngine(half_each(kAggressive, 10), fair_policy(kEnabled)).plan();
  EXPECT_EQ(answer_of(plan), "no-set");
  EXPECT_EQ(left_out(plan, "protected-task"), "t0");
}

// Two jobs of five tasks, of which one each is preemptible; the request needs two, and one job may lose some.
std::string two_victims() {
  return fair_cluster({fair_job("v", ones(5), {}), fair_job("w", ones(5), {}),
                       fair_job("p", {}, {waiting(2, 5)}, kAggressive)});
}

TEST(FairShareProfile, TheAggressiveStageComesAfterAProvenNo) {
  EXPECT_EQ(answer_of(FairEngine(two_victims(), fair_policy(kEnabled)).plan()), "v:t4,w:t4")
      << "the preemptive stage has an answer";
  const JsonObject one_job = JsonObject(kEnabled).put_all(R"("max_victims":1)");
  const Plan plan = FairEngine(two_victims(), fair_policy(one_job)).plan();
  EXPECT_EQ(answer_of(plan), "v:t3,v:t4") << "the preemptive stage has none";
  EXPECT_EQ(criterion(plan, "aggressive"), 1);
}

TEST(FairShareProfile, ThereIsNoAggressiveStageAfterANoThatIsNotProven) {
  // Of each job t2 is preemptible and t1 is not; two of one job would do, which only t1 and t2 are.
  std::vector<JsonObject> jobs{fair_job("p", {}, {waiting(2, 5)}, kAggressive)};
  for (int job = 10; job < 40; ++job) jobs.push_back(fair_job("v" + std::to_string(job), ones(3), {}));
  // Amounts alone do not prove it: x could free two, but on nodes that are too small.
  jobs.push_back(fair_job("x", {{1, 1}, {1, 2}, {1, 3}, {1, 4, "n2"}, {1, 5, "n3"}}, {}));
  const std::string cluster = fair_cluster(
      jobs, kRootOnly,
      R"({"id":"n1","resources":{"cpu":93}},{"id":"n2","resources":{"cpu":1}},{"id":"n3","resources":{"cpu":1}})");
  const std::string settings = R"("preemption_satisfaction_threshold":0.66,"max_victims":1)";
  int unproven = 0;
  for (int work = 1; work < 120; ++work) {
    const std::string limits = R"("exact_units":0,"search_work":)" + std::to_string(work);
    const std::string preemptive = answer_of(FairEngine(cluster, fair_policy(settings, limits)).plan());
    const std::string both =
        answer_of(FairEngine(cluster, fair_policy(JsonObject(settings).put_all(kEnabled), limits)).plan());
    if (preemptive != "undecided") continue;
    ++unproven;
    EXPECT_EQ(both, "undecided") << "with work for " << work;
  }
  EXPECT_GT(unproven, 10);
  EXPECT_EQ(answer_of(FairEngine(cluster, fair_policy(settings)).plan()), "max-victims");
  EXPECT_EQ(answer_of(FairEngine(cluster, fair_policy(JsonObject(settings).put_all(kEnabled))).plan()),
            "v10:t1,v10:t2");
}

constexpr std::string_view kPools = R"({"id":"root"},{"id":"a","parent":"root"},{"id":"b","parent":"root"})";

std::string with_setting(std::string_view queue, std::string_view setting) {
  std::string out(R"({"id":"root"})");
  for (const std::string_view id : {"a", "b"}) {
    JsonObject pool{{"id", id}, {"parent", "root"}};
    if (id == queue) pool.put("settings", JsonObject(setting));
    out += ',' + pool.text();
  }
  return out;
}

// v in pool a, p in pool b.
std::string in_pools(std::string_view queues, int first, const JsonObject& p_members,
                     const JsonObject& v_members = {}) {
  return fair_cluster({fair_job("v", ones(10), {}, v_members, "a"),
                       fair_job("p", {}, {waiting(first), waiting(1, 10)}, p_members, "b")},
                      queues);
}

TEST(FairShareProfile, AVictimsPoolMayForbidAggressivePreemption) {
  const std::string no = R"("allow_aggressive_preemption":false)";
  const auto plan = [&](std::string_view queues, int first = 6) {
    return FairEngine(in_pools(queues, first, kAggressive), fair_policy(kEnabled)).plan();
  };
  EXPECT_EQ(answer_of(plan(with_setting("a", no))), "no-set");
  EXPECT_EQ(left_out(plan(with_setting("a", no)), "aggressive-forbidden"), "t1,t2,t3,t4");
  EXPECT_EQ(answer_of(plan(with_setting("a", no), 5)), "v:t5,v:t6,v:t7,v:t8,v:t9")
      << "beyond its share it may";
  EXPECT_EQ(answer_of(plan(with_setting("b", no))), "v:t4,v:t5,v:t6,v:t7,v:t8,v:t9")
      << "the requester's says nothing";
}

TEST(FairShareProfile, AStarvingJobIsNoVictim) {
  // v has three of the five it is due, and a low threshold that offers two of them all the same.
  const auto plan = [](const JsonObject& v_members, std::string_view queues = kPools) {
    const std::string cluster = fair_cluster(
        {fair_job("v", ones(3), {waiting(1, 7)}, JsonObject(R"("fair_share":0.5)").put_all(v_members), "a"),
         fair_job("x", ones(7), {}, R"("preemptible":false)"),
         fair_job("p", {}, {waiting(1, 10)}, JsonObject(R"("fair_share":0.5)").put_all(kStarving), "b")},
        queues);
    return FairEngine(cluster, fair_policy(R"("aggressive_preemption_satisfaction_threshold":0.1,)"
                                           R"("preemption_satisfaction_threshold":0.2)"))
        .plan();
  };
  EXPECT_EQ(left_out(plan(kStarving), "starving-victim"), "t1,t2");
  EXPECT_EQ(answer_of(plan(kStarving)), "no-victims");
  EXPECT_EQ(answer_of(plan(R"("below_fair_share_since":970)")), "v:t2") << "below, and not starving yet";
  const std::string allowed = R"("allow_preemption_from_starving":true)";
  EXPECT_EQ(answer_of(plan(kStarving, with_setting("a", allowed))), "v:t2");
  EXPECT_EQ(answer_of(plan(kStarving, with_setting("b", allowed))), "no-victims")
      << "read on the victim's queue";
}

TEST(FairShareProfile, NoGainKeepsTheLoserAboveTheRequester) {
  // p has two of the five it is due less a bit more: satisfaction 0.4 before. v would keep 3 (0.6) or 2
  // (0.4).
  const auto asks = [](int cpu) {
    return FairEngine(
               fair_cluster({fair_job("v", ones(8), {waiting(1, 2)}),
                             fair_job("p", {{1, 1}, {1, 2}}, {waiting(cpu), waiting(1, 10)}, kAggressive)}),
               fair_policy(kEnabled))
        .plan();
  };
  EXPECT_EQ(answer_of(asks(5)), "v:t3,v:t4,v:t5,v:t6,v:t7");
  EXPECT_EQ(answer_of(asks(6)), "no-gain") << asks(6).reason;
}

TEST(FairShareProfile, NoGainTakesDifferencesUpToABillionthAsNone) {
  // As above with a billion CPUs for each; v would keep so many more than two billion.
  const auto asks = [](int more) {
    constexpr std::int64_t kBillion = 1'000'000'000;
    const JsonObject v =
        fair_job("v", {{2 * kBillion + more, 1}, {6 * kBillion - more, 2}}, {waiting(2 * kBillion)});
    const JsonObject p = fair_job("p", {{2 * kBillion, 1}},
                                  {waiting(6 * kBillion - more), waiting(4 * kBillion)}, kAggressive);
    return answer_of(
        FairEngine(fair_cluster({v, p}, kRootOnly, R"({"id":"n1","resources":{"cpu":10000000000}})"),
                   fair_policy(kEnabled))
            .plan());
  };
  EXPECT_EQ(asks(5), "no-gain");
  EXPECT_EQ(asks(6), "v:t1");
}

// ---- One node, objective

TEST(FairShareProfile, VictimsAreOnOneNode) {
  // A gang of two: v is due 0.8, so t8 and t9 are preemptible.
  const auto answer = [](std::string_view where_t8) {
    std::vector<FairTask> tasks = ones(10);
    for (const int on_second : {4, 5, 6, 7}) tasks[on_second].node = "n2";
    tasks[8].node = where_t8;
    tasks[9].node = "n2";
    if (where_t8 == "n2") tasks[7].node = "n1";
    return answer_of(
        FairEngine(fair_cluster(
                       {fair_job("v", tasks, {}),
                        fair_job("p", {}, {waiting(1, 2)}, JsonObject(R"("gang":true)").put_all(kStarving))},
                       kRootOnly, R"({"id":"n1","resources":{"cpu":5}},{"id":"n2","resources":{"cpu":5}})"))
            .plan());
  };
  EXPECT_EQ(answer("n2"), "v:t8,v:t9");
  EXPECT_EQ(answer("n1"), "one-node");
}

// v is due half of 20 CPUs and has used that up with t0; p asks for `cpu`.
std::string beyond(const std::vector<FairTask>& tasks, int cpu, int filler) {
  std::vector<FairTask> all{{10, 1}};
  all.insert(all.end(), tasks.begin(), tasks.end());
  return fair_cluster({fair_job("v", all, {}, R"("fair_share":0.5)"),
                       fair_job("x", {{filler, 1}}, {}, R"("preemptible":false)"),
                       fair_job("p", {}, {waiting(cpu), waiting(1, 20)},
                                JsonObject(R"("fair_share":0.5)").put_all(kStarving))},
                      kRootOnly, R"({"id":"n1","resources":{"cpu":20}})");
}

TEST(FairShareProfile, FewerVictimsCountBeforeYoungerOnes) {
  EXPECT_EQ(answer_of(FairEngine(beyond({{2, 2}, {1, 3}, {1, 4}}, 2, 6)).plan()), "v:t1");
}

TEST(FairShareProfile, YoungerVictimsCountBeforeLessFreed) {
  EXPECT_EQ(answer_of(FairEngine(beyond({{1, 2}, {3, 3}}, 1, 6)).plan()), "v:t2");
}

TEST(FairShareProfile, YoungerComparesTheOldestVictimFirst) {
  // {t1, t4} has the youngest victim, {t2, t3} the younger oldest one; only these pairs free enough.
  const Plan plan = FairEngine(beyond({{3, 2}, {2, 3}, {2, 4}, {1, 5}}, 4, 2)).plan();
  EXPECT_EQ(answer_of(plan), "v:t2,v:t3");
  EXPECT_EQ(criterion(plan, "number"), 2);
}

TEST(FairShareProfile, LastResortTasksComeLast) {
  EXPECT_EQ(
      answer_of(FairEngine(beyond({{1, 2}, {1, 3, "n1", R"("preemptible":"last-resort")"}}, 1, 8)).plan()),
      "v:t1");
  EXPECT_EQ(
      answer_of(FairEngine(beyond({{1, 2}, {1, 3, "n1", R"("preemptible":"last-resort")"}}, 2, 8)).plan()),
      "v:t1,v:t2");
}

TEST(FairShareProfile, FewerAggressiveVictimsCountBeforeFewerVictims) {
  // t1 to t3 are within the share; t1 and t2 alone would do, and so would one of them with three others.
  const std::string cluster =
      fair_cluster({fair_job("v", {{2, 1}, {3, 2}, {3, 3}, {2, 4}, {1, 5}, {1, 6}, {1, 7}, {1, 8}, {1, 9}},
                             {}, R"("fair_share":0.5)"),
                    fair_job("x", {{5, 1}}, {}, R"("preemptible":false)"),
                    fair_job("p", {}, {waiting(6), waiting(1, 20)},
                             JsonObject(R"("fair_share":0.5)").put_all(kAggressive))},
                   kRootOnly, R"({"id":"n1","resources":{"cpu":20}})");
  const Plan plan = FairEngine(cluster, fair_policy(kEnabled)).plan();
  EXPECT_EQ(answer_of(plan), "v:t2,v:t6,v:t7,v:t8");
  EXPECT_EQ(criterion(plan, "aggressive"), 1);
  EXPECT_EQ(criterion(plan, "number"), 4);
}

TEST(FairShareProfile, TheObjectiveIsShownInItsOrder) {
  const Plan plan = FairEngine(half_each()).plan();
  std::string names;
  for (std::size_t i = 0; i < 4 && i < plan.objective.size(); ++i)
    names += std::string(plan.objective[i].name) + ' ';
  EXPECT_EQ(names, "last-resort aggressive number started ");
}

// ---- How victims leave

TEST(FairShareProfile, InterruptibleJobsGetASignalAndTime) {
  const auto plan = [](const JsonObject& v_members, std::string_view queues) {
    return FairEngine(in_pools(queues, 1, kStarving, v_members)).plan();
  };
  const Plan killed = plan("", kPools);
  ASSERT_EQ(killed.victims.size(), 1u);
  EXPECT_EQ(killed.victims[0].action, VictimAction::terminate);
  EXPECT_FALSE(killed.victims[0].requeue);
  EXPECT_EQ(killed.latest_start, 1030 * kSecond) << "the grace";
  const Plan told = plan(R"("interruptible":true)", kPools);
  ASSERT_EQ(told.victims.size(), 1u);
  EXPECT_EQ(told.victims[0].action, VictimAction::signal_first);
  EXPECT_FALSE(told.victims[0].requeue);
  EXPECT_EQ(told.expected_start, 1030 * kSecond);
  EXPECT_EQ(told.latest_start, 1060 * kSecond) << "30 s to finish, and the grace";
  const std::string longer = R"("allocation_preemption_timeout":"2m")";
  EXPECT_EQ(plan(R"("interruptible":true)", with_setting("a", longer)).latest_start, 1150 * kSecond);
  EXPECT_EQ(plan(R"("interruptible":true)", with_setting("b", longer)).latest_start, 1060 * kSecond)
      << "read on the victim's queue";
}

// ---- Given shares, backoff

TEST(FairShareProfile, AFairShareFromTheSiteStands) {
  const auto answer = [](const JsonObject& p_members, const JsonObject& v_members,
                         std::string_view queues = kPools) {
    return answer_of(FairEngine(fair_cluster({fair_job("v", ones(9), {}, v_members, "a"),
                                              fair_job("p", {{1, 1}}, {waiting(1, 9)},
                                                       JsonObject(kStarving).put_all(p_members), "b")},
                                             queues))
                         .plan());
  };
  EXPECT_EQ(answer("", ""), "v:t8");
  EXPECT_EQ(answer(R"("fair_share":0.1)", ""), "not-starving") << "it has what the site gives it";
  EXPECT_EQ(answer("", R"("fair_share":0.9)"), "no-victims") << "so has the other";
  EXPECT_EQ(answer("", "",
                   R"({"id":"root"},{"id":"a","parent":"root"},{"id":"b","parent":"root","fair_share":0.1})"),
            "not-starving");
}

TEST(FairShareProfile, ANodeRestsAfterAPreemption) {
  const FairEngine fair(in_pools(kPools, 1, kStarving));
  const Plan made = fair.plan();
  const auto again = [&](Duration after, const std::shared_ptr<const PolicySet>& policies) {
    auto in_flight = std::make_shared<InFlight>(*made.in_flight);
    in_flight->node_commits.edit("n1") = made.now - after;
    Query query;
    query.job = made.model().find_job("p");
    query.now = made.now;
    return decide({made.snapshot, policies, in_flight}, query);
  };
  EXPECT_EQ(left_out(again(4999, fair.engine.policies()), "node-backoff"), "t5,t6,t7,t8,t9");
  EXPECT_EQ(answer_of(again(5000, fair.engine.policies())), "v:t9");
  const FairEngine longer(in_pools(kPools, 1, kStarving),
                          fair_policy(R"("preemptive_scheduling_backoff":6)"));
  EXPECT_EQ(answer_of(again(5999, longer.engine.policies())), "no-victims");
}

// ---- Relief

TEST(FairShareProfile, ReliefOfANodeTakesProtectedTasksLast) {
  // Twelve CPUs are held of ten. v is due four of its seven: t0 is protected, t1 to t3 aggressively
  // preemptible.
  const auto plan = [](int v_tasks, std::string_view settings) {
    return FairEngine(fair_cluster({fair_job("v", ones(v_tasks), {}, R"("fair_share":0.4)"),
                                    fair_job("x", {{12 - v_tasks, 1}}, {}, R"("preemptible":false)")}),
                      fair_policy(settings))
        .relief("node:n1");
  };
  EXPECT_EQ(answer_of(plan(7, "")), "v:t5,v:t6") << "preemptible ones are enough";
  EXPECT_EQ(plan(7, "").cause, "overcommit");
  EXPECT_EQ(answer_of(plan(5, "")), "v:t3,v:t4") << "and one within its share";
  EXPECT_EQ(answer_of(plan(2, "")), "v:t0,v:t1") << "and one that is protected";
  EXPECT_EQ(answer_of(plan(7, R"("non_preemptible_resource_usage_threshold":{"cpu":100})")), "v:t5,v:t6");
  EXPECT_EQ(answer_of(plan(5, R"("allow_aggressive_preemption":false)")), "v:t3,v:t4")
      << "a node over its capacity has no choice";
}

TEST(FairShareProfile, ReliefOfANodePrefersTasksWithinAShareToProtectedOnes) {
  // The one task of u would be enough alone, and is the youngest.
  const std::string cluster = fair_cluster({fair_job("v", ones(4), {}, R"("fair_share":0.4)"),
                                            fair_job("u", {{2, 500}}, {}, R"("fair_share":0.4)"),
                                            fair_job("x", {{6, 1}}, {}, R"("preemptible":false)")});
  EXPECT_EQ(answer_of(FairEngine(cluster).relief("node:n1")), "v:t2,v:t3");
}

TEST(FairShareProfile, ReliefOfAQueueLeavesProtectedTasksAlone) {
  const auto plan = [](int max, std::string_view settings) {
    const std::string queues =
        R"({"id":"root"},{"id":"a","parent":"root","max":{"cpu":)" + std::to_string(max) + "}}";
    return FairEngine(fair_cluster({fair_job("v", ones(8), {}, R"("fair_share":0.5)", "a")}, queues),
                      fair_policy(settings))
        .relief("queue:a");
  };
  EXPECT_EQ(answer_of(plan(5, "")), "v:t5,v:t6,v:t7");
  EXPECT_EQ(plan(5, "").cause, "limit");
  EXPECT_EQ(answer_of(plan(4, "")), "v:t4,v:t5,v:t6,v:t7") << "then those within its share";
  EXPECT_EQ(answer_of(plan(0, "")), "no-set") << "t0 stays";
  EXPECT_EQ(left_out(plan(0, ""), "protected-task"), "t0");
  EXPECT_EQ(answer_of(plan(5, R"("non_preemptible_resource_usage_threshold":{"cpu":9})")), "no-victims");
}

}  // namespace
}  // namespace cede
