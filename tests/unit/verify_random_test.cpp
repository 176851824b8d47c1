// SPDX-License-Identifier: MIT
// Planning against the verifier's own statement of the policies, on random clusters with earlier decisions:
// no plan breaks a rule, and nothing is refused that could be had. That the two checks would notice a wrong
// rule is what packaging/mutate shows.
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <string>

#include "model/plan.h"
#include "support/answer_check.h"

namespace cede {
namespace {

class Verified : public testing::TestWithParam<const char*> {
 protected:
  static std::uint64_t clusters(std::uint64_t usual) { return std::getenv("CEDE_LONG") ? 20 * usual : usual; }
};

TEST_P(Verified, EveryPlanIsSound) {
  std::map<std::string, int> outcomes;
  for (std::uint64_t seed = 1; seed <= clusters(4'000); ++seed) {
    const AnsweredQuery answered(seed, GetParam());
    if (!answered.plan) continue;
    ASSERT_EQ(fault_by_verifier(answered), "") << "seed " << seed << "\n" << answered.description();
    ++outcomes[std::string(to_word(answered.plan->outcome, kOutcomes))];
  }
  EXPECT_GT(outcomes["preempt"], 150);
}

TEST_P(Verified, NothingIsRefusedThatCouldBeHad) {
  std::map<std::string, int> outcomes;
  for (std::uint64_t seed = 1; seed <= clusters(1'500); ++seed) {
    const AnsweredQuery answered(seed, GetParam());
    if (!answered.plan) continue;
    const EnumeratorFinding tried = fault_by_enumerator(answered);
    ASSERT_EQ(tried.fault, "") << "seed " << seed << "\n" << answered.description();
    if (!tried.tried_all) continue;
    ++outcomes[answered.plan->outcome == Outcome::preempt ? "preempt" : answered.plan->rule];
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
