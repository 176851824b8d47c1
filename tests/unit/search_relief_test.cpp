// SPDX-License-Identifier: MIT
#include <array>
#include <functional>

#include "document/document.h"
#include "engine_fixture.h"
#include "search/decide.h"
#include "small_cluster.h"
#include "verify/verify.h"

namespace cede {
namespace {

using Jobs = std::vector<JsonObject>;

JsonObject job(std::string_view id, std::string_view queue, const JsonObject& members,
               const JsonList& tasks) {
  JsonObject out{{"id", id}, {"queue", queue}};
  if (!members.has("state")) out.put("state", "running");
  return out.put_all(members).put("tasks", tasks);
}
JsonObject job(std::string_view id, std::string_view queue, const JsonObject& members,
               const JsonObject& task) {
  return job(id, queue, members, JsonList{task});
}

JsonObject on(std::string_view node, int cpu) {
  return {{"node", node}, {"resources", JsonObject{{"cpu", cpu}}}};
}

// Node `a` of 8 CPUs and `b` of 32; the root has the queues `q` with the given members, and `r`.
std::string cluster(const Jobs& jobs, const JsonObject& of_q = {}) {
  ClusterBuilder builder(10000);
  builder.group();
  builder.queue("root");
  builder.queue("q", "root").put_all(of_q);
  builder.queue("r", "root");
  builder.node("a", {{"cpu", 8}, {"gpu", 4}});
  builder.node("b", {{"cpu", 32}});
  builder.jobs.assign(jobs.begin(), jobs.end());
  return builder.text();
}

// The one every profile gives up first, and two that are older, more important and dearer.
constexpr std::string_view kFirst = R"("priority":1,"class":1,"started":9900)";
constexpr std::string_view kLater = R"("priority":2,"class":2,"started":5000)";

// The three, and one more.
Jobs three(std::string_view queue, std::string_view node, const JsonObject& more = {}) {
  Jobs jobs{job("v1", queue, kFirst, on(node, 4)), job("v2", queue, kLater, on(node, 4)),
            job("v3", queue, kLater, on(node, 4))};
  if (!more.empty()) jobs.push_back(more);
  return jobs;
}

constexpr std::array<std::string_view, 3> kByQuota{"priority", "quota", "guarantee"};
constexpr std::array<std::string_view, 4> kAll{"priority", "quota", "guarantee", "class-cost"};

struct LoadedRelief {
  explicit LoadedRelief(const std::string& text, const std::string& policy = policy_text("priority"))
      : engine(Options{}) {
    Problems problems;
    EXPECT_TRUE(engine.set_policy(policy, problems)) << problems.all()[0].message();
    EXPECT_TRUE(engine.load(text, problems)) << problems.all()[0].message() << "\n" << text;
  }
  // Every plan these tests look at must verify.
  Plan checked(std::optional<Plan> made, const Problems& problems) const {
    EXPECT_TRUE(made) << (problems.all().empty() ? "" : problems.all()[0].message());
    if (!made) return {};
    EXPECT_EQ(verify(*made, *engine.policies()), "") << write_plan(*made, true);
    EXPECT_TRUE(made->placement.empty());
    return std::move(*made);
  }
  Plan relief(std::string_view target, const std::vector<std::string>& terms = {}) const {
    Problems problems;
    return checked(engine.plan_relief(target, {}, kNoTime, terms, problems), problems);
  }
  Plan claim(std::string_view queue, const std::vector<std::string>& nodes, std::string_view reason,
             const std::vector<std::string>& terms = {}) const {
    Problems problems;
    return checked(engine.plan_claim(queue, nodes, reason, kNoTime, terms, problems), problems);
  }
  Engine engine;
};

std::string names(const Plan& plan) {
  std::string out(to_word(plan.outcome, kOutcomes));
  if (!plan.rule.empty()) out += " " + plan.rule;
  for (const PlannedVictim& victim : plan.victims)
    out += " " + std::string(plan.model().job_name(victim.job));
  return out;
}

std::string units(const Plan& plan, const std::vector<Exclusion>& list) {
  std::string out;
  for (const Exclusion& each : list) {
    out += (out.empty() ? "" : " ") + std::string(plan.model().job_name(each.job));
    if (each.rule != "not-needed") out += ":" + std::string(each.rule);
  }
  return out;
}

TEST(Relief, BringsANodeWithinItsCapacity) {
  for (const std::string_view profile : kAll) {
    const LoadedRelief loaded(cluster(three("q", "a", job("far", "q", kFirst, on("b", 4)))),
                              policy_text(profile));
    const Plan plan = loaded.relief("node:a");
    EXPECT_EQ(names(plan), "preempt v1") << profile;
    EXPECT_EQ(plan.cause, "overcommit");
    EXPECT_EQ(plan.reason, "1 job gives way to relieve node 'a'");
    EXPECT_TRUE(plan.optimal);
    EXPECT_FALSE(plan.partial);
    EXPECT_EQ(units(plan, plan.not_needed), "v2 v3");
    EXPECT_EQ(units(plan, plan.exclusions), "far:frees-nothing");
    EXPECT_NE(write_plan(plan, false).find(R"("job":null,"for":"node:a")"), std::string::npos);
    EXPECT_EQ(names(loaded.relief("node:a", {"protect=v1"})), "preempt v2") << profile;
  }
}

TEST(Relief, BringsAQueueWithinItsMax) {
  const std::string text =
      cluster(three("q", "b", job("other", "r", kFirst, on("b", 4))), R"("max":{"cpu":8})");
  for (const std::string_view profile : kByQuota) {
    const Plan plan = LoadedRelief(text, policy_text(profile)).relief("queue:q");
    EXPECT_EQ(names(plan), "preempt v1") << profile;
    EXPECT_EQ(plan.cause, "limit");
    EXPECT_EQ(units(plan, plan.exclusions), "other:frees-nothing");
  }
  EXPECT_EQ(names(LoadedRelief(text, policy_text("class-cost")).relief("queue:q")),
            "wait no-quota-preemption");
}

TEST(Relief, BringsAJobWithinItsMax) {
  const auto text = [&](const JsonObject& more) {
    const JsonObject members = JsonObject(kLater).put_all(R"("max":{"cpu":4})").put_all(more);
    return cluster({job("big", "q", members, {on("b", 2), on("b", 2), on("b", 2)}),
                    job("other", "q", kFirst, on("b", 2))});
  };
  for (const std::string_view profile : kByQuota) {
    const Plan one = LoadedRelief(text(R"("gang":false)"), policy_text(profile)).relief("job:big");
    EXPECT_EQ(names(one), "preempt big") << profile;
    EXPECT_EQ(one.victims.at(0).tasks.size(), 1u);
    EXPECT_EQ(one.cause, "limit");
    const Plan gang = LoadedRelief(text(R"("gang":true)"), policy_text(profile)).relief("job:big");
    EXPECT_EQ(gang.victims.at(0).tasks.size(), 3u) << profile;
  }
  EXPECT_EQ(names(LoadedRelief(text({}), policy_text("class-cost")).relief("job:big")),
            "wait no-quota-preemption");
}

TEST(Relief, NothingToDoFits) {
  constexpr std::string_view kMax8 = R"("max":{"cpu":8})";
  const LoadedRelief loaded(cluster({job("v", "q", JsonObject(kFirst).put_all(kMax8), on("a", 8))}, kMax8));
  for (const std::string_view target : {"node:a", "node:b", "queue:q", "queue:root", "job:v"}) {
    const Plan plan = loaded.relief(target, {"partial"});
    EXPECT_EQ(names(plan), "fits fits") << target;
    EXPECT_FALSE(plan.partial);
    EXPECT_EQ(plan.expected_start, plan.now);
  }
}

TEST(Relief, AQueueInSeveralGroupsNeedsOneNamed) {
  const auto text = [](const std::vector<std::pair<std::string, std::string>>& groups) {
    ClusterBuilder builder(10000);
    for (const auto& [group, policy] : groups) builder.group(group).put("policy", policy);
    builder.queue("root");
    builder.queue("q", "root").put_all(R"("max":{"cpu":1})");
    builder.queue("idle", "root");
    builder.node("a", {{"cpu", 8}}).put("group", "g");
    builder.node("b", {{"cpu", 8}}).put("group", "h");
    builder.jobs = {job("v", "q", R"("group":"g","priority":1,"started":5)", on("a", 2)),
                    job("w", "q", R"("group":"h","priority":1,"started":5)", on("b", 2))};
    return builder.text();
  };
  const std::string policies = R"({"format":"cede-policy/1","policies":{"default":{"profile":"priority"},
    "other":{"profile":"quota"}}})";
  const LoadedRelief loaded(text({{"g", "default"}, {"h", "other"}}), policies);
  Problems problems;
  EXPECT_FALSE(loaded.engine.plan_relief("queue:q", {}, kNoTime, {}, problems));
  EXPECT_EQ(problems.all().at(0).message(), "relief: queue 'q' has jobs in 2 groups; name one");
  EXPECT_EQ(names(loaded.checked(loaded.engine.plan_relief("queue:q", "g", kNoTime, {}, problems), problems)),
            "preempt v");
  EXPECT_EQ(names(loaded.checked(loaded.engine.plan_relief("queue:q", "h", kNoTime, {}, problems), problems)),
            "preempt w");
  // Of one with no job at all the answer must not depend on the order of the document.
  EXPECT_EQ(loaded.relief("queue:idle").policy, "default");
  EXPECT_EQ(LoadedRelief(text({{"h", "other"}, {"g", "default"}}), policies).relief("queue:idle").policy,
            "default");
}

