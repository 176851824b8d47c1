// SPDX-License-Identifier: MIT
#include <array>

#include "base/time.h"
#include "plan_fixture.h"

namespace cede {
namespace {

// The smallest cluster in which a job gives way in each profile: v has the node, p wants it.
struct Words {
  const char* profile;
  const char* requester;
};
constexpr std::array<Words, 5> kEach{{{"priority", R"("priority":60)"},
                                      {"class-cost", R"("class":9)"},
                                      {"quota", R"("priority":5)"},
                                      {"fair-share", R"("below_fair_share_since":5)"},
                                      {"guarantee", R"("priority":5)"}}};

Scene full_node(const Words& words, std::string_view victim = {}, std::string_view settings = {},
                std::string_view of_victims = {}) {
  JsonObject members = in_queue("root.theirs", victim);
  if (std::string_view(words.profile) == "priority") members.put("priority", 1);
  // Without a gang each task is a unit, so that fair-share sees one beyond its job's share.
  return Scene(words.profile, settings)
      .queue("root.ours", R"("guaranteed":{"cpu":8})")
      .queue("root.theirs", of_victims)
      .node("n1", 8)
      .job("v", members.put("state", "running").put("started", 900000),
           R"({"node":"n1","resources":{"cpu":4}},{"node":"n1","resources":{"cpu":4}})")
      .waits("p", 4, JsonObject(R"("queue":"root.ours")").put_all(words.requester));
}

TEST(EveryProfile, AJobGivesWay) {
  for (const Words& words : kEach) EXPECT_EQ(full_node(words).asks(), "preempt v") << words.profile;
}

TEST(EveryProfile, SparesUnitsThatMayNotBeTaken) {
  for (const Words& words : kEach) {
    const auto spared = [&](std::string_view victim, std::string_view settings = {},
                            std::string_view of_victims = {}) {
      return full_node(words, victim, settings, of_victims).eligibility_of("v");
    };
    SCOPED_TRACE(words.profile);
    EXPECT_EQ(spared(R"("kind":"sensitive")"), "sensitive");
    EXPECT_EQ(spared(R"("class":10)"), "sensitive");
    EXPECT_EQ(spared(R"("preemptible":false)",
                     std::string_view(words.profile) == "guarantee" ? R"("strict_opt_out":true)" : ""),
              "not-preemptible");
    EXPECT_EQ(spared("", "", R"("settings":{"preemption":"off"})"), "queue-off");
    EXPECT_EQ(spared("", R"("min_runtime":100001)"), "min-runtime");
    EXPECT_EQ(spared("", R"("min_runtime":100000)"), "eligible");
    EXPECT_EQ(spared(R"("preempted_count":2)", R"("max_preempted_count":2)"), "preempted-often");
    EXPECT_EQ(spared(R"("preempted_count":1)", R"("max_preempted_count":2)"), "eligible");
    EXPECT_EQ(excluded_by(full_node(words).plan("p", {"protect=v"}), "v"), "protected");
    const Scene scene = full_node(words);
    EXPECT_EQ(excluded_by(scene.plan_while([](const Model& model, InFlight& known) {
                const JobCore& job = model.jobs[model.find_job("v")];
                known.leaving = {job.first_task, TaskId{job.first_task.value + 1}};
              }),
                          "v"),
              "held");
  }
}

TEST(EveryProfile, SparesUnitsThatJustCameBack) {
  for (const Words& words : kEach) {
    EXPECT_EQ(full_node(words, R"("resumed":999941)").limits(R"("cooldown":"1m")").eligibility_of("v"),
              "cooldown");
    EXPECT_EQ(full_node(words, R"("resumed":999940)").limits(R"("cooldown":"1m")").eligibility_of("v"),
              "eligible");
    EXPECT_EQ(full_node(words, R"("resumed":999999)").eligibility_of("v"), "eligible")
        << "no cooldown unless asked for";
    EXPECT_EQ(full_node(words, R"("resumed":999941)", R"("min_runtime":"1m")").eligibility_of("v"),
              "min-runtime")
        << "counted from `resumed`";
  }
}

TEST(EveryProfile, TakesOnlyWhatRuns) {
  for (const char* state : {"suspended", "checkpointing", "preempting"}) {
    EXPECT_EQ(Scene("quota")
                  .node("n1", 8)
                  .runs("v", "n1", 8, JsonObject{{"state", state}})
                  .waits("p", 8, R"("priority":5)")
                  .eligibility_of("v"),
              "running")
        << state;
  }
}

TEST(EveryProfile, IsSwitchedOffAnywhere) {
  for (const Words& words : kEach) {
    SCOPED_TRACE(words.profile);
    const Scene scene = full_node(words);
    const JsonObject engine_off{
        {"format", "cede-policy/1"},
        {"preemption", "off"},
        {"policies", JsonObject{{"default", JsonObject{{"profile", words.profile}}}}}};
    EXPECT_EQ(in_words(Loaded(scene.cluster(), engine_off.text()).plan()), "wait off");
    EXPECT_EQ(full_node(words, "", R"("preemption":"off")").asks(), "wait off");
    EXPECT_EQ(Scene(scene).root(R"("settings":{"preemption":"off"})").asks(), "wait off");
  }
}

TEST(EveryProfile, OffStopsNoStartIntoFreeSpace) {
  for (const Words& words : kEach) {
    SCOPED_TRACE(words.profile);
    const Scene idle = Scene(words.profile).node("n1", 8).waits("p", 8, words.requester);
    EXPECT_EQ(Scene(idle).settings(R"("preemption":"off")").asks(), "fits");
    EXPECT_EQ(Scene(idle).root(R"("settings":{"preemption":"off"})").asks(), "fits");
    EXPECT_EQ(Scene(idle).root(R"("preemption":{"policy":"disabled"})").asks(), "fits");
  }
}

TEST(EveryProfile, OffStaysOffBelow) {
  EXPECT_EQ(Scene("quota")
                .queue("root.a", R"("settings":{"preemption":"off"})")
                .queue("root.a.x", R"("settings":{"preemption":"on"})")
                .node("n1", 8)
                .runs("v", "n1", 8)
                .waits("p", 8, R"("queue":"root.a.x","priority":5)")
                .asks(),
            "wait off");
}

TEST(EveryProfile, TriggersInTheirOrder) {
  const auto busy = [](const Model& model, InFlight& known) { known.requesters = {model.find_job("p")}; };
  const Scene fits = Scene("quota").node("n1", 8).waits("p", 8);
  EXPECT_EQ(in_words(fits.plan_while(busy)), "in-progress") << "before fits";
  EXPECT_EQ(in_words(Scene(fits).settings(R"("preemption":"off")").plan_while(busy)), "in-progress")
      << "before off";
  EXPECT_EQ(Scene(fits).settings(R"("preemption":"off")").asks(), "fits") << "before off";
  const Scene down =
      Scene("quota").node("n1", 8, R"("state":"down")").waits("p", 8, R"("may_preempt":false)");
  EXPECT_EQ(down.asks(), "wait nodes-unavailable") << "before may-not-preempt";
  EXPECT_EQ(Scene(down).settings(R"("preemption":"off")").asks(), "wait nodes-unavailable") << "before off";
  const Plan impossible = Scene("quota").node("n1", 8, R"("state":"down")").waits("p", 9).plan();
  EXPECT_EQ(in_words(impossible), "impossible") << "before nodes-unavailable";
  EXPECT_NE(impossible.reason.find("9 cpu needed, 8 there"), std::string::npos) << impossible.reason;
  EXPECT_EQ(Scene("quota")
                .node("n1", 8)
                .runs("v", "n1", 8)
                .waits("p", 8, R"("priority":5)")
                .asks("p", {"avoid=n1"}),
            "wait nodes-unavailable");
  Problems problems;
  EXPECT_FALSE(Loaded(fits.cluster(), fits.policy()).engine.plan("nobody", kNoTime, {}, problems));
  EXPECT_EQ(problems.all().at(0).message(), "unknown-job: 'nobody' is not a job; 1 job is known");
}

// Two jobs that end in 200 and 300 seconds; who asks needs both halves or one.
Scene ending_soon(std::string_view settings) {
  return Scene("quota", settings)
      .node("n1", 8)
      .runs("v1", "n1", 4, R"("started":999000,"walltime":1200)")
      .runs("v2", "n1", 4, R"("started":999000,"walltime":1300)");
}

TEST(EveryProfile, WorthWaitingSaysUntilWhen) {
  const Plan both = ending_soon(R"("wait_horizon":300)").waits("p", 8, R"("priority":5)").plan();
  EXPECT_EQ(in_words(both), "wait worth-waiting");
  EXPECT_EQ(both.reason, "by their walltimes, running jobs make room at " + format_time(Scene::later(300)));
  const Plan one = ending_soon(R"("wait_horizon":300)").waits("p", 4, R"("priority":5)").plan();
  EXPECT_EQ(one.reason, "by their walltimes, running jobs make room at " + format_time(Scene::later(200)));
  EXPECT_EQ(ending_soon(R"("wait_horizon":299)").waits("p", 8, R"("priority":5)").asks(), "preempt v1,v2");
  EXPECT_EQ(ending_soon("").waits("p", 8, R"("priority":5)").asks(), "preempt v1,v2") << "off by default";
}

TEST(EveryProfile, AUnitThatFreesNothingOfUseIsLeftAlone) {
  Scene scene("quota");
  scene.node("n1", 8).node("n2", 8, R"("state":"drain")").runs("v", "n1", 8);
  scene.runs("elsewhere", "n2", 8);
  scene.job("other", R"("state":"running","started":5)", R"({"node":"n1","resources":{}})");
  const Plan plan = scene.waits("p", 8, R"("priority":5)").plan();
  EXPECT_EQ(in_words(plan), "preempt v");
  EXPECT_EQ(excluded_by(plan, "elsewhere"), "frees-nothing");
  EXPECT_EQ(excluded_by(plan, "other"), "frees-nothing");
}

TEST(EveryProfile, LastResortOnlyAfterAProvenNo) {
  Scene scene = Scene("class-cost", R"("max_victims":7)");
  scene.node("n1", 12).node("n2", 8).node("n3", 4);
  for (char name = 'a'; name < 'a' + 12; ++name) scene.runs(std::string(1, name), "n1", 1);
  scene.runs("x", "n3", 4);  // the largest seven free enough, but not on one node
  scene.runs("last", "n2", 8, R"("preemptible":"last-resort")").waits("p", 8, R"("class":9)");
  const Plan plan = scene.plan();
  EXPECT_EQ(in_words(plan), "preempt last");
  EXPECT_EQ(plan.objective.at(0).number, 1);
  EXPECT_EQ(Scene(scene).limits(R"("exact_units":0,"search_work":1)").asks(), "wait undecided")
      << "it is not known that the others do not do";
}

TEST(EveryProfile, OfEqualSetsTheOneThatFreesLess) {
  Scene scene("quota");
  scene.node("n1", 8);
  scene.runs("a", "n1", 5, R"("started":950000)").runs("b", "n1", 3);
  EXPECT_EQ(Scene(scene).waits("p", 3, R"("priority":5)").asks(), "preempt b");
  EXPECT_EQ(Scene(scene).waits("p", 4, R"("priority":5)").asks(), "preempt a");
}

TEST(EveryProfile, OnlyRequestedResourcesCountAsFreed) {
  Scene scene("quota");
  scene.job("a", R"("state":"running","started":900000)", R"({"node":"n1","resources":{"cpu":4,"gpu":8}})");
  scene.job("b", R"("state":"running","started":800000)", R"({"node":"n1","resources":{"cpu":4}})");
  std::string text = scene.node("n1", 8).waits("p", 4, R"("priority":5)").cluster();
  const std::string node = R"({"id":"n1","resources":{"cpu":8})";
  text.replace(text.find(node), node.size(), R"({"id":"n1","resources":{"cpu":8,"gpu":8})");
  EXPECT_EQ(in_words(Loaded(text, scene.policy()).plan()), "preempt a")
      << "as much of what is asked, and younger";
}

// Two nodes, one at home in another queue; v1 is on it and younger.
TEST(EveryProfile, FewerBorrowedNodesBeforeYounger) {
  const auto asks = [](std::string_view home) {
    return Scene("class-cost")
        .queue("root.a")
        .queue("root.b")
        .node("n1", 8, home)
        .node("n2", 8)
        .runs("v1", "n1", 8, R"("queue":"root.a","checkpoint":{"mode":"auto"},"started":950000)")
        .runs("v2", "n2", 8, R"("queue":"root.a","checkpoint":{"mode":"auto"})")
        .waits("p", 8, R"("queue":"root.a","class":9,"checkpoint":{"mode":"auto"})")
        .asks();
  };
  EXPECT_EQ(asks(""), "preempt v1") << "the younger";
  EXPECT_EQ(asks(R"("home":"root.b")"), "preempt v2");
}

TEST(EveryProfile, PreferencesBeforeFewerBorrowedNodes) {
  const auto asks = [](std::string_view require) {
    return Scene("class-cost")
        .top(
            R"("network":{"levels":["leaf"],"domains":[{"id":"l1","level":"leaf"},{"id":"l2","level":"leaf"}]})")
        .queue("root.a")
        .queue("root.b")
        .node("n1", 8, R"("network":["l1"])")
        .node("n2", 8, R"("network":["l1"],"home":"root.b")")
        .node("n3", 8, R"("network":["l2"])")
        .runs("v2", "n2", 8, R"("queue":"root.a","checkpoint":{"mode":"auto"})")
        .runs("v3", "n3", 8, R"("queue":"root.a","checkpoint":{"mode":"auto"})")
        .waits("p", 8,
               JsonObject(R"("queue":"root.a","class":9,"checkpoint":{"mode":"auto"})").put_all(require), 2)
        .asks();
  };
  EXPECT_EQ(asks(""), "preempt v3");
  EXPECT_EQ(asks(R"("require":{"network":[{"level":"leaf","max_domains":1,"strength":"prefer"}]})"),
            "preempt v2");
}

TEST(EveryProfile, YoungerThenNames) {
  const auto asks = [](int a, int b) {
    return Scene("quota")
        .node("n1", 8)
        .runs("a", "n1", 4, {{"started", a}})
        .runs("b", "n1", 4, {{"started", b}})
        .waits("p", 4, R"("priority":5)")
        .asks();
  };
  EXPECT_EQ(asks(100, 200), "preempt b");
  EXPECT_EQ(asks(200, 100), "preempt a");
  EXPECT_EQ(asks(100, 100), "preempt a");
}

TEST(EveryProfile, YoungerLooksAtTheOldestFirst) {
  // On n1 the youngest of all with an old one, on n2 two of middle age.
  EXPECT_EQ(Scene("quota")
                .node("n1", 8)
                .node("n2", 8)
                .runs("a1", "n1", 4, R"("started":900)")
                .runs("a2", "n1", 4, R"("started":100)")
                .runs("b1", "n2", 4, R"("started":500)")
                .runs("b2", "n2", 4, R"("started":400)")
                .waits("p", 8, R"("priority":5)")
                .asks(),
            "preempt b1,b2");
}

TEST(EveryProfile, ReliefOfANodeKeepsGuaranteesAsLongAsItCan) {
  for (const Words& words : kEach) {
    const auto relieve = [&](std::string_view of_a, std::string_view queue_of_b) {
      return in_words(Scene(words.profile)
                          .queue("root.a", of_a)
                          .queue("root.b")
                          .node("n1", 8)
                          .runs("a", "n1", 6, R"("queue":"root.a","priority":1)")
                          .runs("b", "n1", 6, R"("priority":1,"queue":")" + std::string(queue_of_b) + "\"")
                          .relief("node:n1"));
    };
    EXPECT_EQ(relieve(R"("guaranteed":{"cpu":6})", "root.a"), "preempt a") << words.profile;
    EXPECT_EQ(relieve(R"("guaranteed":{"cpu":6})", "root.b"), "preempt b") << words.profile;
    EXPECT_EQ(relieve(R"("guaranteed":{"cpu":7})", "root.a"), "preempt a") << words.profile;
  }
}

TEST(EveryProfile, EachGroupHasItsOwnPolicy) {
  const std::string policy = R"({"format":"cede-policy/1","policies":{
      "by-class":{"profile":"class-cost"},"by-priority":{"profile":"priority"}}})";
  ClusterBuilder cluster(1000000);
  cluster.queue("root");
  for (const auto& [group, with] : {std::pair{"1", "by-class"}, {"2", "by-priority"}}) {
    const auto named = [name = std::string(group)](const char* head) { return head + name; };
    cluster.group(group).put("policy", with);
    cluster.node(named("n"), {{"cpu", 8}}).put("group", group);
    JsonObject task{{"resources", JsonObject{{"cpu", 8}}}};
    cluster.job(named("p"))
        .put_all(R"("submitted":6,"class":9,"priority":5)")
        .put("group", group)
        .put("tasks", JsonList{task});
    cluster.job(named("v"))
        .put_all(R"("state":"running","started":5,"class":1,"priority":5)")
        .put("group", group)
        .put("tasks", JsonList{task.put("node", named("n"))});
  }
  const Loaded loaded(cluster.text(), policy);
  const Plan by_class = loaded.plan("p1");
  EXPECT_EQ(in_words(by_class), "preempt v1");
  EXPECT_EQ(by_class.profile, "class-cost");
  EXPECT_EQ(by_class.units, 1u) << "those of the other group are not looked at";
  EXPECT_EQ(in_words(loaded.plan("p2")), "wait no-lower-priority");
  EXPECT_EQ(loaded.fault(by_class), "");
}

