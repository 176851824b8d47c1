// SPDX-License-Identifier: MIT
#include "search/decide.h"

#include <functional>
#include <map>

#include "document/document.h"
#include "plan_fixture.h"
#include "small_cluster.h"
#include "support/enumerator.h"
#include "verify/objective.h"
#include "verify/verify.h"

namespace cede {
namespace {

std::string policy_with(const JsonObject& settings) { return policy_text("priority", settings); }

// The oracle's verdict on the same question, over all eligible units.
std::optional<std::vector<Criterion>> oracle(const Loaded& loaded, const Plan& plan) {
  Enumerator enumerator(plan, *loaded.engine.policies());
  return enumerator.eligible() > 12 ? std::nullopt : enumerator.best();
}

TEST(Decide, AgreesWithTheEnumeratorOnSmallClusters) {
  static constexpr std::array<const char*, 4> kOrders{"oldest", "newest", "fewest", "smallest"};
  std::map<std::string, int> outcomes;
  for (std::uint64_t seed = 1; seed <= 5000; ++seed) {
    JsonObject settings{{"preemption_order", kOrders[seed % 4]}};
    if (seed % 5 == 0) settings.put("max_victims", 1);
    const Loaded loaded(small_cluster(seed), policy_with(settings));
    const Plan plan = loaded.plan();
    ASSERT_EQ(loaded.fault(plan), "") << "seed " << seed << "\n"
                                      << write_plan(plan, true) << small_cluster(seed);
    ++outcomes[std::string(to_word(plan.outcome, kOutcomes)) + " " + plan.rule];
    if (plan.outcome == Outcome::preempt) {
      ASSERT_TRUE(plan.optimal);
      const auto best = oracle(loaded, plan);
      ASSERT_TRUE(best) << "seed " << seed << ": a set that the oracle does not know\n"
                        << write_plan(plan, true) << small_cluster(seed);
      ASSERT_EQ(compare(plan.objective, *best), std::strong_ordering::equal)
          << "seed " << seed << "\n"
          << write_plan(plan, true) << small_cluster(seed);
    } else if (plan.rule == "no-set" || plan.rule == "no-victims" || plan.rule == "max-victims") {
      ASSERT_FALSE(oracle(loaded, plan)) << "seed " << seed << ": " << plan.rule << "\n"
                                         << write_plan(plan, true) << small_cluster(seed);
    }
  }
  // The clusters must keep asking every kind of question.
  EXPECT_GT(outcomes["preempt "], 500);
  EXPECT_GT(outcomes["fits fits"], 300);
  EXPECT_GT(outcomes["wait no-set"], 50);
  EXPECT_GT(outcomes["wait no-victims"], 20);
  EXPECT_GT(outcomes["wait max-victims"], 5);
}

TEST(Decide, IsTheSameOverRunsAndOrder) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const std::string text = small_cluster(seed);
    const std::string first = write_plan(Loaded(text).plan(), true);
    for (int run = 0; run < 5; ++run) ASSERT_EQ(write_plan(Loaded(text).plan(), true), first);
    // An export is ordered by name: another order than the document's.
    ASSERT_EQ(write_plan(Loaded(Loaded(text).engine.export_cluster()).plan(), true), first)
        << "seed " << seed;
  }
}

std::string full_node(const std::vector<JsonObject>& running,
                      const JsonObject& requester = R"("priority":60)", const JsonObject& extra = {}) {
  ClusterBuilder cluster(100000);
  cluster.group();
  cluster.queue("root");
  cluster.node("a", {{"cpu", 8}});
  cluster.jobs.assign(running.begin(), running.end());
  cluster.job("p").put_all(requester).put_all(R"("submitted":99000,"tasks":[{"resources":{"cpu":4}}])");
  cluster.document = extra;
  return cluster.text();
}

JsonObject runs(std::string_view id, int cpu, const JsonObject& members) {
  const JsonObject task{{"node", "a"}, {"resources", JsonObject{{"cpu", cpu}}}};
  return JsonObject{{"id", id}, {"queue", "root"}, {"state", "running"}}.put_all(members).put("tasks",
                                                                                              JsonList{task});
}

