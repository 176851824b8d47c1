// SPDX-License-Identifier: MIT
#include "document/policy_reader.h"

#include <gtest/gtest.h>

namespace cede {
namespace {

std::string fault(std::string_view text) {
  Problems problems;
  PolicySet set;
  if (read_policy(text, Limits{}, problems, set)) return {};
  return problems.all().empty() ? "no text" : problems.all()[0].message();
}

std::string with(std::string_view members, std::string_view profile = "class-cost") {
  return R"({"format":"cede-policy/1","policies":{"default":{"profile":")" + std::string(profile) + "\"" +
         std::string(members) + "}}}";
}

TEST(PolicyReader, ReadsAllOfIt) {
  Problems problems;
  PolicySet set;
  ASSERT_TRUE(read_policy(R"({"format":"cede-policy/1","x-note":"ours","preemption":"off",
    "policies":{"gold":{"profile":"guarantee"},"default":{"settings":{"max_victims":7,"grace":"1m"},"profile":"class-cost"}},
    "admission":{"projects":{"p":{"default_priority":10,"may_change":true,"min":0,"max":50}},"users":{"u":{"default_priority":20,"may_change":false}}},
    "limits":{"max_preemptions_per_window":{"queue":5},"window":"20m","max_lost_work_per_window":100.5,"cooldown":60,"exact_units":12,"search_work":1000}})",
                          Limits{}, problems, set))
      << problems.all()[0].message();
  ASSERT_EQ(set.policies.size(), 2u);
  EXPECT_EQ(set.policies[0].name, "default");
  EXPECT_EQ(set.policies[0].profile, Profile::class_cost);
  EXPECT_EQ(set.policies[0].settings.get(Setting::max_victims), 7) << "settings may stand before the profile";
  EXPECT_EQ(set.policies[0].settings.get(Setting::grace), 60'000);
  EXPECT_FALSE(set.preemption);
  EXPECT_EQ(set.admission.project("p")->max, 50);
  EXPECT_FALSE(set.admission.user("u")->may_change);
  EXPECT_EQ(set.limits.max_preemptions_per_queue, 5);
  EXPECT_FALSE(set.limits.max_preemptions_per_user.has_value());
  EXPECT_EQ(set.limits.window, 20 * kMinute);
  EXPECT_EQ(set.limits.max_lost_work, 100'500);
  EXPECT_EQ(set.limits.cooldown, kMinute);
  EXPECT_EQ(set.limits.exact_units, 12);
  EXPECT_EQ(set.limits.search_work, 1000);
}

TEST(PolicyReader, OneWindowNumberIsForBoth) {
  Problems problems;
  PolicySet set;
  ASSERT_TRUE(read_policy(
      R"({"format":"cede-policy/1","policies":{"a":{"profile":"quota"}},"limits":{"max_preemptions_per_window":3}})",
      Limits{}, problems, set));
  EXPECT_EQ(set.limits.max_preemptions_per_queue, 3);
  EXPECT_EQ(set.limits.max_preemptions_per_user, 3);
}

TEST(PolicyReader, Refuses) {
  const auto expect = [](std::string_view text, std::string_view message) {
    EXPECT_NE(fault(text).find(message), std::string::npos) << fault(text);
  };
  expect("{}", "format: missing");
  expect(R"({"format":"cede-policy/1"})", "policies: missing");
  expect(R"({"format":"cede-policy/1","policies":{}})", "policies: names no policy");
  expect(R"({"format":"cede-policy/1","policies":{"a":{}}})",
         "policies.a.profile: missing; priority, class-cost");
  expect(
      with("", "class_cost"),
      "'class_cost' is not priority, class-cost, quota, fair-share or guarantee; did you mean 'class-cost'?");
  expect(with(R"(,"settings":{"max_victim":3})"), "policies.default.settings.max_victim: ");
  expect(with(R"(,"settings":{"max_victim":3})"), "did you mean 'max_victims'?");
  expect(with(R"(,"settings":{"max_victims":0})"), "policies.default.settings.max_victims: ");
  expect(with(R"(,"settings":{"max_victims":1,"max_victims":2})"), "'max_victims' is given twice");
  expect(with(R"(,"settings":{"preemption_order":"oldest"})"), "is a setting of priority, not of class-cost");
  expect(
      R"({"format":"cede-policy/1","policies":{"a":{"settings":{"preemption_order":"oldest"},"profile":"class-cost"}}})",
      "is a setting of priority, not of class-cost");
  expect(R"({"format":"cede-policy/1","policies":{"a":{"profile":"quota"},"a":{"profile":"quota"}}})",
         "policies.a: 'a' is given twice");
  expect(
      with(
          R"(,"settings":{"aggressive_preemption_satisfaction_threshold":0.9,"preemption_satisfaction_threshold":0.5})",
          "fair-share"),
      "policies.default.settings.aggressive_preemption_satisfaction_threshold: ");
  expect(
      R"({"format":"cede-policy/1","policies":{"a":{"profile":"priority"}},"admission":{"users":{"u":{"min":5,"max":4}}}})",
      "admission.users.u.min: ");
  expect(
      R"({"format":"cede-policy/1","policies":{"a":{"profile":"priority"}},"admission":{"users":{"u":{"max_class":11}}}})",
      "admission.users.u.max_class: 11 is outside 0..10");
  expect(
      R"({"format":"cede-policy/1","policies":{"a":{"profile":"priority"}},"admission":{"users":{"u":{"may_opt_out":{"min":5,"max":4}}}}})",
      "admission.users.u.may_opt_out: 5 is above max 4");
  expect(
      R"({"format":"cede-policy/1","policies":{"a":{"profile":"priority"}},"admission":{"users":{"u":{"may_opt_out":{"min":"5"}}}}})",
      "admission.users.u.may_opt_out.min: ");
  expect(
      R"({"format":"cede-policy/1","policies":{"a":{"profile":"priority"}},"admission":{"users":{"u":{"may_opt_out":"never"}}}})",
      "admission.users.u.may_opt_out: ");
  expect(R"({"format":"cede-policy/1","policies":{"a":{"profile":"priority"}},"limits":{"window":0}})",
         "limits.window: 0 is not a window");
  expect(R"({"format":"cede-policy/1","policies":{"a":{"profile":"priority"}},"preemption":"of"})",
         "'of' is not on or off");
}

}  // namespace
}  // namespace cede