TEST(EveryProfile, QueuesOverrideSettingsOnTheSideTheyAreReadOn) {
  const auto asks = [](std::string_view ours, std::string_view theirs, std::string_view settings = {}) {
    const auto own = [](std::string_view members) {
      return members.empty() ? JsonObject() : JsonObject{{"settings", JsonObject(members)}};
    };
    return Scene("class-cost", settings)
        .queue("root.ours", own(ours))
        .queue("root.ours.deep")
        .queue("root.theirs", own(theirs))
        .node("n1", 8)
        .runs("v", "n1", 8, R"("queue":"root.theirs","class":1,"started":999990)")
        .waits("p", 8, R"("queue":"root.ours.deep","class":3)")
        .eligibility_of("v");
  };
  EXPECT_EQ(asks("", ""), "eligible");
  EXPECT_EQ(asks(R"("class_rule":"banded")", ""), "class") << "read on the requester's, from a queue above";
  EXPECT_EQ(asks("", R"("class_rule":"banded")"), "eligible");
  EXPECT_EQ(asks("", R"("min_runtime":60)"), "min-runtime") << "read on the victim's";
  EXPECT_EQ(asks(R"("min_runtime":60)", ""), "eligible");
  EXPECT_EQ(asks("", R"("min_runtime":0)", R"("min_runtime":60)"), "eligible") << "a queue beats the policy";
}

TEST(EveryProfile, ANewPolicyChangesTheAnswerOfALivingEngine) {
  const Scene scene = Scene("quota")
                          .node("n1", 8)
                          .runs("v", "n1", 8, R"("class":4)")
                          .waits("p", 8, R"("class":9,"priority":5)");
  Loaded loaded(scene.cluster(), scene.policy());
  EXPECT_EQ(in_words(loaded.plan()), "preempt v");
  EXPECT_EQ(loaded.plan().profile, "quota");
  Problems problems;
  const Scene other("class-cost", R"("min_runtime":"30d")");
  ASSERT_TRUE(loaded.engine.set_policy(other.policy(), problems));
  const Plan spared = loaded.plan();
  EXPECT_EQ(spared.profile, "class-cost");
  EXPECT_EQ(excluded_by(spared, "v"), "min-runtime");
  ASSERT_TRUE(loaded.engine.set_policy(Scene("class-cost").policy(), problems));
  EXPECT_EQ(in_words(loaded.plan()), "preempt v");
}

}  // namespace
}  // namespace cede