TEST(Relief, OfAQueueNeverCostsAGuarantee) {
  const std::string text = cluster(three("q", "b"), R"("guaranteed":{"cpu":8},"max":{"cpu":8})");
  for (const std::string_view profile : kByQuota) {
    EXPECT_EQ(names(LoadedRelief(text, policy_text(profile)).relief("queue:q")), "preempt v1") << profile;
    const Plan none =
        LoadedRelief(cluster({job("v1", "q", kFirst, on("b", 6)), job("v2", "q", kLater, on("b", 6))},
                             R"("guaranteed":{"cpu":8},"max":{"cpu":8})"),
                     policy_text(profile))
            .relief("queue:q");
    EXPECT_EQ(names(none), "wait below-guarantee") << profile;
    EXPECT_EQ(none.reason, "queue 'q' would be left with 6 cpu of its guaranteed 8");
  }
}

TEST(Relief, OfANodeCostsAGuaranteeOnlyAtLast) {
  for (const std::string_view profile : kAll) {
    const Plan last =
        LoadedRelief(cluster(three("q", "a"), R"("guaranteed":{"cpu":12})"), policy_text(profile))
            .relief("node:a");
    EXPECT_EQ(names(last), "preempt v1") << profile;
    EXPECT_EQ(
        last.reason,
        "1 job gives way to relieve node 'a'; nothing less than that is enough: guarantees were dropped");
    // Of two queues the one without a guarantee pays, although its job is the better one.
    const Plan other =
        LoadedRelief(cluster({job("v1", "q", kFirst, on("a", 8)), job("v2", "r", kLater, on("a", 8))},
                             R"("guaranteed":{"cpu":8})"),
                     policy_text(profile))
            .relief("node:a");
    EXPECT_EQ(names(other), "preempt v2") << profile;
  }
}

