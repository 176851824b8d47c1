// SPDX-License-Identifier: MIT
// Every profile on random trees of queues: no plan breaks a rule, and none is worse than what trying
// everything finds.
#include <cstdlib>
#include <map>

#include "document/document.h"
#include "engine_fixture.h"
#include "profile_cluster.h"
#include "support/enumerator.h"
#include "verify/verify.h"

namespace cede {
namespace {

class Profiles : public testing::TestWithParam<const char*> {};

TEST_P(Profiles, KeepTheirRulesAndFindTheBestSet) {
  const std::string profile = GetParam();
  const std::uint64_t clusters = std::getenv("CEDE_LONG") ? 100'000 : 2'000;
  std::map<std::string, int> outcomes;
  for (std::uint64_t seed = 1; seed <= clusters; ++seed) {
    ProfileCluster random(seed);
    const std::string cluster = random.document();
    const std::string policy = policy_text(profile, random.settings(profile));
    Engine engine{Options{}};
    Problems problems;
    ASSERT_TRUE(engine.set_policy(policy, problems)) << problems.all()[0].message() << policy;
    if (!engine.load(cluster, problems)) continue;  // some combinations are errors under some profile
    const std::optional<Plan> plan = engine.plan("p", kNoTime, {}, problems);
    ASSERT_TRUE(plan) << problems.all()[0].message();
    const auto story = [&] {
      return "seed " + std::to_string(seed) + "\n" + write_plan(*plan, true) + policy + cluster;
    };
    ASSERT_EQ(verify(*plan, *engine.policies()), "") << story();
    ++outcomes[std::string(to_word(plan->outcome, kOutcomes)) + " " + plan->rule];
    if (plan->outcome == Outcome::preempt) {
      ASSERT_TRUE(plan->optimal) << story();
      const auto best = oracle_of(*plan, *engine.policies());
      ASSERT_TRUE(best) << "a set that the oracle does not know, " << story();
      ASSERT_EQ(compare(plan->objective, *best), std::strong_ordering::equal) << story();
    } else if (plan->rule == "no-set" || plan->rule == "no-victims" || plan->rule == "max-victims" ||
               plan->rule == "value-exceeded" || plan->rule == "below-guarantee" || plan->rule == "no-gain") {
      ASSERT_FALSE(oracle_of(*plan, *engine.policies())) << story();
    }
  }
  for (const auto& [outcome, count] : outcomes) RecordProperty(outcome, count);
  EXPECT_GT(outcomes["preempt "], static_cast<int>(clusters / 40));
}

INSTANTIATE_TEST_SUITE_P(All, Profiles,
                         testing::Values("priority", "class-cost", "quota", "fair-share", "guarantee"),
                         [](const auto& info) {
                           std::string name = info.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace cede
