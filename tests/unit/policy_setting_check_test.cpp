// SPDX-License-Identifier: MIT
#include "policy/settings/setting_values.h"

#include <gtest/gtest.h>

#include "base/time.h"

namespace cede {
namespace {

SettingValues values(std::initializer_list<SettingValues::Entry> entries) {
  SettingValues out;
  for (const auto& entry : entries) out.set(entry.id, entry.value);
  return out;
}

// `setting: message`, or nothing when all is well.
std::string found(Profile profile, const SettingValues& inherited, const SettingValues& own,
                  Severity severity) {
  std::vector<SettingFault> faults = check_settings(profile, inherited, own);
  std::erase_if(faults, [&](const SettingFault& each) { return each.severity != severity; });
  EXPECT_LE(faults.size(), 1u);
  return faults.empty() ? "" : std::string(faults[0].setting) + ": " + faults[0].message;
}

std::string fault(Profile profile, const SettingValues& inherited, const SettingValues& own) {
  return found(profile, inherited, own, Severity::error);
}

std::string risk(Profile profile, const SettingValues& inherited, const SettingValues& own) {
  return found(profile, inherited, own, Severity::warning);
}

constexpr std::int64_t kTenth = kWhole / 10;

TEST(SettingCheck, StarvingAndPreemptibleAtOnceIsARisk) {
  const auto tolerance = Setting::fair_share_starvation_tolerance;
  const auto threshold = Setting::preemption_satisfaction_threshold;
  EXPECT_EQ(risk(Profile::fair_share, {}, values({{threshold, 7 * kTenth}})),
            "preemption_satisfaction_threshold: fair_share_starvation_tolerance 0.8 (the default) exceeds "
            "preemption_satisfaction_threshold 0.7; a job can starve and lose tasks at once");
  EXPECT_EQ(risk(Profile::fair_share, values({{threshold, 5 * kTenth}}), values({{tolerance, 6 * kTenth}})),
            "fair_share_starvation_tolerance: fair_share_starvation_tolerance 0.6 exceeds "
            "preemption_satisfaction_threshold 0.5; a job can starve and lose tasks at once");
  EXPECT_EQ(risk(Profile::fair_share, {}, values({{threshold, 8 * kTenth}})), "");
  EXPECT_EQ(risk(Profile::fair_share, {}, values({{threshold, 5 * kTenth}, {tolerance, 5 * kTenth}})), "");
}

TEST(SettingCheck, AHomeWithoutProtectionIsARisk) {
  EXPECT_EQ(risk(Profile::class_cost, {}, values({{Setting::protect_home, 0}})),
            "protect_home: without it, a queue and its guests can take a node from each other for ever");
  EXPECT_EQ(risk(Profile::class_cost, {}, values({{Setting::protect_home, 1}})), "");
}

TEST(SettingCheck, AnEntryThatFailsBeforeItsVictimsLeaveIsARisk) {
  for (const Profile profile :
       {Profile::priority, Profile::class_cost, Profile::quota, Profile::fair_share, Profile::guarantee}) {
    EXPECT_EQ(
        risk(profile, {}, values({{Setting::entry_timeout, 0}})),
        "entry_timeout: action_timeout 1m (the default) exceeds entry_timeout 0s; a decision can fail before "
        "its victims are gone, and be made again for ever");
    EXPECT_EQ(risk(profile, {}, values({{Setting::entry_timeout, kMinute}})), "");
  }
}

TEST(SettingCheck, DefaultsAgree) {
  for (const Profile profile :
       {Profile::priority, Profile::class_cost, Profile::quota, Profile::fair_share, Profile::guarantee}) {
    EXPECT_EQ(fault(profile, {}, {}), "");
  }
  EXPECT_EQ(fault(Profile::fair_share, {}, values({{Setting::enable_aggressive_starvation, 1}})), "");
}

TEST(SettingCheck, AggressiveThresholdMustNotExceedTheRegular) {
  const auto regular = Setting::preemption_satisfaction_threshold;
  const auto aggressive = Setting::aggressive_preemption_satisfaction_threshold;
  EXPECT_EQ(fault(Profile::fair_share, {}, values({{regular, 5 * kTenth}, {aggressive, 6 * kTenth}})),
            "aggressive_preemption_satisfaction_threshold: aggressive_preemption_satisfaction_threshold 0.6 "
            "exceeds "
            "preemption_satisfaction_threshold 0.5");
  EXPECT_EQ(fault(Profile::fair_share, {}, values({{regular, kTenth}})),
            "preemption_satisfaction_threshold: aggressive_preemption_satisfaction_threshold 0.2 (the "
            "default) exceeds "
            "preemption_satisfaction_threshold 0.1");
  EXPECT_EQ(fault(Profile::fair_share, {}, values({{aggressive, kWhole + 1}})),
            "aggressive_preemption_satisfaction_threshold: aggressive_preemption_satisfaction_threshold "
            "1.000000001 "
            "exceeds preemption_satisfaction_threshold 1 (the default)");
  EXPECT_EQ(fault(Profile::fair_share, {}, values({{regular, 2 * kTenth}})), "");
  EXPECT_EQ(fault(Profile::class_cost, {}, values({{regular, kTenth}})), "") << "not read by this profile";
}

TEST(SettingCheck, InheritedValuesCountAndAreReportedOnce) {
  const SettingValues policy = values({{Setting::aggressive_preemption_satisfaction_threshold, 4 * kTenth}});
  const SettingValues queue = values({{Setting::preemption_satisfaction_threshold, 3 * kTenth}});
  EXPECT_EQ(fault(Profile::fair_share, policy, queue),
            "preemption_satisfaction_threshold: aggressive_preemption_satisfaction_threshold 0.4 exceeds "
            "preemption_satisfaction_threshold 0.3");
  SettingValues both = policy;
  both.override_by(queue);
  EXPECT_EQ(fault(Profile::fair_share, both, values({{Setting::grace, 1}})), "");
}

TEST(SettingCheck, AggressiveTimeoutCountsWhereItIsEnabled) {
  const SettingValues slow = values({{Setting::fair_share_starvation_timeout, 5 * kMinute}});
  const SettingValues enable = values({{Setting::enable_aggressive_starvation, 1}});
  const std::string message =
      "fair_share_starvation_timeout 5m exceeds fair_share_aggressive_starvation_timeout 2m (the default)";
  EXPECT_EQ(fault(Profile::fair_share, {}, slow), "");
  EXPECT_EQ(fault(Profile::fair_share, enable, slow), "fair_share_starvation_timeout: " + message);
  EXPECT_EQ(fault(Profile::fair_share, slow, enable), "enable_aggressive_starvation: " + message);
  EXPECT_EQ(fault(Profile::fair_share, enable,
                  values({{Setting::fair_share_starvation_timeout, 5 * kMinute},
                          {Setting::fair_share_aggressive_starvation_timeout, 5 * kMinute}})),
            "");
}

TEST(SettingCheck, FractionsOfAWalltimeMustNotCross) {
  EXPECT_EQ(fault(Profile::class_cost, {}, values({{Setting::near_completion_fraction, kTenth / 2}})),
            "near_completion_fraction: just_started_fraction 0.1 (the default) exceeds "
            "near_completion_fraction 0.05");
  EXPECT_EQ(fault(Profile::class_cost, {}, values({{Setting::just_started_fraction, 9 * kTenth}})), "");
}

}  // namespace
}  // namespace cede