TEST(Relief, TheSwitchStopsIt) {
  const std::string text = cluster(three("q", "a"));
  for (const std::string_view profile : kAll)
    EXPECT_EQ(names(LoadedRelief(text, policy_text(profile, R"("preemption":"off")")).relief("node:a")),
              "wait off");
  // A queue that is switched off loses nothing.
  const std::string off = cluster(three("q", "a"), R"("settings":{"preemption":"off"})");
  EXPECT_EQ(names(LoadedRelief(off).relief("node:a")), "wait no-victims");
}

// Every unit of the node is spared by some rule; the node has not the room all the same.
TEST(Relief, OfANodeAlwaysFindsASet) {
  struct Case {
    std::string_view profile, members, settings;
  };
  constexpr Case kCases[] = {
      {"priority", R"("preemptible":false)", ""},
      {"class-cost", R"("preemptible":false)", ""},
      {"quota", R"("preemptible":false)", ""},
      {"fair-share", R"("preemptible":false)", ""},
      {"guarantee", R"("preemptible":false)", R"("strict_opt_out":true)"},
      {"quota", "", R"("disable_default_preemptible":true)"},
      {"guarantee", R"("preemptible":"last-resort")", ""},
      {"priority", R"("priority":50)", ""},
      {"priority", "", R"("min_runtime":"1000h")"},
      {"quota", R"("preempted_count":3)", R"("max_preempted_count":1)"},
      {"class-cost", R"("class":9)", ""},
      {"class-cost", R"("class":3,"walltime":5100)", ""},
      {"class-cost", R"("kind":"service","gang":true)", ""},
      {"fair-share", "", ""},
      {"fair-share", "", R"("allow_aggressive_preemption":false)"},
      {"guarantee", "", ""},
  };
  for (const Case& each : kCases) {
    const JsonObject members = JsonObject{{"started", 5000}}.put_all(each.members);
    const std::string text =
        cluster({job("v1", "q", members, on("a", 6)), job("v2", "q", members, on("a", 6))});
    const Plan plan = LoadedRelief(text, policy_text(each.profile, each.settings)).relief("node:a");
    EXPECT_EQ(names(plan).substr(0, 9), "preempt v")
        << each.profile << ' ' << each.members << ' ' << each.settings;
    EXPECT_EQ(plan.victims.size(), 1u);
  }
  const std::string sensitive = cluster({job("v1", "q", R"("started":5000,"kind":"sensitive")", on("a", 6)),
                                         job("v2", "q", R"("started":5000,"class":10)", on("a", 6))});
  for (const std::string_view profile : kAll)
    EXPECT_EQ(names(LoadedRelief(sensitive, policy_text(profile)).relief("node:a")), "wait no-victims")
        << profile;
}

// A task with a node holds its resources in every state, so the node is over its capacity all the same.
TEST(Relief, OfANodeTakesWhatHoldsSpaceInEveryState) {
  const std::string sensitive = R"("started":5000,"kind":"sensitive")";
  for (const std::string_view profile : {"priority", "quota", "guarantee", "class-cost", "fair-share"}) {
    for (const std::string_view state : {"suspended", "preempting", "checkpointing"}) {
      const JsonObject members{
          {"state", state}, {"started", 5000}, {"checkpoint", JsonObject{{"mode", "auto"}}}};
      const auto asks = [&](const JsonObject& other, std::string_view settings = {}) {
        return LoadedRelief(cluster({job("v1", "q", members, on("a", 6)), job("v2", "q", other, on("a", 6))}),
                            policy_text(profile, settings))
            .relief("node:a");
      };
      const Plan plan = asks(sensitive);
      EXPECT_EQ(names(plan), "preempt v1") << profile << ' ' << state;
      if (plan.victims.empty()) continue;
      EXPECT_EQ(plan.victims[0].action,
                state == "suspended" ? VictimAction::terminate : VictimAction::checkpoint)
          << profile << ' ' << state;
      EXPECT_NE(plan.reason.find("the rules that spare units were dropped"), std::string::npos)
          << plan.reason;
      EXPECT_EQ(names(asks(R"("started":5000,"priority":1,"class":1,"fair_share":0)")), "preempt v2")
          << "a running job comes first, " << profile << ' ' << state;
    }
  }
}

