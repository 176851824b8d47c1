// SPDX-License-Identifier: MIT
// What an engine remembers makes it faster and nothing else: led from change to change it says what a fresh
// one says, byte by byte, and what a search without a memory finds.
#include <algorithm>
#include <cstdlib>
#include <random>
#include <set>

#include "answer_cache_check.h"
#include "engine/plan.h"
#include "owned_rule_context.h"
#include "search/answer_cache.h"

namespace cede {
namespace {

// Leaves of ten nodes of four devices, full with jobs of two devices, one in ten a gang over several leaves.
// Priorities, classes and start times are few, so that much is equal but for the names. In a crowded one some
// jobs are stronger than who asks, so that there is not room for everything, and few are gangs.
class ChangingCluster {
 public:
  ChangingCluster(std::uint64_t seed, bool crowded) : crowded_(crowded), random_(seed) {}

  std::uint64_t below(std::uint64_t n) { return random_() % n; }

  std::string document() {
    ClusterBuilder cluster(100000);
    cluster.group();
    cluster.queue("root");
    cluster.levels = {"leaf"};
    for (std::size_t leaf = 0; leaf < kLeaves; ++leaf) cluster.domain(numbered("l", leaf), "leaf");
    for (std::size_t n = 0; n < kNodes; ++n) add_node(cluster, n, "up");
    std::vector<int> room(kNodes, 2);
    for (std::size_t n = 0; n < kNodes; ++n) {
      while (room[n] > 0) add_running(cluster, place(n, room));
    }
    add_waiting(cluster, "one", 1, 3);
    add_waiting(cluster, "small", 1, 1);
    add_waiting(cluster, "leaf", 6, 4, 1);
    add_waiting(cluster, "two", 13, 4, 2);
    add_waiting(cluster, "parts", 9, 2, 2);
    add_waiting(cluster, "three", 22, 4, 3);
    add_waiting(cluster, "anywhere", 60, 4);
    add_waiting(cluster, "full", 10, 4, 1);
    add_waiting(cluster, "full2", 20, 4, 2);
    add_waiting(cluster, "everything", kNodes, 3);
    return cluster.text();
  }

  // A job put again, a job gone, another one in its place, or a node that drains or comes back.
  std::string change(std::uint64_t now) {
    ClusterBuilder put(static_cast<std::int64_t>(now));
    JsonList gone;
    std::set<std::size_t> chosen;
    for (std::uint64_t i = 0, n = 1 + below(6); i < n; ++i) chosen.insert(below(jobs_.size()));
    for (const std::size_t index : chosen) {
      if (below(3) == 0) {
        jobs_[index].number = numbers_++;
        gone.add(name(jobs_[index].before));
        jobs_[index].before = jobs_[index].number;
        jobs_[index].started = now - below(2);
      }
      jobs_[index].priority = some_priority();
      jobs_[index].checkpoints = below(2) == 0;
      add_job(put, jobs_[index]);
    }
    if (below(3) == 0) {
      const std::size_t node = below(kNodes);
      add_node(put, node, below(2) == 0 ? "drain" : "up");
    }
    put.document.put("remove", JsonObject{{"jobs", gone}});
    return put.changes();
  }

  std::vector<std::string> asked() const {
    if (crowded_) return {"one", "leaf", "anywhere", "full", "full2", "everything"};
    return {"one", "small", "leaf", "two", "parts", "three"};
  }

 private:
  static constexpr std::size_t kLeaves = 16;
  static constexpr std::size_t kNodes = kLeaves * 10;
  struct Job {
    std::size_t number = 0;
    std::size_t before = 0;
    std::vector<std::size_t> nodes;
    std::uint64_t priority = 0;
    std::uint64_t started = 0;
    bool checkpoints = false;
  };

