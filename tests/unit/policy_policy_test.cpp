// SPDX-License-Identifier: MIT
#include "policy/settings/policy.h"

#include <gtest/gtest.h>

namespace cede {
namespace {

TEST(PolicySet, FindsPoliciesByName) {
  PolicySet set;
  set.policies = {{"default", Profile::class_cost, {}}, {"gold", Profile::guarantee, {}}};
  ASSERT_NE(set.find("gold"), nullptr);
  EXPECT_EQ(set.find("gold")->profile, Profile::guarantee);
  EXPECT_EQ(set.find("default")->profile, Profile::class_cost);
  EXPECT_EQ(set.find("golden"), nullptr);
  EXPECT_EQ(set.find(""), nullptr);
}

TEST(PolicySet, PrioritiesAreThoseOfTheMostGenerousProfile) {
  PolicySet set;
  set.policies = {{"a", Profile::priority, {}}};
  EXPECT_EQ(set.priorities(), (PriorityRange{0, 100}));
  set.policies.push_back({"b", Profile::quota, {}});
  EXPECT_EQ(set.priorities(), PriorityRange{});
}

TEST(PolicySet, DefaultsOfLimits) {
  const PolicySet set;
  EXPECT_TRUE(set.preemption);
  EXPECT_EQ(set.limits.max_preemptions_per_queue, std::nullopt);
  EXPECT_EQ(set.limits.max_preemptions_per_user, std::nullopt);
  EXPECT_EQ(set.limits.max_lost_work, std::nullopt);
  EXPECT_EQ(set.limits.window, 600'000);
  EXPECT_EQ(set.limits.cooldown, 0);
  EXPECT_EQ(set.limits.exact_units, 20);
  EXPECT_EQ(set.limits.search_work, 10'000'000);
}

TEST(PolicySet, EqualityCoversEveryPart) {
  const PolicySet set;
  PolicySet other = set;
  EXPECT_EQ(set, other);
  other.limits.cooldown = 1;
  EXPECT_NE(set, other);
  other = set;
  other.preemption = false;
  EXPECT_NE(set, other);
  other = set;
  other.admission.users.push_back({.name = "u"});
  EXPECT_NE(set, other);
}

}  // namespace
}  // namespace cede