// What ends a suspended job: there is nothing to suspend or to interrupt.
TEST(Relief, OfANodeEndsASuspendedJob) {
  const auto asks = [](std::string_view profile, std::string_view settings) {
    const JsonObject members{{"state", "suspended"}, {"started", 5000}, {"interruptible", true}};
    const Plan plan =
        LoadedRelief(cluster({job("v1", "q", members, on("a", 6)),
                              job("v2", "q", R"("started":5000,"kind":"sensitive")", on("a", 6))}),
                     policy_text(profile, settings))
            .relief("node:a");
    return plan.victims.empty() ? "none" : std::string(to_word(plan.victims[0].action, kVictimActions));
  };
  EXPECT_EQ(asks("priority", R"("preemption_mode":"suspend")"), "terminate");
  EXPECT_EQ(asks("priority", R"("preemption_mode":"suspend","suspend_keep":"local")"), "terminate");
  EXPECT_EQ(asks("class-cost", ""), "terminate");
  EXPECT_EQ(asks("quota", R"("evict":"delete")"), "terminate");
  EXPECT_EQ(asks("quota", R"("evict":"soft")"), "soft-evict") << "the site's operator deletes it";
  EXPECT_EQ(asks("fair-share", ""), "terminate");
  EXPECT_EQ(asks("guarantee", ""), "terminate");
}

// Each of the jobs alone is enough; the one of the earliest step goes.
TEST(Relief, RulesGiveWayInOrder) {
  const JsonObject bound = on("a", 6).put("required_node", "a");
  const auto last_resort = [&](std::string_view id) {
    return job(id, "q", R"("priority":1,"started":9000,"preemptible":"last-resort")", on("a", 6));
  };
  const auto opted_out = [&](std::string_view id) {
    return job(id, "q", R"("priority":1,"started":9000,"preemptible":false)", on("a", 6));
  };
  const auto at_home = [&](std::string_view id) {
    return job(id, "q", R"("priority":1,"started":9000)", bound);
  };
  const auto short_run = [&](std::string_view id) {
    return job(id, "q", R"("priority":1,"started":9990)", on("a", 6));
  };
  const std::string settings = R"("min_runtime":"1m")";
  for (const std::string_view profile : {"priority", "quota", "class-cost", "guarantee"}) {
    const auto asks = [&](const Jobs& jobs) {
      return names(LoadedRelief(cluster(jobs), policy_text(profile, settings)).relief("node:a"));
    };
    const JsonObject plain =
        job("z", "q", R"("started":9000,"priority":5,"class":8,"checkpoint":{"mode":"auto"})", on("a", 6));
    EXPECT_EQ(asks({last_resort("a"), plain}), "preempt z") << profile;
    EXPECT_EQ(asks({at_home("a"), last_resort("z")}), "preempt z") << profile;
    EXPECT_EQ(asks({at_home("a"), opted_out("z")}), "preempt z") << profile;
    EXPECT_EQ(asks({short_run("a"), at_home("z")}), "preempt z") << profile;
    // min_runtime spares both; the one that can run elsewhere goes.
    const JsonObject bound_and_short = job("a", "q", R"("priority":1,"started":9990)", bound);
    EXPECT_EQ(asks({bound_and_short, short_run("z")}), "preempt z") << profile;
    EXPECT_EQ(asks({bound_and_short, last_resort("z")}), "preempt z") << profile;
  }
  // Storm limits before max_victims, and both before the other rules.
  const std::string one = R"("max_victims":1,"min_runtime":"1m")";
  const Jobs small{job("v1", "q", R"("priority":1,"started":9000)", on("a", 2)),
                   job("v2", "q", R"("priority":1,"started":9000)", on("a", 2)),
                   job("big", "q", R"("priority":1,"started":9990)", on("a", 8))};
  const Plan several = LoadedRelief(cluster(small), policy_text("priority", one)).relief("node:a");
  EXPECT_EQ(names(several), "preempt v1 v2");
  EXPECT_NE(several.reason.find("max_victims was dropped"), std::string::npos) << several.reason;
  const std::string storm = policy_text("priority", one, R"("max_preemptions_per_window":{"queue":0})");
  const Plan stormy = LoadedRelief(cluster({job("v1", "q", R"("priority":1,"started":9000)", on("a", 6)),
                                            job("v2", "q", R"("priority":1,"started":9990)", on("a", 6))}),
                                   storm)
                          .relief("node:a");
  EXPECT_EQ(names(stormy), "preempt v1");
  EXPECT_NE(stormy.reason.find("the storm limits were dropped"), std::string::npos) << stormy.reason;
}