  std::uint64_t some_priority() { return crowded_ && below(20) == 0 ? 60 : below(4); }
  static std::string numbered(const char* head, std::size_t n) { return head + std::to_string(n); }
  // Names do not sort as they are numbered.
  static std::string name(std::size_t number) {
    return std::string(1, "qbxam"[number % 5]) + std::to_string(number);
  }
  static void add_node(ClusterBuilder& cluster, std::size_t n, const char* state) {
    cluster.node(numbered("n", n), {{"gpu", 4}})
        .put("network", JsonList{numbered("l", n / 10)})
        .put("state", state);
  }
  std::vector<std::size_t> place(std::size_t n, std::vector<int>& room) {
    std::vector<std::size_t> nodes{n};
    --room[n];
    for (std::size_t leaf = 1, more = below(crowded_ ? 60 : 10) == 0 ? 1 + below(3) : 0; leaf <= more;
         ++leaf) {
      const std::size_t other = n + 10 * leaf;
      if (other >= kNodes || room[other] == 0) break;
      --room[other];
      nodes.push_back(other);
    }
    return nodes;
  }
  void add_running(ClusterBuilder& cluster, std::vector<std::size_t> nodes) {
    const std::size_t number = numbers_++;
    jobs_.push_back({number, number, std::move(nodes), some_priority(),
                     100000 - 600 * below(3) - 60 * below(4), below(2) == 0});
    add_job(cluster, jobs_.back());
  }
  static void add_job(ClusterBuilder& cluster, const Job& job) {
    JsonObject& out = cluster.job(name(job.number)).put("state", "running").put("gang", true);
    out.put("started", job.started).put("priority", job.priority);
    out.put("class", std::min<std::uint64_t>(job.priority, 9));
    if (job.checkpoints) out.put("checkpoint", JsonObject{{"mode", "auto"}, {"estimate", 60}});
    JsonList tasks;
    for (const std::size_t node : job.nodes)
      tasks.add(JsonObject{{"node", numbered("n", node)}, {"resources", JsonObject{{"gpu", 2}}}});
    out.put("tasks", tasks);
  }
  // Within so many leaves; 0: anywhere.
  static void add_waiting(ClusterBuilder& cluster, const std::string& name, std::size_t tasks, int gpus,
                          int leaves = 0) {
    JsonObject& job = cluster.job(name).put("priority", 50).put("class", 9).put("submitted", 99000);
    job.put("gang", true);
    if (leaves > 0) {
      JsonObject network{{"level", "leaf"}};
      if (leaves > 1) network.put("max_domains", leaves);
      job.put("require", JsonObject{{"network", JsonList{network}}});
    }
    const JsonObject task{{"id", "t"}, {"count", tasks}, {"resources", JsonObject{{"gpu", gpus}}}};
    job.put("tasks", JsonList{task});
  }

