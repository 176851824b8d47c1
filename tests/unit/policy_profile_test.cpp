// SPDX-License-Identifier: MIT
#include "policy/settings/profile.h"

#include <gtest/gtest.h>

namespace cede {
namespace {

TEST(Profile, NamesAreFoundByWord) {
  EXPECT_EQ(from_word<Profile>("class-cost", kProfiles), Profile::class_cost);
  EXPECT_EQ(from_word<Profile>("fair-share", kProfiles), Profile::fair_share);
  EXPECT_EQ(from_word<Profile>("fair_share", kProfiles), std::nullopt);
  EXPECT_EQ(to_word(Profile::guarantee, kProfiles), "guarantee");
}

TEST(Profile, GangDependsOnProfileAndKind) {
  for (const Profile profile : {Profile::priority, Profile::class_cost, Profile::quota}) {
    EXPECT_TRUE(default_gang(profile, JobKind::batch));
    EXPECT_TRUE(default_gang(profile, JobKind::training));
    EXPECT_FALSE(default_gang(profile, JobKind::service));
    EXPECT_FALSE(default_gang(profile, JobKind::inference));
  }
  for (const Profile profile : {Profile::fair_share, Profile::guarantee}) {
    EXPECT_FALSE(default_gang(profile, JobKind::batch));
  }
}

TEST(Profile, PrioritiesAreBoundedOnlyInPriority) {
  EXPECT_EQ(facts(Profile::priority).default_priority, 10);
  EXPECT_TRUE(facts(Profile::priority).priorities.contains(0));
  EXPECT_TRUE(facts(Profile::priority).priorities.contains(100));
  EXPECT_FALSE(facts(Profile::priority).priorities.contains(-1));
  EXPECT_FALSE(facts(Profile::priority).priorities.contains(101));
  for (const Profile profile :
       {Profile::class_cost, Profile::quota, Profile::fair_share, Profile::guarantee}) {
    EXPECT_EQ(facts(profile).default_priority, 0);
    EXPECT_TRUE(facts(profile).priorities.contains(-2'147'483'648LL));
    EXPECT_TRUE(facts(profile).priorities.contains(2'147'483'647LL));
    EXPECT_FALSE(facts(profile).priorities.contains(2'147'483'648LL));
  }
}

TEST(Profile, HelpIsOneLine) {
  for (const ProfileFacts& profile : kProfileFacts) {
    EXPECT_FALSE(profile.help.empty());
    EXPECT_LE(profile.help.size(), 100u);
    EXPECT_EQ(profile.help.find('\n'), std::string_view::npos);
  }
}

}  // namespace
}  // namespace cede