// Preemptible tasks first, then those within their job's share, then the protected ones.
TEST(Relief, FairShareGivesUpWhatIsBeyondTheShareFirst) {
  const std::string text =
      cluster({job("rich", "q", R"("started":5000)", {on("a", 3), on("b", 14), on("b", 14)}),
               job("poor", "r", R"("started":9000,"fair_share":0.5)", {on("a", 3), on("a", 3)})});
  const Plan plan = LoadedRelief(text, policy_text("fair-share")).relief("node:a");
  EXPECT_EQ(plan.outcome, Outcome::preempt);
  const Plan protect = LoadedRelief(cluster({job("v1", "q", R"("started":5000,"fair_share":1)", on("a", 6)),
                                             job("v2", "r", R"("started":5000,"fair_share":1)", on("a", 6))}),
                                    policy_text("fair-share"))
                           .relief("node:a");
  EXPECT_EQ(protect.victims.size(), 1u) << "all are protected, and the node has not the room";
  const std::string queue = cluster({job("v1", "q", R"("started":5000,"fair_share":1)", on("b", 6)),
                                     job("v2", "q", R"("started":5000,"fair_share":1)", on("b", 6))},
                                    R"("max":{"cpu":8})");
  EXPECT_EQ(names(LoadedRelief(queue, policy_text("fair-share")).relief("queue:q")), "wait no-victims")
      << "protected tasks are for overcommitted nodes only";
}

const std::string kPatient = policy_text("priority", R"("overcommit_grace":"5m")");

std::string overcommitted(Time now, const JsonObject& of_node = {}, const Jobs& jobs = three("q", "a")) {
  ClusterBuilder builder(now);
  builder.group();
  builder.queue("root");
  builder.queue("q", "root");
  builder.node("a", {{"cpu", 8}}).put_all(of_node);
  builder.node("b", {{"cpu", 8}});
  builder.jobs.assign(jobs.begin(), jobs.end());
  return builder.text();
}

