// SPDX-License-Identifier: MIT
#include "policy/settings/setting_values.h"

#include <gtest/gtest.h>

namespace cede {
namespace {

constexpr auto kOn = static_cast<std::int64_t>(Switch::on);
constexpr auto kOff = static_cast<std::int64_t>(Switch::off);
constexpr Setting kThreshold = Setting::non_preemptible_resource_usage_threshold;

TEST(SettingValues, KeepsTheLastValueSortedBySetting) {
  SettingValues values;
  EXPECT_TRUE(values.empty());
  EXPECT_EQ(values.get(Setting::grace), std::nullopt);
  values.set(Setting::max_victims, 3);
  values.set(Setting::grace, 1000);
  values.set(Setting::max_victims, kNoSetting);
  EXPECT_EQ(values.get(Setting::max_victims), kNoSetting);
  EXPECT_TRUE(values.has(Setting::max_victims));
  EXPECT_FALSE(values.has(Setting::requeue));
  EXPECT_EQ(values.entries(),
            (std::vector<SettingValues::Entry>{{Setting::grace, 1000}, {Setting::max_victims, kNoSetting}}));
}

TEST(SettingValues, EqualityIgnoresTheOrderOfSetting) {
  SettingValues a;
  a.set(Setting::grace, 1);
  a.set(Setting::requeue, 2);
  SettingValues b;
  b.set(Setting::requeue, 2);
  EXPECT_NE(a, b);
  b.set(Setting::grace, 1);
  EXPECT_EQ(a, b);
  a.set_usage_threshold({{"gpu", 1000}, {"cpu", 2000}});
  b.set_usage_threshold({{"cpu", 2000}, {"gpu", 1001}});
  EXPECT_NE(a, b);
  b.set_usage_threshold({{"cpu", 2000}, {"gpu", 1000}});
  EXPECT_EQ(a, b);
}

TEST(SettingValues, AnEmptyThresholdIsNone) {
  SettingValues values;
  values.set_usage_threshold({{"gpu", 1000}});
  EXPECT_NE(values.get(kThreshold), kNoSetting);
  values.set_usage_threshold({});
  EXPECT_EQ(values.get(kThreshold), kNoSetting);
  EXPECT_TRUE(values.usage_threshold().empty());
}

TEST(SettingValues, TheNearerOneWins) {
  SettingValues policy;
  policy.set(Setting::max_victims, 3);
  policy.set(Setting::grace, 1000);
  policy.set_usage_threshold({{"gpu", 1000}});
  SettingValues queue;
  queue.set(Setting::max_victims, kNoSetting);
  SettingValues effective = policy;
  effective.override_by(queue);
  EXPECT_EQ(effective.get(Setting::max_victims), kNoSetting);
  EXPECT_EQ(effective.get(Setting::grace), 1000);
  EXPECT_EQ(effective.usage_threshold().size(), 1u);
  queue.set_usage_threshold({});
  effective.override_by(queue);
  EXPECT_TRUE(effective.usage_threshold().empty());
  EXPECT_EQ(effective.get(kThreshold), kNoSetting);
}

TEST(SettingValues, PreemptionOnceOffStaysOff) {
  SettingValues on;
  on.set(Setting::preemption, kOn);
  SettingValues off;
  off.set(Setting::preemption, kOff);
  SettingValues effective = off;
  effective.override_by(on);
  EXPECT_EQ(effective.get(Setting::preemption), kOff);
  effective = on;
  effective.override_by(off);
  EXPECT_EQ(effective.get(Setting::preemption), kOff);
}

TEST(SettingValues, DefaultsDependOnProfileAndQueueKind) {
  const SettingSpec& weight = setting_of(Profile::class_cost, Setting::checkpoint_weight);
  SettingValues values;
  EXPECT_EQ(value_or_default(weight, values, JobKind::batch), kWhole);
  EXPECT_EQ(value_or_default(weight, values, JobKind::training), 3 * kWhole);
  values.set(Setting::checkpoint_weight, 2 * kWhole);
  EXPECT_EQ(value_or_default(weight, values, JobKind::training), 2 * kWhole);
  EXPECT_EQ(value_or_default(setting_of(Profile::class_cost, Setting::max_victims), {}, JobKind::training),
            3);
  EXPECT_EQ(value_or_default(setting_of(Profile::quota, Setting::max_victims), {}), kNoSetting);
}

TEST(SettingValues, JobsMayOnlyBeMorePatient) {
  const SettingSpec& timeout = setting_of(Profile::fair_share, Setting::fair_share_starvation_timeout);
  EXPECT_EQ(value_for_job(timeout, 30'000, 60'000), 60'000);
  EXPECT_EQ(value_for_job(timeout, 30'000, 10'000), 30'000);
  const SettingSpec& tolerance = setting_of(Profile::fair_share, Setting::fair_share_starvation_tolerance);
  EXPECT_EQ(value_for_job(tolerance, 800, 500), 500);
  EXPECT_EQ(value_for_job(tolerance, 800, 900), 800);
  EXPECT_EQ(value_for_job(setting_of(Profile::fair_share, Setting::grace), 5, 9), 5);
}

}  // namespace
}  // namespace cede
