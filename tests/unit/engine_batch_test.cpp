// SPDX-License-Identifier: MIT
#include "engine/plan.h"

#include <gtest/gtest.h>

#include "sequence_engine_fixture.h"

namespace cede {
namespace {

// A full node of eight and another; four jobs of two wait, and one of eight that is stronger.
Scene eights(std::string_view resource = "cpu") {
  return Scene("priority", R"("front_only":false)", resource)
      .node("n1", 8)
      .node("n2", 8)
      .runs("v", "n1", 8, R"("priority":1)")
      .runs("w", "n2", 8, R"("priority":2)")
      .waits("a", 2, R"("priority":50)")
      .waits("b", 2, R"("priority":50)")
      .waits("c", 2, R"("priority":50)")
      .waits("d", 4, R"("priority":50)")
      .waits("s", 8, R"("priority":90)");
}

std::string words(const Plan& plan) {
  std::string out = in_words(plan);
  for (std::size_t i = 0; i < plan.after.size(); ++i)
    out += (i == 0 ? " after " : ",") + std::string(plan.model().job_name(plan.after[i]));
  return out;
}

std::vector<Plan> batch(const Manager& run, const std::vector<std::string>& jobs) {
  Problems problems;
  std::optional<std::vector<Plan>> plans = plan_batch(run.engine, jobs, Scene::later(0), {}, problems);
  EXPECT_TRUE(plans) << (problems.all().empty() ? "" : problems.all()[0].message());
  if (!plans) return {};
  for (const Plan& plan : *plans)
    EXPECT_EQ(verify(plan, *run.engine.policies()), "") << write_plan(plan, true);
  return std::move(*plans);
}

std::vector<std::string> answers(const std::vector<Plan>& plans) {
  std::vector<std::string> out;
  for (const Plan& plan : plans) out.push_back(words(plan));
  return out;
}

using Texts = std::vector<std::string>;

TEST(Batch, OneVictimServesSeveral) {
  const Manager run(eights());
  const std::vector<Plan> plans = batch(run, {"a", "b", "c", "d"});
  EXPECT_EQ(answers(plans), (Texts{"preempt v", "fits after a", "fits after a", "preempt w"}));
  EXPECT_EQ(plans[1].reason, "it fits into what the victims of 'a' leave; no other job has to be preempted");
  EXPECT_EQ(plans[1].expected_start, plans[0].expected_start) << "it waits for v as well";
  EXPECT_EQ(plans[1].latest_start, plans[0].latest_start);
  EXPECT_NE(write_plan(plans[1], false).find(R"({"format":"cede-plan/1","after":["a"],)"), std::string::npos);
}

TEST(Batch, OutsideItNothingIsShared) {
  Manager run(eights());
  ASSERT_EQ(run.commit(batch(run, {"a"})[0]), "1");
  EXPECT_EQ(words(run.plan("b")), "preempt w");
}

TEST(Batch, SpareRoomIsUsedOnce) {
  Manager run(eights());
  const std::vector<Plan> plans = batch(run, {"a", "b", "d"});
  EXPECT_EQ(answers(plans), (Texts{"preempt v", "fits after a", "fits after a"}));
  const std::vector<Plan> others = batch(run, {"a", "c", "d"});
  for (const Plan& plan : plans) run.commit(plan);
  EXPECT_EQ(run.engine.sequence().ledger().size(), 3u);
  EXPECT_EQ(run.commit(others[1]), "the plan is stale: node-space: node 'n1' would hold 10 cpu of 8");
  EXPECT_EQ(run.asks("c"), "preempt w");
  EXPECT_EQ(run.step(0), "TERM v");
  EXPECT_EQ(run.step(1, {about(EventKind::released, "v")}), "gone v, start a, start b, start d");
}

TEST(Batch, APartIsStaleWithoutThoseItCountsOn) {
  Manager run(eights());
  const std::vector<Plan> plans = batch(run, {"a", "b"});
  const std::string missing =
      "the plan is stale: it counts on the victims of 'a', for which nothing is in progress";
  EXPECT_EQ(run.commit(plans[1]), missing);
  ASSERT_EQ(run.commit(plans[0]), "1");
  EXPECT_EQ(run.commit(plans[1]), "2");
  EXPECT_EQ(run.state_of("b"), "preparing") << "it fits, but not yet";
  Manager other(eights());
  ASSERT_EQ(other.commit(plans[0]), "1");
  Problems problems;
  ASSERT_TRUE(other.engine.cancel(1, Scene::later(0), problems));
  EXPECT_EQ(other.commit(plans[1]), missing);
  // Another decision for the same job leaves nothing of v.
  Manager third(eights());
  const std::optional<Plan> elsewhere = third.engine.plan("a", Scene::later(0), {"protect=v"}, problems);
  ASSERT_EQ(third.commit(*elsewhere), "1");
  EXPECT_EQ(third.commit(plans[1]).substr(0, 18), "the plan is stale:");
}

TEST(Batch, IdleSpaceIsUsedFirst) {
  Manager run(eights().node("n3", 2));
  EXPECT_EQ(answers(batch(run, {"d", "a", "b"})), (Texts{"preempt v", "fits", "fits after d"}));
}

TEST(Batch, OnlyJobsWhoseVictimsMakeTheRoomAreNamed) {
  const Manager run(eights().waits("e", 6, R"("priority":50)").waits("f", 6, R"("priority":50)"));
  EXPECT_EQ(answers(batch(run, {"s", "e", "a"})), (Texts{"preempt v", "preempt w", "fits after e"}));
  EXPECT_EQ(answers(batch(run, {"e", "f", "a", "b"})),
            (Texts{"preempt v", "preempt w", "fits after e", "fits after f"}));
}

// A gang of two tasks with one on what each of two victims leaves.
TEST(Batch, SeveralMayBeCountedOn) {
  Manager run(Scene("priority", R"("front_only":false)")
                  .node("n1", 4)
                  .node("n2", 4)
                  .runs("v", "n1", 4, R"("priority":1)")
                  .runs("w", "n2", 4, R"("priority":2)")
                  .waits("a", 3, R"("priority":50)")
                  .waits("b", 3, R"("priority":50)")
                  .waits("c", 1, R"("priority":50,"gang":true)", 2));
  const std::vector<Plan> plans = batch(run, {"a", "b", "c"});
  EXPECT_EQ(answers(plans), (Texts{"preempt v", "preempt w", "fits after a,b"}));
  for (const Plan& plan : plans) run.commit(plan);
  run.step(0);
  EXPECT_EQ(run.step(1, {about(EventKind::released, "v")}), "gone v, start a");
  EXPECT_EQ(run.step(2, {about(EventKind::released, "w")}), "gone w, start b, start c");
}

TEST(Batch, PartOfTheRoomIsSparePartIsTaken) {
  Manager run(Scene("priority", R"("front_only":false)")
                  .node("n1", 8)
                  .runs("v", "n1", 4, R"("priority":1)")
                  .runs("w", "n1", 4, R"("priority":2)")
                  .waits("a", 2, R"("priority":50)")
                  .waits("b", 5, R"("priority":50)"));
  const std::vector<Plan> plans = batch(run, {"a", "b"});
  EXPECT_EQ(answers(plans), (Texts{"preempt v", "preempt w after a"}));
  EXPECT_EQ(plans[1].reason, "1 job gives way to 'b', which also uses what the victims of 'a' leave");
  for (const Plan& plan : plans) run.commit(plan);
  EXPECT_EQ(run.step(0), "TERM v, TERM w");
  EXPECT_EQ(run.step(1, {about(EventKind::released, "w")}), "gone w");
  EXPECT_EQ(run.step(2, {about(EventKind::released, "v")}), "gone v, start a, start b");
}

TEST(Batch, DevicesAreSharedOut) {
  Scene scene("priority", R"("front_only":false)", "gpu");
  scene.node("n1", 8)
      .job("v", R"("state":"running","started":900000,"priority":1)",
           {scene.task("n1", 8, R"("gpus":[0,1,2,3,4,5,6,7])")})
      .waits("a", 2, R"("priority":50)")
      .waits("b", 2, R"("priority":50)")
      .waits("c", 4, R"("priority":50)")
      .waits("d", 1, R"("priority":50)");
  Manager run(scene);
  const std::vector<Plan> plans = batch(run, {"a", "b", "c", "d"});
  EXPECT_EQ(words(plans[1]), "fits after a");
  EXPECT_EQ(words(plans[2]), "fits after a");
  EXPECT_EQ(plans[3].outcome, Outcome::wait);
  DeviceMask all = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_TRUE(plans[i].placement[0].devices_known);
    EXPECT_EQ(all & plans[i].placement[0].gpus, 0u);
    all |= plans[i].placement[0].gpus;
    EXPECT_NE(run.commit(plans[i]).substr(0, 3), "the");
  }
  EXPECT_EQ(all, 0xFFu);
  EXPECT_EQ(run.plan("d").outcome, Outcome::wait);
}

// The victim's queue lends as well: nothing else is lacking there.
TEST(Batch, RoomInAQueueIsShared) {
  Manager run(Scene("priority", R"("front_only":false)")
                  .queue("root.q", R"("max":{"cpu":8})")
                  .node("n1", 8)
                  .node("n2", 8)
                  .runs("v", "n1", 8, R"("queue":"root.q","priority":1)")
                  .waits("a", 2, R"("queue":"root.q","priority":50)")
                  .waits("b", 4, R"("queue":"root.q","priority":50)")
                  .waits("c", 4, R"("queue":"root.q","priority":50)"));
  const std::vector<Plan> plans = batch(run, {"a", "b", "c"});
  EXPECT_EQ(words(plans[0]), "preempt v");
  EXPECT_EQ(words(plans[1]), "fits after a");
  EXPECT_EQ(plans[2].outcome, Outcome::wait) << words(plans[2]);
  ASSERT_EQ(run.commit(plans[0]), "1");
  ASSERT_EQ(run.commit(plans[1]), "2");
  EXPECT_EQ(run.plan("c").outcome, Outcome::wait);
  run.step(0);
  EXPECT_EQ(run.step(5), "");
  EXPECT_EQ(run.step(6, {about(EventKind::released, "v")}), "gone v, start a, start b");
}

TEST(Batch, WhatTheGroupCountsIsShared) {
  const auto holds = [](int licences, const JsonObject& more = {}) {
    return JsonObject{{"resources", JsonObject{{"cpu", 1}, {"lic", licences}}}}.put_all(more);
  };
  Manager run(
      Scene("priority", R"("front_only":false)")
          .group(R"("resources":{"lic":4})")
          .node("n1", 8)
          .node("n2", 8)
          .job("v", R"("state":"running","started":900000,"priority":1)", {holds(4, R"("node":"n1")")})
          .job("a", R"("submitted":990000,"priority":50)", {holds(1)})
          .job("b", R"("submitted":990000,"priority":50)", {holds(3)})
          .job("c", R"("submitted":990000,"priority":50)", {holds(1)}));
  const std::vector<Plan> plans = batch(run, {"a", "b", "c"});
  EXPECT_EQ(words(plans[0]), "preempt v");
  EXPECT_EQ(words(plans[1]), "fits after a");
  EXPECT_EQ(plans[2].outcome, Outcome::wait);
  ASSERT_EQ(run.commit(plans[0]), "1");
  ASSERT_EQ(run.commit(plans[1]), "2");
  EXPECT_EQ(run.plan("c").outcome, Outcome::wait);
  run.step(0);
  EXPECT_EQ(run.step(1, {about(EventKind::released, "v")}), "gone v, start a, start b");
}

// A job that must be alone is not alone while another entry's victims are there, even if it needs none of
// their room.
TEST(Batch, NoJobIsAloneBesideVictimsOfOthers) {
  const Manager run(
      Scene("priority", R"("front_only":false)")
          .queue("root.q", R"("max":{"cpu":4})")
          .node("n1", 8)
          .node("n2", 8)
          .runs("v", "n1", 4, R"("queue":"root.q","priority":1)")
          .waits("a", 2, R"("queue":"root.q","priority":50,"require":{"hosts":{"include":["n2"]}})")
          .waits("x", 2, R"("priority":50,"require":{"hosts":{"include":["n1"]},"exclusive":"node"})")
          .waits("y", 2, R"("priority":50,"require":{"hosts":{"include":["n1"]}})"));
  const std::vector<Plan> plans = batch(run, {"a", "x", "y"});
  EXPECT_EQ(words(plans[0]), "preempt v");
  EXPECT_EQ(plans[1].outcome, Outcome::wait) << words(plans[1]);
  EXPECT_EQ(words(plans[2]), "fits");
}

TEST(Batch, TheVerifierSeesThatAnEarlierJobIsMissing) {
  const Manager run(eights());
  Plan plan = batch(run, {"a", "b"})[1];
  const JobId a = plan.after[0];
  plan.after.clear();
  EXPECT_EQ(verify(plan, *run.engine.policies()), "node-space: node 'n1' would hold 10 cpu of 8");
  plan.after = {a, a};
  EXPECT_EQ(verify(plan, *run.engine.policies()), "after: 'a' is listed twice");
  plan.after = {a, plan.model().find_job("c")};
  EXPECT_EQ(verify(plan, *run.engine.policies()), "after: the victims of 'c' leave nothing");
  plan.after = {a};
  plan.in_flight = plan.in_flight->origin;
  EXPECT_EQ(verify(plan, *run.engine.policies()), "after: the victims of 'a' leave nothing");
}

// n1 has nine: v six of them, u one. What u leaves later is free for c only if nothing is kept twice.
Scene nine() {
  return Scene("priority", R"("front_only":false)")
      .node("n1", 9)
      .runs("v", "n1", 6, R"("priority":1)")
      .runs("u", "n1", 1, R"("priority":50)")
      .waits("a", 3, R"("priority":50)")
      .waits("b", 4, R"("priority":50)")
      .waits("c", 1, R"("priority":50)");
}

TEST(Batch, WhatIsLentIsKeptOnce) {
  Manager run(nine());
  const std::vector<Plan> plans = batch(run, {"a", "b"});
  ASSERT_EQ(answers(plans), (Texts{"preempt v", "fits after a"}));
  for (const Plan& plan : plans) run.commit(plan);
  EXPECT_NE(run.asks("c"), "fits");
  run.remove_job("u");
  EXPECT_EQ(run.asks("c"), "fits");
  // The same when the lender has ended and its victim is still on its way.
  run.step(0);
  Problems problems;
  ASSERT_TRUE(run.engine.cancel(1, Scene::later(1), problems));
  run.step(1);
  EXPECT_EQ(run.asks("c", 1), "fits");
  EXPECT_NE(run.asks("a", 1), "fits");
}

// The borrower has started, the lender waits for another victim still.
TEST(Batch, WhatIsLentForGoodIsKeptOnce) {
  Manager run(nine()
                  .node("n2", 6)
                  .runs("w", "n2", 6, R"("priority":1)")
                  .job("g", R"("submitted":990000,"priority":50,"gang":true,"require":{"nodes":{"min":2}})",
                       R"({"resources":{"cpu":3}},{"resources":{"cpu":3}})")
                  .job("h", R"("submitted":990000,"priority":50)", R"({"resources":{"cpu":4}})"));
  const std::vector<Plan> plans = batch(run, {"g", "h"});
  ASSERT_EQ(answers(plans), (Texts{"preempt v,w", "fits after g"}));
  for (const Plan& plan : plans) run.commit(plan);
  run.step(0);
  run.remove_job("v");
  ASSERT_EQ(run.step(1), "gone v, start h");
  run.put_job(
      R"({"id":"h","queue":"root","submitted":990000,"priority":50,"state":"running","started":1000001,)"
      R"("tasks":[{"node":"n1","resources":{"cpu":4}}]})");
  run.step(2, {about(EventKind::started, "h")});
  EXPECT_EQ(run.state_of("g"), "waiting");
  EXPECT_NE(run.asks("c", 2), "fits");
  run.remove_job("u");
  EXPECT_EQ(run.asks("c", 2), "fits");
}

TEST(Batch, RoomLentInAQueueIsKeptOnce) {
  Manager run(Scene("priority", R"("front_only":false)")
                  .queue("root.q", R"("max":{"cpu":9})")
                  .node("n1", 20)
                  .runs("v", "n1", 8, R"("queue":"root.q","priority":1)")
                  .runs("u", "n1", 1, R"("queue":"root.q","priority":50)")
                  .waits("a", 2, R"("queue":"root.q","priority":50)")
                  .waits("b", 2, R"("queue":"root.q","priority":50)")
                  .waits("c", 1, R"("queue":"root.q","priority":50)"));
  const std::vector<Plan> plans = batch(run, {"a", "b"});
  ASSERT_EQ(answers(plans), (Texts{"preempt v", "fits after a"}));
  for (const Plan& plan : plans) run.commit(plan);
  EXPECT_NE(run.asks("c"), "fits");
  run.remove_job("u");
  EXPECT_EQ(run.asks("c"), "fits");
}

Scene savers() {
  return Scene("class-cost")
      .node("n1", 8)
      .runs("v", "n1", 8, R"("class":1,"checkpoint":{"mode":"auto","estimate":"1m"})")
      .waits("a", 2, R"("class":5)")
      .waits("b", 2, R"("class":5)");
}

// The earlier entry is given up, its victim runs on: the entry that counted on it plans anew.
TEST(Batch, AVictimThatRunsOnIsPlannedForAnew) {
  Manager run(savers());
  const std::vector<Plan> plans = batch(run, {"a", "b"});
  ASSERT_EQ(answers(plans), (Texts{"preempt v", "fits after a"}));
  for (const Plan& plan : plans) run.commit(plan);
  ASSERT_EQ(run.step(0), "checkpoint-hint v");
  Problems problems;
  ASSERT_TRUE(run.engine.cancel(1, Scene::later(1), problems));
  EXPECT_EQ(run.step(1), "release-hold, cancel-hint v, replan");
  EXPECT_EQ(run.state_of("b"), "short");
  const Plan anew = run.plan("b", 1);
  EXPECT_EQ(words(anew), "preempt v");
  EXPECT_EQ(run.extend(2, anew, 1), "");
  EXPECT_EQ(run.step(2), "checkpoint-hint v");
  run.step(3, {about(EventKind::checkpoint_done, "v")});
  EXPECT_EQ(run.step(4, {about(EventKind::released, "v")}), "requeue v, start b");
}

// Cancelled too late: the victim leaves all the same, and its space belongs to b alone.
TEST(Batch, AVictimPastThePointOfNoReturnServes) {
  Manager run(eights());
  const std::vector<Plan> plans = batch(run, {"a", "b"});
  for (const Plan& plan : plans) run.commit(plan);
  run.step(0);
  Problems problems;
  ASSERT_TRUE(run.engine.cancel(1, Scene::later(1), problems));
  run.step(1);
  EXPECT_EQ(run.state_of("b"), "waiting");
  EXPECT_EQ(run.asks("c", 1), "preempt w") << "v is still there";
  EXPECT_EQ(run.step(2, {about(EventKind::released, "v")}), "gone v, start b");
}

// One of its tasks was to go elsewhere, and that node is lost: planned anew it counts on v again.
TEST(Batch, AShortBorrowerMayCountOnTheLenderAgain) {
  Manager run(Scene("priority", R"("front_only":false)")
                  .node("n1", 8)
                  .node("n3", 2)
                  .node("n4", 2)
                  .runs("v", "n1", 8, R"("priority":1)")
                  .waits("a", 4, R"("priority":50)")
                  .waits("c", 1, R"("priority":50)")
                  .job("b", R"("submitted":990000,"priority":50,"gang":true)",
                       R"({"resources":{"cpu":3}},{"resources":{"cpu":2}})"));
  const std::vector<Plan> plans = batch(run, {"a", "b"});
  ASSERT_EQ(words(plans[1]), "fits after a");
  ASSERT_EQ(nodes_of(plans[1]), "n1,n3");
  for (const Plan& plan : plans) run.commit(plan);
  run.step(0);
  run.apply(R"("put":{"nodes":[{"id":"n3","resources":{"cpu":2},"state":"down"}]})");
  EXPECT_EQ(run.step(1, {{.kind = EventKind::node_down, .node = "n3"}}), "replan");
  const Plan anew = run.plan("b", 1);
  EXPECT_EQ(words(anew), "fits after a");
  EXPECT_EQ(nodes_of(anew), "n1,n4");
  EXPECT_EQ(run.extend(2, anew, 1), "");
  EXPECT_EQ(run.state_of("b"), "waiting");
  EXPECT_EQ(run.plan("c", 1).outcome, Outcome::wait) << "what v leaves is not there yet";
  EXPECT_EQ(run.step(2, {about(EventKind::released, "v")}), "gone v, start a, start b");
}

// Of what v leaves, a takes two and b three; t takes the hold of a, with the three that are left.
TEST(Batch, AStrongerPlanTakesTheLendersHoldAndLeavesTheBorrower) {
  Manager run(Scene("priority", R"("front_only":false)")
                  .node("n1", 8)
                  .runs("v", "n1", 8, R"("priority":1)")
                  .waits("a", 2, R"("priority":5)")
                  .waits("b", 3, R"("priority":9)")
                  .waits("c", 1, R"("priority":5)")
                  .waits("t", 5, R"("priority":90)"));
  for (const Plan& plan : batch(run, {"a", "b"})) run.commit(plan);
  run.step(0);
  const Plan taker = run.plan("t", 1);
  EXPECT_EQ(in_words(taker), "preempt a");
  ASSERT_EQ(run.commit(taker, 1), "3");
  EXPECT_EQ(run.step(1), "replan, release-hold");
  EXPECT_EQ(run.plan("c", 1).outcome, Outcome::wait) << "all of v's room is taken";
  EXPECT_EQ(run.step(2, {about(EventKind::released, "v")}), "gone v, start b, start t");
}

// The other way round: t takes the hold of b, and waits for the victim of a.
TEST(Batch, APlanThatTakesTheBorrowersHoldWaitsForTheLendersVictims) {
  Manager run(Scene("priority", R"("front_only":false)")
                  .node("n1", 8)
                  .runs("v", "n1", 8, R"("priority":1)")
                  .waits("a", 5, R"("priority":9)")
                  .waits("b", 3, R"("priority":5)")
                  .waits("c", 1, R"("priority":5)")
                  .waits("t", 2, R"("priority":90)"));
  for (const Plan& plan : batch(run, {"a", "b"})) run.commit(plan);
  run.step(0);
  const Plan taker = run.plan("t", 1);
  EXPECT_EQ(in_words(taker), "preempt b");
  ASSERT_EQ(run.commit(taker, 1), "3");
  EXPECT_EQ(run.step(1), "replan, release-hold");
  EXPECT_EQ(run.plan("c", 1).outcome, Outcome::wait) << "what b had and t leaves is not there yet";
  EXPECT_EQ(run.step(5), "");
  EXPECT_EQ(run.step(6, {about(EventKind::released, "v")}), "gone v, start a, start t");
}

TEST(Batch, GoesOnAfterACrash) {
  Manager run(eights());
  for (const Plan& plan : batch(run, {"a", "b", "d"})) run.commit(plan);
  run.step(0);
  Manager next(eights());
  Problems problems;
  ASSERT_TRUE(next.engine.restore_state(run.engine.save_state(), problems));
  EXPECT_EQ(next.asks("c"), "preempt w") << "all of v's room is taken";
  EXPECT_EQ(next.step(1), "TERM v") << "it is not known whether it was sent";
  EXPECT_EQ(next.step(2, {about(EventKind::released, "v")}), "gone v, start a, start b, start d");
}

}  // namespace
}  // namespace cede