TEST(Decide, FourOrders) {
  const std::string text = full_node({runs("big-old", 4, R"("priority":2,"started":1000)"),
                                      runs("s1", 2, R"("priority":1,"started":3000)"),
                                      runs("s2", 2, R"("priority":1,"started":2000)")});
  EXPECT_EQ(victims_of(Loaded(text, policy_with(R"("preemption_order":"oldest")")).plan()), "s1,s2")
      << "lowest priority first";
  EXPECT_EQ(victims_of(Loaded(text, policy_with(R"("preemption_order":"fewest")")).plan()), "s1,s2")
      << "highest priority counts first";
  const std::string equal = full_node(
      {runs("v1", 4, R"("priority":1,"started":3000)"), runs("v2", 4, R"("priority":1,"started":2000)")});
  EXPECT_EQ(victims_of(Loaded(equal, policy_with(R"("preemption_order":"oldest")")).plan()), "v2");
  EXPECT_EQ(victims_of(Loaded(equal, policy_with(R"("preemption_order":"newest")")).plan()), "v1");
  const std::string sizes = full_node({runs("v1", 5, R"("priority":1,"started":3000)"),
                                       runs("v2", 2, R"("priority":1,"started":2000)"),
                                       runs("v3", 1, R"("priority":1,"started":2000)")});
  EXPECT_EQ(victims_of(Loaded(sizes, policy_with(R"("preemption_order":"fewest")")).plan()), "v1");
}

TEST(Decide, ModesByKind) {
  const auto leaves = [](std::string_view kind, std::string_view mode) {
    const Loaded loaded(
        full_node({runs("v", 8, JsonObject(R"("priority":1,"started":5)").put("kind", kind))}),
        policy_with({{"preemption_mode", mode}}));
    const Plan plan = loaded.plan();
    EXPECT_EQ(plan.victims.size(), 1u);
    return std::string(to_word(plan.victims.at(0).action, kVictimActions)) +
           (plan.victims[0].requeue ? " requeue" : "");
  };
  EXPECT_EQ(leaves("batch", "terminate"), "terminate");
  EXPECT_EQ(leaves("batch", "suspend"), "suspend requeue");
  EXPECT_EQ(leaves("training", "suspend"), "suspend requeue");
  EXPECT_EQ(leaves("inference", "suspend"), "terminate");
  EXPECT_EQ(leaves("interactive", "suspend"), "suspend");
}

TEST(Decide, Scopes) {
  const std::string text = full_node({runs("v", 8, R"("priority":1,"started":5,"user":"u","project":"x")")},
                                     R"("priority":60,"user":"u","project":"y")");
  EXPECT_EQ(Loaded(text, policy_with(R"("victim_scope":"user")")).plan().outcome, Outcome::preempt);
  const Plan other = Loaded(text, policy_with(R"("victim_scope":"project")")).plan();
  EXPECT_EQ(other.rule, "no-victims");
  ASSERT_EQ(other.exclusions.size(), 1u);
  EXPECT_EQ(other.exclusions[0].rule, "scope");
  EXPECT_EQ(Loaded(text, policy_with(R"("victim_scope":"tenant")")).plan().rule, "no-victims")
      << "an absent tenant equals no other";
}

