// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "model/words.h"
#include "policy/settings/profile.h"

namespace cede {

// Every setting of every profile. A name has the same meaning and range in every profile; only its default
// may differ.
enum class Setting : std::uint8_t {
  // every profile
  preemption,
  checkpoint_timeout,
  grace,
  max_deferral,
  timeout_extension,
  checkpoint_first,
  checkpoint_estimate,
  requeue,
  min_runtime,
  max_victims,
  max_preempted_count,
  wait_horizon,
  cost_model,
  hold_timeout,
  entry_timeout,
  action_timeout,
  max_action_retries,
  soft_evict_timeout,
  tasks_per_plan,
  overcommit_grace,
  // priority
  preemptible_priority,
  preemption_order,
  preemption_mode,
  suspend_keep,
  victim_scope,
  front_only,
  // class-cost
  class_rule,
  near_completion_threshold,
  near_completion_fraction,
  just_started_fraction,
  victim_overhead,
  checkpoint_weight,
  recompute_weight,
  value_per_gpu_hour,
  class_first,
  protect_home,
  avoid_borrowed,
  reclaim,
  borrowed_discount,
  // quota
  disable_default_preemptible,
  disable_default_trigger_preemption,
  evict,
  check_parent_quota,
  // fair-share
  fair_share_starvation_timeout,
  fair_share_aggressive_starvation_timeout,
  fair_share_starvation_tolerance,
  preemption_satisfaction_threshold,
  aggressive_preemption_satisfaction_threshold,
  non_preemptible_resource_usage_threshold,
  preemptive_scheduling_backoff,
  allocation_preemption_timeout,
  enable_aggressive_starvation,
  allow_aggressive_preemption,
  allow_preemption_from_starving,
  // guarantee
  strict_opt_out,
  within_guarantee,
  cross_node,
  attempt_interval,
  intra_queue,
  preemption_policy,  // these two are fields of a queue, listed with the settings
  preemption_delay,
};
inline constexpr std::size_t kSettingCount = static_cast<std::size_t>(Setting::preemption_delay) + 1;

// A setting's value is an integer: 0 or 1, the index of a word, a count, milliseconds, billionths of a ratio
// or factor, or thousandths of a minute. Amounts are stored separately (SettingValues); here they are either
// none or given.
enum class SettingUnit : std::uint8_t { flag, choice, count, duration, ratio, factor, minutes, amounts };
inline constexpr std::array<std::string_view, 8> kSettingUnits{"flag",  "choice", "count",   "duration",
                                                               "ratio", "factor", "minutes", "amounts"};

inline constexpr std::int64_t kNoSetting = std::numeric_limits<std::int64_t>::min();  // none or all
inline constexpr std::int64_t kWhole = 1'000'000'000;  // a ratio or factor of 1

// Whose queue the value is taken from. If that queue does not state it, the queues above it, the policy and
// the default follow.
enum class SettingSide : std::uint8_t { requester, victim, both };
inline constexpr std::array<std::string_view, 3> kSettingSides{"requester", "victim", "both"};

// How a job's own `settings` may change the value of its queue. A job may only be more patient, which costs
// other jobs nothing.
enum class JobMay : std::uint8_t { not_set, raise, lower };

struct SettingSpec {
  Setting id = Setting::preemption;
  std::string_view name = {};
  SettingUnit unit = SettingUnit::flag;
  std::int64_t fallback = 0;
  std::optional<std::int64_t> training_fallback = {};  // fallback in queues of kind training
  std::optional<std::int64_t> suspend_fallback = {};   // fallback where `preemption_mode` is suspend
  std::int64_t min = 0;
  std::int64_t max = 0;
  std::span<const std::string_view> choices = {};
  std::string_view none_word = {};  // how a document writes kNoSetting; empty: a value is required
  SettingSide side = SettingSide::requester;
  JobMay job_may = JobMay::not_set;
  bool queue_field = false;  // a member of the queue's `preemption`, not of its `settings`
  std::string_view help = {};
};

// All settings of a profile in the order shown to users: those of every profile, then its own.
std::span<const SettingSpec> settings_of(Profile profile);

// The profile must have the setting.
const SettingSpec& setting_of(Profile profile, Setting id);

const SettingSpec* find_setting(Profile profile, std::string_view name);
// From any profile that has the setting. Correct for reading values, which is the same in all profiles; not
// for defaults.
const SettingSpec* find_setting_anywhere(std::string_view name);
const SettingSpec& setting_anywhere(Setting id);

enum class SettingHolder : std::uint8_t { policy, queue, job };

// The setting that the holder's `settings` may contain under this name, or null and the reason. Without a
// profile (a cluster document alone) the settings of all profiles are accepted.
const SettingSpec* accept_setting(std::optional<Profile> profile, SettingHolder holder, std::string_view name,
                                  std::string& why);

// A value of a document, independent of any JSON library.
struct SettingInput {
  enum class Kind : std::uint8_t { null, boolean, number, text, compound };  // compound: a list or an object
  Kind kind = Kind::null;
  bool flag = false;
  std::string_view text = {};  // the digits of a number, or the text
};

// Amounts are objects, which the document reader parses itself. Of them only `null` and "none" come here.
bool read_setting(const SettingSpec& spec, const SettingInput& input, std::int64_t& out, std::string& why);

// The JSON that a policy document would contain: `true`, `3`, `0.5`, `"10m"`, `"oldest"`, `null`.
std::string format_setting(const SettingSpec& spec, std::int64_t value);

// For users: the same without quotes, and `none` instead of null.
std::string show_setting(const SettingSpec& spec, std::int64_t value);
std::string show_default(const SettingSpec& spec);  // `1; 3 in queues of kind training`
std::string show_range(
    const SettingSpec& spec);  // `1..1000000 or none`, `oldest, newest, fewest or smallest`

}  // namespace cede
