// SPDX-License-Identifier: MIT
#include "policy/settings/policy.h"

#include <gtest/gtest.h>

namespace cede {
namespace {

AdmissionRule rule(std::string name, std::optional<std::int32_t> min, std::optional<std::int32_t> max,
                   std::optional<std::int32_t> fallback = {}) {
  return {.name = std::move(name), .default_priority = fallback, .min = min, .max = max};
}

AdmissionTerms terms(Profile profile, const AdmissionRule* project, const AdmissionRule* user) {
  AdmissionTerms out;
  std::string why;
  EXPECT_TRUE(combine(profile, project, user, out, why)) << why;
  return out;
}

std::vector<std::string> faults(const Admission& admission, PriorityRange legal = {0, 100}) {
  Problems problems;
  check_admission(admission, legal, problems);
  std::vector<std::string> messages;
  for (const Problem& problem : problems.all()) messages.push_back(problem.message());
  return messages;
}

TEST(AdmissionTerms, WithoutRulesAreTheProfiles) {
  const AdmissionTerms priority = terms(Profile::priority, nullptr, nullptr);
  EXPECT_EQ(priority.priorities, (PriorityRange{0, 100}));
  EXPECT_EQ(priority.default_priority, 10);
  EXPECT_TRUE(priority.may_change);
  EXPECT_TRUE(priority.may_always_opt_out());
  EXPECT_EQ(priority.max_class, 9);
  const AdmissionTerms quota = terms(Profile::quota, nullptr, nullptr);
  EXPECT_EQ(quota.priorities, PriorityRange{});
  EXPECT_EQ(quota.default_priority, 0);
}

TEST(AdmissionTerms, IntersectRanges) {
  const AdmissionRule project = rule("p", 0, 50);
  const AdmissionRule user = rule("u", 20, {});
  EXPECT_EQ(terms(Profile::priority, &project, &user).priorities, (PriorityRange{20, 50}));
  EXPECT_EQ(terms(Profile::priority, nullptr, &user).priorities, (PriorityRange{20, 100}));
  EXPECT_EQ(terms(Profile::guarantee, &project, nullptr).priorities, (PriorityRange{0, 50}));
}

TEST(AdmissionTerms, DefaultIsTheUsersThenTheProjects) {
  const AdmissionRule project = rule("p", {}, {}, 30);
  const AdmissionRule user = rule("u", {}, {}, 40);
  const AdmissionRule silent = rule("s", {}, {});
  EXPECT_EQ(terms(Profile::priority, &project, &user).default_priority, 40);
  EXPECT_EQ(terms(Profile::priority, &project, &silent).default_priority, 30);
  EXPECT_EQ(terms(Profile::priority, &silent, &silent).default_priority, 10);
}

TEST(AdmissionTerms, DefaultStaysWithinTheRange) {
  const AdmissionRule high = rule("p", 20, 50);
  const AdmissionRule low = rule("u", 0, 5);
  EXPECT_EQ(terms(Profile::priority, &high, nullptr).default_priority, 20);
  EXPECT_EQ(terms(Profile::priority, nullptr, &low).default_priority, 5);
}

TEST(AdmissionTerms, PermissionsNeedBoth) {
  AdmissionRule project = rule("p", {}, {});
  AdmissionRule user = rule("u", {}, {});
  project.may_change = false;
  user.may_opt_out = kNoPriority;
  const AdmissionTerms both = terms(Profile::priority, &project, &user);
  EXPECT_FALSE(both.may_change);
  EXPECT_EQ(both.may_opt_out, kNoPriority);
}

TEST(AdmissionTerms, OptingOutIsOfferedWithinThePriorities) {
  AdmissionRule project = rule("p", 0, 60);
  AdmissionRule user = rule("u", {}, {});
  project.may_opt_out = {20, 80};
  user.may_opt_out = {30, std::numeric_limits<std::int32_t>::max()};
  EXPECT_EQ(terms(Profile::priority, &project, &user).may_opt_out, (PriorityRange{30, 60}));
  EXPECT_EQ(terms(Profile::priority, nullptr, &user).may_opt_out, (PriorityRange{30, 100}));
  project.may_opt_out = {70, 80};
  EXPECT_EQ(terms(Profile::priority, &project, &user).may_opt_out, kNoPriority);
}

TEST(AdmissionTerms, MaxClassIsTheSmallestStated) {
  AdmissionRule project = rule("p", {}, {});
  AdmissionRule user = rule("u", {}, {});
  EXPECT_EQ(terms(Profile::class_cost, &project, &user).max_class, 9);
  project.max_class = 10;
  EXPECT_EQ(terms(Profile::class_cost, &project, &user).max_class, 10);
  user.max_class = 6;
  EXPECT_EQ(terms(Profile::class_cost, &project, &user).max_class, 6);
}

TEST(AdmissionTerms, AnEmptyRangeIsRefused) {
  const AdmissionRule project = rule("p", 50, {});
  const AdmissionRule user = rule("u", {}, 20);
  AdmissionTerms out;
  std::string why;
  EXPECT_FALSE(combine(Profile::priority, &project, &user, out, why));
  EXPECT_EQ(
      why,
      "no priority is left: profile priority allows 0..100, project 'p' 50 and above, user 'u' up to 20");
  const AdmissionRule negative = rule("n", -10, -1);
  EXPECT_FALSE(combine(Profile::priority, nullptr, &negative, out, why));
  EXPECT_EQ(why, "no priority is left: profile priority allows 0..100, user 'n' -10..-1");
  EXPECT_TRUE(combine(Profile::quota, nullptr, &negative, out, why));
}

TEST(AdmissionLookup, FindsByName) {
  const Admission admission{.projects = {rule("a", 1, 2), rule("c", 3, 4)}, .users = {rule("b", 5, 6)}};
  EXPECT_EQ(admission.project("c")->min, 3);
  EXPECT_EQ(admission.project("b"), nullptr);
  EXPECT_EQ(admission.user("b")->max, 6);
  EXPECT_EQ(admission.user("z"), nullptr);
}

TEST(AdmissionCheck, RulesByThemselves) {
  EXPECT_TRUE(faults({.projects = {rule("p", 0, 50, 10)}, .users = {rule("u", 50, 100, 50)}}).empty());
  EXPECT_EQ(faults({.projects = {rule("p", 50, 20)}, .users = {}}),
            std::vector<std::string>{"admission.projects.p.min: 50 is above max 20"});
  EXPECT_EQ(faults({.projects = {}, .users = {rule("u", 0, 50, 60)}}),
            std::vector<std::string>{"admission.users.u.default_priority: 60 is above max 50"});
  EXPECT_EQ(faults({.projects = {}, .users = {rule("u", 20, {}, 10)}}),
            std::vector<std::string>{"admission.users.u.default_priority: 10 is below min 20"});
  EXPECT_EQ(faults({.projects = {rule("p", 150, {})}, .users = {}}),
            std::vector<std::string>{"admission.projects.p.min: 150 is above the highest priority, 100"});
  EXPECT_EQ(faults({.projects = {rule("p", {}, -1)}, .users = {}}),
            std::vector<std::string>{"admission.projects.p.max: -1 is below the lowest priority, 0"});
  EXPECT_TRUE(faults({.projects = {rule("p", 150, {})}, .users = {}}, {}).empty());
}

TEST(AdmissionCheck, EveryProjectWithEveryUser) {
  const Admission low{.projects = {rule("p", 50, 80)},
                      .users = {rule("a", 60, 70), rule("b", {}, 40), rule("c", 50, 50)}};
  EXPECT_EQ(faults(low),
            std::vector<std::string>{"admission.users.b: no priority is left: the user is allowed up to "
                                     "40, project 'p' 50..80"});
  const Admission high{.projects = {rule("p", 50, 80)}, .users = {rule("a", 60, 70), rule("b", 90, {})}};
  EXPECT_EQ(faults(high),
            std::vector<std::string>{"admission.users.b: no priority is left: the user is allowed 90 "
                                     "and above, project 'p' 50..80"});
  // A rule that is wrong by itself is not reported again for every partner.
  EXPECT_EQ(faults({.projects = {rule("p", 0, 10)}, .users = {rule("u", 90, 20)}}).size(), 1u);
}

}  // namespace
}  // namespace cede