TEST(Decide, TriggersInTheirOrder) {
  const JsonObject victim = runs("v", 8, R"("priority":1,"started":5)");
  const auto rule = [](const std::string& text, const std::string& policy = std::string(kPriorityPolicy),
                       std::string_view job = "p") { return Loaded(text, policy).plan(job).rule; };
  EXPECT_EQ(rule(full_node({victim}), std::string(kPriorityPolicy), "v"), "not-waiting");
  EXPECT_EQ(rule(full_node({victim}), policy_with(R"("preemption":"off")")), "off");
  EXPECT_EQ(rule(full_node({runs("v", 2, R"("priority":1,"started":5)")})), "fits");
  EXPECT_EQ(rule(full_node({victim}, R"("priority":60,"require":{"hosts":{"exclude":["a"]}})")),
            "impossible");
  EXPECT_EQ(rule(full_node({victim}, R"("priority":60)",
                           R"("reservations":[{"id":"r","nodes":["a"],"from":100500}])")),
            "nodes-unavailable");
  EXPECT_EQ(rule(full_node({victim}, R"("priority":60,"walltime":100)",
                           R"("reservations":[{"id":"r","nodes":["a"],"from":100500}])")),
            "")
      << "it ends before the reservation begins";
  EXPECT_EQ(rule(full_node({victim}, R"("priority":60,"may_preempt":false)")), "may-not-preempt");
  EXPECT_EQ(
      rule(full_node(
          {victim,
           JsonObject(
               R"("id":"first","queue":"root","priority":70,"submitted":5,"tasks":[{"resources":{"cpu":8}}])")})),
      "not-front");
  EXPECT_EQ(
      rule(full_node(
          {victim,
           JsonObject(
               R"("id":"first","queue":"root","priority":70,"submitted":5,"tasks":[{"resources":{"cpu":9}}])")})),
      "")
      << "an impossible job is not the front";
  EXPECT_EQ(
      rule(
          full_node(
              {victim,
               JsonObject(
                   R"("id":"first","queue":"root","priority":70,"submitted":5,"tasks":[{"resources":{"cpu":8}}])")}),
          policy_with(R"("front_only":false)")),
      "");
  EXPECT_EQ(rule(full_node({runs("v", 8, R"("priority":60,"started":5)")})), "no-lower-priority");
  EXPECT_EQ(rule(full_node({runs("v", 8, R"("priority":1,"started":99000,"walltime":1500)")}),
                 policy_with(R"("wait_horizon":"10m")")),
            "worth-waiting");
  EXPECT_EQ(rule(full_node({runs("v", 8, R"("priority":1,"started":99000,"walltime":1500)")}),
                 policy_with(R"("wait_horizon":"1m")")),
            "");
}

TEST(Decide, EligibilityInItsOrder) {
  const auto excluded_by = [](std::string_view members, std::string_view settings = "",
                              const std::vector<std::string>& terms = {}) {
    const Plan plan = Loaded(full_node({runs("v", 8, members)}), policy_with(settings)).plan("p", terms);
    EXPECT_EQ(plan.exclusions.size(), 1u) << plan.rule;
    return plan.exclusions.empty() ? std::string() : std::string(plan.exclusions[0].rule);
  };
  EXPECT_EQ(excluded_by(R"("priority":1,"started":5,"kind":"sensitive")"), "sensitive");
  EXPECT_EQ(excluded_by(R"("priority":1,"started":5,"class":10)"), "sensitive");
  EXPECT_EQ(excluded_by(R"("priority":1,"started":5)", "", {"protect=v"}), "protected");
  EXPECT_EQ(excluded_by(R"("priority":1,"started":5,"preemptible":false)"), "not-preemptible");
  EXPECT_EQ(excluded_by(R"("priority":1,"started":99990)", R"("min_runtime":"1m")"), "min-runtime");
  EXPECT_EQ(excluded_by(R"("priority":1,"started":5,"preempted_count":2)", R"("max_preempted_count":2)"),
            "preempted-often");
  EXPECT_EQ(excluded_by(R"("priority":6,"started":5)"), "priority-threshold");
  EXPECT_EQ(excluded_by(R"("priority":6,"started":5)", R"("preemptible_priority":5)"), "priority-threshold");
}

TEST(Decide, LastResortOnlyWhenNothingElseDoes) {
  const JsonObject spare = runs("a-last", 4, R"("priority":0,"started":5,"preemptible":"last-resort")");
  EXPECT_EQ(victims_of(Loaded(full_node({spare, runs("b", 4, R"("priority":4,"started":5)")})).plan()), "b");
  EXPECT_EQ(victims_of(Loaded(full_node({spare, runs("b", 4, R"("priority":9,"started":5)")})).plan()),
            "a-last");
}

