// SPDX-License-Identifier: MIT
#include "policy/settings/setting.h"

#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "every_profile.h"

namespace cede {
namespace {

struct Row {
  std::string name;
  std::string fallback;
  std::string unit;
  std::string side;
};

// The documented settings, written out a second time on purpose: a default must not change unseen.
std::vector<Row> documented(Profile profile) {
  const std::string requeue = profile == Profile::class_cost ? "always"
                              : profile == Profile::priority
                                  ? "never; always where preemption_mode is suspend"
                                  : "never";
  const bool by_task = profile == Profile::fair_share || profile == Profile::guarantee;
  std::vector<Row> rows{{"preemption", "on", "choice", "both"},
                        {"checkpoint_timeout", "10m", "duration", "victim"},
                        {"grace", "30s", "duration", "victim"},
                        {"max_deferral", "5m", "duration", "victim"},
                        {"timeout_extension", "0.5", "factor", "victim"},
                        {"checkpoint_first", "true", "flag", "victim"},
                        {"checkpoint_estimate", "5m", "duration", "victim"},
                        {"requeue", requeue, "choice", "victim"},
                        {"min_runtime", "0s", "duration", "victim"},
                        {"max_victims", profile == Profile::class_cost ? "3" : "none", "count", "requester"},
                        {"max_preempted_count", "none", "count", "victim"},
                        {"wait_horizon", "0s", "duration", "requester"},
                        {"cost_model", "formula", "choice", "requester"},
                        {"hold_timeout", "10m", "duration", "requester"},
                        {"entry_timeout", "1h", "duration", "requester"},
                        {"action_timeout", "1m", "duration", "requester"},
                        {"max_action_retries", "3", "count", "requester"},
                        {"soft_evict_timeout", "none", "duration", "victim"},
                        {"tasks_per_plan", by_task ? "1" : "all", "count", "requester"},
                        {"overcommit_grace", "0s", "duration", "both"}};
  const auto add = [&](std::vector<Row> own) { rows.insert(rows.end(), own.begin(), own.end()); };
  switch (profile) {
    case Profile::priority:
      add({{"preemptible_priority", "5", "count", "victim"},
           {"preemption_order", "oldest", "choice", "requester"},
           {"preemption_mode", "terminate", "choice", "victim"},
           {"suspend_keep", "nothing", "choice", "victim"},
           {"victim_scope", "group", "choice", "requester"},
           {"front_only", "true", "flag", "requester"}});
      break;
    case Profile::class_cost:
      add({{"class_rule", "lower", "choice", "requester"},
           {"near_completion_threshold", "5m", "duration", "victim"},
           {"near_completion_fraction", "0.9", "ratio", "victim"},
           {"just_started_fraction", "0.1", "ratio", "victim"},
           {"victim_overhead", "1", "minutes", "victim"},
           {"checkpoint_weight", "1; 3 in queues of kind training", "factor", "victim"},
           {"recompute_weight", "1", "factor", "victim"},
           {"value_per_gpu_hour", "none", "minutes", "requester"},
           {"class_first", "false", "flag", "requester"},
           {"protect_home", "true", "flag", "victim"},
           {"avoid_borrowed", "true", "flag", "requester"},
           {"reclaim", "auto", "choice", "requester"},
           {"borrowed_discount", "0", "ratio", "victim"}});
      break;
    case Profile::quota:
      add({{"disable_default_preemptible", "false", "flag", "both"},
           {"disable_default_trigger_preemption", "false", "flag", "requester"},
           {"evict", "delete", "choice", "victim"},
           {"check_parent_quota", "true", "flag", "requester"}});
      break;
    case Profile::fair_share:
      add({{"fair_share_starvation_timeout", "30s", "duration", "requester"},
           {"fair_share_aggressive_starvation_timeout", "2m", "duration", "requester"},
           {"fair_share_starvation_tolerance", "0.8", "ratio", "requester"},
           {"preemption_satisfaction_threshold", "1", "factor", "victim"},
           {"aggressive_preemption_satisfaction_threshold", "0.2", "factor", "victim"},
           {"non_preemptible_resource_usage_threshold", "none", "amounts", "victim"},
           {"preemptive_scheduling_backoff", "5s", "duration", "requester"},
           {"allocation_preemption_timeout", "30s", "duration", "victim"},
           {"enable_aggressive_starvation", "false", "flag", "requester"},
           {"allow_aggressive_preemption", "true", "flag", "victim"},
           {"allow_preemption_from_starving", "false", "flag", "victim"}});
      break;
    case Profile::guarantee:
      add({{"preemption.policy", "default", "choice", "both"},
           {"preemption.delay", "30s", "duration", "requester"},
           {"strict_opt_out", "false", "flag", "victim"},
           {"within_guarantee", "false", "flag", "requester"},
           {"cross_node", "false", "flag", "requester"},
           {"attempt_interval", "15s", "duration", "requester"},
           {"intra_queue", "false", "flag", "requester"}});
      break;
  }
  return rows;
}

TEST(Setting, EveryProfileHasExactlyTheDocumentedOnes) {
  for (const Profile profile : kEveryProfile) {
    SCOPED_TRACE(to_word(profile, kProfiles));
    const std::vector<Row> rows = documented(profile);
    EXPECT_EQ(settings_of(profile).size(), rows.size());
    for (const Row& row : rows) {
      SCOPED_TRACE(row.name);
      const SettingSpec* spec = find_setting(profile, row.name);
      ASSERT_NE(spec, nullptr);
      EXPECT_EQ(show_default(*spec), row.fallback);
      EXPECT_EQ(to_word(spec->unit, kSettingUnits), row.unit);
      EXPECT_EQ(to_word(spec->side, kSettingSides), row.side);
    }
  }
}

TEST(Setting, NamesAndNumbersAreOneToOne) {
  std::set<Setting> ids;
  for (const Profile profile : kEveryProfile) {
    std::set<std::string_view> names;
    for (const SettingSpec& spec : settings_of(profile)) {
      EXPECT_TRUE(names.insert(spec.name).second) << spec.name;
      EXPECT_EQ(find_setting_anywhere(spec.name)->id, spec.id) << spec.name;
      EXPECT_EQ(&setting_of(profile, spec.id), &spec) << spec.name;
      ids.insert(spec.id);
    }
  }
  EXPECT_EQ(ids.size(), kSettingCount);
}

// What SettingValues and a cluster document without a policy rely on.
TEST(Setting, ProfilesDifferInDefaultsOnly) {
  for (const Profile profile : kEveryProfile) {
    for (const SettingSpec& spec : settings_of(profile)) {
      const SettingSpec& first = *find_setting_anywhere(spec.name);
      EXPECT_EQ(show_range(spec), show_range(first)) << spec.name;
      EXPECT_EQ(spec.side, first.side) << spec.name;
    }
  }
}

TEST(Setting, HelpIsOneLine) {
  for (const Profile profile : kEveryProfile) {
    for (const SettingSpec& spec : settings_of(profile)) {
      EXPECT_GE(spec.help.size(), 10u) << spec.name;
      EXPECT_LE(spec.help.size(), 110u) << spec.name;
      EXPECT_FALSE(spec.help.ends_with('.')) << spec.name;
      EXPECT_EQ(spec.help.find('\n'), std::string_view::npos) << spec.name;
    }
  }
}

TEST(Setting, OnlyPatienceIsAJobs) {
  std::vector<std::string_view> raised;
  std::vector<std::string_view> lowered;
  for (const Profile profile : kEveryProfile) {
    for (const SettingSpec& spec : settings_of(profile)) {
      if (spec.job_may == JobMay::raise) raised.push_back(spec.name);
      if (spec.job_may == JobMay::lower) lowered.push_back(spec.name);
    }
  }
  EXPECT_EQ(raised, (std::vector<std::string_view>{"fair_share_starvation_timeout",
                                                   "fair_share_aggressive_starvation_timeout"}));
  EXPECT_EQ(lowered, std::vector<std::string_view>{"fair_share_starvation_tolerance"});
}

TEST(SettingLookup, FindsOwnAndShared) {
  EXPECT_EQ(find_setting(Profile::quota, "evict")->id, Setting::evict);
  EXPECT_EQ(find_setting(Profile::quota, "grace")->id, Setting::grace);
  EXPECT_EQ(find_setting(Profile::quota, "class_rule"), nullptr);
  EXPECT_EQ(find_setting_anywhere("class_rule")->id, Setting::class_rule);
  EXPECT_EQ(find_setting_anywhere("class_rules"), nullptr);
}

std::string refused(std::optional<Profile> profile, SettingHolder holder, std::string_view name) {
  std::string why;
  EXPECT_EQ(accept_setting(profile, holder, name, why), nullptr) << name;
  return why;
}

TEST(AcceptSetting, TakesWhatTheHolderMayState) {
  std::string why;
  EXPECT_EQ(accept_setting(Profile::class_cost, SettingHolder::policy, "max_victims", why)->fallback, 3);
  EXPECT_EQ(accept_setting(Profile::quota, SettingHolder::queue, "evict", why)->id, Setting::evict);
  EXPECT_EQ(accept_setting({}, SettingHolder::queue, "intra_queue", why)->id, Setting::intra_queue);
  EXPECT_EQ(accept_setting(Profile::fair_share, SettingHolder::job, "fair_share_starvation_timeout", why)->id,
            Setting::fair_share_starvation_timeout);
  EXPECT_EQ(why, "");
}

TEST(AcceptSetting, UnknownNamesGetTheNearest) {
  EXPECT_EQ(refused(Profile::class_cost, SettingHolder::policy, "max_victim"),
            "unknown setting 'max_victim' of profile class-cost; did you mean 'max_victims'?");
  EXPECT_EQ(refused({}, SettingHolder::queue, "max_victim"),
            "unknown setting 'max_victim'; did you mean 'max_victims'?");
  EXPECT_EQ(refused(Profile::priority, SettingHolder::policy, "colour"),
            "unknown setting 'colour' of profile priority");
  // The nearest name is not one that would be refused in turn.
  EXPECT_EQ(refused(Profile::priority, SettingHolder::policy, "class_rul"),
            "unknown setting 'class_rul' of profile priority");
  EXPECT_EQ(refused({}, SettingHolder::queue, "preemption.delai"), "unknown setting 'preemption.delai'");
}

TEST(AcceptSetting, SettingsOfAnotherProfileAreNamedAsSuch) {
  EXPECT_EQ(refused(Profile::priority, SettingHolder::policy, "class_rule"),
            "'class_rule' is a setting of class-cost, not of priority");
  EXPECT_EQ(refused(Profile::quota, SettingHolder::job, "fair_share_starvation_tolerance"),
            "'fair_share_starvation_tolerance' is a setting of fair-share, not of quota");
}

TEST(AcceptSetting, QueueFieldsAreSentToTheirPlace) {
  for (const Profile profile : kEveryProfile) {
    EXPECT_EQ(refused(profile, SettingHolder::queue, "preemption.delay"),
              "'preemption.delay' is a field of queues, not a setting; write it there as \"preemption\": "
              "{\"delay\": …}");
  }
  EXPECT_EQ(refused({}, SettingHolder::policy, "preemption.policy"),
            "'preemption.policy' is a field of queues, not a setting; write it there as \"preemption\": "
            "{\"policy\": "
            "…}");
}

TEST(AcceptSetting, JobsMayStateOnlyPatience) {
  EXPECT_EQ(
      refused(Profile::fair_share, SettingHolder::job, "max_victims"),
      "'max_victims' is not a setting of jobs; they may set fair_share_starvation_timeout, "
      "fair_share_aggressive_starvation_timeout or fair_share_starvation_tolerance (profile fair-share)");
}

}  // namespace
}  // namespace cede