  bool crowded_;
  std::mt19937_64 random_;
  std::vector<Job> jobs_;
  std::size_t numbers_ = 0;
};

std::string recalled_policy_of(std::uint64_t seed) {
  static constexpr std::pair<const char*, const char*> kPolicies[] = {
      {"class-cost", R"("max_victims":null)"},
      {"priority", R"("front_only":false)"},
      {"class-cost", R"("max_victims":null,"class_first":true)"},
      {"priority", R"("front_only":false,"cost_model":"lost-work")"},
      {"class-cost", R"("max_victims":30,"just_started_fraction":0.001)"},
      {"priority", R"("front_only":false,"preemption_order":"newest")"},
      {"quota", ""},
      {"priority", R"("front_only":false,"max_victims":40)"},
  };
  const auto& [profile, settings] = kPolicies[seed % std::size(kPolicies)];
  return policy_text(profile, settings);
}

// A copy that goes its own way beside the engine, and uses what both remember.
void what_if(const Engine& engine, ChangingCluster cluster, std::uint64_t now, std::uint64_t seed) {
  Engine copy(engine);
  Problems problems;
  for (int round = 0; round < 2; ++round) {
    ASSERT_TRUE(copy.apply(cluster.change(now), problems)) << problems.all()[0].message();
    const Engine fresh = fresh_copy(copy, recalled_policy_of(seed));
    const Time moment = static_cast<Time>(now) * 1000;
    for (const std::string& job : {cluster.asked()[0], cluster.asked()[2]}) {
      const std::optional<Plan> plan = copy.plan(job, moment, {}, problems);
      const std::optional<Plan> other = fresh.plan(job, moment, {}, problems);
      ASSERT_TRUE(plan && other);
      ASSERT_EQ(document_of(*plan), document_of(*other));
    }
  }
}

// A batch counts on the victims of its own earlier parts, and none of their holds is ready.
void ask_together(Engine& engine, const Engine& fresh, const std::vector<std::string>& jobs, Time now,
                  std::vector<EntryId>& entries) {
  Problems problems;
  const std::optional<std::vector<Plan>> plans = plan_batch(engine, jobs, now, {}, problems);
  const std::optional<std::vector<Plan>> others = plan_batch(fresh, jobs, now, {}, problems);
  ASSERT_TRUE(plans && others) << problems.all()[0].message();
  for (std::size_t i = 0; i < plans->size(); ++i)
    ASSERT_EQ(document_of((*plans)[i]), document_of((*others)[i])) << "part " << i;
  for (const Plan& plan : *plans) {
    if (plan.outcome != Outcome::preempt && plan.outcome != Outcome::fits) continue;
    const EntryId entry = engine.commit(plan, *engine.policies(), now, -1, problems);
    ASSERT_NE(entry, kNoEntry) << problems.all()[0].message();
    entries.push_back(entry);
  }
}

void lead_through(std::uint64_t seed, bool crowded, int changes, Count& count) {
  ChangingCluster cluster(seed, crowded);
  Problems problems;
  Engine engine{Options{}};
  ASSERT_TRUE(engine.set_policy(recalled_policy_of(seed), problems)) << problems.all()[0].message();
  ASSERT_TRUE(engine.load(cluster.document(), problems)) << problems.all()[0].message();
  std::uint64_t now = 100000;
  std::vector<EntryId> entries;
  for (int round = 0; round < changes; ++round) {
    now += cluster.below(4) == 0 ? 300 : cluster.below(3);
    if (round > 0) {
      ASSERT_TRUE(engine.apply(cluster.change(now), problems)) << problems.all()[0].message();
    }
    if (cluster.below(3) == 0) {
      ASSERT_NO_FATAL_FAILURE(what_if(engine, cluster, now, seed)) << "seed " << seed << ", round " << round;
    }
    if (cluster.below(8) == 0) {
      const Engine before = fresh_copy(engine, recalled_policy_of(seed));
      ASSERT_NO_FATAL_FAILURE(
          ask_together(engine, before, cluster.asked(), static_cast<Time>(now) * 1000, entries))
          << "seed " << seed << ", round " << round;
    }
    const Engine fresh = fresh_copy(engine, recalled_policy_of(seed));
    for (const std::string& job : cluster.asked()) {
      if (cluster.below(3) != 0) continue;
      Time moment = static_cast<Time>(now) * 1000;
      if (cluster.below(2) == 0) {
        // The fresh one is not asked before.
        ASSERT_TRUE(engine.plan(job, moment, {}, problems)) << problems.all()[0].message();
        moment += 100;
      }
      const std::optional<Plan> plan = engine.plan(job, moment, {}, problems);
      ASSERT_TRUE(plan) << problems.all()[0].message();
      const std::optional<Plan> other = fresh.plan(job, moment, {}, problems);
      ASSERT_TRUE(other) << problems.all()[0].message();
      ASSERT_EQ(document_of(*plan), document_of(*other)) << "seed " << seed << ", round " << round;
      ASSERT_NO_FATAL_FAILURE(expect_as_without_memory(engine, *plan, plan->now, count))
          << "seed " << seed << ", round " << round << ", " << job;
      count.without_room += plan->rule == "no-set" ? 1 : 0;
      if (cluster.below(12) == 0 && plan->outcome == Outcome::preempt) {
        entries.push_back(engine.commit(*plan, *engine.policies(), moment, -1, problems));
        ASSERT_NE(entries.back(), kNoEntry) << problems.all()[0].message();
        engine.step(moment, {});
        ++count.in_flight;
        break;
      }
    }
    if (!entries.empty() && cluster.below(4) == 0) {
      Problems gone_already;
      engine.cancel(entries.back(), static_cast<Time>(now) * 1000 + 100, gone_already);
      entries.pop_back();
    }
  }
}

TEST(AnswerCache, SaysWhatAFreshEngineSays) {
  const bool many = std::getenv("CEDE_LONG") != nullptr;
  Count count;
  for (std::uint64_t seed = 0; seed < (many ? 400 : 8); ++seed)
    ASSERT_NO_FATAL_FAILURE(lead_through(seed, false, many ? 60 : 12, count)) << "seed " << seed;
  EXPECT_GT(count.preempting * 2, count.asked);
  EXPECT_GT(count.proven * 10, count.preempting * 8);
  EXPECT_GT(count.in_flight, 5);
}

// What this long life found: a plan that comes after an entry that has ended and after a new one of the same
// requester named the requester twice.
TEST(AnswerCache, NamesARequesterWithTwoEntriesOnce) {
  Count count;
  ASSERT_NO_FATAL_FAILURE(lead_through(143, false, 60, count));
  EXPECT_GT(count.in_flight, 1);
}

// Also where there is no room: whether it is known or worked out, the same is missing.
TEST(AnswerCache, SaysNoAsAFreshEngineDoes) {
  const bool many = std::getenv("CEDE_LONG") != nullptr;
  Count count;
  for (std::uint64_t seed = 1; seed < (many ? 400 : 12); seed += 2)
    ASSERT_NO_FATAL_FAILURE(lead_through(seed, true, many ? 60 : 12, count)) << "seed " << seed;
  EXPECT_GT(count.preempting * 4, count.asked);
  EXPECT_GT(count.without_room * 10, count.asked);
}

// ---- What may be kept follows from what the rules say they depend on

// A rule that does not say what it depends on.
struct RuleWithoutDependencies final : EligibilityRule {
  using EligibilityRule::EligibilityRule;
  std::string_view name() const override { return "undeclared"; }
  bool excludes(const Unit&, std::string*) const override { return false; }
};

struct RuleWithDependencies final : EligibilityRule {
  RuleWithDependencies(const RuleContext& rule_context, Dependencies on)
      : EligibilityRule(rule_context), on_(on) {}
  std::string_view name() const override { return "declared"; }
  bool excludes(const Unit&, std::string*) const override { return false; }
  Dependencies depends_on() const override { return on_; }
  Dependencies on_;
};

struct MeasureWithoutDependencies final : Measure {
  explicit MeasureWithoutDependencies(const RuleContext& rule_context) : Measure(rule_context, Kind::sum) {}
  std::string_view name() const override { return "undeclared"; }
  std::int64_t of(const Unit&) const override { return 0; }
};

struct CapWithoutDependencies final : Cap {
  using Cap::Cap;
  std::string_view name() const override { return "undeclared"; }
  bool breaks(std::span<const Unit* const>, std::string*) const override { return false; }
};

// The rules of one profile for a waiting job, with room for more.
struct Rules {
  explicit Rules(std::string_view profile, const std::string& settings = "")
      : Rules(Scene(profile, settings).node("n1", 8).runs("v", "n1", 8).waits("p", 1)) {}
  explicit Rules(const Scene& scene) : loaded(scene.cluster(), scene.policy()), plan(loaded.plan()) {}

