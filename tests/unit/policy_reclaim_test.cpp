// SPDX-License-Identifier: MIT
// Reclaim as a decision: a waiting job takes back its queue's home nodes without a claim.
#include "closed_loop.h"
#include "plan_fixture.h"

namespace cede {
namespace {

// n1 and n2 are at home in root.home.
Scene lent(std::string_view settings = {}) {
  Scene scene("class-cost", settings, "gpu");
  scene.queue("root.home").queue("root.home.x").queue("root.guest").queue("root.other");
  scene.node("n1", 8, R"("home":"root.home")").node("n2", 8, R"("home":"root.home")");
  return scene;
}

JsonObject guest(int job_class, std::string_view estimate = "5m", const JsonObject& more = {}) {
  const JsonObject checkpoint{{"mode", "auto"}, {"estimate", estimate}};
  return in_queue("root.guest").put("class", job_class).put("checkpoint", checkpoint).put_all(more);
}

JsonObject of_home(int job_class, std::string_view queue = "root.home") {
  return in_queue(queue).put("class", job_class);
}

Scene two_guests(std::string_view settings = {}) {
  return lent(settings).runs("g1", "n1", 8, guest(5, "9m")).runs("g2", "n2", 8, guest(5, "3m"));
}

TEST(Reclaim, TheCheapestLentNodeComesBackWhateverTheClass) {
  for (const int own : {0, 4, 5}) {
    const Plan plan = two_guests().waits("p", 8, of_home(own)).plan();
    EXPECT_EQ(in_words(plan), "preempt g2");
    EXPECT_EQ(nodes_of(plan), "n2");
    EXPECT_EQ(plan.cause, "reclaim");
    EXPECT_EQ(plan.subject.purpose, Purpose::job) << "the hold is the job's";
    EXPECT_EQ(objective_names(plan),
              "last-resort price reclaim class checkpoint victims freed preferences borrowed");
    EXPECT_EQ(
        plan.reason,
        "1 job gives way to 'p', which takes back nodes of its queue's home; the request has no value, so "
        "its cost was not compared with one");
  }
}

// n3 is free, and another queue's home: a job that takes back a node does not run there.
TEST(Reclaim, ANoSaysThatOnlyHomeNodesCount) {
  const Plan plan = two_guests(R"("avoid_borrowed":false)")
                        .node("n3", 8, R"("home":"root.other")")
                        .waits("p", 8, of_home(4), 3)
                        .plan();
  EXPECT_EQ(in_words(plan), "wait no-set");
  EXPECT_EQ(plan.reason,
            "even with all 2 eligible units gone it does not fit: 24 gpu needed, 16 there; only nodes of its "
            "own home, or of none, are counted: with victims that it takes back it runs there");
}

TEST(Reclaim, AQueueBelowTheHomeReclaimsAndAnotherDoesNot) {
  EXPECT_EQ(two_guests().waits("p", 8, of_home(5, "root.home.x")).asks(), "preempt g2");
  EXPECT_EQ(two_guests().waits("p", 8, of_home(5, "root.other")).eligibility_of("g2"), "class");
  EXPECT_EQ(two_guests().waits("p", 8, of_home(5, "root.guest")).eligibility_of("g2"), "class");
}

TEST(Reclaim, OnlyByClaimsWhereTheSettingSaysSo) {
  EXPECT_EQ(two_guests(R"("reclaim":"claims")").waits("p", 8, of_home(5)).eligibility_of("g2"), "class");
  const Plan by_class = two_guests(R"("reclaim":"claims")").waits("p", 8, of_home(6)).plan();
  EXPECT_EQ(in_words(by_class), "preempt g2");
  EXPECT_EQ(by_class.cause, "priority");
  EXPECT_EQ(objective_names(by_class),
            "last-resort price class checkpoint victims freed preferences borrowed");
}

TEST(Reclaim, TheCauseIsPriorityIfClassAllowsEveryVictim) {
  EXPECT_EQ(two_guests().waits("p", 8, of_home(6)).plan().cause, "priority");
  const Plan mixed =
      lent().runs("g1", "n1", 8, guest(5)).runs("g2", "n2", 8, guest(3)).waits("p", 8, of_home(4), 2).plan();
  EXPECT_EQ(in_words(mixed), "preempt g1,g2");
  EXPECT_EQ(mixed.cause, "reclaim");
}

TEST(Reclaim, EveryOtherRuleHolds) {
  const auto spared = [](const JsonObject& victim, std::string_view settings = {}) {
    return lent(settings)
        .runs("v", "n1", 8, victim)
        .runs("own", "n2", 8, of_home(9))
        .waits("p", 8, of_home(1))
        .eligibility_of("v");
  };
  EXPECT_EQ(spared(guest(9)), "eligible");
  EXPECT_EQ(spared(R"("queue":"root.guest","class":7)"), "unsaved-high-class");
  EXPECT_EQ(spared(guest(10)), "sensitive");
  EXPECT_EQ(spared(guest(5, "5m", R"("preemptible":false)")), "not-preemptible");
  EXPECT_EQ(spared(guest(5, "5m", R"("started":999990,"walltime":60)")), "near-completion");
  EXPECT_EQ(spared(guest(5), R"("min_runtime":"2000h")"), "min-runtime");
  EXPECT_EQ(spared(guest(5, "5m", R"("kind":"service")")), "eligible") << "it is on a borrowed node";
  EXPECT_EQ(lent()
                .limits(R"("cooldown":"1h")")
                .runs("v", "n1", 8, guest(5, "5m", R"("resumed":999000)"))
                .runs("own", "n2", 8, of_home(9))
                .waits("p", 8, of_home(1))
                .eligibility_of("v"),
            "cooldown");
}

TEST(Reclaim, LentUnitsCountNeitherForMaxVictimsNorForValue) {
  Scene many = lent(R"("max_victims":1)");
  for (const char* id : {"g1", "g2", "g3", "g4"}) many.runs(id, "n1", 2, guest(5));
  many.runs("own", "n2", 8, of_home(9));
  EXPECT_EQ(Scene(many).waits("p", 8, of_home(5)).asks(), "preempt g1,g2,g3,g4");
  EXPECT_EQ(Scene(many).waits("p", 8, of_home(6)).asks(), "preempt g1,g2,g3,g4")
      << "also where class allows it";
  EXPECT_EQ(Scene(many).waits("p", 8, of_home(5).put("value", 0)).asks(), "preempt g1,g2,g3,g4");
  EXPECT_EQ(two_guests(R"("reclaim":"claims")").waits("p", 8, of_home(6).put("value", 4)).asks(),
            "wait value-exceeded");
}

// What is not lent counts as ever: with one victim of class 2 allowed and two needed, the cap stands.
TEST(Reclaim, OtherVictimsStillCount) {
  const auto asks = [](std::string_view settings) {
    return lent(settings)
        .node("n3", 4)
        .runs("a", "n3", 2, in_queue("root.guest", R"("class":2)"))
        .runs("b", "n3", 2, in_queue("root.guest", R"("class":2)"))
        .runs("g1", "n1", 8, guest(9, "5m", R"("preemptible":false)"))
        .runs("g2", "n2", 8, guest(9, "5m"))
        .job("p", R"("queue":"root.home","class":3,"submitted":990000)",
             R"({"resources":{"gpu":8}},{"resources":{"gpu":4}})")
        .asks();
  };
  EXPECT_EQ(asks(R"("max_victims":2)"), "preempt a,b,g2");
  EXPECT_EQ(asks(R"("max_victims":1)"), "wait max-victims");
}

TEST(Reclaim, AtEqualPriceTheSetAllowedByClassWins) {
  Scene scene = lent();
  scene.node("n3", 8).runs("low", "n3", 8, guest(2)).runs("g", "n1", 8, guest(5));
  scene.runs("own", "n2", 8, in_queue("root.home", R"("class":9)"));
  EXPECT_EQ(Scene(scene).waits("p", 8, of_home(4)).asks(), "preempt low");
  Scene cheaper = lent();
  cheaper.node("n3", 8).runs("low", "n3", 8, guest(2)).runs("g", "n1", 8, guest(5, "4m"));
  cheaper.runs("own", "n2", 8, in_queue("root.home", R"("class":9)"));
  EXPECT_EQ(Scene(cheaper).waits("p", 8, of_home(4)).asks(), "preempt g") << "price comes first";
  // Even against a lower class: the victim that only reclaim allows is no better for it.
  Scene lower = lent();
  lower.node("n3", 8).runs("low", "n3", 8, guest(4)).runs("g", "n1", 8, guest(3));
  lower.runs("own", "n2", 8, in_queue("root.home", R"("class":9)"));
  EXPECT_EQ(lower.settings(R"("class_rule":"banded")").waits("p", 8, of_home(4)).asks(), "preempt g");
}

TEST(Reclaim, NothingIsPlacedOnBorrowedNodes) {
  // Two nodes are wanted; one is lent, the other is another queue's home.
  const auto with = [](std::string_view home) {
    Scene scene("class-cost", "", "gpu");
    scene.queue("root.home").queue("root.guest").queue("root.other");
    scene.node("n1", 8, R"("home":"root.home")");
    scene.node("n2", 8, home.empty() ? "" : R"("home":")" + std::string(home) + "\"");
    scene.runs("g", "n1", 8, guest(9));
    return scene.waits("p", 8, of_home(1), 2);
  };
  EXPECT_EQ(with("root.other").asks(), "wait no-set");
  EXPECT_EQ(with("").asks(), "preempt g") << "no job borrows a node without home";
  EXPECT_EQ(with("root").asks(), "preempt g") << "the home of a queue above is its own";
}

// The guest leaves n1 and m. The requester goes where no job can take it away by class.
TEST(Reclaim, TheRequesterGoesHome) {
  Scene scene("class-cost", "", "gpu");
  scene.queue("root.home").queue("root.guest");
  scene.node("n1", 8, R"("home":"root.home")").node("m", 8);
  scene.job("g", guest(9).put("state", "running").put("started", 900000),
            {scene.task("m", 8), scene.task("n1", 8)});
  EXPECT_EQ(nodes_of(Scene(scene).waits("p", 8, of_home(1)).plan()), "n1");
  EXPECT_EQ(Scene(scene).waits("p", 8, of_home(1), 2).asks(), "wait no-set");
}

TEST(Reclaim, TheDiscountIsAPartOfThePrice) {
  const auto parts = [](std::string_view settings, std::string_view queue) {
    const Plan plan =
        lent(settings)
            .runs("v", "n1", 8, in_queue(queue, R"("class":1,"started":999400,"walltime":1200)"))
            .runs("w", "n2", 8, of_home(9))
            .waits("p", 8, of_home(5))
            .plan();
    std::string out;
    for (const CostPart& part : plan.victims.empty() ? std::vector<CostPart>{} : plan.victims[0].cost_parts)
      out += std::string(part.name) + '=' + std::to_string(part.value) + ' ';
    return out + "cost=" + std::to_string(plan.cost);
  };
  EXPECT_EQ(parts("", "root.guest"), "checkpoint=0 recompute=80000 walltime=50000 overhead=1000 cost=131000");
  EXPECT_EQ(parts(R"("borrowed_discount":0.5)", "root.guest"),
            "checkpoint=0 recompute=80000 walltime=50000 overhead=1000 borrowed_discount=-65000 cost=66000");
  EXPECT_EQ(parts(R"("borrowed_discount":1)", "root.guest"),
            "checkpoint=0 recompute=80000 walltime=50000 overhead=1000 borrowed_discount=-130000 cost=1000");
  EXPECT_EQ(parts(R"("borrowed_discount":0.5)", "root.home"),
            "checkpoint=0 recompute=80000 walltime=50000 overhead=1000 borrowed_discount=0 cost=131000")
      << "at home it costs what it costs";
}

TEST(Reclaim, TheDiscountCountsForEveryRequester) {
  Scene scene = lent(R"("borrowed_discount":0.5)");
  scene.node("n3", 8).runs("g", "n1", 8, guest(2, "8m")).runs("own", "n2", 8, of_home(9));
  scene.runs("other", "n3", 8, guest(2, "6m"));
  EXPECT_EQ(scene.waits("p", 8, in_queue("root.other", R"("class":5)")).asks(), "preempt g")
      << "4 m against 6 m";
}

std::string class_cost_policy(std::string_view settings = {}) {
  return R"({"format":"cede-policy/1","policies":{"default":{"profile":"class-cost","settings":{)" +
         std::string(settings) + "}}}}";
}

ClosedLoop::Job loop_job(std::string id, std::string_view queue, int job_class,
                         std::vector<ClosedLoop::Task> tasks) {
  return {std::move(id),    in_queue(queue, R"("class":)" + std::to_string(job_class)),
          std::move(tasks), 990'000,
          990'000,          0};
}

// n1 is at home in a; b and d are queues beside it.
ClusterBuilder home_of_a() {
  ClusterBuilder cluster;
  cluster.group();
  cluster.queue("root");
  for (const char* queue : {"a", "b", "d"}) cluster.queue(queue, "root");
  cluster.node("n1", {{"cpu", 1}}).put("home", "a");
  return cluster;
}

// R (home a) would take V at its home and a node of d besides, Y would take R, V would take its node back
// from Y, and R would take V again.
TEST(Reclaim, ClassAndReclaimDoNotChaseEachOther) {
  for (const auto way : {ClosedLoop::Way::direct, ClosedLoop::Way::sequence}) {
    ClusterBuilder cluster = home_of_a();
    cluster.node("n3", {{"cpu", 1}}).put("home", "d");
    ClosedLoop loop(
        class_cost_policy(), cluster,
        {loop_job("V", "a", 4, {{1, "n1", 991'000}}), loop_job("R", "a", 5, {{1, "", 0}, {1, "", 0}}),
         loop_job("Y", "b", 6, {{1, "", 0}, {1, "", 0}})},
        way);
    EXPECT_GE(loop.run_to_rest(50), 0) << loop.history();
    EXPECT_EQ(loop.running("V"), 1);
  }
}

// A guest runs on n1 and m. If the owner took m instead of its own n1, the guest would take m again by class.
TEST(Reclaim, AGuestThatAlsoRunsElsewhereDoesNotComeBack) {
  for (const auto way : {ClosedLoop::Way::direct, ClosedLoop::Way::sequence}) {
    std::vector<ClosedLoop::Job> jobs{loop_job("G", "b", 6, {{1, "n1", 991'000}, {1, "m", 991'000}}),
                                      loop_job("R", "a", 1, {{1, "", 0}})};
    ClusterBuilder cluster = home_of_a();
    cluster.node("m", {{"cpu", 1}});
    ClosedLoop loop(class_cost_policy(), cluster, jobs, way);
    EXPECT_EQ(loop.run_to_rest(50), 1) << loop.history();
    EXPECT_EQ(loop.running("R"), 1);
  }
}

}  // namespace
}  // namespace cede
