// SPDX-License-Identifier: MIT
#include "policy/setting_check.h"

#include "policy/setting_text.h"

namespace cede {

namespace {

// `smaller` must not exceed `larger`; only while the flag `when` is true, where there is one.
struct Order {
  Profile profile;
  Setting smaller;
  Setting larger;
  std::optional<Setting> when = {};
};

constexpr Order kOrders[] = {
    {Profile::class_cost, Setting::just_started_fraction, Setting::near_completion_fraction},
    {Profile::fair_share, Setting::aggressive_preemption_satisfaction_threshold,
     Setting::preemption_satisfaction_threshold},
    {Profile::fair_share, Setting::fair_share_starvation_timeout,
     Setting::fair_share_aggressive_starvation_timeout, Setting::enable_aggressive_starvation},
};

std::string with_value(const SettingSpec& spec, const SettingValues& values) {
  std::string text = std::string(spec.name) + ' ' + show_setting(spec, value_or_default(spec, values));
  return values.has(spec.id) ? text : text + " (the default)";
}

}  // namespace

std::vector<SettingFault> check_settings(Profile profile, const SettingValues& inherited,
                                         const SettingValues& own) {
  SettingValues all = inherited;
  all.override_by(own);
  std::vector<SettingFault> faults;
  for (const Order& order : kOrders) {
    if (order.profile != profile) continue;
    const SettingSpec& smaller = setting_of(profile, order.smaller);
    const SettingSpec& larger = setting_of(profile, order.larger);
    if (value_or_default(smaller, all) <= value_or_default(larger, all)) continue;
    if (order.when && value_or_default(setting_of(profile, *order.when), all) == 0) continue;
    const SettingSpec* at = own.has(order.smaller) ? &smaller : own.has(order.larger) ? &larger : nullptr;
    if (!at && order.when && own.has(*order.when)) at = &setting_of(profile, *order.when);
    if (at) faults.push_back({at->name, with_value(smaller, all) + " exceeds " + with_value(larger, all)});
  }
  return faults;
}

}  // namespace cede
