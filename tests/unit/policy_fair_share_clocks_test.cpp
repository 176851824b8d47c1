// SPDX-License-Identifier: MIT
// Which jobs starve and since when, as plans see it: the trigger not-starving.
#include "fair_engine.h"
#include "policy/rules/triggers.h"

namespace cede {
namespace {

// Of ten CPUs p holds some and v the others; both want more, so each is due five.
std::vector<JsonObject> jobs(int held_by_p, const JsonObject& p_members = {}, int p_waits = 10,
                             std::string_view queue = "root") {
  return {fair_job("v", ones(10 - held_by_p), {waiting(1, 10)}),
          fair_job("p", ones(held_by_p, 100), {waiting(1, p_waits)}, p_members, queue)};
}

JsonObject since(std::string_view time) { return {{"below_fair_share_since", Json::raw(time)}}; }

constexpr Time at(std::int64_t seconds, std::int64_t milliseconds = 0) {
  return seconds * kSecond + milliseconds;
}

bool starves(const Plan& plan) {
  EXPECT_TRUE(plan.outcome == Outcome::preempt || plan.rule == "not-starving") << plan.rule;
  return plan.outcome == Outcome::preempt;
}

TEST(NotStarving, EndsOnceTheTimeoutHasPassed) {
  EXPECT_FALSE(starves(FairEngine(fair_cluster(jobs(0, since("970")))).plan()));
  EXPECT_TRUE(starves(FairEngine(fair_cluster(jobs(0, since("969.999")))).plan()));
  const std::string longer = fair_policy(R"("fair_share_starvation_timeout":40)");
  EXPECT_FALSE(starves(FairEngine(fair_cluster(jobs(0, since("960"))), longer).plan()));
  EXPECT_TRUE(starves(FairEngine(fair_cluster(jobs(0, since("959"))), longer).plan()));
}

TEST(NotStarving, SaysHowLongItIsBelow) {
  const Plan plan = FairEngine(fair_cluster(jobs(0, since("980")))).plan();
  EXPECT_EQ(plan.outcome, Outcome::wait);
  EXPECT_EQ(plan.reason, "the job is below its fair share for 20s, it starves after 30s");
  EXPECT_EQ(FairEngine(fair_cluster(jobs(5))).plan().reason, "the job has its fair share");
}

// ---- Status

TEST(NotStarving, ToleranceIsAPartOfTheFairShare) {
  EXPECT_TRUE(starves(FairEngine(fair_cluster(jobs(3, since("1")))).plan()));
  EXPECT_FALSE(starves(FairEngine(fair_cluster(jobs(4, since("1")))).plan())) << "four of five";
  EXPECT_TRUE(starves(
      FairEngine(fair_cluster(jobs(4, since("1"))), fair_policy(R"("fair_share_starvation_tolerance":0.9)"))
          .plan()));
}

TEST(NotStarving, ThereIsNoToleranceWhereTheShareCoversTheDemand) {
  EXPECT_TRUE(starves(FairEngine(fair_cluster(jobs(4, since("1"), 1))).plan()));
  EXPECT_FALSE(starves(FairEngine(fair_cluster(jobs(4, since("1"), 2))).plan()));
}

// ---- Clocks

TEST(NotStarving, CountsFromTheLoadThatFoundItBelow) {
  const FairEngine fair(fair_cluster(jobs(0)));
  EXPECT_FALSE(starves(fair.plan()));
  EXPECT_FALSE(starves(fair.plan(at(1030))));
  EXPECT_TRUE(starves(fair.plan(at(1030, 1))));
}

TEST(NotStarving, CountsFromTheApplyThatFoundItBelow) {
  FairEngine fair(fair_cluster({jobs(0)[0]}));
  fair.put(1010, {jobs(0)[1]});
  EXPECT_FALSE(starves(fair.plan(at(1040))));
  EXPECT_TRUE(starves(fair.plan(at(1040, 1))));
  fair.put(1020, jobs(1));
  EXPECT_FALSE(starves(fair.plan(at(1040)))) << "a later change finds it below still";
  EXPECT_TRUE(starves(fair.plan(at(1040, 1))));
}

TEST(NotStarving, CountsFromTheTimeOfTheEngine) {
  FairEngine fair(fair_cluster({jobs(0)[0]}));
  fair.engine.step(at(1100), {});
  fair.put({}, {jobs(0)[1]});
  EXPECT_FALSE(starves(fair.plan(at(1130))));
  EXPECT_TRUE(starves(fair.plan(at(1130, 1))));
  fair.put(1010, {jobs(1)[1]});
  EXPECT_FALSE(starves(fair.plan(at(1130)))) << "an earlier time changes nothing";
}

TEST(NotStarving, CountsFromTheFirstStepUnderTheNewPolicy) {
  FairEngine fair(fair_cluster(jobs(0)), policy_text("guarantee"));
  Problems problems;
  ASSERT_TRUE(fair.engine.set_policy(fair_policy(), problems));
  EXPECT_FALSE(starves(fair.plan(at(1900))));
  fair.engine.step(at(1100), {});
  const std::uint64_t revision = fair.engine.revision();
  fair.engine.step(at(1110), {});
  EXPECT_EQ(fair.engine.revision(), revision) << "one look is enough";
  EXPECT_FALSE(starves(fair.plan(at(1130))));
  EXPECT_TRUE(starves(fair.plan(at(1130, 1))));
}

TEST(NotStarving, GoesOnAcrossALoadAndInAClone) {
  FairEngine fair(fair_cluster(jobs(0)));
  Problems problems;
  ASSERT_TRUE(fair.engine.load(fair_cluster(jobs(1), kRootOnly, kOneNode, 1020), problems));
  EXPECT_FALSE(starves(fair.plan(at(1030))));
  EXPECT_TRUE(starves(fair.plan(at(1030, 1))));
  const Engine clone(fair.engine);
  EXPECT_TRUE(starves(clone.plan("p", at(1030, 1), {}, problems).value()));
}

TEST(NotStarving, APlanMovesNoClock) {
  Engine engine{Options{}};
  Problems problems;
  // No shares were computed when the cluster was loaded.
  ASSERT_TRUE(engine.load(fair_cluster(jobs(0)), problems));
  ASSERT_TRUE(engine.set_policy(fair_policy(), problems));
  const auto plan = [&](Time now) { return engine.plan("p", now, {}, problems).value(); };
  EXPECT_FALSE(starves(plan(at(5000))));
  EXPECT_FALSE(starves(plan(at(9000)))) << "the plan before has started no clock";
  ASSERT_TRUE(engine.apply(R"({"format":"cede-changes/1","now":9000})", problems));
  EXPECT_FALSE(starves(plan(at(9030))));
  EXPECT_TRUE(starves(plan(at(9030, 1))));
}

TEST(NotStarving, WhatTheDocumentSaysWins) {
  FairEngine fair(fair_cluster(jobs(0)));
  fair.put(1100, jobs(0, since("1090")));
  EXPECT_FALSE(starves(fair.plan(at(1120)))) << "the engine has known since 1000";
  EXPECT_TRUE(starves(fair.plan(at(1120, 1))));
  fair.put(1100, jobs(0, since("1")));
  EXPECT_TRUE(starves(fair.plan(at(1100))));
}

TEST(NotStarving, IsClearedAtOnceWhenSatisfied) {
  FairEngine fair(fair_cluster(jobs(0)));
  fair.put(1010, jobs(4, since("1")));
  EXPECT_FALSE(starves(fair.plan(at(2000)))) << "whatever the document says";
  fair.put(1020, jobs(0));
  EXPECT_FALSE(starves(fair.plan(at(1050)))) << "the clock of 1000 is gone";
  EXPECT_TRUE(starves(fair.plan(at(1050, 1))));
}

TEST(NotStarving, ARefusedChangeMovesNoClock) {
  FairEngine fair(fair_cluster(jobs(0)));
  Problems problems;
  EXPECT_FALSE(fair.engine.apply(R"({"format":"cede-changes/1","now":1010,"remove":{"jobs":["p","nobody"]}})",
                                 problems));
  EXPECT_TRUE(starves(fair.plan(at(1030, 1))));
}

// ---- Whose settings

TEST(NotStarving, AJobMayOnlyBeMorePatient) {
  const auto with = [](int held, const JsonObject& settings) {
    return FairEngine(fair_cluster(jobs(held, {{"settings", settings}})));
  };
  EXPECT_FALSE(starves(with(0, R"("fair_share_starvation_timeout":5)").plan(at(1030))));
  EXPECT_TRUE(starves(with(0, R"("fair_share_starvation_timeout":5)").plan(at(1031))));
  EXPECT_FALSE(starves(with(0, R"("fair_share_starvation_timeout":60)").plan(at(1060))));
  EXPECT_TRUE(starves(with(0, R"("fair_share_starvation_timeout":60)").plan(at(1061))));
  EXPECT_FALSE(starves(with(3, R"("fair_share_starvation_tolerance":0.6)").plan(at(1031))));
  EXPECT_TRUE(starves(with(2, R"("fair_share_starvation_tolerance":0.6)").plan(at(1031))));
  EXPECT_FALSE(starves(with(4, R"("fair_share_starvation_tolerance":0.95)").plan(at(1031))));
}

TEST(NotStarving, AJobMayWaitLongerBeforeItIsAggressive) {
  // Six CPUs in one task: one more than is preemptible.
  const auto plan = [](const JsonObject& members) {
    const JsonObject p = fair_job("p", {}, {waiting(6), waiting(1, 4)}, members);
    return FairEngine(fair_cluster({fair_job("v", ones(10), {}), p}),
                      fair_policy(R"("enable_aggressive_starvation":true)"))
        .plan(at(1121));
  };
  EXPECT_EQ(plan("").outcome, Outcome::preempt);
  EXPECT_EQ(plan(R"("settings":{"fair_share_aggressive_starvation_timeout":200})").rule, "no-set");
  EXPECT_EQ(plan(R"("settings":{"fair_share_aggressive_starvation_timeout":10})").outcome, Outcome::preempt);
}

TEST(NotStarving, PoolsInheritAndOverride) {
  const std::string queues =
      R"({"id":"root","settings":{"fair_share_starvation_timeout":50}},{"id":"a","parent":"root"},)"
      R"({"id":"b","parent":"root","settings":{"fair_share_starvation_timeout":40}},{"id":"b.x","parent":"b"})";
  const auto starves_after = [&](std::string_view queue, Duration time) {
    const std::string policy = fair_policy(R"("fair_share_starvation_timeout":60)");
    return starves(FairEngine(fair_cluster(jobs(0, "", 10, queue), queues), policy).plan(at(1000) + time));
  };
  EXPECT_FALSE(starves_after("a", 50 * kSecond)) << "from the root, not from the policy";
  EXPECT_TRUE(starves_after("a", 50 * kSecond + 1));
  EXPECT_FALSE(starves_after("b.x", 40 * kSecond)) << "from the nearest";
  EXPECT_TRUE(starves_after("b.x", 40 * kSecond + 1));
}

TEST(NotStarving, PoolsInheritWhetherTheyStarveAggressively) {
  const auto plan = [](const JsonObject& of_b) {
    const std::string queues = R"({"id":"root","settings":{"enable_aggressive_starvation":true}},)" +
                               JsonObject{{"id", "b"}, {"parent", "root"}, {"settings", of_b}}.text();
    const JsonObject p = fair_job("p", {}, {waiting(6), waiting(1, 4)}, {}, "b");
    return FairEngine(fair_cluster({fair_job("v", ones(10), {}), p}, queues)).plan(at(1121));
  };
  EXPECT_EQ(plan("").outcome, Outcome::preempt);
  EXPECT_EQ(plan(R"("enable_aggressive_starvation":false)").rule, "no-set");
}

}  // namespace
}  // namespace cede