  // Rules that exclude no unit and caps that forbid nothing do not count, as in the search.
  template <class Kind, class Counts>
  static Dependencies combined(const RuleList<Kind>& list, Counts counts) {
    Dependencies all;
    for (const auto& rule : list) all = counts(*rule) ? all | rule->depends_on() : all;
    return all;
  }
  Reuse reuse() const {
    return reuse_of(combined(rules, [](const EligibilityRule& rule) { return rule.may_exclude(); }),
                    depends_on(criteria), combined(limits, [](const Cap& cap) { return cap.may_break(); }));
  }

  Loaded loaded;
  Plan plan;
  OwnedRuleContext facts{plan, *loaded.engine.policies()};
  RuleList<EligibilityRule> rules = eligibility_rules(facts.rule_context);
  RuleList<Measure> criteria = measures(facts.rule_context);
  RuleList<Cap> limits = caps(facts.rule_context);
};

std::string shown(const Reuse& reuse) {
  std::string out;
  if (reuse.sets) out += "sets ";
  if (reuse.one_task) out += "one-task ";
  if (reuse.timeless) out += "timeless ";
  if (reuse.room) out += "room ";
  if (reuse.answer) out += "answer ";
  return out;
}

// Nodes come and go, so that rows and numbers of names are used again for other nodes, also between two
// queries. The first place by name is the answer, whatever was in that row before.
TEST(Reuse, NodesThatComeAndGoAreKnownByName) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    std::mt19937_64 random(seed);
    const auto below = [&](std::uint64_t n) { return random() % n; };
    Problems problems;
    Engine engine(Options{});
    ASSERT_TRUE(engine.set_policy(
        R"({"format":"cede-policy/1","policies":{"default":{"profile":"priority"}}})", problems));
    std::set<std::string> there;
    const auto node = [&](const std::string& name) {
      there.insert(name);
      const std::string size = std::to_string(1 + below(4));
      return R"({"id":")" + name + R"(","resources":{"cpu":4,"gpu":)" + size + "}}";
    };
    const auto any_name = [&] { return std::string(1, static_cast<char>('a' + below(12))); };
    ASSERT_TRUE(engine.load(
        R"({"format":"cede-cluster/1","now":1,"groups":[{"id":"g"}],"queues":[{"id":"root"}],"nodes":[)" +
            node("b") + "," + node("f") +
            R"(],"jobs":[{"id":"w","queue":"root","tasks":[{"resources":{"gpu":2}}]}]})",
        problems));
    for (int step = 0; step < 60; ++step) {
      const std::string gone = any_name();
      if (there.erase(gone) > 0) {
        ASSERT_TRUE(
            engine.apply(R"({"format":"cede-changes/1","remove":{"nodes":[")" + gone + R"("]}})", problems));
      }
      if (below(3) == 0) engine.plan("w", kNoTime, {}, problems);
      ASSERT_TRUE(engine.apply(R"({"format":"cede-changes/1","put":{"nodes":[)" + node(any_name()) + "]}}",
                               problems));
      if (below(3) == 0) continue;
      Engine fresh(Options{});
      fresh.set_policy(R"({"format":"cede-policy/1","policies":{"default":{"profile":"priority"}}})",
                       problems);
      ASSERT_TRUE(fresh.load(engine.export_cluster(), problems));
      const std::optional<Plan> known = engine.plan("w", kNoTime, {}, problems);
      const std::optional<Plan> anew = fresh.plan("w", kNoTime, {}, problems);
      ASSERT_TRUE(known && anew);
      ASSERT_EQ(write_plan(*known, true), write_plan(*anew, true)) << "seed " << seed << ", step " << step;
    }
  }
}