TEST(OvercommitGrace, CountsFromWhatTheDocumentSays) {
  const Plan wait =
      LoadedRelief(overcommitted(10'000, R"("overcommit_since":9701)"), kPatient).relief("node:a");
  EXPECT_EQ(names(wait), "wait overcommit-grace");
  EXPECT_EQ(
      wait.reason,
      "it is over its capacity since 1970-01-01T02:41:41Z, overcommit_grace ends at 1970-01-01T02:46:41Z");
  EXPECT_EQ(
      names(LoadedRelief(overcommitted(10'000, R"("overcommit_since":9700)"), kPatient).relief("node:a")),
      "preempt v1");
  EXPECT_EQ(names(LoadedRelief(overcommitted(10'000)).relief("node:a")), "preempt v1") << "0 is the default";
}

// The clock starts when the engine is told, survives saving, and starts again after the node was in order.
TEST(OvercommitGrace, CountsFromWhenTheEngineFirstSawIt) {
  LoadedRelief loaded(overcommitted(10'000), kPatient);
  const auto tell = [&](const std::string& text) {
    Problems problems;
    EXPECT_TRUE(loaded.engine.load(text, problems)) << problems.all()[0].message();
  };
  const auto answer = [&] { return names(loaded.relief("node:a")); };
  EXPECT_EQ(answer(), "wait overcommit-grace");
  tell(overcommitted(10'299));
  EXPECT_EQ(answer(), "wait overcommit-grace");
  tell(overcommitted(10'300));
  EXPECT_EQ(answer(), "preempt v1");

  Engine other{Options{}};
  Problems problems;
  ASSERT_TRUE(other.set_policy(kPatient, problems));
  ASSERT_TRUE(other.restore_state(loaded.engine.save_state(), problems));
  ASSERT_TRUE(other.load(overcommitted(10'300), problems));
  const std::optional<Plan> again = other.plan_relief("node:a", {}, kNoTime, {}, problems);
  EXPECT_EQ(names(*again), "preempt v1") << "saved and restored";

  tell(overcommitted(10'310, {}, {job("v1", "q", kFirst, on("a", 4))}));
  tell(overcommitted(10'320));
  EXPECT_EQ(answer(), "wait overcommit-grace") << "in order in between";
  tell(overcommitted(10'620));
  EXPECT_EQ(answer(), "preempt v1");
  const std::string gone =
      R"({"format":"cede-cluster/1","now":10630,"groups":[{"id":"g"}],"queues":[{"id":"root"},
    {"id":"q","parent":"root"}],"nodes":[{"id":"b","resources":{"cpu":8}}],"jobs":[]})";
  tell(gone);
  tell(overcommitted(10'640));
  EXPECT_EQ(answer(), "wait overcommit-grace") << "the node was gone in between";
}

// A time before the engine's is ignored, so a clock that goes back neither starts nor ends the grace.
TEST(OvercommitGrace, SurvivesAClockThatGoesBack) {
  LoadedRelief loaded(overcommitted(10'000), kPatient);
  Problems problems;
  for (const Time now : {5'000, 5'300, 10'299}) {
    ASSERT_TRUE(loaded.engine.load(overcommitted(now), problems));
    EXPECT_EQ(names(loaded.relief("node:a")), "wait overcommit-grace") << now;
  }
  ASSERT_TRUE(loaded.engine.load(overcommitted(10'300), problems));
  EXPECT_EQ(names(loaded.relief("node:a")), "preempt v1");
}

// A change without a time of its own comes at the time of the last step.
TEST(OvercommitGrace, CountsFromTheTimeOfTheEngine) {
  const Jobs both{job("v1", "q", kFirst, on("a", 4)), job("v2", "q", kFirst, on("a", 4))};
  LoadedRelief loaded(overcommitted(10'000, {}, both), kPatient);
  loaded.engine.step(10'100 * kSecond, {});
  const auto relief = [&](Time now) {
    Problems problems;
    return loaded.engine.plan_relief("node:a", {}, now * kSecond, {}, problems)->outcome;
  };
  Problems problems;
  ClusterBuilder change;
  change.node("a", {{"cpu", 7}});
  ASSERT_TRUE(loaded.engine.apply(change.changes(), problems)) << problems.all()[0].message();
  EXPECT_EQ(relief(10'399), Outcome::wait);
  EXPECT_EQ(relief(10'400), Outcome::preempt);
  loaded.engine.step(10'500 * kSecond, {});
  EXPECT_EQ(relief(10'400), Outcome::preempt) << "a later step does not start it again";
}

TEST(OvercommitGrace, CountsFromTheFirstStepUnderTheNewPolicy) {
  LoadedRelief loaded(overcommitted(10'000));
  Problems problems;
  ASSERT_TRUE(loaded.engine.set_policy(kPatient, problems));
  const auto relief = [&](Time now) {
    return names(*loaded.engine.plan_relief("node:a", {}, now * kSecond, {}, problems));
  };
  EXPECT_EQ(relief(10'900), "wait overcommit-grace");
  loaded.engine.step(10'100 * kSecond, {});
  const std::uint64_t revision = loaded.engine.revision();
  EXPECT_EQ(relief(10'399), "wait overcommit-grace");
  EXPECT_EQ(relief(10'400), "preempt v1");
  loaded.engine.step(10'200 * kSecond, {});
  EXPECT_EQ(loaded.engine.revision(), revision) << "one look is enough";
  EXPECT_EQ(relief(10'400), "preempt v1");
}

// One of the three may leave, and twice as much is too much.
std::string hopeless() {
  const JsonObject fixed = JsonObject(kLater).put("kind", "sensitive");
  return cluster({job("v1", "q", kFirst, on("a", 4)), job("f1", "q", fixed, on("a", 4)),
                  job("f2", "q", fixed, on("a", 8))});
}

TEST(Relief, WithoutASetNoJobLeaves) {
  for (const std::string_view profile : {"priority", "quota", "class-cost"}) {
    const Plan plan = LoadedRelief(hopeless(), policy_text(profile)).relief("node:a");
    EXPECT_EQ(names(plan), "wait no-set") << profile;
    EXPECT_NE(plan.reason.find("gone it would still be 4 cpu over"), std::string::npos) << plan.reason;
    EXPECT_EQ(units(plan, plan.not_needed), "v1");
  }
}

TEST(Relief, PartialBringsItDown) {
  for (const std::string_view profile : {"priority", "quota", "class-cost"}) {
    const LoadedRelief loaded(hopeless(), policy_text(profile));
    Plan plan = loaded.relief("node:a", {"partial"});
    EXPECT_EQ(names(plan), "preempt v1") << profile;
    EXPECT_TRUE(plan.partial);
    EXPECT_FALSE(plan.optimal);
    EXPECT_EQ(plan.reason, "1 job gives way to relieve node 'a'; it is still 4 cpu over");
    EXPECT_EQ(units(plan, plan.not_needed), "");
    // What does not say so must not be still over.
    plan.partial = false;
    EXPECT_EQ(verify(plan, *loaded.engine.policies()), "relieved: 'a' is still over its capacity");
  }
}

TEST(Relief, PartialIsForWhatCannotBeDoneWhole) {
  const LoadedRelief loaded(cluster(three("q", "a")));
  Plan plan = loaded.relief("node:a", {"partial"});
  EXPECT_EQ(write_plan(plan, true), write_plan(loaded.relief("node:a"), true));
  EXPECT_FALSE(plan.partial);
  plan.partial = true;
  EXPECT_EQ(verify(plan, *loaded.engine.policies()), "relieved: it says partial, and is not");
}

TEST(Relief, PartialKeepsTheCaps) {
  const std::string text = cluster({job("v1", "q", kFirst, on("b", 4)), job("v2", "q", kLater, on("b", 6)),
                                    job("v3", "q", kLater, on("b", 6)), job("v4", "q", kLater, on("b", 2))},
                                   R"("max":{"cpu":8})");
  const LoadedRelief one(text, policy_text("priority", R"("max_victims":1)"));
  EXPECT_EQ(names(one.relief("queue:q")), "wait max-victims");
  const Plan partial = one.relief("queue:q", {"partial"});
  EXPECT_EQ(names(partial), "preempt v1") << "in the order of the objective, not by size";
  EXPECT_EQ(partial.reason, "1 job gives way to relieve queue 'q'; it is still 6 cpu over");
  EXPECT_EQ(units(partial, partial.exclusions), "v2:max-victims v3:max-victims v4:max-victims");

  const LoadedRelief guaranteed(
      cluster({job("v1", "q", kFirst, {on("b", 6), on("b", 6)}), job("v2", "q", kLater, on("b", 2)),
               job("v3", "q", kFirst, on("b", 1))},
              R"("guaranteed":{"cpu":8},"max":{"cpu":8})"));
  EXPECT_EQ(names(guaranteed.relief("queue:q")), "wait below-guarantee");
  const Plan others = guaranteed.relief("queue:q", {"partial"});
  EXPECT_EQ(names(others), "preempt v2 v3");
  EXPECT_EQ(units(others, others.exclusions), "v1:below-guarantee");
  EXPECT_EQ(others.reason, "2 jobs give way to relieve queue 'q'; it is still 4 cpu over");
}

// With `v2` gone the CPUs are enough, so `v1`, whose turn came first, is given back; the GPUs never are.
TEST(Relief, PartialTakesNoJobInVain) {
  const auto holds = [](int cpu, int gpu) {
    return JsonObject{{"node", "a"}, {"resources", JsonObject{{"cpu", cpu}, {"gpu", gpu}}}};
  };
  const Plan plan =
      LoadedRelief(cluster({job("v1", "q", kFirst, holds(4, 0)), job("v2", "q", kLater, holds(8, 2)),
                            job("f", "q", R"("started":5,"kind":"sensitive")", {holds(1, 4), holds(0, 4)})}))
          .relief("node:a", {"partial"});
  EXPECT_EQ(names(plan), "preempt v2");
  EXPECT_EQ(plan.reason, "1 job gives way to relieve node 'a'; it is still 4 gpu over");
  EXPECT_EQ(units(plan, plan.not_needed), "v1");
}

TEST(Relief, PartialTakesAnElasticJobWhole) {
  const JsonObject fixed = job("f", "q", R"("started":5,"kind":"sensitive")", {on("a", 8), on("a", 2)});
  const JsonObject elastic = job("e", "q", JsonObject(kFirst).put("gang", true).put("min_tasks", 1),
                                 {on("a", 2), on("a", 2), on("a", 2)});
  const Plan plan = LoadedRelief(cluster({elastic, fixed})).relief("node:a", {"partial"});
  EXPECT_EQ(names(plan), "preempt e");
  EXPECT_EQ(plan.victims.at(0).tasks.size(), 3u);
  EXPECT_TRUE(plan.victims.at(0).whole_job);
  EXPECT_EQ(units(plan, plan.not_needed), "") << "its single tasks are on their way out as well";
}

TEST(Relief, VerifiesOnRandomQueues) {
  std::array<int, 3> seen{};  // done, in part, not at all
  for (std::uint64_t seed = 1; seed <= 1500; ++seed) {
    const std::string cap = seed % 3 == 0 ? R"("max_victims":1)" : "";
    const LoadedRelief loaded(small_cluster(seed), policy_text("priority", cap));
    for (const std::string_view target : {"queue:q0", "queue:q1"}) {
      const Plan plain = loaded.relief(target);
      const Plan partial = loaded.relief(target, {"partial"});
      if (plain.outcome != Outcome::wait) {
        ASSERT_EQ(write_plan(plain, true), write_plan(partial, true)) << "seed " << seed;
        seen[0] += plain.outcome == Outcome::preempt ? 1 : 0;
      } else {
        ASSERT_EQ(partial.partial, partial.outcome == Outcome::preempt) << "seed " << seed;
        ++seen[partial.partial ? 1 : 2];
      }
      if (HasFailure()) return;
    }
  }
  EXPECT_GT(seen[0], 50);
  EXPECT_GT(seen[1], 10);
  EXPECT_GT(seen[2], 5);
}

// `n1` and `n2` are at home in `own`, `n3` in `root`, `n4` in `out`, and `h1` is of another group.
std::string lent(const Jobs& jobs) {
  ClusterBuilder builder(10000);
  for (const char* group : {"g", "h"}) builder.group(group).put("policy", "default");
  builder.queue("root");
  builder.queue("own", "root");
  builder.queue("own.sub", "own");
  builder.queue("out", "root");
  for (const auto& [node, home] : {std::pair{"n1", "own"}, {"n2", "own"}, {"n3", "root"}, {"n4", "out"}})
    builder.node(node, {{"cpu", 8}}).put("group", "g").put("home", home);
  builder.node("h1", {{"cpu", 8}}).put("group", "h").put("home", "own");
  builder.jobs.assign(jobs.begin(), jobs.end());
  return builder.text();
}

JsonObject guest(std::string_view id, const JsonList& tasks, const JsonObject& members = R"("class":9)",
                 std::string_view queue = "out") {
  return job(id, queue,
             JsonObject(members).put_all(R"("group":"g","checkpoint":{"mode":"auto"},"started":5000)"),
             tasks);
}

const std::string kClassCost = policy_text("class-cost");

TEST(Claim, AllOtherJobsLeave) {
  const Jobs jobs{guest("a", {on("n1", 1)}),
                  guest("b", {on("n1", 1)}),
                  guest("c", {on("n1", 1)}),
                  guest("d", {on("n1", 1), on("n4", 1)}, R"("class":9,"gang":true)"),
                  guest("e", {on("n2", 1)}),
                  guest("mine", {on("n1", 1)}, R"("class":1)", "own"),
                  guest("below", {on("n1", 1)}, R"("class":1)", "own.sub")};
  const LoadedRelief loaded(lent(jobs), kClassCost);
  const Plan plan = loaded.claim("own", {"n1"}, "reclaim");
  EXPECT_EQ(names(plan), "preempt a b c d") << "max_victims is 3, and does not count";
  EXPECT_EQ(plan.victims.at(3).tasks.size(), 2u);
  EXPECT_EQ(plan.cause, "reclaim");
  EXPECT_EQ(plan.reason, "4 jobs leave the nodes that queue 'own' claims");
  EXPECT_EQ(units(plan, plan.not_needed), "below e mine");
  EXPECT_NE(write_plan(plan, true).find(R"("job":null,"for":"claim:own")"), std::string::npos);
  EXPECT_EQ(names(loaded.claim("own", {"n1", "n2"}, "reclaim")), "preempt a b c d e");
  EXPECT_EQ(names(loaded.claim("own.sub", {"n1"}, "reclaim")), "preempt a b c d mine") << "not above it";
  const Plan sensitive = loaded.claim("out", {"n1"}, "sensitive");
  EXPECT_EQ(names(sensitive), "preempt below mine");
  EXPECT_EQ(sensitive.cause, "sensitive");
  EXPECT_EQ(names(loaded.claim("own", {"n3"}, "reclaim")), "fits fits");
}

TEST(Claim, AJobThatStaysBlocksIt) {
  const LoadedRelief protect(lent({guest("a", {on("n1", 1)}), guest("b", {on("n1", 1)})}), kClassCost);
  const Plan blocked = protect.claim("own", {"n1"}, "reclaim", {"protect=b"});
  EXPECT_EQ(names(blocked), "wait claim-blocked");
  EXPECT_EQ(units(blocked, blocked.exclusions), "b:protected");
  EXPECT_EQ(units(blocked, blocked.not_needed), "a");
  EXPECT_NE(blocked.reason.find("job 'b' stays on a claimed node (protected)"), std::string::npos);
  EXPECT_EQ(names(protect.claim("own", {"n1"}, "sensitive", {"protect=b"})), "preempt a b");

  const LoadedRelief sensitive(lent({guest("a", {on("n1", 1)}), guest("s", {on("n1", 1)}, R"("class":10)")}),
                               kClassCost);
  for (const std::string_view reason : {"reclaim", "sensitive"}) {
    const Plan plan = sensitive.claim("own", {"n1"}, reason);
    EXPECT_EQ(names(plan), "wait claim-blocked") << reason;
    EXPECT_EQ(units(plan, plan.exclusions), "s:sensitive");
  }
  // Almost done: it may stay when its owner's nodes are reclaimed, not when they are needed for class 10.
  const LoadedRelief done(lent({guest("a", {on("n1", 1)}, R"("class":1,"walltime":5100)")}), kClassCost);
  EXPECT_EQ(names(done.claim("own", {"n1"}, "reclaim")), "wait claim-blocked");
  EXPECT_EQ(names(done.claim("own", {"n1"}, "sensitive")), "preempt a");
  const LoadedRelief off(lent({guest("a", {on("n1", 1)})}),
                         policy_text("class-cost", R"("preemption":"off")"));
  EXPECT_EQ(names(off.claim("own", {"n1"}, "reclaim")), "wait off");
}

TEST(Claim, WhatMayNotBeClaimed) {
  const auto fault = [](std::string_view queue, const std::vector<std::string>& nodes,
                        std::string_view reason, const std::string& policy = kClassCost) {
    const LoadedRelief loaded(lent({}), policy);
    Problems problems;
    EXPECT_FALSE(loaded.engine.plan_claim(queue, nodes, reason, kNoTime, {}, problems));
    return problems.all().empty() ? std::string() : problems.all()[0].message();
  };
  EXPECT_EQ(fault("own", {"n1"}, "sensitive", policy_text("quota")),
            "claim: profile quota knows no claims; class-cost does");
  EXPECT_EQ(fault("own", {"n4"}, "reclaim"), "nodes: 'n4' is not at home in queue 'own' or above it");
  EXPECT_EQ(fault("root", {"n1"}, "reclaim"), "nodes: 'n1' is not at home in queue 'root' or above it");
  EXPECT_EQ(fault("own", {"n1", "h1"}, "reclaim"), "nodes: 'h1' is of another group than 'n1'");
  EXPECT_EQ(fault("own", {"n1", "n2", "n1"}, "reclaim"), "nodes: 'n1' is named twice");
  EXPECT_EQ(fault("own", {}, "reclaim"), "claim: no node is named");
  EXPECT_EQ(fault("own", {"n1"}, "because"), "reason: 'because' is not reclaim or sensitive");
}

}  // namespace
}  // namespace cede