// Twenty ways to damage a plan, each noticed by the check that is there for it.
TEST(Verify, NoticesEveryKindOfDamage) {
  const std::string text =
      R"({"format":"cede-cluster/1","now":100000,"groups":[{"id":"g","resources":{"lic":2}}],
        "queues":[{"id":"root"},{"id":"q","parent":"root","max":{"gpu":4}}],
        "nodes":[{"id":"n1","resources":{"gpu":4,"cpu":8}},{"id":"n2","resources":{"gpu":4,"cpu":8},"state":"drain"},{"id":"n3","resources":{"gpu":4,"cpu":8}}],
        "jobs":[{"id":"v","queue":"root","state":"running","started":1,"priority":1,"tasks":[
            {"node":"n1","resources":{"gpu":1,"lic":1},"gpus":[0]},{"node":"n1","resources":{"gpu":1},"gpus":[1]}]},
          {"id":"k","queue":"root","state":"running","started":1,"priority":50,"tasks":[{"node":"n1","resources":{"gpu":2},"gpus":[2,3]},
            {"node":"n3","resources":{"gpu":3},"gpus":[0,1,2]}]},
          {"id":"free","queue":"root","state":"running","started":1,"priority":1,"gang":false,"tasks":[{"node":"n3","resources":{"cpu":1}}]},
          {"id":"p","queue":"q","priority":60,"require":{"nodes":{"max":1}},"tasks":[{"id":"w","count":2,"resources":{"gpu":1,"cpu":1,"lic":1}}]}]})";
  const Loaded loaded(text);
  const Plan good = loaded.plan();
  ASSERT_EQ(good.outcome, Outcome::preempt) << good.reason;
  ASSERT_EQ(victims_of(good), "v");
  ASSERT_EQ(loaded.fault(good), "");
  const auto expect = [&](std::string_view check, const std::function<void(Plan&)>& damage) {
    Plan plan = good;
    damage(plan);
    const std::string fault = loaded.fault(plan);
    EXPECT_TRUE(fault.starts_with(std::string(check) + ": "))
        << "wanted " << check << ", got '" << fault << "'";
  };
  const Model& model = good.model();
  const NodeId n2 = model.find_node("n2");
  const NodeId n3 = model.find_node("n3");
  expect("outcome", [](Plan& p) { p.victims.clear(); });
  expect("outcome", [](Plan& p) { p.outcome = Outcome::fits; });
  expect("outcome", [](Plan& p) { p.reason.clear(); });
  expect("victims-run", [&](Plan& p) { p.victims[0].tasks = {model.jobs[model.find_job("p")].first_task}; });
  expect("victims-once", [](Plan& p) { p.victims.push_back(p.victims[0]); });
  expect("units", [](Plan& p) { p.victims[0].tasks.pop_back(); });
  expect("units", [](Plan& p) { p.victims[0].whole_job = false; });
  expect("eligible", [&](Plan& p) {
    p.victims[0].job = model.find_job("k");
    p.victims[0].tasks = {model.jobs[p.victims[0].job].first_task,
                          TaskId{model.jobs[p.victims[0].job].first_task.value + 1}};
  });
  expect("actions", [](Plan& p) { p.victims[0].requeue = true; });
  expect("actions", [](Plan& p) { p.victims[0].action = VictimAction::checkpoint; });
  expect("whole-request", [](Plan& p) { p.placement.pop_back(); });
  expect("whole-request", [](Plan& p) { p.placement[1].index = 0; });
  expect("nodes", [&](Plan& p) { p.placement[0].node = n2; });
  expect("node-space", [&](Plan& p) { p.placement[0].node = p.placement[1].node = n3; });
  expect("devices", [](Plan& p) { p.placement[0].gpus = 0b100; });
  expect("devices", [](Plan& p) { p.placement[0].gpus = p.placement[1].gpus; });
  expect("devices", [](Plan& p) { p.placement[0].gpus = 0b11; });
  expect("devices", [](Plan& p) { p.placement[0].gpus = 0b10000; });
  expect("spread-over-nodes", [&](Plan& p) {
    p.placement[1].node = n3;
    p.placement[1].gpus = 0b1000;
  });
  expect("objective", [](Plan& p) { p.objective[0].number = 1; });
  expect("objective", [](Plan& p) { p.proven = 99; });
  expect("cost", [](Plan& p) { p.cost += 1; });
  expect("start-times", [](Plan& p) { p.expected_start += 1; });
  expect("minimal", [&](Plan& p) {
    PlannedVictim extra;
    extra.job = model.find_job("free");
    extra.tasks = {model.jobs[extra.job].first_task};
    extra.whole_job = true;
    extra.action = VictimAction::terminate;
    p.victims.push_back(extra);
    // In all that it says of itself it is right.
    const PolicySet& policies = *loaded.engine.policies();
    const PlanFacts facts(p, policies, *policies.find(p.policy));
    for (const VictimUnit& unit : facts.units()) {
      if (unit.job != extra.job) continue;
      p.victims.back().cost_parts = cost_parts_of(facts, unit);
      p.victims.back().cost = sum_of(p.victims.back().cost_parts);
    }
    p.cost += p.victims.back().cost;
    p.objective = objective_of(facts);
  });
}