TEST(Reuse, FollowsFromTheRulesOfTheProfile) {
  EXPECT_EQ(shown(Rules("priority").reuse()), "sets one-task timeless room answer ");
  EXPECT_EQ(shown(Rules("quota").reuse()), "sets one-task timeless room answer ");
  EXPECT_EQ(shown(Rules("priority", R"("max_victims":3)").reuse()), "sets one-task timeless room answer ");
  EXPECT_EQ(shown(Rules("priority", R"("cost_model":"lost-work")").reuse()), "sets one-task room ");
  EXPECT_EQ(shown(Rules("priority", R"("min_runtime":"1m")").reuse()), "")
      << "which units may go later is not known";
  EXPECT_EQ(shown(Rules("class-cost").reuse()), "sets one-task ");
  EXPECT_EQ(shown(Rules("class-cost", R"("just_started_fraction":0.001)").reuse()), "") << "a price may fall";
  EXPECT_EQ(shown(Rules("fair-share").reuse()), "one-task timeless ");
  EXPECT_EQ(shown(Rules("guarantee").reuse()), "one-task timeless ");
}

TEST(Reuse, EndsWhileAnythingMovesThatAdmissionDependsOn) {
  const auto may_reuse_in = [](std::string_view profile, const InFlight& in_flight) {
    const Rules made(profile);
    RuleList<Trigger> admission(made.facts.rule_context);
    composition(made.facts.effective.profile()).add_admission(admission);
    return may_reuse(depends_on(admission), in_flight);
  };
  InFlight moving;
  moving.leaving.push_back(TaskId{0});
  EXPECT_TRUE(may_reuse_in("priority", moving));
  EXPECT_TRUE(may_reuse_in("class-cost", moving));
  EXPECT_TRUE(may_reuse_in("quota", moving)) << "holds are part of the usage";
  EXPECT_FALSE(may_reuse(Dependencies::everything(), moving)) << "admission that says nothing";
}

TEST(Reuse, EndsWithARuleThatSaysNothing) {
  Rules rule("priority");
  rule.rules.add<RuleWithoutDependencies>();
  EXPECT_EQ(shown(rule.reuse()), "");
  Rules measure("priority");
  measure.criteria.add<MeasureWithoutDependencies>();
  EXPECT_EQ(shown(measure.reuse()), "");
  Rules cap("priority");
  cap.limits.add<CapWithoutDependencies>();
  EXPECT_EQ(shown(cap.reuse()), "sets one-task timeless room ") << "caps are asked again about every set";
}

TEST(Reuse, EndsWithEachDependencyThatNoMemoWatches) {
  const auto with = [](Dependency on) {
    Rules rules("priority");
    rules.rules.add<RuleWithDependencies>(Dependencies{on});
    return shown(rules.reuse());
  };
  for (const Dependency on : {Dependency::time, Dependency::in_flight, Dependency::other_nodes,
                              Dependency::running_jobs, Dependency::waiting_jobs})
    EXPECT_EQ(with(on), "") << static_cast<int>(on);
  for (const Dependency on : {Dependency::queue_usage, Dependency::requester, Dependency::query,
                              Dependency::figure, Dependency::starvation, Dependency::commits})
    EXPECT_EQ(with(on), "one-task timeless ") << static_cast<int>(on);
  for (const Dependency on : {Dependency::node_in_flight, Dependency::capacity, Dependency::tier})
    EXPECT_EQ(with(on), "sets one-task timeless room answer ") << static_cast<int>(on);
  EXPECT_EQ(with(Dependency::time_worsens), "sets one-task ");
}

}  // namespace
}  // namespace cede
