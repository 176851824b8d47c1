// SPDX-License-Identifier: MIT
#include "plan_fixture.h"

namespace cede {
namespace {

Scene quota(std::string_view settings = {}) { return Scene("quota", settings); }

constexpr std::string_view kFixed = R"("preemptible":false)";

JsonObject limits(int least, int most) {
  return {{"guaranteed", JsonObject{{"cpu", least}}}, {"max", JsonObject{{"cpu", most}}}};
}

// A queue with a fixed job of 4, and a node full of somebody else's low job.
Scene minimum_of_eight(std::string_view settings = {}) {
  return quota(settings)
      .queue("root.a", limits(8, 20))
      .queue("root.b")
      .node("n1", 4)
      .node("n2", 8)
      .runs("f", "n1", 4, in_queue("root.a", R"("preemptible":false,"priority":9)"))
      .runs("v", "n2", 8, in_queue("root.b"));
}

TEST(Quota, WhatCannotBePreemptedStaysWithinTheMinimum) {
  const auto asks = [](int amount, std::string_view more) {
    return minimum_of_eight()
        .waits("p", amount, in_queue("root.a", JsonObject(R"("priority":5)").put_all(more)))
        .asks();
  };
  EXPECT_EQ(asks(4, kFixed), "preempt v") << "4 + 4 of 8";
  EXPECT_EQ(asks(5, kFixed), "wait quota-min");
  EXPECT_EQ(asks(5, R"("preemptible":true)"), "preempt v") << "the minimum does not bind a preemptible job";
}

TEST(Quota, TheMinimumBindsEvenWhereSpaceIsFree) {
  const auto asks = [](int amount) {
    return quota()
        .queue("root.a", limits(8, 20))
        .node("n1", 40)
        .waits("p", amount, in_queue("root.a", kFixed))
        .asks();
  };
  EXPECT_EQ(asks(8), "fits");
  EXPECT_EQ(asks(9), "wait quota-min");
}

TEST(Quota, PreemptibleUseDoesNotCountAgainstTheMinimum) {
  EXPECT_EQ(quota()
                .queue("root.a", limits(8, 20))
                .node("n1", 20)
                .runs("w", "n1", 12, in_queue("root.a"))
                .waits("p", 8, in_queue("root.a", kFixed))
                .asks(),
            "fits");
}

// min 4, max 10, 2 in use by a preemptible job, some of the minimum asked for by what cannot be preempted.
std::string with_fixed_asking(int fixed, int amount) {
  return quota()
      .queue("root.a", limits(4, 10))
      .node("n1", 40)
      .runs("w", "n1", 2, in_queue("root.a", R"("priority":9)"))
      .waits("f", fixed, in_queue("root.a", kFixed))
      .waits("p", amount, in_queue("root.a"))
      .asks();
}

TEST(Quota, PreemptibleJobsLeaveRoomForTheMinimum) {
  EXPECT_EQ(with_fixed_asking(6, 4), "fits") << "min(4, 6) + 2 + 4 = 10";
  EXPECT_EQ(with_fixed_asking(6, 5), "wait quota-max");
  EXPECT_EQ(with_fixed_asking(1, 7), "fits") << "min(4, 1) + 2 + 7 = 10";
  EXPECT_EQ(with_fixed_asking(1, 8), "wait quota-max");
}

TEST(Quota, RequestedCountsPlacedAndWaiting) {
  const auto asks = [](int amount) {
    return quota()
        .queue("root.a", limits(4, 10))
        .node("n1", 40)
        .runs("f1", "n1", 2, in_queue("root.a", kFixed))
        .waits("f2", 1, in_queue("root.a", kFixed))
        .waits("p", amount, in_queue("root.a"))
        .asks();
  };
  EXPECT_EQ(asks(7), "fits") << "2 + 1 + 7 = 10";
  EXPECT_EQ(asks(8), "wait quota-max");
}

TEST(Quota, AncestorsAreHeldToTheirQuotaToo) {
  const auto asks = [](const JsonObject& of_parent, std::string_view more, std::string_view settings) {
    return quota(settings)
        .queue("root.a", of_parent)
        .queue("root.a.x", limits(8, 40))
        .queue("root.a.y", limits(8, 40))
        .node("n1", 40)
        .runs("f", "n1", 4, in_queue("root.a.y", JsonObject(R"("priority":9)").put_all(more)))
        .waits("p", 5, in_queue("root.a.x", more))
        .asks();
  };
  const std::string_view off = R"("check_parent_quota":false)";
  EXPECT_EQ(asks(limits(9, 40), kFixed, ""), "fits");
  EXPECT_EQ(asks(limits(8, 40), kFixed, ""), "wait quota-min") << "those of a sibling count";
  EXPECT_EQ(asks(limits(8, 40), kFixed, off), "fits");
  EXPECT_EQ(asks(R"("max":{"cpu":9})", kFixed, ""), "fits") << "no minimum, no test of it";
  EXPECT_EQ(asks(R"("max":{"cpu":8})", R"("preemptible":true)", ""), "wait quota-max");
  EXPECT_EQ(asks(R"("max":{"cpu":8})", R"("preemptible":true)", off), "fits");
  EXPECT_EQ(asks(R"("max":{"cpu":4})", R"("preemptible":true)", ""), "impossible");
}

TEST(Quota, AGuaranteeThatLeavesOutAResourceIsZeroOfIt) {
  EXPECT_EQ(quota()
                .queue("root.a", R"("guaranteed":{"gpu":1})")
                .node("n1", 40)
                .waits("p", 1, in_queue("root.a", kFixed))
                .asks(),
            "wait quota-min");
}

TEST(Quota, PriorityMustBeStrictlyLower) {
  const auto spared = [](int own) {
    return minimum_of_eight()
        .waits("p", 4, in_queue("root.a", {{"preemptible", false}, {"priority", own}}))
        .eligibility_of("v");
  };
  EXPECT_EQ(spared(1), "eligible");
  EXPECT_EQ(spared(0), "priority");
}

// The request fits into free space; its queue would end above its max.
Scene over_its_max(std::string_view own) {
  return quota()
      .queue("root.a", limits(8, 10))
      .queue("root.b")
      .node("n1", 8)
      .node("n2", 8, R"("state":"drain")")
      .runs("own", "n2", 6, in_queue("root.a", own))
      .runs("other", "n2", 2, in_queue("root.b"));
}

TEST(Quota, OwnJobsGiveWayOnAnyNodeWhereTheMaxIsMet) {
  const JsonObject request = in_queue("root.a", R"("preemptible":false,"priority":5)");
  EXPECT_EQ(over_its_max("").waits("p", 4, request).asks(), "fits") << "6 + 4 = 10";
  const Plan plan = over_its_max("").waits("p", 5, request).plan();
  EXPECT_EQ(in_words(plan), "preempt own");
  EXPECT_EQ(nodes_of(plan), "n1");
  EXPECT_EQ(excluded_by(plan, "other"), "frees-nothing");
  EXPECT_EQ(over_its_max(R"("priority":5)").waits("p", 5, request).eligibility_of("own"), "priority");
  EXPECT_EQ(over_its_max(R"("preemptible":"last-resort")").waits("p", 5, request).asks(), "preempt own");
}

TEST(Quota, AsManyOfItsOwnMustGoAsItTakes) {
  Scene scene = quota();
  scene.queue("root.a", limits(8, 10)).node("n1", 30);
  for (const char* id : {"o1", "o2", "o3"}) scene.runs(id, "n1", 2, in_queue("root.a"));
  const auto asks = [&](int amount) {
    return Scene(scene).waits("p", amount, in_queue("root.a", R"("preemptible":false,"priority":5)")).asks();
  };
  EXPECT_EQ(asks(4), "fits");
  EXPECT_EQ(asks(5), "preempt o1");
  EXPECT_EQ(asks(6), "preempt o1");
  EXPECT_EQ(asks(7), "preempt o1,o2");
}

TEST(Quota, AllOfAGangOrNothing) {
  const auto asks = [](int second) {
    return quota()
        .node("n1", 8)
        .node("n2", 8)
        .runs("v1", "n1", 8)
        .runs("v2", "n2", 8, {{"priority", second}})
        .waits("p", 8, R"("priority":5)", 2)
        .plan();
  };
  EXPECT_EQ(in_words(asks(1)), "preempt v1,v2");
  const Plan no = asks(5);
  EXPECT_EQ(in_words(no), "wait no-set");
  EXPECT_EQ(no.reason, "even with all 1 eligible units gone it does not fit: 16 cpu needed, 8 there");
}

TEST(Quota, SiblingsOfAGangCountAgainstNodeAndQuota) {
  const auto asks = [](int amount, std::string_view more = kFixed) {
    return quota()
        .queue("root.a", limits(8, 9))
        .node("n1", 8)
        .node("n2", 8)
        .runs("v1", "n1", 8)
        .runs("v2", "n2", 8)
        .waits("p", amount, in_queue("root.a", JsonObject(R"("priority":5)").put_all(more)), 2)
        .asks();
  };
  EXPECT_EQ(asks(4), "preempt v1");
  EXPECT_EQ(asks(5), "impossible") << "10 of a max of 9";
  EXPECT_EQ(quota()
                .queue("root.a", limits(8, 20))
                .node("n1", 8)
                .node("n2", 8)
                .runs("v1", "n1", 8)
                .waits("p", 5, in_queue("root.a", R"("priority":5,"preemptible":false)"), 2)
                .asks(),
            "wait quota-min")
      << "each alone would be within the minimum";
  const Plan two = quota()
                       .node("n1", 8)
                       .node("n2", 8)
                       .runs("v1", "n1", 8)
                       .runs("v2", "n2", 8)
                       .waits("p", 5, R"("priority":5)", 2)
                       .plan();
  EXPECT_EQ(in_words(two), "preempt v1,v2") << "two of 5 do not fit into 8";
  EXPECT_EQ(nodes_of(two), "n1,n2");
}

TEST(Quota, GangVictimsLeaveAsAWhole) {
  Scene scene = quota();
  scene.node("n1", 8).node("n2", 8);
  scene.job("v", R"("state":"running","started":900000)", {scene.task("n1", 4), scene.task("n2", 4)});
  const Plan plan = scene.waits("p", 8, R"("priority":5)").plan();
  ASSERT_EQ(in_words(plan), "preempt v");
  EXPECT_EQ(plan.victims[0].tasks.size(), 2u);
  EXPECT_TRUE(plan.victims[0].whole_job);
}

TEST(Quota, PlacedTasksStayWhereTheyAre) {
  Scene scene = quota();
  scene.node("n1", 8).node("n2", 8).runs("v", "n2", 8);
  scene.job("p", R"("priority":5,"state":"running","started":900000)",
            {scene.task("n1", 8), JsonObject{{"resources", scene.holding(8)}}});
  const Plan plan = scene.plan();
  EXPECT_EQ(in_words(plan), "preempt v");
  EXPECT_EQ(nodes_of(plan), "n2") << "only what waits is placed";
  EXPECT_EQ(excluded_by(plan, "p"), "same-job");
}

TEST(Quota, AJobThatSaysNothingIsPreemptibleAndMayPreempt) {
  const auto scene = [](std::string_view settings) {
    return quota(settings).queue("root.a", limits(4, 20)).node("n1", 8).runs("v", "n1", 8);
  };
  const std::string_view strict = R"("disable_default_preemptible":true)";
  EXPECT_EQ(scene("").waits("p", 8, R"("priority":5)").asks(), "preempt v");
  EXPECT_EQ(scene(strict).waits("p", 8, R"("priority":5)").eligibility_of("v"), "not-preemptible");
  EXPECT_EQ(scene(strict).waits("p", 5, in_queue("root.a", R"("priority":5)")).asks(), "wait quota-min")
      << "the requester counts as not preemptible, too";
  const std::string_view passive = R"("disable_default_trigger_preemption":true)";
  EXPECT_EQ(scene(passive).waits("p", 8, R"("priority":5)").asks(), "wait may-not-preempt");
  EXPECT_EQ(scene(passive).waits("p", 8, R"("priority":5,"may_preempt":true)").asks(), "preempt v");
}

TEST(Quota, StatedPreemptibleBeatsTheDefault) {
  EXPECT_EQ(quota(R"("disable_default_preemptible":true)")
                .node("n1", 8)
                .runs("v", "n1", 8, R"("preemptible":true)")
                .waits("p", 8, R"("priority":5)")
                .asks(),
            "preempt v");
}

TEST(Quota, VictimsAreDeletedOrMarked) {
  const auto plan = [](std::string_view settings) {
    return quota(settings).node("n1", 8).runs("v", "n1", 8).waits("p", 8, R"("priority":5)").plan();
  };
  const Plan deleted = plan("");
  EXPECT_EQ(deleted.victims.at(0).action, VictimAction::terminate);
  EXPECT_FALSE(deleted.victims[0].requeue);
  EXPECT_EQ(deleted.latest_start, Scene::later(30));
  EXPECT_EQ(deleted.cause, "quota");
  const Plan marked = plan(R"("evict":"soft")");
  EXPECT_EQ(marked.victims.at(0).action, VictimAction::soft_evict);
  EXPECT_FALSE(marked.victims[0].requeue);
  EXPECT_EQ(marked.latest_start, kNoTime);
  EXPECT_NE(write_plan(marked, false).find(R"("latest_start":null)"), std::string::npos)
      << write_plan(marked, false);
  EXPECT_EQ(plan(R"("evict":"soft","soft_evict_timeout":"5m")").latest_start, Scene::later(300 + 30));
}

TEST(Quota, OneMarkedVictimWithoutEndLeavesTheWholePlanWithout) {
  const auto latest = [](std::string_view a, std::string_view b) {
    return quota()
        .queue("root.a", JsonObject{{"settings", JsonObject(a)}})
        .queue("root.b", JsonObject{{"settings", JsonObject(b)}})
        .node("n1", 8)
        .runs("v1", "n1", 4, in_queue("root.a"))
        .runs("v2", "n1", 4, in_queue("root.b"))
        .waits("p", 8, R"("priority":5)")
        .plan()
        .latest_start;
  };
  const std::string_view soft = R"("evict":"soft")";
  const std::string_view timed = R"("evict":"soft","soft_evict_timeout":"5m")";
  EXPECT_EQ(latest(soft, timed), kNoTime);
  EXPECT_EQ(latest(timed, soft), kNoTime);
  EXPECT_EQ(latest(timed, ""), Scene::later(330));
  EXPECT_EQ(latest("", timed), Scene::later(330));
}

TEST(Quota, TasksOfAGangAreAlikeInBeingPreemptible) {
  const auto fault = [](std::string_view members, std::string_view profile = "quota") {
    Scene scene(profile);
    scene.node("n1", 8);
    scene.job("v", JsonObject(R"("state":"running","started":5)").put_all(members),
              {scene.task("n1", 4, R"("preemptible":false)"), scene.task("n1", 4)});
    return load_fault(scene.cluster(), scene.policy());
  };
  EXPECT_NE(fault("").find("differs from the job's other tasks"), std::string::npos) << fault("");
  EXPECT_EQ(fault(R"("preemptible":false)"), "");
  EXPECT_EQ(fault(R"("gang":false)"), "");
  EXPECT_EQ(fault("", "priority"), "");
}

TEST(Quota, IdleSpaceServesAnyJobUpToTheMax) {
  const auto asks = [](int amount) {
    return quota()
        .queue("root.a", limits(30, 40))
        .queue("root.b", limits(2, 12))
        .node("n1", 40)
        .runs("w", "n1", 6, in_queue("root.b", R"("priority":9)"))
        .waits("p", amount, in_queue("root.b"))
        .asks();
  };
  EXPECT_EQ(asks(6), "fits") << "beyond its minimum, within the other's";
  EXPECT_EQ(asks(7), "wait quota-max");
}

TEST(Quota, LowPrioritiesGoFirst) {
  const Plan plan = quota()
                        .node("n1", 8)
                        .runs("a", "n1", 4, R"("priority":3)")
                        .runs("b", "n1", 2, R"("priority":1)")
                        .runs("c", "n1", 2, R"("priority":2)")
                        .waits("p", 4, R"("priority":5)")
                        .plan();
  EXPECT_EQ(in_words(plan), "preempt b,c") << "two of lower priority rather than one of a higher";
  EXPECT_EQ(objective_names(plan), "last-resort priority victims freed preferences borrowed");
}

TEST(Quota, OneRoundAtATime) {
  const Scene scene = quota().node("n1", 8).runs("v", "n1", 8).waits("p", 8, R"("priority":5)");
  EXPECT_EQ(in_words(scene.plan_while(
                [](const Model& model, InFlight& known) { known.requesters = {model.find_job("p")}; })),
            "in-progress");
}

}  // namespace
}  // namespace cede