// Of a job with 2 cpu placed and 2 waiting.
Scene half_placed(std::string_view profile, int max) {
  Scene scene(profile);
  scene.node("n1", 8);
  return scene.job("p",
                   R"("gang":false,"state":"running","started":900000,"submitted":900000,"max":{"cpu":)" +
                       std::to_string(max) + "}",
                   {scene.task("n1", 2), JsonObject{{"resources", scene.holding(2)}}});
}

TEST(Decide, KeepsAJobWithinItsOwnMax) {
  for (const char* profile : {"priority", "class-cost", "quota", "fair-share", "guarantee"}) {
    EXPECT_EQ(in_words(half_placed(profile, 4).plan()), "fits") << profile;
    const Plan over = half_placed(profile, 3).plan();
    EXPECT_EQ(in_words(over), "wait job-max") << profile;
    EXPECT_EQ(over.reason, "the job would hold 4 cpu, its max is 3");
    const Plan never = half_placed(profile, 1).plan();
    EXPECT_EQ(in_words(never), "impossible") << profile;
    EXPECT_EQ(never.reason, "the job's max is 1 cpu, the request alone needs 2");
  }
}

TEST(Decide, AJobAtItsOwnMaxBlocksNoJobBehindIt) {
  Scene scene("priority");
  scene.node("n1", 4).node("n2", 4).runs("v", "n1", 4, R"("priority":1)");
  scene.job("first", R"("gang":false,"priority":90,"state":"running","started":900000,"max":{"cpu":4})",
            {scene.task("n2", 4), JsonObject{{"resources", scene.holding(4)}}});
  EXPECT_EQ(in_words(scene.waits("p", 4, R"("priority":50)").plan()), "preempt v");
}

TEST(Verify, NoticesBrokenLimits) {
  // The same plan, under a queue limit and a cap it breaks.
  const std::string text = full_node({runs("v", 8, R"("priority":1,"started":5)")});
  const Loaded loaded(text);
  const Plan plan = loaded.plan();
  Problems problems;
  Engine engine(loaded.engine);
  ASSERT_TRUE(engine.apply(R"({"format":"cede-changes/1","put":{"queues":[{"id":"root","max":{"cpu":3}}]}})",
                           problems));
  Plan limited = plan;
  const std::optional<Plan> other = engine.plan("p", kNoTime, {}, problems);
  ASSERT_TRUE(other);
  limited.snapshot = other->snapshot;
  EXPECT_TRUE(loaded.fault(limited).starts_with("queue-max: ")) << loaded.fault(limited);
  const Loaded free(half_placed("priority", 4).cluster());
  const Loaded full(half_placed("priority", 3).cluster());
  Plan over = free.plan();
  over.snapshot = full.plan().snapshot;
  EXPECT_TRUE(free.fault(over).starts_with("job-max: ")) << free.fault(over);
  ASSERT_TRUE(engine.set_policy(policy_with(R"("min_runtime":"100d")"), problems));
  EXPECT_TRUE(verify(plan, *engine.policies()).starts_with("eligible: ")) << verify(plan, *engine.policies());
}

}  // namespace
}  // namespace cede
