// SPDX-License-Identifier: MIT
#include <array>
#include <set>

#include "plan_fixture.h"

namespace cede {
namespace {

Scene guarantee(const JsonObject& settings = {}) { return Scene("guarantee", settings); }

JsonObject guaranteed(int amount, const JsonObject& more = {}) {
  return JsonObject{{"guaranteed", JsonObject{{"cpu", amount}}}}.put_all(more);
}

// Prod is below its guarantee and asks for 4; test runs two units of 2. Each broken law alone stands in the
// way: its number is in `broken`.
Scene with_broken(const std::set<int>& broken) {
  const auto is = [&](int law) { return broken.contains(law); };
  const int of_test = is(5) ? 4 : is(2) ? 1 : 0;
  JsonObject victim = in_queue("root.test");
  if (is(1)) victim.put("preemptible", false);
  if (is(3)) victim.put("app", "shop");
  if (is(6)) victim.put("priority", 1);
  Scene scene = guarantee(is(1) ? R"("strict_opt_out":true)" : "");
  scene.queue("root.prod", guaranteed(is(4) ? 0 : 8, is(7) ? R"("preemption":{"policy":"fence"})" : ""));
  scene.queue("root.test", guaranteed(of_test));
  scene.node("n1", 4).runs("v1", "n1", 2, victim).runs("v2", "n1", 2, victim);
  return scene.waits("p", 4, in_queue("root.prod", R"("app":"shop")"));
}

// The laws in the order they are asked, with the names they answer by.
struct Law {
  int number;
  const char* rule;
};
constexpr std::array<Law, 7> kLaws{{{4, "over-guarantee"},
                                    {1, "not-preemptible"},
                                    {3, "same-app"},
                                    {7, "fence"},
                                    {6, "priority"},
                                    {5, "queue-not-over"},
                                    {2, "below-guarantee"}}};

TEST(Guarantee, TheLawsAllKept) { EXPECT_EQ(with_broken({}).asks(), "preempt v1,v2"); }

TEST(Guarantee, EachLawAlone) {
  for (const Law& law : kLaws) EXPECT_EQ(with_broken({law.number}).eligibility_of("v1"), law.rule);
}

TEST(Guarantee, EachPairOfLaws) {
  for (std::size_t i = 0; i < kLaws.size(); ++i) {
    for (std::size_t k = i + 1; k < kLaws.size(); ++k) {
      EXPECT_EQ(with_broken({kLaws[i].number, kLaws[k].number}).eligibility_of("v1"), kLaws[i].rule)
          << "laws " << kLaws[i].number << " and " << kLaws[k].number;
    }
  }
}

// The flows of the design document: two queues of equal pods of 4 on a full cluster.
struct Pods {
  int prod_guaranteed;
  int test_guaranteed;
  int prod_running;
  int test_running;
  Scene scene() const {
    Scene scene = guarantee();
    scene.queue("root.prod", guaranteed(prod_guaranteed)).queue("root.test", guaranteed(test_guaranteed));
    scene.node("n1", 4 * (prod_running + test_running));
    for (int i = 0; i < prod_running; ++i)
      scene.runs("prod-" + std::to_string(i), "n1", 4, in_queue("root.prod", R"("app":"prod")"));
    for (int i = 0; i < test_running; ++i)
      scene.runs("test-" + std::to_string(i), "n1", 4, in_queue("root.test", R"("app":"test")"));
    scene.waits("prod-new", 4, in_queue("root.prod", R"("app":"prod")"));
    return scene.waits("test-new", 4, in_queue("root.test", R"("app":"test")"));
  }
};

TEST(Guarantee, FlowProdEndsOver) {
  EXPECT_EQ((Pods{10, 4, 2, 3}.scene().asks("prod-new")), "preempt test-0");
  const Scene after = Pods{10, 4, 3, 2}.scene();
  EXPECT_EQ(after.asks("test-new"), "wait over-guarantee") << "the recreated pod waits";
  EXPECT_EQ(after.asks("prod-new"), "wait over-guarantee") << "and so does the next of prod";
  EXPECT_EQ((Pods{10, 12, 3, 2}.scene().eligibility_of("prod-0", "test-new")), "queue-not-over")
      << "not even a test below its guarantee may bring prod below its own";
}

TEST(Guarantee, FlowTestWouldEndUnder) {
  EXPECT_EQ((Pods{10, 10, 2, 3}.scene().eligibility_of("test-0", "prod-new")), "queue-not-over");
}

TEST(Guarantee, FlowProdStillUnder) {
  EXPECT_EQ((Pods{20, 4, 2, 3}.scene().asks("prod-new")), "preempt test-0");
  const Scene after = Pods{20, 4, 3, 2}.scene();
  EXPECT_EQ(after.asks("test-new"), "wait over-guarantee");
  EXPECT_EQ((Pods{20, 12, 3, 2}.scene().eligibility_of("prod-0", "test-new")), "queue-not-over");
  EXPECT_EQ(after.asks("prod-new"), "preempt test-0") << "prod goes on from scratch";
  EXPECT_EQ((Pods{20, 4, 4, 1}.scene().eligibility_of("test-0", "prod-new")), "queue-not-over")
      << "until test is at its guarantee";
}

// Prod and test below root.p, others beside it; one unit of 4 in each.
Scene beside(std::string_view of_p, std::string_view of_prod = {}, std::string_view of_test = {},
             std::string_view of_others = {}) {
  return guarantee()
      .queue("root.p", of_p)
      .queue("root.p.prod", guaranteed(8, of_prod))
      .queue("root.p.test", of_test)
      .queue("root.others", of_others)
      .node("n1", 8)
      .runs("test", "n1", 4, in_queue("root.p.test", R"("started":100)"))
      .runs("others", "n1", 4, in_queue("root.others", R"("started":900)"))
      .waits("p", 4, in_queue("root.p.prod"));
}

constexpr std::string_view kFence = R"("preemption":{"policy":"fence"})";
constexpr std::string_view kDisabled = R"("preemption":{"policy":"disabled"})";

TEST(Guarantee, FenceIsOneWay) {
  EXPECT_EQ(beside("").asks(), "preempt others") << "the younger";
  EXPECT_EQ(beside("", "", "", kFence).asks(), "preempt others") << "outsiders may come in";
  const Plan inside = beside(kFence).plan();
  EXPECT_EQ(in_words(inside), "preempt test");
  EXPECT_EQ(excluded_by(inside, "others"), "fence");
  EXPECT_EQ(beside("", kFence).eligibility_of("test"), "fence");
}

TEST(Guarantee, AMaxFencesToo) {
  EXPECT_EQ(beside(R"("max":{"cpu":8})").asks(), "preempt others") << "4 + 4 = 8";
  const Plan full = beside(R"("max":{"cpu":7})").plan();
  EXPECT_EQ(in_words(full), "preempt test");
  EXPECT_EQ(excluded_by(full, "others"), "fence");
}

TEST(Guarantee, DisabledNeitherTakesNorGives) {
  const Plan spared = beside("", "", "", kDisabled).plan();
  EXPECT_EQ(in_words(spared), "preempt test");
  EXPECT_EQ(excluded_by(spared, "others"), "queue-off");
  EXPECT_EQ(beside("", kDisabled).asks(), "wait off");
  EXPECT_EQ(beside(kDisabled).asks(), "wait off") << "inherited by the requester";
  EXPECT_EQ(guarantee()
                .queue("root.a", kDisabled)
                .queue("root.a.x")
                .queue("root.b", guaranteed(4))
                .node("n1", 4)
                .runs("v", "n1", 4, in_queue("root.a.x"))
                .waits("p", 4, in_queue("root.b"))
                .eligibility_of("v"),
            "queue-off")
      << "inherited by the victim";
  EXPECT_EQ(beside("").root(kDisabled).asks(), "wait off");
}

// A leaf and the queue above it with one delay each.
std::string after_waiting(int seconds, const JsonObject& of_leaf = {}, const JsonObject& of_parent = {},
                          const JsonObject& more = {}) {
  return guarantee()
      .queue("root.a", of_parent)
      .queue("root.a.x", guaranteed(4, of_leaf))
      .queue("root.b")
      .node("n1", 4)
      .runs("v", "n1", 4, in_queue("root.b"))
      .waits("p", 4, in_queue("root.a.x", {{"submitted", Scene::kNow - seconds}}).put_all(more))
      .asks();
}

TEST(Guarantee, DelayBeforePreempting) {
  EXPECT_EQ(after_waiting(29), "wait pending-delay");
  EXPECT_EQ(after_waiting(30), "preempt v");
  const std::string_view minute = R"("preemption":{"delay":"60s"})";
  EXPECT_EQ(after_waiting(59, minute), "wait pending-delay");
  EXPECT_EQ(after_waiting(60, minute), "preempt v");
  EXPECT_EQ(after_waiting(30, "", minute), "preempt v") << "ignored on a queue with children";
  EXPECT_EQ(after_waiting(5000, "", "", R"("waiting_since":999971)"), "wait pending-delay")
      << "a requeued victim waits since its release";
  EXPECT_EQ(after_waiting(5, "", "", R"("waiting_since":999970)"), "preempt v");
}

TEST(Guarantee, DelayOfAQueueWithChildrenIsIgnoredForItsOwnJobs) {
  const auto asks = [](int since) {
    return guarantee()
        .queue("root.a", guaranteed(4, R"("preemption":{"delay":"60s"})"))
        .queue("root.a.x")
        .queue("root.b")
        .node("n1", 4)
        .runs("v", "n1", 4, in_queue("root.b"))
        .waits("p", 4, in_queue("root.a", {{"submitted", Scene::kNow - since}}))
        .asks();
  };
  EXPECT_EQ(asks(29), "wait pending-delay");
  EXPECT_EQ(asks(30), "preempt v");
}

TEST(Guarantee, AttemptsOfOneRequestAreApart) {
  const auto tried = [](int seconds_ago) {
    Allowance allowance;
    allowance.last_attempt = Scene::later(-seconds_ago);
    return in_words(with_broken({}).plan_while([](const Model&, InFlight&) {}, allowance));
  };
  EXPECT_EQ(tried(14), "wait attempt-interval");
  EXPECT_EQ(tried(15), "preempt v1,v2");
}

TEST(Guarantee, PrioritiesWithTheOffsetsOfTheirQueues) {
  const auto spared = [](int own, int theirs, int shared = 0) {
    return guarantee()
        .root({{"priority_offset", shared}})
        .queue("root.a", guaranteed(4, R"("priority_offset":10)"))
        .queue("root.a.x", R"("priority_offset":5)")
        .queue("root.b", R"("priority_offset":7)")
        .node("n1", 4)
        .runs("v", "n1", 4, in_queue("root.b", {{"priority", theirs}}))
        .waits("p", 4, in_queue("root.a.x", {{"priority", own}}))
        .eligibility_of("v");
  };
  EXPECT_EQ(spared(0, 8), "eligible") << "15 and 15";
  EXPECT_EQ(spared(0, 9), "priority") << "15 and 16";
  EXPECT_EQ(spared(1, 9), "eligible");
  EXPECT_EQ(spared(0, 8, 100), "eligible") << "the root's offset counts for every job";
  EXPECT_EQ(spared(0, 9, 100), "priority");
}

TEST(Guarantee, OptingOutIsAWish) {
  Scene scene = guarantee();
  scene.queue("root.prod", guaranteed(8)).queue("root.test").node("n1", 8);
  scene.runs("asks-not", "n1", 4, in_queue("root.test", R"("preemptible":false,"started":950000)"));
  scene.runs("b", "n1", 4, in_queue("root.test"));
  EXPECT_EQ(Scene(scene).waits("p", 4, in_queue("root.prod")).asks(), "preempt b");
  EXPECT_EQ(Scene(scene).waits("p", 8, in_queue("root.prod")).asks(), "preempt asks-not,b");
  EXPECT_EQ(Scene(scene).settings(R"("strict_opt_out":true)").waits("p", 8, in_queue("root.prod")).asks(),
            "wait no-set");
}

TEST(Guarantee, OriginatorsAreSparedBeforePriorities) {
  Scene scene = guarantee();
  scene.queue("root.prod", guaranteed(4)).queue("root.test").node("n1", 8);
  scene.job("driver", in_queue("root.test", R"("state":"running","started":950000)"),
            {scene.task("n1", 4, R"("originator":true)")});
  scene.runs("worker", "n1", 4, in_queue("root.test", R"("priority":3)"));
  const Plan plan = scene.waits("p", 4, in_queue("root.prod", R"("priority":5)")).plan();
  EXPECT_EQ(in_words(plan), "preempt worker");
  EXPECT_EQ(objective_names(plan), "last-resort originators priority victims freed preferences borrowed");
}

TEST(Guarantee, LowPrioritiesGoFirst) {
  EXPECT_EQ(guarantee()
                .queue("root.prod", guaranteed(4))
                .queue("root.test")
                .node("n1", 8)
                .runs("a", "n1", 4, in_queue("root.test", R"("priority":3,"started":950000)"))
                .runs("b", "n1", 4, in_queue("root.test", R"("priority":2)"))
                .waits("p", 4, in_queue("root.prod", R"("priority":5)"))
                .asks(),
            "preempt b");
}

TEST(Guarantee, VictimsAreTerminated) {
  const Plan plan = with_broken({}).plan();
  EXPECT_EQ(plan.cause, "guarantee");
  EXPECT_EQ(plan.victims.at(0).action, VictimAction::terminate);
  EXPECT_FALSE(plan.victims[0].requeue);
}

TEST(Guarantee, WithinTheGuaranteeWhereAsked) {
  const auto asks = [](int amount, std::string_view settings) {
    return guarantee(settings)
        .queue("root.prod", guaranteed(8))
        .queue("root.test")
        .node("n1", 12)
        .runs("k", "n1", 4, in_queue("root.prod"))
        .runs("v", "n1", 8, in_queue("root.test"))
        .waits("p", amount, in_queue("root.prod"))
        .asks();
  };
  EXPECT_EQ(asks(5, ""), "preempt v") << "it ends above";
  EXPECT_EQ(asks(5, R"("within_guarantee":true)"), "wait over-guarantee");
  EXPECT_EQ(asks(4, R"("within_guarantee":true)"), "preempt v");
}

TEST(Guarantee, AtItsGuaranteeIsNotBelow) {
  const auto asks = [](int amount) {
    return guarantee()
        .queue("root.prod", guaranteed(amount))
        .queue("root.test")
        .node("n1", 12)
        .runs("k", "n1", 4, in_queue("root.prod"))
        .runs("v", "n1", 8, in_queue("root.test"))
        .waits("p", 4, in_queue("root.prod"))
        .asks();
  };
  EXPECT_EQ(asks(4), "wait over-guarantee");
  EXPECT_EQ(asks(5), "preempt v");
}

TEST(Guarantee, OnlyResourcesAskedForJustify) {
  EXPECT_EQ(guarantee()
                .queue("root.prod", R"("guaranteed":{"gpu":4})")
                .queue("root.test")
                .node("n1", 8)
                .runs("v", "n1", 8, in_queue("root.test"))
                .waits("p", 4, in_queue("root.prod"))
                .asks(),
            "wait over-guarantee");
}

TEST(Guarantee, AGuaranteeOfBothJustifiesNothing) {
  const auto scene = [](const JsonObject& of_leaf) {
    return guarantee()
        .queue("root.p", guaranteed(12))
        .queue("root.p.prod", of_leaf)
        .queue("root.p.test")
        .queue("root.others")
        .node("n1", 8)
        .runs("test", "n1", 4, in_queue("root.p.test", R"("started":950000)"))
        .runs("others", "n1", 4, in_queue("root.others"))
        .waits("p", 4, in_queue("root.p.prod"));
  };
  const Plan shared = scene("").plan();
  EXPECT_EQ(in_words(shared), "preempt others");
  EXPECT_EQ(excluded_by(shared, "test"), "shared-guarantee");
  EXPECT_EQ(scene(guaranteed(4)).asks(), "preempt test") << "the leaf's own guarantee justifies it";
  EXPECT_EQ(scene(kFence).asks(), "wait over-guarantee") << "what justifies is inside the fence";
}

TEST(Guarantee, BelowGuaranteeNamesWhatWouldBeLeft) {
  const Plan plan = with_broken({2}).plan();
  EXPECT_EQ(in_words(plan), "wait below-guarantee");
  EXPECT_EQ(plan.reason, "queue 'root.test' would be left with 0 cpu of its guaranteed 1");
}

// Sixty units of two queues could free enough; each queue alone may lose nine of its thirty, together they
// may not lose the twenty that are lacking. No set has to be tried to know that.
TEST(Guarantee, ManyUnitsWhoseQueuesMayNotLoseEnoughAreANo) {
  const auto with_guarantee = [](int of_each) {
    Scene scene = guarantee();
    scene.queue("root.prod", guaranteed(100)).queue("root.a", guaranteed(of_each));
    scene.queue("root.b", guaranteed(of_each)).node("n1", 60);
    for (int i = 0; i < 60; ++i)
      scene.runs("v" + std::to_string(i), "n1", 1, in_queue(i % 2 == 0 ? "root.a" : "root.b"));
    return scene.waits("p", 20, in_queue("root.prod"));
  };
  EXPECT_EQ(with_guarantee(20).plan("p").outcome, Outcome::preempt);
  const Plan no = with_guarantee(21).plan("p");
  EXPECT_EQ(no.rule, "below-guarantee") << no.reason;
  EXPECT_EQ(no.reason.find("undecided"), std::string::npos);
}

TEST(Guarantee, WhatTheRequestBringsCountsForQueuesAboveIt) {
  // Both are below root.p, which keeps its guarantee because the request comes in where the victim leaves.
  const auto asks = [](int amount) {
    return guarantee()
        .queue("root.p", guaranteed(4))
        .queue("root.p.prod", guaranteed(4))
        .queue("root.p.test")
        .node("n1", 4)
        .runs("v", "n1", 4, in_queue("root.p.test"))
        .waits("p", amount, in_queue("root.p.prod"))
        .eligibility_of("v");
  };
  EXPECT_EQ(asks(4), "eligible");
  EXPECT_EQ(asks(3), "queue-not-over");
}

// The licence is counted for the group; its only holder runs where the request does not.
Scene licence_elsewhere(std::string_view settings) {
  Scene scene = guarantee(settings);
  scene.group(R"("resources":{"lic":1})").queue("root.prod", guaranteed(8)).queue("root.test");
  scene.node("n1", 8).node("n2", 2);
  scene.job("v", in_queue("root.test", R"("state":"running","started":5)"),
            R"({"node":"n2","resources":{"cpu":1,"lic":1}})");
  return scene;
}

TEST(Guarantee, VictimsForATaskAreOnItsNodeUnlessCrossNode) {
  const std::string tasks = R"({"resources":{"cpu":4,"lic":1}})";
  const JsonObject request = in_queue("root.prod", R"("submitted":5)");
  EXPECT_EQ(licence_elsewhere("").job("p", request, tasks).asks(), "wait one-node");
  EXPECT_EQ(licence_elsewhere(R"("cross_node":true)").job("p", request, tasks).asks(), "preempt v");
  EXPECT_EQ(licence_elsewhere("").job("p", request, R"({"resources":{"cpu":3,"lic":1}})").asks(),
            "wait one-node");
  EXPECT_EQ(licence_elsewhere("").job("p", request, R"({"resources":{"cpu":1,"lic":1}})").asks(), "preempt v")
      << "it goes to the victim's node";
}

TEST(Guarantee, AGangsVictimsAreOnItsNodesToo) {
  const std::string tasks = R"({"resources":{"cpu":4,"lic":1}},{"resources":{"cpu":4}})";
  const JsonObject request = in_queue("root.prod", R"("gang":true,"submitted":5)");
  EXPECT_EQ(licence_elsewhere("").job("p", request, tasks).asks(), "wait one-node");
  EXPECT_EQ(licence_elsewhere(R"("cross_node":true)").job("p", request, tasks).asks(), "preempt v");
}

TEST(Guarantee, VictimsForQueueRoomAreAnywhere) {
  const Plan plan = guarantee()
                        .queue("root.p", R"("max":{"cpu":8})")
                        .queue("root.p.prod", guaranteed(8))
                        .queue("root.p.test")
                        .node("n1", 8)
                        .node("n2", 8)
                        .runs("v", "n2", 8, in_queue("root.p.test"))
                        .waits("p", 8, in_queue("root.p.prod"))
                        .plan();
  EXPECT_EQ(in_words(plan), "preempt v");
}

TEST(Guarantee, WithinOneLeafOnlyWhereAsked) {
  const auto scene = [](std::string_view settings, int own, const JsonObject& more = {}) {
    return guarantee(settings)
        .queue("root.a", guaranteed(8))
        .node("n1", 8)
        .runs("v", "n1", 8, in_queue("root.a", R"("priority":1)").put_all(more))
        .waits("p", 8, in_queue("root.a", {{"priority", own}, {"app", "p"}}));
  };
  EXPECT_EQ(scene("", 2).asks(), "wait over-guarantee");
  const std::string_view intra = R"("intra_queue":true)";
  EXPECT_EQ(scene(intra, 2).asks(), "preempt v") << "at its guarantee, and back at it afterwards";
  EXPECT_EQ(scene(intra, 1).eligibility_of("v"), "priority") << "strictly lower";
  EXPECT_EQ(scene(intra, 2, R"("app":"p")").eligibility_of("v"), "same-app");
}

// At its guarantee, the leaf may end below it as long as no victim is larger than the request.
TEST(Guarantee, IntraQueueMayShrinkItsLeafByVictimsNoLargerThanTheRequest) {
  const auto asks = [](int victim, const JsonObject& of_parent = {}) {
    Scene scene = guarantee(R"("intra_queue":true)");
    scene.queue("root.up", of_parent).queue("root.up.a", guaranteed(8)).node("n1", 8);
    for (int i = 0; i < 8 / victim; ++i)
      scene.runs("v" + std::to_string(i), "n1", victim, in_queue("root.up.a"));
    return scene.waits("p", 5, in_queue("root.up.a", R"("priority":2)")).asks();
  };
  EXPECT_EQ(asks(4), "preempt v0,v1") << "8 leave, 5 come";
  EXPECT_EQ(asks(8), "wait below-guarantee") << "a small request must not open a gap";
  EXPECT_EQ(asks(4, guaranteed(8)), "wait below-guarantee") << "the queues above keep theirs";
  EXPECT_EQ(asks(4, guaranteed(5)), "preempt v0,v1");
}

TEST(Guarantee, IntraQueueTakesNothingFromOtherQueues) {
  EXPECT_EQ(guarantee(R"("intra_queue":true)")
                .queue("root.a")
                .queue("root.b")
                .node("n1", 8)
                .runs("v", "n1", 8, in_queue("root.b"))
                .waits("p", 8, in_queue("root.a", R"("priority":9)"))
                .eligibility_of("v"),
            "shared-guarantee");
}

// A task bound to n1, on which somebody runs.
Scene bound_to(const JsonObject& of_victim, const JsonObject& task = {}, const JsonObject& of_queue = {},
               const JsonObject& settings = {}) {
  Scene scene = guarantee(settings);
  scene.queue("root.daemons", R"("preemption":{"policy":"fence"})").queue("root.test", of_queue);
  scene.node("n1", 8).node("n2", 8);
  scene.job("v", in_queue("root.test", R"("state":"running","started":5)").put_all(of_victim),
            {scene.task("n1", 8, task)});
  scene.job("p", in_queue("root.daemons", R"("submitted":999999,"app":"daemon")"),
            R"({"resources":{"cpu":8},"required_node":"n1"})");
  return scene;
}

TEST(Guarantee, RequiredNodeWaivesTheLawsOfQueues) {
  const Plan plan = bound_to("").plan();
  EXPECT_EQ(in_words(plan), "preempt v") << "no guarantee, fenced, just submitted";
  EXPECT_EQ(plan.cause, "required-node");
  EXPECT_EQ(nodes_of(plan), "n1");
  EXPECT_EQ(bound_to("", "", guaranteed(8)).asks(), "preempt v") << "its queue loses its guarantee";
}

TEST(Guarantee, RequiredNodeSparesAFew) {
  EXPECT_EQ(bound_to("", R"("required_node":"n1")").eligibility_of("v"), "required-node");
  EXPECT_EQ(bound_to(R"("kind":"sensitive")").eligibility_of("v"), "sensitive");
  EXPECT_EQ(bound_to(R"("app":"daemon")").eligibility_of("v"), "same-app");
  EXPECT_EQ(bound_to(R"("priority":1)").eligibility_of("v"), "priority");
  EXPECT_EQ(bound_to(R"("preemptible":false)").asks(), "preempt v");
}

TEST(Guarantee, RequiredNodeTakesOptedOutLastAndNoVictimElsewhere) {
  Scene scene = guarantee();
  scene.node("n1", 8).node("n2", 8);
  scene.runs("a", "n1", 4, R"("preemptible":false,"started":950000)");
  scene.runs("b", "n1", 4).runs("c", "n2", 8, R"("started":950000)");
  scene.job("p", R"("submitted":999999)", R"({"resources":{"cpu":4},"required_node":"n1"})");
  const Plan plan = scene.plan();
  EXPECT_EQ(in_words(plan), "preempt b");
  EXPECT_EQ(excluded_by(plan, "c"), "required-node");
}

// A bound task whose queue is full: on another node a job of that queue, and one whose queue would lose its
// guarantee.
Scene bound_in_full_queue(int max, std::string_view settings = {}) {
  Scene scene = guarantee(settings);
  scene.queue("root.a", R"("guaranteed":{"cpu":4},"max":{"cpu":)" + std::to_string(max) + "}");
  scene.queue("root.a.x", guaranteed(4)).queue("root.a.d").queue("root.b");
  scene.node("n1", 8).node("n2", 8);
  scene.runs("v", "n1", 8, in_queue("root.b")).runs("x", "n2", 4, in_queue("root.a.x"));
  scene.job("p", in_queue("root.a.d", R"("submitted":999999)"),
            R"({"resources":{"cpu":4},"required_node":"n1"})");
  return scene;
}

TEST(Guarantee, RequiredNodeTakesNoVictimElsewhereForRoomInItsQueue) {
  for (const char* settings : {"", R"("cross_node":true)"}) {
    const Plan plan = bound_in_full_queue(7, settings).plan();
    EXPECT_EQ(in_words(plan), "wait queue-max") << settings;
    EXPECT_EQ(plan.reason, "queue 'root.a' would hold 8 cpu, its max is 7");
    EXPECT_EQ(bound_in_full_queue(8, settings).asks(), "preempt v") << settings;
  }
}

// Nor for what the group counts.
TEST(Guarantee, RequiredNodeTakesNoVictimElsewhereForTheGroup) {
  Scene scene = guarantee(R"("cross_node":true)").group(R"("resources":{"lic":1})");
  scene.node("n1", 8).node("n2", 8);
  scene.job("v", R"("state":"running","started":5)", R"({"node":"n2","resources":{"cpu":4,"lic":1}})");
  scene.job("p", R"("submitted":999999)", R"({"resources":{"cpu":4,"lic":1},"required_node":"n1"})");
  EXPECT_EQ(scene.asks(), "wait no-victims");
  EXPECT_EQ(scene.eligibility_of("v"), "required-node");
}

// A gang with one bound task can run the others anywhere, so the laws hold for it.
TEST(Guarantee, RequiredNodeOfOneTaskWaivesNothingForTheOthers) {
  const auto asks = [](std::string_view second) {
    Scene scene = guarantee();
    scene.queue("root.a").queue("root.b", guaranteed(16)).node("n1", 8).node("n2", 8);
    scene.runs("v", "n1", 8, in_queue("root.b")).runs("w", "n2", 8, in_queue("root.b"));
    scene.job(
        "p", in_queue("root.a", R"("submitted":900000,"gang":true)"),
        R"({"resources":{"cpu":8},"required_node":"n1"},{"resources":{"cpu":8})" + std::string(second) + "}");
    return scene.asks();
  };
  EXPECT_EQ(asks(""), "wait over-guarantee");
  EXPECT_EQ(asks(R"(,"required_node":"n2")"), "preempt v,w");
}

TEST(Guarantee, RequiredNodeHasItsOwnQueueToTakeFrom) {
  Scene scene = guarantee();
  scene.queue("root.a", guaranteed(8)).node("n1", 8);
  scene.runs("v", "n1", 8, in_queue("root.a"));
  scene.job("p", in_queue("root.a"), R"({"resources":{"cpu":4},"required_node":"n1"})");
  EXPECT_EQ(scene.asks(), "preempt v") << "equal priority, same leaf";
}

// Such a task would take its place back, so it gives way only to a higher priority.
TEST(Guarantee, ARunningTaskBoundToItsNodeGivesWayToHigherPrioritiesOnly) {
  const auto spared = [](int own, int theirs, const JsonObject& task) {
    Scene scene = guarantee();
    scene.queue("root.a", guaranteed(8)).queue("root.b", R"("priority_offset":2)").node("n1", 8);
    scene.job("v", in_queue("root.b", {{"state", "running"}, {"started", 900000}, {"priority", theirs}}),
              {scene.task("n1", 8, task)});
    return scene.waits("p", 8, in_queue("root.a", {{"priority", own}})).eligibility_of("v");
  };
  const JsonObject bound{{"required_node", "n1"}};
  EXPECT_EQ(spared(5, 3, {}), "eligible") << "5 and 5";
  EXPECT_EQ(spared(5, 3, bound), "priority");
  EXPECT_EQ(spared(5, 2, bound), "eligible") << "5 and 4";
  EXPECT_EQ(spared(5, 4, bound), "priority");
}

TEST(Guarantee, OneTaskPerPlan) {
  const auto placed = [](std::string_view more, std::string_view settings = {}) {
    Scene scene = guarantee(settings);
    scene.queue("root.prod", guaranteed(12)).queue("root.test").node("n1", 12);
    for (const char* id : {"v1", "v2", "v3"}) scene.runs(id, "n1", 4, in_queue("root.test"));
    const Plan plan = scene.waits("p", 4, in_queue("root.prod", more), 3).plan();
    EXPECT_EQ(plan.victims.size(), plan.placement.size());
    return plan.placement.size();
  };
  EXPECT_EQ(placed(""), 1u);
  EXPECT_EQ(placed("", R"("tasks_per_plan":2)"), 2u);
  EXPECT_EQ(placed(R"("gang":true)"), 3u);
}

TEST(Guarantee, ReliefKeepsGuarantees) {
  const auto relieve = [](int guarantee_of_a) {
    return in_words(guarantee()
                        .queue("root.a", guaranteed(guarantee_of_a))
                        .queue("root.b")
                        .node("n1", 8)
                        .runs("a", "n1", 6, in_queue("root.a", R"("started":950000)"))
                        .runs("b", "n1", 6, in_queue("root.b", R"("priority":9)"))
                        .relief("node:n1"));
  };
  EXPECT_EQ(relieve(0), "preempt a");
  EXPECT_EQ(relieve(6), "preempt b");
  EXPECT_EQ(in_words(guarantee()
                         .queue("root.a", guaranteed(12))
                         .node("n1", 8)
                         .runs("a", "n1", 6, in_queue("root.a"))
                         .runs("b", "n1", 6, in_queue("root.a"))
                         .relief("node:n1")),
            "preempt a")
      << "the capacity does not exist, so guarantees give way at last";
}

}  // namespace
}  // namespace cede
