// SPDX-License-Identifier: MIT
// Planning against the verifier's own statement of the policies, on random clusters with earlier decisions:
// no plan breaks a rule, and nothing is refused that could be had. The rules are those two tests' to find:
// packaging/mutate makes each of them too lax, which the first must notice, and too strict, which the second
// must.
#include <cstdlib>
#include <map>
#include <set>

#include "document/document.h"
#include "engine_fixture.h"
#include "rule_cluster.h"
#include "search/decide.h"
#include "support/enumerator.h"
#include "verify/plan_checks.h"
#include "verify/triggers.h"
#include "verify/verify.h"

namespace cede {
namespace {

constexpr std::size_t kMostUnits = 9;  // that every set of is tried

// A question about a random cluster, and the answer.
struct Answered {
  Answered(std::uint64_t seed, const std::string& profile) : random(seed, profile), engine(Options{}) {
    Problems problems;
    EXPECT_TRUE(engine.set_policy(random.policy, problems)) << problems.all()[0].message() << random.policy;
    if (!engine.load(random.cluster, problems)) return;  // some combinations are errors under some profile
    const std::optional<Plan> first = engine.plan("p", kNoTime, {}, problems);
    EXPECT_TRUE(first);
    if (!first) return;
    const Query query = random.query(first->model());
    plan = decide({first->snapshot, engine.policies(),
                   std::make_shared<const InFlight>(random.in_flight(first->model()))},
                  query);
  }
  std::string story() const { return write_plan(*plan, true) + random.policy + random.cluster; }

  RuleCluster random;
  Engine engine;
  std::optional<Plan> plan;
};

class Verified : public testing::TestWithParam<const char*> {
 protected:
  static std::uint64_t clusters(std::uint64_t usual) { return std::getenv("CEDE_LONG") ? 20 * usual : usual; }
};

TEST_P(Verified, EveryPlanIsSound) {
  std::map<std::string, int> outcomes;
  for (std::uint64_t seed = 1; seed <= clusters(4'000); ++seed) {
    const Answered answered(seed, GetParam());
    if (!answered.plan) continue;
    ASSERT_EQ(verify(*answered.plan, *answered.engine.policies()), "") << "seed " << seed << "\n"
                                                                       << answered.story();
    ++outcomes[std::string(to_word(answered.plan->outcome, kOutcomes))];
  }
  EXPECT_GT(outcomes["preempt"], 150);
}

// A no that the search has proven.
bool is_proven_no(const std::string& rule) {
  static const std::set<std::string> kRules{"no-set",          "no-victims", "max-victims", "value-exceeded",
                                            "below-guarantee", "no-gain",    "budget",      "one-node"};
  return kRules.contains(rule);
}

// A trigger, except those about space.
bool is_trigger(const std::string& rule) {
  static const std::set<std::string> kRules{"not-waiting",         "off",
                                            "in-progress",         "may-not-preempt",
                                            "not-front",           "no-lower-priority",
                                            "no-quota-preemption", "queue-max",
                                            "quota-min",           "quota-max",
                                            "not-starving",        "pending-delay",
                                            "attempt-interval",    "over-guarantee",
                                            "worth-waiting"};
  return kRules.contains(rule);
}

// Whether victims that free what the group counts may be on other nodes than those that make space: the
// verifier says yes, the search does not look for them, so its no is not the oracle's.
bool hinges_on_licences(const PlanFacts& facts) {
  const bool one_node = facts.is(Profile::fair_share) || facts.is(Profile::guarantee);
  return one_node && std::any_of(facts.asked().begin(), facts.asked().end(),
                                 [&](const auto& asked) { return facts.counted_by_group(asked.first); });
}

// Somebody on a claimed node who may not be taken, and is not the claiming queue's own.
bool is_blocked(const PlanFacts& facts) {
  const EligibilityTerms terms(facts);
  bool found = false;
  for (const NodeId node : facts.subject.claimed) {
    for (TaskId t = facts.model.nodes[node].first_task; t; t = facts.model.tasks.core(t).next_on_node) {
      const JobId job = facts.model.tasks.core(t).job;
      if (facts.model.is_below(facts.model.jobs[job].queue, facts.queue())) continue;
      for (const VictimUnit& unit : JobUnits(facts.effective, job, *facts.plan.in_flight).units)
        found = found || spared_by(terms, unit);
    }
  }
  return found;
}

TEST_P(Verified, NothingIsRefusedThatCouldBeHad) {
  std::map<std::string, int> outcomes;
  for (std::uint64_t seed = 1; seed <= clusters(1'500); ++seed) {
    const Answered answered(seed, GetParam());
    if (!answered.plan) continue;
    const Plan& plan = *answered.plan;
    const auto story = [&] { return "seed " + std::to_string(seed) + "\n" + answered.story(); };
    Enumerator enumerator(plan, *answered.engine.policies());
    const std::optional<SparedBy> refused = refused_by(enumerator.facts());
    // The enumerator's plan takes victims, so no task may fit without.
    if (plan.outcome == Outcome::preempt || plan.outcome == Outcome::wait) {
      ASSERT_TRUE(plan.rule == "not-waiting" || plan_check::free_first(enumerator.facts()).empty())
          << story();
    }
    if (is_trigger(plan.rule)) {
      ASSERT_TRUE(refused) << plan.rule << ", " << story();
      ++outcomes[plan.rule];
      continue;
    }
    if (plan.subject.is_claim()) {
      const bool by_job = plan.rule == "claim-blocked" && plan.in_flight->blocked.empty();
      ASSERT_TRUE(!by_job || is_blocked(enumerator.facts())) << story();
      continue;
    }
    if (enumerator.eligible() > kMostUnits || plan.partial) continue;
    if (hinges_on_licences(enumerator.facts())) continue;
    if (plan.outcome == Outcome::preempt) {
      const auto best = enumerator.best();
      ASSERT_TRUE(best) << "a set that the oracle does not know, " << story();
      ASSERT_EQ(compare(plan.objective, *best), std::strong_ordering::equal) << story();
      ++outcomes["preempt"];
    } else if (is_proven_no(plan.rule) && !refused) {
      ASSERT_FALSE(enumerator.best()) << plan.rule << ", " << story();
      ++outcomes[plan.rule];
    }
  }
  for (const auto& [outcome, count] : outcomes) RecordProperty(outcome, count);
  EXPECT_GT(outcomes["preempt"], 50);
}

INSTANTIATE_TEST_SUITE_P(All, Verified,
                         testing::Values("priority", "class-cost", "quota", "fair-share", "guarantee"),
                         [](const auto& info) {
                           std::string name = info.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace cede
