// SPDX-License-Identifier: MIT
#include "policy/settings/setting.h"

#include <gtest/gtest.h>

#include "base/time.h"
#include "every_profile.h"

namespace cede {
namespace {

using InputKind = SettingInput::Kind;

const SettingSpec& spec_of(std::string_view name) { return *find_setting_anywhere(name); }

SettingInput number(std::string_view digits) { return {.kind = InputKind::number, .text = digits}; }
SettingInput text(std::string_view words) { return {.kind = InputKind::text, .text = words}; }
SettingInput boolean(bool flag) { return {.kind = InputKind::boolean, .flag = flag}; }
const SettingInput kNull{};

// What a JSON reader would make of a scalar.
SettingInput parse(std::string_view json) {
  if (json == "null") return kNull;
  if (json == "true" || json == "false") return boolean(json == "true");
  if (json.starts_with('"')) return text(json.substr(1, json.size() - 2));
  return number(json);
}

std::int64_t accepted(std::string_view name, const SettingInput& input) {
  std::int64_t value = -77;
  std::string why;
  EXPECT_TRUE(read_setting(spec_of(name), input, value, why)) << name << ": " << why;
  return value;
}

std::string refused(std::string_view name, const SettingInput& input) {
  std::int64_t value = -77;
  std::string why;
  EXPECT_FALSE(read_setting(spec_of(name), input, value, why)) << name;
  EXPECT_EQ(value, -77) << "a refused value must not be written";
  return why;
}

TEST(SettingText, DefaultsAndBoundsReadBack) {
  for (const Profile profile : kEveryProfile) {
    for (const SettingSpec& spec : settings_of(profile)) {
      SCOPED_TRACE(spec.name);
      std::vector<std::int64_t> values{spec.fallback};
      if (spec.unit != SettingUnit::amounts) values.insert(values.end(), {spec.min, spec.max});
      if (spec.training_fallback) values.push_back(*spec.training_fallback);
      if (!spec.none_word.empty()) values.push_back(kNoSetting);
      for (const std::int64_t value : values) {
        std::int64_t back = -77;
        std::string why;
        EXPECT_TRUE(read_setting(spec, parse(format_setting(spec, value)), back, why)) << why;
        EXPECT_EQ(back, value);
      }
    }
  }
}

TEST(SettingText, NumbersJustOutsideAreRefused) {
  for (const Profile profile : kEveryProfile) {
    for (const SettingSpec& spec : settings_of(profile)) {
      if (spec.unit == SettingUnit::flag || spec.unit == SettingUnit::choice ||
          spec.unit == SettingUnit::amounts)
        continue;
      SCOPED_TRACE(spec.name);
      SettingSpec wider = spec;  // of a unit that shows every step of the range as digits
      if (spec.unit == SettingUnit::duration) wider.unit = SettingUnit::minutes;
      const std::string range = show_setting(spec, spec.min) + ".." + show_setting(spec, spec.max);
      for (const std::int64_t value : {spec.min - 1, spec.max + 1}) {
        const std::string digits = show_setting(wider, value);
        EXPECT_EQ(refused(spec.name, number(digits)), "'" + digits + "' is outside " + range);
      }
    }
  }
}

TEST(SettingText, Flags) {
  EXPECT_EQ(accepted("front_only", boolean(true)), 1);
  EXPECT_EQ(accepted("front_only", boolean(false)), 0);
  EXPECT_EQ(refused("front_only", kNull), "null is not true or false");
  EXPECT_EQ(refused("front_only", number("1")), "1 is not true or false");
  EXPECT_EQ(refused("checkpoint_first", text("yes")), "'yes' is not true or false");
  EXPECT_EQ(refused("front_only", SettingInput{.kind = InputKind::compound}),
            "a list or an object is not true or false");
  EXPECT_EQ(format_setting(spec_of("front_only"), 1), "true");
}

TEST(SettingText, Choices) {
  EXPECT_EQ(accepted("preemption_order", text("smallest")), static_cast<int>(PreemptionOrder::smallest));
  EXPECT_EQ(accepted("evict", text("delete")), static_cast<int>(Evict::remove));
  EXPECT_EQ(accepted("cost_model", text("lost-work")), static_cast<int>(CostModel::lost_work));
  EXPECT_EQ(accepted("preemption", text("off")), static_cast<int>(Switch::off));
  EXPECT_EQ(refused("preemption_order", text("oldst")),
            "'oldst' is not one of oldest, newest, fewest or smallest; did you mean 'oldest'?");
  EXPECT_EQ(refused("preemption_order", text("")), "'' is not one of oldest, newest, fewest or smallest");
  EXPECT_EQ(refused("preemption", boolean(false)), "false is not on or off");
  EXPECT_EQ(format_setting(spec_of("preemption_order"), 0), "\"oldest\"");
}

TEST(SettingText, Counts) {
  EXPECT_EQ(accepted("max_victims", number("1")), 1);
  EXPECT_EQ(accepted("max_victims", number("1e6")), 1'000'000);
  EXPECT_EQ(refused("max_victims", number("-3")), "'-3' is outside 1..1000000");
  EXPECT_EQ(refused("max_victims", number("0")), "'0' is outside 1..1000000");
  EXPECT_EQ(refused("max_victims", number("1e999")), "'1e999' is outside 1..1000000");
  EXPECT_EQ(refused("max_victims", number("2.5")), "'2.5' is not a whole number");
  EXPECT_EQ(refused("max_victims", number("1e-999")), "'1e-999' is not a whole number");
  EXPECT_EQ(refused("max_victims", text("3")), "'3' is not a whole number, such as 3, or null");
  EXPECT_EQ(refused("preemptible_priority", number("101")), "'101' is outside 0..100");
}

TEST(SettingText, Durations) {
  EXPECT_EQ(accepted("grace", number("90")), 90 * kSecond);
  EXPECT_EQ(accepted("grace", number("0.25")), 250);
  EXPECT_EQ(accepted("grace", text("1h30m")), 90 * kMinute);
  EXPECT_EQ(accepted("grace", text("0s")), 0);
  EXPECT_EQ(refused("grace", boolean(true)), "true is not a duration, such as 90 or '90s'");
  EXPECT_EQ(refused("grace", kNull), "null is not a duration, such as 90 or '90s'");
  EXPECT_EQ(refused("grace", number("-1")), "'-1' is outside 0s..36600d");
  EXPECT_EQ(refused("grace", number("0.0001")), "'0.0001' is finer than 0.001");
  EXPECT_TRUE(refused("grace", text("soon")).starts_with("'soon' is not a duration"));
  EXPECT_EQ(refused("preemption.delay", text("0s")), "'0s' is outside 1ms..36600d");
  EXPECT_EQ(format_setting(spec_of("grace"), 90 * kMinute + 250), "\"1h30m250ms\"");
}

TEST(SettingText, RatiosFactorsAndMinutes) {
  EXPECT_EQ(accepted("fair_share_starvation_tolerance", number("0.8")), 800'000'000);
  EXPECT_EQ(refused("fair_share_starvation_tolerance", number("1.000000001")),
            "'1.000000001' is outside 0..1");
  EXPECT_EQ(refused("fair_share_starvation_tolerance", number("1e-10")), "'1e-10' is finer than 0.000000001");
  EXPECT_EQ(refused("fair_share_starvation_tolerance", text("0.8")), "'0.8' is not a number, such as 0.5");
  EXPECT_EQ(accepted("timeout_extension", number("10")), 10 * kWhole);
  EXPECT_EQ(refused("timeout_extension", number("10.5")), "'10.5' is outside 0..10");
  EXPECT_EQ(accepted("recompute_weight", number("0.016666667")), 16'666'667);
  EXPECT_EQ(accepted("victim_overhead", number("1.5")), 1500);
  EXPECT_EQ(refused("victim_overhead", number("0.0005")), "'0.0005' is finer than 0.001");
  EXPECT_EQ(refused("victim_overhead", kNull), "null is not a number of minutes, such as 1.5");
  EXPECT_EQ(format_setting(spec_of("victim_overhead"), 1500), "1.5");
}

TEST(SettingText, NoneAndAll) {
  for (const std::string_view name : {"max_victims", "max_preempted_count", "soft_evict_timeout",
                                      "value_per_gpu_hour", "non_preemptible_resource_usage_threshold"}) {
    EXPECT_EQ(accepted(name, kNull), kNoSetting);
    EXPECT_EQ(accepted(name, text("none")), kNoSetting);
    EXPECT_EQ(format_setting(spec_of(name), kNoSetting), "null");
    EXPECT_EQ(show_setting(spec_of(name), kNoSetting), "none");
  }
  EXPECT_EQ(accepted("tasks_per_plan", text("all")), kNoSetting);
  EXPECT_EQ(accepted("tasks_per_plan", number("4")), 4);
  EXPECT_EQ(refused("tasks_per_plan", number("0")), "'0' is outside 1..1000000");
  EXPECT_EQ(refused("tasks_per_plan", kNull), "null is not a whole number, such as 3, or 'all'");
  EXPECT_EQ(refused("tasks_per_plan", text("none")), "'none' is not a whole number, such as 3, or 'all'");
  EXPECT_EQ(format_setting(spec_of("tasks_per_plan"), kNoSetting), "\"all\"");
}

TEST(SettingText, AmountsAreLeftToTheReader) {
  EXPECT_EQ(refused("non_preemptible_resource_usage_threshold", number("3")),
            "3 is not an object of amounts, such as {\"gpu\": 2}, or null");
}

TEST(SettingText, RangesForPeople) {
  EXPECT_EQ(show_range(spec_of("front_only")), "true or false");
  EXPECT_EQ(show_range(spec_of("requeue")), "always, saved or never");
  EXPECT_EQ(show_range(spec_of("max_victims")), "1..1000000 or none");
  EXPECT_EQ(show_range(spec_of("tasks_per_plan")), "1..1000000 or all");
  EXPECT_EQ(show_range(spec_of("grace")), "0s..36600d");
  EXPECT_EQ(show_range(spec_of("timeout_extension")), "0..10");
  EXPECT_EQ(show_range(spec_of("non_preemptible_resource_usage_threshold")), "amounts by resource or none");
}

}  // namespace
}  // namespace cede
