// SPDX-License-Identifier: MIT
#include <array>

#include "plan_fixture.h"

namespace cede {
namespace {

Scene class_cost(std::string_view settings = {}) { return Scene("class-cost", settings, "gpu"); }

JsonObject of_class(int value, const JsonObject& more = R"("checkpoint":{"mode":"auto"})") {
  return JsonObject{{"class", value}}.put_all(more);
}

// What keeps a full node's only job from giving way.
std::string spared(const JsonObject& victim, const JsonObject& requester = R"("class":9)",
                   std::string_view settings = {}) {
  return class_cost(settings)
      .node("n1", 8)
      .runs("v", "n1", 8, victim)
      .waits("p", 4, requester)
      .eligibility_of("v");
}

TEST(ClassCost, AnyLowerClassGivesWay) {
  for (int own = 0; own <= 10; ++own) {
    for (int theirs = 0; theirs <= 9; ++theirs) {
      EXPECT_EQ(spared(of_class(theirs), of_class(own)), theirs < own ? "eligible" : "class")
          << theirs << " to " << own;
    }
  }
}

TEST(ClassCost, BandedClassesGiveWayToAHigherBand) {
  static constexpr std::array<int, 10> kTakenFrom{1, 4, 4, 4, 7, 7, 7, 10, 10, 10};
  for (int own = 0; own <= 10; ++own) {
    for (int theirs = 0; theirs <= 9; ++theirs) {
      EXPECT_EQ(spared(of_class(theirs), of_class(own), R"("class_rule":"banded")"),
                own >= kTakenFrom[static_cast<std::size_t>(theirs)] ? "eligible" : "class")
          << theirs << " to " << own;
    }
  }
}

TEST(ClassCost, ClassIsFourByDefault) {
  EXPECT_EQ(spared("", of_class(5)), "eligible");
  EXPECT_EQ(spared("", of_class(4)), "class");
  EXPECT_EQ(spared(of_class(3), ""), "eligible");
  EXPECT_EQ(spared(of_class(4), ""), "class");
}

TEST(ClassCost, SensitiveCountsAsClassTen) {
  EXPECT_EQ(spared(of_class(1, R"("kind":"sensitive")"), of_class(10)), "sensitive");
  EXPECT_EQ(spared(of_class(10), of_class(10)), "sensitive");
  EXPECT_EQ(spared(of_class(9), of_class(0, R"("kind":"sensitive")")), "eligible");
}

TEST(ClassCost, UnsavedHighClass) {
  EXPECT_EQ(spared(of_class(7, "")), "unsaved-high-class");
  EXPECT_EQ(spared(of_class(7, R"("checkpoint":{"mode":"none"})")), "unsaved-high-class");
  EXPECT_EQ(spared(of_class(6, "")), "eligible");
  EXPECT_EQ(spared(of_class(7, R"("checkpoint":{"mode":"auto"})")), "eligible");
  EXPECT_EQ(spared(of_class(7, R"("checkpoint":{"mode":"manual"})")), "eligible");
}

TEST(ClassCost, NearCompletion) {
  EXPECT_EQ(spared(R"("started":999000,"walltime":1300)"), "near-completion") << "5m left";
  EXPECT_EQ(spared(R"("started":999000,"walltime":1301)"), "eligible");
  EXPECT_EQ(spared(R"("started":999000,"walltime":900)"), "near-completion") << "past its walltime";
  EXPECT_EQ(spared(R"("started":999000,"walltime":1060)", of_class(9), R"("near_completion_threshold":"1m")"),
            "near-completion");
  EXPECT_EQ(spared(R"("started":999000,"walltime":1061)", of_class(9), R"("near_completion_threshold":"1m")"),
            "eligible");
  EXPECT_EQ(spared(R"("started":990000,"resumed":999000,"walltime":1301)"), "eligible")
      << "elapsed time counts from `resumed`";
}

// Tasks that were added late end with their job.
TEST(ClassCost, NearCompletionOfAnElasticJobIsThatOfItsTasks) {
  const auto asks = [](const JsonObject& times) {
    Scene scene = class_cost();
    JsonObject v(R"("state":"running","class":1,"gang":true,"min_tasks":1,"walltime":10000)");
    return scene.node("n1", 8)
        .job("v", v.put_all(times),
             {scene.task("n1", 4, R"("started":990100)"), scene.task("n1", 4, R"("started":999000)")})
        .waits("p", 4, R"("class":9)")
        .eligibility_of("v");
  };
  EXPECT_EQ(asks(""), "near-completion") << "its oldest task has 100 s left";
  EXPECT_EQ(asks(R"("started":990200)"), "near-completion");
  EXPECT_EQ(asks(R"("started":995000)"), "eligible") << "the job's own start counts for all";
  EXPECT_EQ(asks(R"("started":990100,"resumed":995000)"), "eligible");
}

// n1 is at home in root.a; v runs on it and, as a gang, on another node.
Scene at_home(std::string_view other_home, std::string_view settings = {}) {
  Scene scene = class_cost(settings);
  scene.queue("root.a").queue("root.a.x").queue("root.b").queue("root.c");
  scene.node("n1", 8, R"("home":"root.a")");
  scene.node("n2", 8, other_home.empty() ? JsonObject() : JsonObject{{"home", other_home}});
  scene.job("v", R"("queue":"root.a","state":"running","started":900000)",
            {scene.task("n1", 8), scene.task("n2", 8)});
  return scene;
}

JsonObject of_class_in_queue(std::string_view queue, int job_class) {
  return in_queue(queue, of_class(job_class));
}

TEST(ClassCost, HomeIsLeftAloneByOthers) {
  EXPECT_EQ(at_home("").waits("p", 8, of_class_in_queue("root.b", 9)).eligibility_of("v"), "home");
  EXPECT_EQ(at_home("root.a").waits("p", 8, of_class_in_queue("root.b", 9)).eligibility_of("v"), "home");
  EXPECT_EQ(at_home("").waits("p", 8, of_class_in_queue("root.a", 9)).asks(), "preempt v");
  EXPECT_EQ(at_home("").waits("p", 8, of_class_in_queue("root.a.x", 9)).asks(), "preempt v");
  EXPECT_EQ(at_home("", R"("protect_home":false)").waits("p", 8, of_class_in_queue("root.b", 9)).asks(),
            "preempt v");
}

TEST(ClassCost, HomeGivesWayToClassTen) {
  const Plan plan = at_home("").waits("p", 8, of_class_in_queue("root.b", 10)).plan();
  EXPECT_EQ(in_words(plan), "preempt v");
  EXPECT_EQ(nodes_of(plan), "n2") << "and not on the borrowed node";
}

TEST(ClassCost, AGangIsBorrowedIfOneOfItsNodesIs) {
  EXPECT_EQ(at_home("root.b").waits("p", 8, of_class_in_queue("root.c", 9)).asks(), "preempt v");
  EXPECT_EQ(at_home("root.a.x").waits("p", 8, of_class_in_queue("root.c", 9)).asks(), "preempt v")
      << "a queue below does not make it its own";
  EXPECT_EQ(at_home("root").waits("p", 8, of_class_in_queue("root.c", 9)).eligibility_of("v"), "home")
      << "a queue above does";
}

TEST(ClassCost, ServicesGiveWayOnBorrowedNodesOnly) {
  for (const char* kind : {"service", "inference", "batch"}) {
    const auto on = [&](std::string_view home) {
      return class_cost(R"("protect_home":false)")
          .queue("root.a")
          .queue("root.b")
          .node("n1", 8, home.empty() ? JsonObject() : JsonObject{{"home", home}})
          .runs("v", "n1", 8, JsonObject(R"("queue":"root.a")").put("kind", kind))
          .waits("p", 8, of_class_in_queue("root.b", 9))
          .eligibility_of("v");
    };
    const std::string otherwise = kind == std::string_view("batch") ? "eligible" : "home-service";
    EXPECT_EQ(on("root.b"), "eligible") << kind;
    EXPECT_EQ(on("root.a"), otherwise) << kind;
    EXPECT_EQ(on(""), otherwise) << kind << ": no job borrows a node without home";
  }
}

TEST(ClassCost, BorrowedNodesTakeNoJobThatCouldNotLeaveThem) {
  const auto asks = [](const JsonObject& requester, std::string_view settings = {}) {
    return class_cost(settings)
        .queue("root.a")
        .queue("root.b")
        .node("n1", 8, R"("home":"root.b")")
        .runs("v", "n1", 8, R"("queue":"root.a","class":1)")
        .waits("p", 8, JsonObject(R"("queue":"root.a")").put_all(requester))
        .asks();
  };
  EXPECT_EQ(asks(of_class(9)), "preempt v");
  EXPECT_EQ(asks(of_class(6, "")), "preempt v");
  EXPECT_EQ(asks(of_class(7, "")), "wait nodes-unavailable") << "unsaved and of a high class";
  EXPECT_EQ(asks(of_class(10)), "wait nodes-unavailable");
  EXPECT_EQ(asks(of_class(5, R"("preemptible":false)")), "wait nodes-unavailable");
  EXPECT_EQ(asks(of_class(5, R"("preemptible":false)"), R"("avoid_borrowed":false)"), "preempt v");
  Scene idle = class_cost().queue("root.b").node("n1", 8, R"("home":"root.b")");
  EXPECT_EQ(Scene(idle).waits("p", 8, of_class(5)).asks(), "fits");
  EXPECT_EQ(Scene(idle).waits("p", 8, of_class(7, "")).asks(), "wait nodes-unavailable");
  idle.node("n2", 8);
  EXPECT_EQ(nodes_of(idle.waits("p", 8, of_class(7, "")).plan()), "n2");
}

// The parts of the price of one victim, in thousandths of a minute.
std::string price_of(const JsonObject& members, std::string_view settings = {}, int gpus = 4,
                     std::string_view queue_members = {}) {
  const Plan plan = class_cost(settings)
                        .queue("root.q", queue_members)
                        .node("n1", 8)
                        .runs("v", "n1", gpus, JsonObject(R"("queue":"root.q","class":1)").put_all(members))
                        .waits("p", 8, R"("class":9)")
                        .plan();
  EXPECT_EQ(in_words(plan), "preempt v") << members.text();
  if (plan.victims.empty()) return {};
  std::string out;
  for (const CostPart& part : plan.victims[0].cost_parts)
    out += (out.empty() ? "" : " ") + std::string(part.name) + '=' + std::to_string(part.value);
  return out;
}

std::string parts(std::int64_t checkpoint, std::int64_t recompute, std::int64_t walltime,
                  std::int64_t overhead = 1000) {
  return "checkpoint=" + std::to_string(checkpoint) + " recompute=" + std::to_string(recompute) +
         " walltime=" + std::to_string(walltime) + " overhead=" + std::to_string(overhead);
}

TEST(ClassCost, PriceOfACheckpoint) {
  EXPECT_EQ(price_of(R"("checkpoint":{"mode":"auto"})"), parts(5000, 0, 0));
  EXPECT_EQ(price_of(R"("checkpoint":{"mode":"auto"})", R"("checkpoint_estimate":"2m")"), parts(2000, 0, 0));
  EXPECT_EQ(price_of(R"("checkpoint":{"mode":"auto","estimate":90})"), parts(1500, 0, 0));
  EXPECT_EQ(price_of(R"("checkpoint":{"mode":"manual","estimate":90})"), parts(10000, 0, 0))
      << "the policy's timeout";
  EXPECT_EQ(price_of(R"("checkpoint":{"mode":"manual"})", R"("checkpoint_timeout":"4m")"), parts(4000, 0, 0));
  EXPECT_EQ(price_of(R"("checkpoint":{"mode":"manual","timeout":"7m"})"), parts(7000, 0, 0));
  EXPECT_EQ(price_of(R"("checkpoint":{"mode":"auto","estimate":1})"), parts(17, 0, 0)) << "16.67";
  EXPECT_EQ(price_of(R"("checkpoint":{"mode":"auto"})", R"("checkpoint_weight":2)"), parts(10000, 0, 0));
  EXPECT_EQ(price_of(R"("checkpoint":{"mode":"auto"})", "", 4, R"("kind":"training")"), parts(15000, 0, 0))
      << "three times as much in a training queue";
  EXPECT_EQ(price_of(R"("checkpoint":{"mode":"auto"},"kind":"training")"), parts(5000, 0, 0))
      << "the queue's kind counts, not the job's";
  EXPECT_EQ(price_of(R"("checkpoint":{"mode":"auto"})", "", 4,
                     R"("kind":"training","settings":{"checkpoint_weight":1.5})"),
            parts(7500, 0, 0));
  EXPECT_EQ(price_of(R"("checkpoint":{"mode":"auto"})", R"("victim_overhead":2.5)"), parts(5000, 0, 0, 2500));
}

TEST(ClassCost, PriceOfLostWork) {
  EXPECT_EQ(price_of(R"("started":999400)"), parts(0, 40000, 0)) << "10 minutes on 4 GPUs";
  EXPECT_EQ(price_of(R"("started":999400,"checkpoint":{"mode":"none","last":999940})"), parts(0, 4000, 0));
  EXPECT_EQ(price_of(R"("started":999400,"resumed":999880)"), parts(0, 8000, 0));
  EXPECT_EQ(price_of(R"("started":999400)", R"("recompute_weight":0.5)"), parts(0, 20000, 0));
  EXPECT_EQ(price_of(R"("started":999400,"checkpoint":{"mode":"auto"})"), parts(5000, 0, 0))
      << "only for jobs that cannot save";
  EXPECT_EQ(price_of(R"("started":999940)", R"("recompute_weight":0.0005)", 1), parts(0, 1, 0)) << "0.5";
  EXPECT_EQ(price_of(R"("started":999940)", R"("recompute_weight":0.0004)", 1), parts(0, 0, 0)) << "0.4";
}

TEST(ClassCost, WithoutGpusNodesCount) {
  Scene scene("class-cost", "", "cpu");
  scene.node("n1", 8).node("n2", 8);
  scene.job("v", R"("state":"running","started":999400,"class":1)",
            {scene.task("n1", 4), scene.task("n1", 4), scene.task("n2", 8)});
  const Plan plan = scene.waits("p", 8, R"("class":9)").plan();
  ASSERT_EQ(in_words(plan), "preempt v");
  EXPECT_EQ(plan.victims[0].cost_parts[1].value, 20000) << "10 minutes on 2 nodes";
}

TEST(ClassCost, PriceOfTheTimeRun) {
  const auto after = [](int elapsed, int walltime, std::string_view settings = {}) {
    return price_of({{"checkpoint", JsonObject{{"mode", "auto"}}},
                     {"walltime", walltime},
                     {"started", Scene::kNow - elapsed}},
                    settings);
  };
  EXPECT_EQ(after(9000, 10000), parts(5000, 0, 90000)) << "f = 0.9";
  EXPECT_EQ(after(9001, 10000), parts(5000, 0, 1000000)) << "f > 0.9";
  EXPECT_EQ(after(1000, 10000), parts(5000, 0, 10000)) << "f = 0.1";
  EXPECT_EQ(after(999, 10000), parts(5000, 0, 1000)) << "f < 0.1";
  EXPECT_EQ(after(10000, 30000), parts(5000, 0, 33333));
  EXPECT_EQ(after(20000, 30000), parts(5000, 0, 66667));
  EXPECT_EQ(after(100001, 200000), parts(5000, 0, 50001)) << "50000.5";
  EXPECT_EQ(after(5001, 10000, R"("near_completion_fraction":0.5)"), parts(5000, 0, 1000000));
  EXPECT_EQ(after(4999, 10000, R"("just_started_fraction":0.5)"), parts(5000, 0, 1000));
}

// One victim of 6 minutes: 5 for its checkpoint, 1 for being one.
Plan objective_value(std::string_view requester, std::string_view settings = {}) {
  return class_cost(settings)
      .node("n1", 8)
      .runs("v", "n1", 8, of_class(1))
      .waits("p", 4, JsonObject(R"("class":9)").put_all(requester))
      .plan();
}

TEST(ClassCost, VictimsMustCostLessThanTheRequestIsWorth) {
  EXPECT_EQ(in_words(objective_value(R"("value":6.001)")), "preempt v");
  const Plan equal = objective_value(R"("value":6)");
  EXPECT_EQ(in_words(equal), "wait value-exceeded");
  EXPECT_EQ(equal.reason, "the victims would cost 6 minutes, the request is worth 6");
  EXPECT_EQ(in_words(objective_value(R"("value":0)")), "wait value-exceeded");
  EXPECT_EQ(in_words(objective_value(R"("walltime":1800)", R"("value_per_gpu_hour":3)")),
            "wait value-exceeded")
      << "4 GPUs for half an hour";
  EXPECT_EQ(in_words(objective_value(R"("walltime":1801)", R"("value_per_gpu_hour":3)")), "preempt v");
  EXPECT_EQ(in_words(objective_value(R"("walltime":1800,"value":7)", R"("value_per_gpu_hour":3)")),
            "preempt v")
      << "its own value counts first";
}

TEST(ClassCost, WithoutAValueThePlanSaysSo) {
  const std::string remark = "the request has no value, so its cost was not compared with one";
  EXPECT_NE(objective_value(R"("walltime":60)").reason.find(remark), std::string::npos);
  EXPECT_NE(objective_value(R"("priority":1)", R"("value_per_gpu_hour":3)").reason.find(remark),
            std::string::npos)
      << "a rate without a walltime";
  EXPECT_EQ(objective_value(R"("value":7)").reason.find(remark), std::string::npos);
  EXPECT_EQ(objective_value(R"("walltime":3600)", R"("value_per_gpu_hour":3)").reason.find(remark),
            std::string::npos);
}

TEST(ClassCost, PriceDecidesUnlessClassComesFirst) {
  Scene scene = class_cost();
  scene.node("n1", 8);
  scene.runs("a-low", "n1", 4, of_class(1, R"("checkpoint":{"mode":"auto","estimate":"9m"})"));
  scene.runs("b-high", "n1", 4, of_class(3, R"("checkpoint":{"mode":"auto","estimate":"1m"})"));
  scene.waits("p", 4, R"("class":9)");
  const Plan by_price = scene.plan();
  EXPECT_EQ(in_words(by_price), "preempt b-high");
  EXPECT_EQ(objective_names(by_price),
            "last-resort price class checkpoint victims freed preferences borrowed");
  EXPECT_EQ(by_price.cost, 2000);
  const Plan by_class = scene.settings(R"("class_first":true)").plan();
  EXPECT_EQ(in_words(by_class), "preempt a-low");
  EXPECT_EQ(objective_names(by_class),
            "last-resort class price checkpoint victims freed preferences borrowed");
}

TEST(ClassCost, OfEqualPriceTheLowerClassThenLessToSave) {
  EXPECT_EQ(class_cost()
                .node("n1", 8)
                .runs("a", "n1", 4, of_class(3))
                .runs("b", "n1", 4, of_class(2))
                .waits("p", 4, R"("class":9)")
                .asks(),
            "preempt b");
  EXPECT_EQ(class_cost()
                .node("n1", 8)
                .runs("a", "n1", 4, of_class(3).put("started", 999999))
                .runs("b", "n1", 4, of_class(3, R"("started":999925)"))
                .waits("p", 4, R"("class":9)")
                .asks(),
            "preempt b")
      << "75 seconds on 4 GPUs are lost instead of 5 minutes spent on a checkpoint";
}

// Four cheap jobs on one node, two dear ones on another.
Scene many_or_dear(std::string_view settings = {}) {
  Scene scene = class_cost(settings);
  scene.node("n1", 8).node("n2", 8);
  for (const char* id : {"c1", "c2", "c3", "c4"})
    scene.runs(id, "n1", 2, of_class(1, R"("checkpoint":{"mode":"auto","estimate":1})"));
  return scene.waits("p", 8, R"("class":9)");
}

TEST(ClassCost, ThreeVictimsAtMost) {
  const Plan plan = many_or_dear().runs("k", "n2", 8, of_class(9)).plan();
  EXPECT_EQ(in_words(plan), "wait max-victims");
  EXPECT_EQ(plan.reason, "4 jobs would have to go, max_victims is 3");
  EXPECT_EQ(many_or_dear(R"("max_victims":4)").runs("k", "n2", 8, of_class(9)).asks(), "preempt c1,c2,c3,c4");
  Scene dear = many_or_dear().runs("d1", "n2", 4, of_class(1)).runs("d2", "n2", 4, of_class(1));
  EXPECT_EQ(dear.asks(), "preempt d1,d2") << "dearer, but few enough";
  const Plan none = dear.settings(R"("max_victims":1)").plan();
  EXPECT_EQ(in_words(none), "wait max-victims");
  EXPECT_EQ(none.reason, "2 jobs would have to go, max_victims is 1") << "the smallest figure";
}

// So many units that the proof does not come from trying sets.
TEST(ClassCost, ThreeVictimsAtMostOnAFullCluster) {
  const auto plan = [](std::string_view settings) {
    Scene scene = class_cost(settings);
    for (int n = 0; n < 30; ++n) {
      const std::string node = "n" + std::to_string(n);
      scene.node(node, 8);
      for (int k = 0; k < 4; ++k) scene.runs(node + "-" + std::to_string(k), node, 2, of_class(1));
    }
    return scene.waits("p", 8, R"("class":9)", 3).plan();
  };
  EXPECT_EQ(in_words(plan("")), "wait max-victims");
  EXPECT_EQ(plan("").reason, "12 jobs would have to go, max_victims is 3");
  EXPECT_EQ(plan(R"("max_victims":11)").reason, "12 jobs would have to go, max_victims is 11");
  EXPECT_EQ(plan(R"("max_victims":12)").victims.size(), 12u);
}

TEST(ClassCost, LostWorkInsteadOfThePrice) {
  Scene scene = class_cost();
  scene.node("n1", 8);
  scene.runs("saved", "n1", 4, of_class(1, R"("checkpoint":{"mode":"auto","restart":"1h"})"));
  scene.runs("unsaved", "n1", 4, of_class(1, R"("started":999400)"));
  scene.waits("p", 4, R"("class":9)");
  EXPECT_EQ(scene.asks(), "preempt saved");
  const Plan plan = scene.settings(R"("cost_model":"lost-work")").plan();
  EXPECT_EQ(in_words(plan), "preempt unsaved");
  EXPECT_EQ(objective_names(plan),
            "last-resort lost-work class checkpoint victims freed preferences borrowed");
  EXPECT_EQ(plan.cost, 40000) << "10 minutes on 4 GPUs";
}

TEST(ClassCost, AVictimThatCanSaveIsAskedTo) {
  const auto leaves = [](std::string_view checkpoint, std::string_view settings = {}) {
    const Plan plan = class_cost(settings)
                          .node("n1", 8)
                          .runs("v", "n1", 8, of_class(1, checkpoint))
                          .waits("p", 8, R"("class":9)")
                          .plan();
    return std::string(to_word(plan.victims.at(0).action, kVictimActions)) +
           (plan.victims[0].requeue ? " requeue" : "");
  };
  EXPECT_EQ(leaves(R"("checkpoint":{"mode":"auto"})"), "checkpoint requeue");
  EXPECT_EQ(leaves(R"("checkpoint":{"mode":"manual"})"), "checkpoint requeue");
  EXPECT_EQ(leaves(R"("checkpoint":{"mode":"none"})"), "terminate requeue");
  EXPECT_EQ(leaves(""), "terminate requeue");
  EXPECT_EQ(leaves("", R"("requeue":"saved")"), "terminate");
  EXPECT_EQ(leaves(R"("checkpoint":{"mode":"auto"})", R"("requeue":"saved")"), "checkpoint requeue");
  EXPECT_EQ(leaves(R"("checkpoint":{"mode":"auto"})", R"("requeue":"never")"), "checkpoint");
}

TEST(ClassCost, WhenACheckpointEnds) {
  const Plan plan = class_cost()
                        .node("n1", 8)
                        .runs("v", "n1", 8, of_class(1, R"("checkpoint":{"mode":"auto","estimate":"2m"})"))
                        .waits("p", 8, R"("class":9)")
                        .plan();
  EXPECT_EQ(plan.cause, "priority");
  EXPECT_EQ(plan.expected_start, Scene::later(120 + 30));
  EXPECT_EQ(plan.latest_start, Scene::later(900 + 300 + 60)) << "timeout and a half, deferral, grace twice";
}

// A job may estimate more than its timeout allows.
TEST(ClassCost, NoStartIsExpectedAfterTheLatest) {
  const Plan plan = class_cost()
                        .node("n1", 8)
                        .runs("v", "n1", 8, of_class(1, R"("checkpoint":{"mode":"auto","estimate":"10h"})"))
                        .waits("p", 8, R"("class":9)")
                        .plan();
  EXPECT_EQ(plan.latest_start, Scene::later(900 + 300 + 60));
  EXPECT_EQ(plan.expected_start, plan.latest_start);
}

TEST(ClassCost, AQueuesMaxIsNoReasonToPreempt) {
  const auto asks = [](int most) {
    return class_cost()
        .queue("root.a", {{"max", JsonObject{{"gpu", most}}}})
        .node("n1", 8)
        .runs("v", "n1", 6, R"("queue":"root.a","class":1)")
        .waits("p", 4, R"("queue":"root.a","class":9)")
        .asks();
  };
  EXPECT_EQ(asks(9), "wait queue-max");
  EXPECT_EQ(asks(10), "preempt v");
  EXPECT_EQ(asks(3), "impossible") << "the max is smaller than the request";
}

TEST(ClassCost, ASensitiveClaimIsStoppedByWhatIsSensitiveOrLeavingAlready) {
  const auto claims = [](std::string_view victim, bool leaving = false) {
    const Scene scene = class_cost().queue("root.a").node("n1", 8).runs("v", "n1", 8, victim);
    const Loaded loaded(scene.cluster(), scene.policy());
    Problems problems;
    const std::optional<Plan> plan =
        loaded.engine.plan_claim("root.a", {"n1"}, "sensitive", kNoTime, {}, problems);
    EXPECT_TRUE(plan);
    if (!plan || !leaving) return plan ? in_words(*plan) : "";
    InFlight known;
    known.leaving = {plan->model().jobs[plan->model().find_job("v")].first_task};
    Query query;
    query.purpose = Purpose::sensitive_claim;
    query.queue = plan->subject.queue;
    query.claimed = plan->subject.claimed;
    query.now = Scene::later(0);
    const auto in_flight = std::make_shared<const InFlight>(known);
    return in_words(decide({plan->snapshot, loaded.engine.policies(), in_flight}, query));
  };
  EXPECT_EQ(claims(R"("class":9,"preemptible":false)"), "preempt v");
  EXPECT_EQ(claims(R"("class":10)"), "wait claim-blocked");
  EXPECT_EQ(claims(R"("class":1)", true), "wait claim-blocked");
}

TEST(ClassCost, ReliefOfNodesOnly) {
  Scene scene = class_cost();
  scene.queue("root.a", R"("max":{"gpu":4})").node("n1", 8);
  scene.runs("v", "n1", 6, R"("queue":"root.a","class":1,"max":{"gpu":4})").runs("w", "n1", 6, of_class(3));
  EXPECT_EQ(in_words(scene.relief("queue:root.a")), "wait no-quota-preemption");
  EXPECT_EQ(in_words(scene.relief("job:v")), "wait no-quota-preemption");
  const Plan node = scene.relief("node:n1");
  EXPECT_EQ(in_words(node), "preempt w") << "the cheaper one";
  EXPECT_EQ(node.cause, "overcommit");
}

}  // namespace
}  // namespace cede
