// SPDX-License-Identifier: MIT
// A waiting task's own `priority` and `may_preempt`.
#include <array>

#include "closed_loop.h"
#include "plan_fixture.h"

namespace cede {
namespace {

// What makes a request strong enough in each profile; what keeps its victim weak enough.
struct Words {
  const char* profile;
  const char* requester;
  const char* victim = "";
};
constexpr std::array<Words, 5> kEach{{{"priority", R"("priority":60)", R"("priority":1)"},
                                      {"class-cost", R"("class":9)"},
                                      {"quota", R"("priority":5)"},
                                      {"fair-share", R"("below_fair_share_since":5)"},
                                      {"guarantee", R"("priority":5)"}}};

// v has the node in two tasks of 4, less `free`; p has these tasks.
Scene full_node(const Words& words, std::string_view gang, const std::string& tasks, int free = 0) {
  return Scene(words.profile)
      .queue("root.ours", R"("guaranteed":{"cpu":8})")
      .queue("root.theirs")
      .node("n1", 8 + free)
      .job("v", in_queue("root.theirs", R"("state":"running","started":900000)").put_all(words.victim),
           R"({"node":"n1","resources":{"cpu":4}},{"node":"n1","resources":{"cpu":4}})")
      .job("p", in_queue("root.ours", words.requester).put("submitted", 990000).put("gang", Json::raw(gang)),
           tasks);
}

std::string waiting(std::string_view id, int amount, std::string_view more = {}) {
  return R"({"id":")" + std::string(id) + R"(","resources":{"cpu":)" + std::to_string(amount) + "}" +
         (more.empty() ? "" : ",") + std::string(more) + "}";
}

std::string tasks_of(const Plan& plan) {
  std::string out;
  for (const PlannedTask& task : plan.placement)
    out += (out.empty() ? "" : ",") + task_label(plan.model(), task.task, task.index);
  return out;
}

constexpr std::string_view kMayNot = R"("may_preempt":false)";

TEST(PerTask, ATaskThatMayNotPreemptWaitsInEveryProfile) {
  for (const Words& words : kEach) {
    SCOPED_TRACE(words.profile);
    for (const char* gang : {"false", "true"}) {
      EXPECT_EQ(full_node(words, gang, waiting("t", 4)).asks(), "preempt v");
      const Plan plan = full_node(words, gang, waiting("t", 4, kMayNot)).plan();
      EXPECT_EQ(in_words(plan), "wait may-not-preempt");
      EXPECT_EQ(plan.reason, "task 't' may not preempt, and the request does not fit into what is free");
    }
  }
}

TEST(PerTask, ATaskMayWhereItsJobMayNot) {
  for (const Words& words : kEach) {
    const std::string requester = words.requester + std::string(R"(,"may_preempt":false)");
    const Words barred{words.profile, requester.c_str(), words.victim};
    EXPECT_EQ(full_node(barred, "false", waiting("t", 4)).asks(), "wait may-not-preempt") << words.profile;
    EXPECT_EQ(full_node(barred, "false", waiting("t", 4, R"("may_preempt":true)")).asks(), "preempt v")
        << words.profile;
  }
}

// The strictest task decides for the whole gang.
TEST(PerTask, AGangMayPreemptIfAllItsTasksMay) {
  for (const Words& words : kEach) {
    const Plan plan = full_node(words, "true", waiting("a", 2) + "," + waiting("b", 2, kMayNot)).plan();
    EXPECT_EQ(in_words(plan), "wait may-not-preempt") << words.profile;
    EXPECT_EQ(plan.reason, "task 'b' may not preempt, and the request does not fit into what is free");
  }
}

// A Spark driver may preempt, its executors may not: YuniKorn's case.
TEST(PerTask, ADriverPreemptsForItselfAndItsExecutorsWait) {
  for (const Words& words : kEach) {
    SCOPED_TRACE(words.profile);
    const std::string executors = R"({"id":"e","count":2,"resources":{"cpu":4},"may_preempt":false})";
    for (const std::string& tasks :
         {waiting("driver", 4) + "," + executors, executors + "," + waiting("driver", 4)}) {
      const Plan plan = full_node(words, "false", tasks).plan();
      EXPECT_EQ(in_words(plan), "preempt v");
      EXPECT_EQ(tasks_of(plan), "driver");
    }
    EXPECT_EQ(full_node(words, "false", executors).asks(), "wait may-not-preempt");
  }
}

TEST(PerTask, WhatFitsGoesFirst) {
  for (const Words& words : kEach) {
    SCOPED_TRACE(words.profile);
    // The driver would have to preempt, one executor fits.
    const Plan plan =
        full_node(words, "false", waiting("driver", 4) + "," + waiting("e", 2, kMayNot), 2).plan();
    EXPECT_EQ(in_words(plan), "fits");
    EXPECT_EQ(tasks_of(plan), "e");
    // Both fit alone: the first does.
    EXPECT_EQ(tasks_of(full_node(words, "false", waiting("a", 2) + "," + waiting("e", 2, kMayNot), 2).plan()),
              "a");
  }
}

// Tasks of a job that is not a gang do not wait for each other.
TEST(PerTask, AsManyEqualTasksAsFit) {
  for (const Words& words : kEach) {
    SCOPED_TRACE(words.profile);
    const auto plan = [&](std::string_view more, int free, std::string_view gang = "false", int most = 4) {
      const std::string tasks = R"({"id":"e","count":5,"resources":{"cpu":2})" + std::string(more) + "}";
      return full_node(words, gang, tasks, free)
          .settings(R"("tasks_per_plan":)" + std::to_string(most))
          .plan();
    };
    for (const char* more : {R"(,"may_preempt":false)", ""}) {
      EXPECT_EQ(tasks_of(plan(more, 2)), "e#0") << more;
      EXPECT_EQ(tasks_of(plan(more, 7)), "e#0,e#1,e#2") << more;
      EXPECT_EQ(tasks_of(plan(more, 10)), "e#0,e#1,e#2,e#3") << more << ": tasks_per_plan";
      EXPECT_EQ(in_words(plan(more, 7)), "fits") << more;
    }
    EXPECT_EQ(in_words(plan(R"(,"may_preempt":false)", 1)), "wait may-not-preempt");
    const Plan preempting = plan("", 1, "false", 2);
    EXPECT_EQ(in_words(preempting), "preempt v");
    EXPECT_EQ(tasks_of(preempting), "e#0,e#1")
        << "none fits, so as many as tasks_per_plan allows are requested";
    EXPECT_EQ(in_words(plan(R"(,"may_preempt":false)", 7, "true")), "wait may-not-preempt") << "a gang waits";
  }
}

TEST(PerTask, ATaskThatFitsStartsEvenIfNoUnitMayBeTaken) {
  for (const Words& words : kEach) {
    const std::string tasks = R"({"id":"e","count":3,"resources":{"cpu":2}})";
    const auto with = [&](const std::string& settings) {
      return full_node(words, "false", tasks, 3).settings(R"("tasks_per_plan":3,)" + settings).plan();
    };
    EXPECT_EQ(tasks_of(with(R"("preemption":"off")")), "e#0") << words.profile;
    EXPECT_EQ(tasks_of(with(R"("min_runtime":"1000h")")), "e#0") << words.profile;
  }
}

TEST(PerTask, ARequestNeverMixesPrioritiesOrMayPreempt) {
  for (const Words& words : kEach) {
    SCOPED_TRACE(words.profile);
    const auto placed = [&](const std::string& tasks, int free) {
      Scene scene = full_node(words, "false", tasks, free);
      return tasks_of(scene.settings(R"("tasks_per_plan":3)").plan());
    };
    const std::string tasks = waiting("a", 1, R"("priority":7)") + "," + waiting("b", 1) + "," +
                              waiting("c", 1, R"("priority":7)") + "," + waiting("d", 1, kMayNot) + "," +
                              waiting("e", 1);
    EXPECT_EQ(placed(tasks, 2), "a,c");
    EXPECT_EQ(placed(waiting("x", 9, R"("priority":7)") + "," + tasks, 2), "a,c")
        << "x does not fit; a is the first that does";
  }
}

TEST(PerTask, AsFarAsTasksPerPlanAllows) {
  for (const char* profile : {"fair-share", "guarantee"}) {
    const Words& words = kEach[std::string_view(profile) == "guarantee" ? 4 : 3];
    const auto placed = [&](int per_plan) {
      Scene scene =
          full_node(words, "false", waiting("a", 3) + "," + waiting("b", 2) + "," + waiting("c", 1), 2);
      return tasks_of(scene.settings(R"("tasks_per_plan":)" + std::to_string(per_plan)).plan());
    };
    EXPECT_EQ(placed(1), "b") << profile << ": the first that fits";
    EXPECT_EQ(placed(2), "b") << profile << ": nothing else fits beside it";
  }
}

// ---- priority, quota: which number a request has

TEST(PerTask, TheLowestPriorityOfAGangIsItsRequestsNumber) {
  for (const char* profile : {"priority", "quota"}) {
    SCOPED_TRACE(profile);
    const auto asks = [&](int job, const std::string& tasks) {
      return Scene(profile, R"("tasks_per_plan":2)")
          .node("n1", 8)
          .runs("v", "n1", 8, R"("priority":5)")
          .job("p", R"("submitted":990000,"gang":true,"priority":)" + std::to_string(job), tasks)
          .eligibility_of("v");
    };
    const auto two = [](int a, int b) {
      return waiting("a", 4, R"("priority":)" + std::to_string(a)) + "," +
             waiting("b", 4, R"("priority":)" + std::to_string(b));
    };
    EXPECT_EQ(asks(20, two(6, 20)), "eligible");
    EXPECT_EQ(asks(20, two(5, 20)),
              std::string_view(profile) == "priority" ? "no-lower-priority" : "priority");
    EXPECT_EQ(asks(0, two(6, 6)), "eligible") << "the job's own number does not count";
  }
}

// An elastic gang counts with the tasks that it places, not with those that go on waiting.
TEST(PerTask, AnElasticGangCountsWithWhatItPlaces) {
  const auto asks = [](int min_tasks) {
    return Scene("quota")
        .node("n1", 8)
        .runs("v", "n1", 8, R"("priority":5)")
        .job("p", R"("submitted":990000,"gang":true,"priority":9,"min_tasks":)" + std::to_string(min_tasks),
             waiting("a", 2) + "," + waiting("b", 2, R"("priority":1)"))
        .eligibility_of("v");
  };
  EXPECT_EQ(asks(1), "eligible");
  EXPECT_EQ(asks(2), "priority");
}

TEST(PerTask, LawSixUsesTheRequestsNumber) {
  const auto asks = [](int task) {
    return Scene("guarantee")
        .queue("root.ours", R"("guaranteed":{"cpu":8})")
        .queue("root.theirs", R"("priority_offset":2)")
        .node("n1", 8)
        .runs("v", "n1", 8, in_queue("root.theirs", R"("priority":3)"))
        .job("p", in_queue("root.ours", R"("priority":9,"submitted":990000)"),
             waiting("t", 4, R"("priority":)" + std::to_string(task)))
        .eligibility_of("v");
  };
  EXPECT_EQ(asks(5), "eligible");
  EXPECT_EQ(asks(4), "priority");
}

// ---- priority: which job is the front

Scene line(std::string_view of_w, std::string_view w_task) {
  return Scene("priority")
      .node("n1", 8)
      .runs("v", "n1", 8, R"("priority":1)")
      .job("w", R"("submitted":980000,)" + std::string(of_w), waiting("t", 8, w_task))
      .waits("p", 8, R"("priority":10)");
}

TEST(PerTask, FrontOrderUsesTheRequestsNumber) {
  EXPECT_EQ(line(R"("priority":20)", "").asks(), "wait not-front");
  EXPECT_EQ(line(R"("priority":20)", R"("priority":9)").asks(), "preempt v");
  EXPECT_EQ(line(R"("priority":5)", R"("priority":11)").asks(), "wait not-front");
  EXPECT_EQ(line(R"("priority":20)", R"("priority":9)").asks("w"), "wait not-front");
}

TEST(PerTask, AJobThatMayNotPreemptBlocksNoOther) {
  EXPECT_EQ(line(R"("priority":20)", kMayNot).asks(), "preempt v");
  EXPECT_EQ(line(R"("priority":20,"may_preempt":false)", R"("may_preempt":true)").asks(), "wait not-front");
}

TEST(PerTask, NoLowerPriorityUsesTheRequestsNumber) {
  const auto asks = [](int task) {
    return Scene("priority")
        .node("n1", 8)
        .runs("v", "n1", 8, R"("priority":3)")
        .job("p", R"("submitted":980000,"priority":50)",
             waiting("t", 8, R"("priority":)" + std::to_string(task)))
        .asks();
  };
  EXPECT_EQ(asks(4), "preempt v");
  EXPECT_EQ(asks(3), "wait no-lower-priority");
}

// The index of waiting jobs follows a change of one task's priority.
TEST(PerTask, FrontOrderFollowsChanges) {
  const Scene scene = line(R"("priority":20)", R"("priority":9)");
  Loaded loaded(scene.cluster(), scene.policy());
  EXPECT_EQ(in_words(loaded.plan()), "preempt v");
  const auto put = [&](int priority) {
    Problems problems;
    EXPECT_TRUE(loaded.engine.apply(
        R"({"format":"cede-changes/1","put":{"jobs":[{"id":"w","queue":"root","submitted":980000,"priority":20,)"
        R"("tasks":[)" +
            waiting("t", 8, R"("priority":)" + std::to_string(priority)) + "]}]}}",
        problems))
        << (problems.all().empty() ? "" : problems.all()[0].message());
  };
  put(11);
  EXPECT_EQ(in_words(loaded.plan()), "wait not-front");
  put(9);
  EXPECT_EQ(in_words(loaded.plan()), "preempt v");
}

// ---- no loops

std::vector<ClosedLoop::Job> one_task_each() {
  std::vector<ClosedLoop::Job> jobs(2);
  jobs[0] = {"p", R"("queue":"root","priority":20)", {{8, "", 0, R"("priority":3)"}}, 990'000, 990'000, 0};
  jobs[1] = {"v", R"("queue":"root","priority":5)", {{8, "n", 991'000, ""}}, 990'000, 990'000, 0};
  return jobs;
}

// Its job's priority took the node from v; with its task's own priority it then gave the node back, for ever.
TEST(PerTask, ATaskBelowItsJobTakesNothingThatIsTakenBack) {
  for (const char* profile : {"priority", "quota"}) {
    for (const auto way : {ClosedLoop::Way::direct, ClosedLoop::Way::sequence}) {
      ClusterBuilder cluster;
      cluster.group();
      cluster.queue("root");
      cluster.node("n", {{"cpu", 8}});
      ClosedLoop loop(policy_text(profile), cluster, one_task_each(), way);
      EXPECT_EQ(loop.run_to_rest(20), 0) << profile << ": " << loop.history();
      EXPECT_EQ(loop.running("v"), 1);
    }
  }
}

}  // namespace
}  // namespace cede
