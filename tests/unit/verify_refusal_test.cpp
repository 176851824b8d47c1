// SPDX-License-Identifier: MIT
// What the verifier says of a no that names the wrong thing.
#include "plan_fixture.h"

namespace cede {
namespace {

// What the verifier finds if the answer to `p` is a wait for this rule.
std::string fault_of_wait(const Scene& scene, std::string_view rule) {
  const Loaded loaded(scene.cluster(), scene.policy());
  Plan plan = loaded.plan();
  EXPECT_EQ(loaded.fault(plan), "");
  plan.outcome = Outcome::wait;
  plan.rule = rule;
  plan.victims.clear();
  plan.placement.clear();
  plan.objective.clear();
  plan.cost = plan.bound = 0;
  plan.optimal = false;
  plan.expected_start = plan.latest_start = kNoTime;
  return loaded.fault(plan);
}

Scene busy_node(std::string_view members) {
  Scene scene("priority");
  scene.node("n", 4).runs("v", "n", 4, members);
  return scene;
}

TEST(Refusal, ATriggerThatRefusesIsNamed) {
  const Scene scene = busy_node(R"("priority":5)").waits("p", 4, R"("priority":3)");
  EXPECT_EQ(fault_of_wait(scene, "no-lower-priority"), "");
  EXPECT_EQ(fault_of_wait(scene, "no-victims"),
            "refusal: it is refused by no-lower-priority, not by no-victims");
}

TEST(Refusal, ATriggerThatDoesNotRefuseIsNotNamed) {
  const Scene scene = busy_node(R"("priority":1)").waits("p", 4, R"("priority":3)");
  EXPECT_EQ(fault_of_wait(scene, "off"), "refusal: off does not refuse it");
}

TEST(Refusal, WhatFitsNoEmptyNodeIsImpossible) {
  const Scene scene = busy_node(R"("priority":1)").waits("p", 5, R"("priority":3)");
  EXPECT_EQ(fault_of_wait(scene, "no-set"), "refusal: it is impossible, not refused by no-set");
}

TEST(Refusal, WhatFitsOnlyNodesThatAreDownLacksNodes) {
  Scene scene = busy_node(R"("priority":1)").waits("p", 5, R"("priority":3)");
  scene.node("down", 5, R"("state":"down")");
  EXPECT_EQ(fault_of_wait(scene, "no-set"), "refusal: nodes are unavailable, it is not refused by no-set");
}

TEST(Refusal, AJobWithinItsOwnMaxIsNotRefusedByIt) {
  const Scene scene = busy_node(R"("priority":1)").waits("p", 4, R"("priority":3,"max":{"cpu":4})");
  EXPECT_EQ(fault_of_wait(scene, "job-max"), "refusal: job-max does not refuse it");
}

TEST(Refusal, WhatExceedsTheJobsOwnMaxIsImpossible) {
  const Scene scene = busy_node(R"("priority":1)").waits("p", 4, R"("priority":3,"max":{"cpu":3})");
  EXPECT_EQ(fault_of_wait(scene, "job-max"), "refusal: it is impossible, not refused by job-max");
}

TEST(Refusal, AFailedSearchHadAUnitToTake) {
  const Scene scene = busy_node(R"("priority":1,"preemptible":false)").waits("p", 4, R"("priority":3)");
  EXPECT_EQ(fault_of_wait(scene, "no-victims"), "");
  EXPECT_EQ(fault_of_wait(scene, "max-victims"),
            "refusal: no unit is eligible, it is not refused by max-victims");
}

TEST(Refusal, AUselessUnitDoesNotCount) {
  Scene scene = busy_node(R"("priority":8)").waits("p", 4, R"("priority":9)");
  scene.node("down", 4, R"("state":"down")").runs("w", "down", 4, R"("priority":1)");
  EXPECT_EQ(fault_of_wait(scene, "no-set"), "refusal: no unit is eligible, it is not refused by no-set");
}

}  // namespace
}  // namespace cede
