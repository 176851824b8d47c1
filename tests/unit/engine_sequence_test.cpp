// SPDX-License-Identifier: MIT
#include "engine/engine.h"

#include <gtest/gtest.h>

#include "sequence_engine_fixture.h"

namespace cede {

namespace {

// Two full nodes of four, one of them half of two jobs; `p` wants two, `q` waits behind it.
Scene two_nodes() {
  return Scene("priority", R"("front_only":false)")
      .node("n1", 4)
      .node("n2", 4)
      .runs("v", "n1", 4, R"("priority":1,"started":900100)")
      .runs("w", "n2", 4, R"("priority":2)")
      .waits("p", 2, R"("priority":50)")
      .waits("q", 2, R"("priority":40)")
      .waits("r", 4, R"("priority":90)");
}

std::string waiting(const std::string& job, int amount, int priority) {
  const JsonObject task{{"count", 1}, {"resources", JsonObject{{"cpu", amount}}}};
  return JsonObject{{"id", job}, {"queue", "root"}, {"submitted", 990000}, {"priority", priority}}
      .put("tasks", JsonList{task})
      .text();
}

std::string running(const std::string& job, const std::string& node, int amount, int started = 1000010) {
  const JsonObject task{{"node", node}, {"resources", JsonObject{{"cpu", amount}}}};
  return JsonObject{{"id", job}, {"queue", "root"}, {"submitted", 990000}, {"state", "running"}}
      .put("priority", 50)
      .put("started", started)
      .put("tasks", JsonList{task})
      .text();
}

}  // namespace

TEST(EngineSequence, FromPlanToStartedJob) {
  Manager run(two_nodes());
  EXPECT_EQ(run.asks(), "preempt v");
  EXPECT_EQ(run.commit(), "1");
  EXPECT_EQ(run.asks(), "in-progress");
  EXPECT_EQ(run.step(0), "TERM v");
  EXPECT_EQ(run.step(1, run.done()), "");
  EXPECT_EQ(run.step(29), "");
  EXPECT_EQ(run.step(30), "KILL v");
  run.remove_job("v");
  ASSERT_EQ(run.step(31), "gone v, start p");
  EXPECT_EQ(run.last.actions[1].placement[0].node, "n1");
  run.put_job(running("p", "n1", 2));
  std::vector<Event> events = run.done();
  events.push_back(about(EventKind::started, "p"));
  EXPECT_EQ(run.step(32, events), "release-hold");
  run.step(33, run.done());
  EXPECT_EQ(run.engine.sequence().ledger().size(), 0u);
  EXPECT_EQ(run.asks("q"), "fits");
}

// The victim holds four, the requester takes two: no other job gets the other two until it has started.
TEST(EngineSequence, SpaceInFlightIsUsedByNoOtherJob) {
  Manager run(two_nodes());
  ASSERT_EQ(run.commit(), "1");
  const Plan other = run.plan("q");
  EXPECT_EQ(in_words(other), "preempt w");
  EXPECT_EQ(excluded_by(other, "v"), "held");
  run.step(0);
  run.step(1, {about(EventKind::released, "v")});
  run.put_job(waiting("v", 4, 1));
  EXPECT_EQ(run.asks("q"), "preempt w");  // not into the space of v, which is free by now
  EXPECT_EQ(run.asks("v").substr(0, 4), "wait");
}

TEST(EngineSequence, APlanThatFitsKeepsItsPlace) {
  Manager run(Scene("priority", R"("front_only":false)").node("n1", 4).waits("p", 3).waits("q", 3));
  EXPECT_EQ(run.asks("q"), "fits");
  ASSERT_EQ(run.commit(), "1");
  EXPECT_EQ(run.step(0), "start p");
  EXPECT_NE(run.asks("q"), "fits");
  EXPECT_EQ(run.state_of("p"), "ready");
  EXPECT_EQ(run.step(601), "release-hold");  // nobody started it
  EXPECT_EQ(run.asks("q"), "fits");
}

TEST(EngineSequence, AStalePlanChangesNothing) {
  Manager run(two_nodes());
  const Plan plan = run.plan();
  run.remove_job("v");
  const std::uint64_t revision = run.engine.revision();
  EXPECT_EQ(run.commit(plan), "the plan is stale: job 'v' is gone");
  EXPECT_EQ(run.engine.revision(), revision);
  EXPECT_EQ(run.engine.sequence().ledger().size(), 0u);

  Manager fits(two_nodes());
  const Plan victims = fits.plan();
  fits.apply(R"("put":{"nodes":[{"id":"n3","resources":{"cpu":4}}]})");
  EXPECT_EQ(
      fits.commit(victims),
      "the plan is stale: now the answer is 'fits': it fits into free space; no job has to be preempted");

  Manager taken(two_nodes());
  const Plan first = taken.plan("p");
  const Plan second = taken.plan("q");
  ASSERT_EQ(in_words(second), "preempt v");
  ASSERT_EQ(taken.commit(first), "1");
  EXPECT_EQ(taken.commit(second), "the plan is stale: job 'v' is already on its way out for entry 1");
}

TEST(EngineSequence, ASecondCommitOfAPlanNamesItsEntry) {
  Manager run(two_nodes());
  const Plan plan = run.plan();
  ASSERT_EQ(run.commit(plan), "1");
  EXPECT_EQ(run.commit(plan), "the plan is stale: its victims are already on their way out for entry 1");
  run.step(0);
  run.step(1, {about(EventKind::released, "v")});
  EXPECT_EQ(run.commit(plan), "the plan is stale: entry 1 for job 'p' is not finished");

  Manager idle(Scene("priority").node("n1", 4).waits("p", 3));
  const Plan fits = idle.plan();
  ASSERT_EQ(idle.commit(fits), "1");
  EXPECT_EQ(idle.commit(fits), "the plan is stale: entry 1 for job 'p' is not finished");
}

// The reason of a job that waits for space held for other jobs names them.
TEST(EngineSequence, AWaitNamesTheHolderOfTheSpace) {
  Manager run(Scene("priority", R"("front_only":false)")
                  .node("n1", 4)
                  .node("n2", 2)
                  .waits("p", 3)
                  .waits("r", 1)
                  .waits("q", 3, R"("may_preempt":false)"));
  ASSERT_EQ(run.commit(run.plan("p")), "1");
  ASSERT_EQ(run.commit(run.plan("r")), "2");
  EXPECT_EQ(run.plan("q").reason,
            "the job may not preempt, and the request does not fit into what is free; it would fit into "
            "space that is held for "
            "job 'p' (entry 1)");
  EXPECT_EQ(in_words(run.plan("q")), "wait may-not-preempt");
}

TEST(EngineSequence, AWaitNamesTheQueueThatClaimedTheNode) {
  Manager run(Scene("class-cost")
                  .queue("root.a")
                  .queue("root.b")
                  .node("n1", 4, R"("home":"root.a")")
                  .waits("q", 3, in_queue("root.b", R"("class":5)")));
  Problems problems;
  const std::optional<Plan> claim =
      run.engine.plan_claim("root.a", {"n1"}, "reclaim", Scene::later(0), {}, problems);
  ASSERT_TRUE(claim);
  ASSERT_EQ(run.commit(*claim), "1");
  const std::string reason = run.plan("q").reason;
  EXPECT_NE(reason.find("; it would fit into space that is held for queue 'root.a' (entry 1)"),
            std::string::npos)
      << reason;
}

TEST(EngineSequence, AJobThatRunsSaysSo) {
  Manager run(two_nodes());
  EXPECT_EQ(run.plan("v").reason, "the job is running, and none of its tasks waits");
}

TEST(EngineSequence, APlanHoldsThroughChangesThatDoNotConcernIt) {
  Manager run(two_nodes());
  const Plan plan = run.plan();
  run.put_job(waiting("z", 1, 3));
  EXPECT_EQ(run.commit(plan), "1");
}

TEST(EngineSequence, OnlyAYesCanBeCommitted) {
  Manager run(Scene("priority", R"("front_only":false)")
                  .node("n1", 4)
                  .runs("v", "n1", 4, R"("priority":60)")
                  .waits("p", 4, R"("priority":50)"));
  const Plan plan = run.plan();
  ASSERT_EQ(plan.outcome, Outcome::wait);
  EXPECT_EQ(run.commit(plan), "the plan's outcome is 'wait'; only fits and preempt can be committed");
}

// A stronger request takes the space that is being made for a weaker one, with what is on its way out for it.
TEST(EngineSequence, AStrongerPlanTakesAHold) {
  Manager run(Scene("priority", R"("front_only":false)")
                  .node("n1", 4)
                  .runs("v", "n1", 4, R"("priority":1)")
                  .waits("p", 4, R"("priority":5)")
                  .waits("r", 4, R"("priority":90)"));
  ASSERT_EQ(run.commit(), "1");
  EXPECT_EQ(run.step(0), "TERM v");
  const Plan plan = run.plan("r");
  ASSERT_EQ(in_words(plan), "preempt p");
  EXPECT_EQ(plan.victims[0].hold, 1u);
  EXPECT_EQ(plan.cost, 0);
  EXPECT_NE(write_plan(plan, false).find(R"("victims":[{"hold":1,"job":"p")"), std::string::npos);
  ASSERT_EQ(run.commit(plan, 1), "2");
  EXPECT_EQ(run.state_of("p"), "short");
  run.step(2);
  EXPECT_EQ(run.step(3, {about(EventKind::released, "v")}), "gone v, start r");
  // Once it is told to start, no plan takes it any more.
  run.put_job(waiting("s", 4, 100));
  EXPECT_EQ(excluded_by(run.plan("s", 3), "r"), "held");
}

// The victims of a hold take as long as they were to take, whoever gets the hold.
TEST(EngineSequence, APlanThatTakesAHoldWaitsForItsVictims) {
  Manager run(
      Scene("priority", R"("front_only":false)")
          .node("n1", 4)
          .runs("v", "n1", 4, R"("priority":1,"checkpoint":{"mode":"auto","estimate":"2m","timeout":"4m"})")
          .waits("p", 4, R"("priority":3)")
          .waits("r", 4, R"("priority":4)")
          .waits("s", 4, R"("priority":95)"));
  const Plan first = run.plan();
  ASSERT_EQ(first.expected_start, Scene::later(150));
  ASSERT_EQ(run.commit(first), "1");
  EXPECT_EQ(run.plan("r").expected_start, first.expected_start);
  EXPECT_EQ(run.step(0), "checkpoint-hint v");
  EXPECT_EQ(run.step(1, run.done()), "");
  const auto takes_it = [&](std::string_view job, Time seconds, std::uint64_t entry) {
    Plan plan = run.plan(job, seconds);
    EXPECT_EQ(plan.victims.size(), 1u);
    EXPECT_EQ(plan.victims.empty() ? 0 : plan.victims[0].hold, entry);
    EXPECT_EQ(plan.expected_start, std::max(first.expected_start, Scene::later(seconds)));
    EXPECT_EQ(plan.latest_start, first.latest_start);
    return plan;
  };
  takes_it("r", 100, 1);
  ASSERT_EQ(run.commit(takes_it("r", 200, 1), 200), "2");
  takes_it("s", 201, 2);
  // Once the victim is asked to end, its grace is all that is left.
  EXPECT_EQ(run.step(201), "replan, release-hold");
  EXPECT_EQ(run.step(202, {about(EventKind::checkpoint_done, "v")}), "TERM v");
  EXPECT_EQ(run.plan("s", 203).expected_start, Scene::later(232));
}

TEST(EngineSequence, AnEntryThatIsShortIsPlannedAnew) {
  Manager run(two_nodes().settings(R"("max_action_retries":0)"));
  ASSERT_EQ(run.commit(), "1");
  run.step(0);
  for (Time at = 1; at < 2000 && run.state_of("p") != "short"; at += 31) {
    std::vector<Event> failed;
    for (const Action& action : run.last.actions)
      failed.push_back({.kind = EventKind::action_failed, .action = action.id, .text = "no such process"});
    run.step(at, failed);
  }
  ASSERT_EQ(run.state_of("p"), "short");
  const Plan again = run.plan("p", 2000);
  ASSERT_EQ(in_words(again), "preempt w");
  EXPECT_EQ(run.extend(1, again, 2000), "");
  EXPECT_EQ(run.step(2001), "TERM w");
  run.remove_job("w");
  EXPECT_EQ(run.step(2002), "gone w, start p");
}

// The requester has 2 cpu and waits for 2 more; its own max is lowered while its victim leaves, and raised.
TEST(EngineSequence, ALoweredMaxOfTheRequesterStopsItsStart) {
  const auto requester = [](int max) {
    return R"({"id":"p","queue":"root","gang":false,"submitted":990000,"state":"running","priority":50,)"
           R"("started":990000,"max":{"cpu":)" +
           std::to_string(max) +
           R"(},"tasks":[{"node":"n1","resources":{"cpu":2}},{"resources":{"cpu":2}}]})";
  };
  Scene scene("priority");
  scene.node("n1", 4).runs("v", "n1", 2, R"("priority":1)");
  Manager run(scene);
  run.put_job(requester(4));
  EXPECT_EQ(run.commit(), "1");
  EXPECT_EQ(run.step(0), "TERM v");
  run.put_job(requester(3));
  run.remove_job("v");
  EXPECT_EQ(run.step(1, run.done()), "replan, gone v");
  EXPECT_EQ(run.state_of("p"), "short");
  EXPECT_EQ(run.asks(), "wait job-max");
  run.put_job(requester(4));
  EXPECT_EQ(run.step(2), "start p");
  run.put_job(requester(3));
  run.step(3);
  EXPECT_EQ(run.state_of("p"), "short") << "also once it was told to start";
}

TEST(EngineSequence, AChangedRequesterNeedsNoVictimAnyMore) {
  for (const std::string& changed : {waiting("p", 3, 50), running("p", "n2", 2)}) {
    Manager run(Scene("class-cost", R"("max_victims":"none")", "cpu")
                    .node("n1", 4)
                    .node("n2", 8)
                    .runs("v", "n1", 4, R"("class":1,"checkpoint":{"mode":"auto","estimate":"1m"})")
                    .runs("o", "n2", 6, R"("class":9)")
                    .waits("p", 4, R"("class":8)"));
    ASSERT_EQ(run.commit(), "1") << run.plan().reason;
    EXPECT_EQ(run.step(0), "checkpoint-hint v");
    run.put_job(changed);
    EXPECT_NE(run.step(1).find("cancel-hint v"), std::string::npos);
    EXPECT_EQ(run.state_of("p"), "none");
  }
}

TEST(EngineSequence, StormLimitsCountWhatWasCommitted) {
  const auto scene = [] {
    return Scene("priority", R"("front_only":false)")
        .node("n1", 4)
        .node("n2", 4)
        .queue("root.a")
        .runs("v", "n1", 4, R"("priority":1,"queue":"root.a","user":"u")")
        .runs("w", "n2", 4, R"("priority":1,"queue":"root.a","user":"u")")
        .waits("p", 4, R"("priority":50)")
        .waits("q", 4, R"("priority":50)");
  };
  for (const char* limit :
       {R"("max_preemptions_per_window":{"queue":1},"window":"5m")",
        R"("max_preemptions_per_window":{"user":1},"window":"5m")",
        R"("max_lost_work_per_window":3000,"window":"5m")"}) {  // node-minutes: it runs for 100,000 s
    Manager run(scene().limits(limit));
    ASSERT_EQ(run.commit(), "1") << limit;
    const Plan no = run.plan("q", 10);
    EXPECT_EQ(in_words(no), "wait budget") << limit;
    EXPECT_EQ(run.asks("q", 299), "wait budget") << limit;
    EXPECT_EQ(in_words(run.plan("q", 300)), "preempt w") << limit;
  }
  // What is left bounds the set: two at once are one too many.
  Manager run(scene().limits(R"("max_preemptions_per_window":1)").waits("both", 4, R"("priority":50)", 2));
  EXPECT_EQ(run.asks("both"), "wait budget");
}

TEST(EngineSequence, AttemptsAreRemembered) {
  Manager run(Scene("guarantee")
                  .queue("root.a", R"("guaranteed":{"cpu":4})")
                  .queue("root.b")
                  .node("n1", 4)
                  .runs("v", "n1", 4, R"("queue":"root.b")")
                  .waits("p", 4, R"("queue":"root.a")"));
  const Plan plan = run.plan();
  ASSERT_EQ(in_words(plan), "preempt v");
  run.engine.note(plan, Scene::later(0), 20);
  EXPECT_EQ(run.asks("p", 14), "wait attempt-interval");
  EXPECT_EQ(run.asks("p", 15), "preempt v");
}

TEST(EngineSequence, AfterACrashItGoesOn) {
  Manager run(two_nodes());
  ASSERT_EQ(run.commit(), "1");
  EXPECT_EQ(run.step(0), "TERM v");
  const std::string saved = run.engine.save_state();
  for (const bool load_first : {false, true}) {
    Manager next(two_nodes(), load_first);
    Problems problems;
    ASSERT_TRUE(next.engine.restore_state(saved, problems));
    if (!load_first) {
      ASSERT_TRUE(next.engine.load(two_nodes().cluster(), problems));
    }
    EXPECT_EQ(next.step(5), "TERM v");  // not answered yet: listed again
    EXPECT_EQ(next.asks("q", 5), "preempt w");
    EXPECT_EQ(next.step(34), "");  // its grace began anew
    EXPECT_EQ(next.step(35), "KILL v");
    next.put_job(waiting("v", 4, 1));  // the manager has requeued it; nobody says released
    EXPECT_EQ(next.step(36), "gone v, start p");
  }
  Problems problems;
  std::string damaged = saved;
  damaged[damaged.size() / 2] = static_cast<char>(damaged[damaged.size() / 2] ^ 1);
  const std::uint64_t revision = run.engine.revision();
  EXPECT_FALSE(run.engine.restore_state(damaged, problems));
  EXPECT_EQ(run.engine.revision(), revision);
}

TEST(EngineSequence, AClaimedNodeBelongsToItsQueue) {
  Manager run(Scene("class-cost", R"("max_victims":"none","avoid_borrowed":false)")
                  .queue("root.own")
                  .queue("root.other")
                  .node("n1", 4, R"("home":"root.own")")
                  .runs("v", "n1", 2, R"("class":1,"queue":"root.other")")
                  .waits("mine", 4, R"("class":5,"queue":"root.own")")
                  .waits("theirs", 1, R"("class":9,"queue":"root.other")"));
  Problems problems;
  const auto plan = run.engine.plan_claim("root.own", {"n1"}, "reclaim", kNoTime, {}, problems);
  ASSERT_TRUE(plan && plan->outcome == Outcome::preempt);
  ASSERT_EQ(run.commit(*plan), "1");
  EXPECT_EQ(run.step(0), "TERM v");
  EXPECT_EQ(run.asks("theirs").substr(0, 4), "wait");
  run.remove_job("v");
  EXPECT_EQ(run.step(1), "requeue v, claim-ready");
  run.step(2, run.done());
  EXPECT_EQ(run.step(100'000), "");  // it does not expire
  EXPECT_EQ(run.asks("theirs").substr(0, 4), "wait");
  EXPECT_EQ(run.asks("mine"), "fits");
  run.put_job(R"({"id":"mine","queue":"root.own","class":5,"state":"running","started":1000500,"tasks":)"
              R"([{"node":"n1","resources":{"cpu":3}}]})");
  EXPECT_EQ(run.step(100'001), "release-hold");
  EXPECT_EQ(run.asks("theirs"), "fits");
}

// Its hold ends with the first run that begins there after the commit: also a job that had run before, and
// one of which the manager only says that it has started.
TEST(EngineSequence, AClaimEndsWhenAJobOfItsQueueIsResumedThere) {
  const Scene scene = Scene("class-cost", R"("max_victims":"none")")
                          .queue("root.own")
                          .queue("root.other")
                          .node("n1", 4, R"("home":"root.own")")
                          .runs("v", "n1", 4, R"("class":1,"queue":"root.other")")
                          .waits("mine", 2, R"("class":5,"queue":"root.own","resume":true)");
  const auto runs = [](std::string_view times) {
    return R"({"id":"mine","queue":"root.own","class":5,"state":"running",)" + std::string(times) +
           R"("tasks":[{"node":"n1","resources":{"cpu":2}}]})";
  };
  const std::string before = R"("started":990000,)";
  for (const bool told : {false, true}) {
    Manager run(scene);
    Problems problems;
    const auto plan = run.engine.plan_claim("root.own", {"n1"}, "reclaim", kNoTime, {}, problems);
    ASSERT_TRUE(plan && plan->outcome == Outcome::preempt);
    ASSERT_EQ(run.commit(*plan), "1");
    run.step(0);
    run.remove_job("v");
    EXPECT_EQ(run.step(1), "requeue v, claim-ready");
    run.step(2, run.done());
    run.put_job(runs(before + R"("resumed":995000,)"));
    EXPECT_EQ(run.step(3), "") << "a run that began before the commit";
    EXPECT_EQ(run.step(3, {about(EventKind::started, "v")}), "") << "not a job of the queue";
    if (told) {
      EXPECT_EQ(run.step(4, {about(EventKind::started, "mine")}), "release-hold");
      EXPECT_EQ(run.engine.sequence().metrics().ignored_events, 1u) << "the event about v";
    } else {
      run.put_job(runs(before + R"("resumed":1000004,)"));
      EXPECT_EQ(run.step(4), "release-hold");
    }
    run.step(5, run.done());
    EXPECT_EQ(run.engine.sequence().ledger().size(), 0u);
  }
}

std::string two_tasks(const JsonObject& members) {
  const auto task = [](std::string_view id, std::string_view node) {
    return JsonObject{{"id", id}, {"node", node}, {"resources", JsonObject{{"cpu", 4}}}};
  };
  return JsonObject{{"id", "v"}, {"queue", "root"}, {"state", "running"}, {"started", 990000}, {"class", 1}}
      .put("checkpoint", JsonObject{{"mode", "auto"}, {"timeout", 240}})
      .put_all(members)
      .put("tasks", JsonList{task("a", "n1"), task("b", "n2")})
      .text();
}

TEST(EngineSequence, EachTaskOfAJobThatIsNoGangLeavesOnItsOwn) {
  Manager run(Scene("class-cost")
                  .queue("root.own")
                  .node("n1", 4, R"("home":"root.own")")
                  .node("n2", 4, R"("home":"root.own")"));
  run.put_job(two_tasks({{"gang", false}}));
  Problems problems;
  const auto plan = run.engine.plan_claim("root.own", {"n1", "n2"}, "reclaim", kNoTime, {}, problems);
  ASSERT_TRUE(plan && plan->outcome == Outcome::preempt);
  EXPECT_EQ(plan->victims.size(), 1u) << "a plan lists the tasks of a job together";
  ASSERT_EQ(run.commit(*plan), "1");
  EXPECT_EQ(run.step(0), "checkpoint-hint v, checkpoint-hint v");
  run.step(1, run.done());
  const Event done{.kind = EventKind::checkpoint_done, .job = "v", .task = "a"};
  const Event failed{.kind = EventKind::checkpoint_failed, .job = "v", .task = "b"};
  EXPECT_EQ(run.step(2, {done, failed}), "suspend v, TERM v");
  ASSERT_EQ(run.step(3, {{.kind = EventKind::released, .job = "v", .task = "a"}}), "requeue v");
  const Action& saved = run.last.actions[0];
  EXPECT_EQ(saved.tasks, std::vector<std::string>{"a"});
  EXPECT_TRUE(saved.resume && saved.how == ExitResult::saved);
  ASSERT_EQ(run.step(4, {{.kind = EventKind::released, .job = "v", .task = "b"}}), "requeue v, claim-ready");
  const Action& lost = run.last.actions[0];
  EXPECT_EQ(lost.tasks, std::vector<std::string>{"b"});
  EXPECT_TRUE(!lost.resume && lost.how == ExitResult::failed);
  EXPECT_EQ(lost.preempted_count, saved.preempted_count) << "it was preempted once";
}

TEST(EngineSequence, AGangSavesOrFailsAsAWhole) {
  Manager run(Scene("class-cost")
                  .queue("root.own")
                  .node("n1", 4, R"("home":"root.own")")
                  .node("n2", 4, R"("home":"root.own")"));
  run.put_job(two_tasks({}));
  Problems problems;
  const auto plan = run.engine.plan_claim("root.own", {"n1", "n2"}, "reclaim", kNoTime, {}, problems);
  ASSERT_TRUE(plan && plan->outcome == Outcome::preempt);
  ASSERT_EQ(run.commit(*plan), "1");
  EXPECT_EQ(run.step(0), "checkpoint-hint v");
  const Event done{.kind = EventKind::checkpoint_done, .job = "v", .task = "a"};
  const Event failed{.kind = EventKind::checkpoint_failed, .job = "v", .task = "b"};
  EXPECT_EQ(run.step(2, {done, failed}), "TERM v");
}

// A suspended session is handed back to its owner, not to the queue.
TEST(EngineSequence, ASessionWaitsForItsOwner) {
  Manager run(Scene("priority", R"("preemption_mode":"suspend","requeue":"always")")
                  .node("n1", 4)
                  .runs("v", "n1", 4, R"("priority":1,"kind":"interactive")")
                  .waits("p", 4, R"("priority":50)"));
  ASSERT_EQ(run.commit(), "1");
  EXPECT_EQ(run.step(0), "suspend v");
  ASSERT_EQ(run.step(1, {about(EventKind::released, "v")}), "requeue v, start p");
  EXPECT_TRUE(run.last.actions[0].waits_for_owner);
}

TEST(EngineSequence, ClonesGoTheirOwnWay) {
  Manager run(two_nodes());
  Engine copy(run.engine);
  ASSERT_EQ(run.commit(), "1");
  Problems problems;
  const auto plan = copy.plan("q", Scene::later(0), {}, problems);
  ASSERT_TRUE(plan);
  EXPECT_EQ(in_words(*plan), "preempt v");
  EXPECT_EQ(copy.sequence().ledger().size(), 0u);
}

// A manager tells the change of the cluster first and the event afterwards, also about jobs and nodes that no
// entry knows.
TEST(EngineSequence, AnEventAboutWhatWasJustRemovedIsNotIgnored) {
  for (const EventKind kind : {EventKind::exited, EventKind::cancelled, EventKind::released}) {
    Manager run(two_nodes());
    run.remove_job("v");
    run.step(0, {about(kind, "v"), about(kind, "nobody")});
    EXPECT_EQ(run.last.answers[0], EventAnswer::taken) << to_word(kind, kEventKinds);
    EXPECT_EQ(run.last.answers[1], EventAnswer::ignored) << to_word(kind, kEventKinds);
    EXPECT_EQ(run.engine.sequence().metrics().ignored_events, 1U);
  }
}

TEST(EngineSequence, AStepBetweenTheRemovalAndItsEventDoesNotMatter) {
  Manager run(two_nodes());
  run.remove_job("v");
  run.step(0);
  run.step(1);
  run.step(2, {about(EventKind::exited, "v")});
  EXPECT_EQ(run.engine.sequence().metrics().ignored_events, 0U);
}

TEST(EngineSequence, AnEventAboutWhatANewClusterDoesNotListIsNotIgnored) {
  Manager run(two_nodes());
  Problems problems;
  ASSERT_TRUE(run.engine.load(Scene("priority").node("other", 4).cluster(), problems));
  run.step(0, {about(EventKind::exited, "v"), {.kind = EventKind::node_down, .node = "n1"}});
  EXPECT_EQ(run.engine.sequence().metrics().ignored_events, 0U);
  run.step(1, {{.kind = EventKind::node_down, .node = "never"}});
  EXPECT_EQ(run.engine.sequence().metrics().ignored_events, 1U);
}

// What is remembered is bounded. Where that is not enough, an event too many is taken rather than ignored.
TEST(EngineSequence, VeryManyRemovedJobsAreNotAllRemembered) {
  Scene scene = two_nodes();
  const auto job = [](std::size_t i) { return "many" + std::to_string(i); };
  const std::size_t jobs = 3 * VanishedNames::kMost;
  for (std::size_t i = 0; i < jobs; ++i) scene.waits(job(i), 1);
  Manager run(scene);
  std::string list;
  std::vector<Event> events;
  for (std::size_t i = 0; i < jobs; ++i) {
    if (i % 3 != 0) list += (list.empty() ? "\"" : ",\"") + job(i) + '"';
    events.push_back(about(EventKind::exited, job(i)));
  }
  run.apply("\"remove\":{\"jobs\":[" + list + "]}");
  for (std::size_t i = 0; i < jobs; i += 3) run.remove_job(job(i));
  run.step(0, events);
  EXPECT_EQ(run.engine.sequence().metrics().ignored_events, 0U);
  EXPECT_LE(run.engine.sequence().vanished().size(), VanishedNames::kMost);
  run.step(1, {about(EventKind::exited, "nobody")});
  EXPECT_EQ(run.engine.sequence().metrics().ignored_events, 1U);
}

}  // namespace cede
