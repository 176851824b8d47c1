// SPDX-License-Identifier: MIT
#include "policy/settings/setting_values.h"

#include <algorithm>
#include <cstring>

#include "policy/settings/setting.h"

namespace cede {

std::optional<std::int64_t> SettingValues::get(Setting id) const {
  const auto at = std::ranges::lower_bound(entries_, id, {}, &Entry::id);
  if (at == entries_.end() || at->id != id) return std::nullopt;
  return at->value;
}

void SettingValues::set(Setting id, std::int64_t value) {
  const auto at = std::ranges::lower_bound(entries_, id, {}, &Entry::id);
  if (at != entries_.end() && at->id == id) {
    at->value = value;
  } else {
    entries_.insert(at, {id, value});
  }
}

void SettingValues::set_usage_threshold(NamedAmounts amounts) {
  std::ranges::sort(amounts);
  set(Setting::non_preemptible_resource_usage_threshold,
      amounts.empty() ? kNoSetting : static_cast<std::int64_t>(amounts.size()));
  usage_threshold_ = std::move(amounts);
}

void SettingValues::override_by(const SettingValues& nearer) {
  const bool stays_off = get(Setting::preemption) == static_cast<std::int64_t>(Switch::off);
  for (const Entry& entry : nearer.entries_) set(entry.id, entry.value);
  if (stays_off) set(Setting::preemption, static_cast<std::int64_t>(Switch::off));
  if (nearer.has(Setting::non_preemptible_resource_usage_threshold))
    usage_threshold_ = nearer.usage_threshold_;
}

std::int64_t value_or_default(const SettingSpec& spec, const SettingValues& values, JobKind queue_kind) {
  const std::optional<std::int64_t> stated = values.get(spec.id);
  if (stated) return *stated;
  return queue_kind == JobKind::training ? spec.training_fallback.value_or(spec.fallback) : spec.fallback;
}

std::int64_t value_for_job(const SettingSpec& spec, std::int64_t of_queue, std::int64_t of_job) {
  switch (spec.job_may) {
    case JobMay::raise: return std::max(of_queue, of_job);
    case JobMay::lower: return std::min(of_queue, of_job);
    case JobMay::not_set: break;
  }
  return of_queue;
}

namespace {

void put(std::string& out, std::int64_t number) {
  char bytes[sizeof number];
  std::memcpy(bytes, &number, sizeof number);
  out.append(bytes, sizeof number);
}

std::int64_t take(std::string_view& bytes) {
  std::int64_t number = 0;
  std::memcpy(&number, bytes.data(), sizeof number);
  bytes.remove_prefix(sizeof number);
  return number;
}

}  // namespace

std::string encode_settings(const SettingValues& values) {
  std::string out;
  if (values.empty()) return out;
  put(out, static_cast<std::int64_t>(values.entries().size()));
  for (const SettingValues::Entry& entry : values.entries()) {
    put(out, static_cast<std::int64_t>(entry.id));
    put(out, entry.value);
  }
  for (const auto& [resource, amount] : values.usage_threshold()) {
    put(out, amount);
    put(out, static_cast<std::int64_t>(resource.size()));
    out += resource;
  }
  return out;
}

SettingValues decode_settings(std::string_view bytes) {
  SettingValues values;
  if (bytes.empty()) return values;
  NamedAmounts amounts;
  bool has_amounts = false;
  for (std::int64_t left = take(bytes); left > 0; --left) {
    const auto id = static_cast<Setting>(take(bytes));
    const std::int64_t value = take(bytes);
    if (id == Setting::non_preemptible_resource_usage_threshold) {
      has_amounts = true;
    } else {
      values.set(id, value);
    }
  }
  while (!bytes.empty()) {
    const Amount amount = take(bytes);
    const auto size = static_cast<std::size_t>(take(bytes));
    amounts.emplace_back(bytes.substr(0, size), amount);
    bytes.remove_prefix(size);
  }
  if (has_amounts) values.set_usage_threshold(std::move(amounts));
  return values;
}

namespace {

// `smaller` must not exceed `larger`. If `when` is set, this applies only while that flag is true. `risk`: it
// may, but this can then happen.
struct Order {
  std::optional<Profile> profile;  // none: every profile
  Setting smaller;
  Setting larger;
  std::optional<Setting> when = {};
  std::string_view risk = {};
};

constexpr Order kOrders[] = {
    {Profile::class_cost, Setting::just_started_fraction, Setting::near_completion_fraction},
    {Profile::fair_share, Setting::aggressive_preemption_satisfaction_threshold,
     Setting::preemption_satisfaction_threshold},
    {Profile::fair_share, Setting::fair_share_starvation_timeout,
     Setting::fair_share_aggressive_starvation_timeout, Setting::enable_aggressive_starvation},
    {Profile::fair_share, Setting::fair_share_starvation_tolerance,
     Setting::preemption_satisfaction_threshold, std::nullopt, "a job can starve and lose tasks at once"},
    {std::nullopt, Setting::action_timeout, Setting::entry_timeout, std::nullopt,
     "a decision can fail before its victims are gone, and be made again for ever"},
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
    if (order.profile && order.profile != profile) continue;
    const SettingSpec& smaller = setting_of(profile, order.smaller);
    const SettingSpec& larger = setting_of(profile, order.larger);
    if (value_or_default(smaller, all) <= value_or_default(larger, all)) continue;
    if (order.when && value_or_default(setting_of(profile, *order.when), all) == 0) continue;
    const SettingSpec* at = own.has(order.smaller) ? &smaller : own.has(order.larger) ? &larger : nullptr;
    if (!at && order.when && own.has(*order.when)) at = &setting_of(profile, *order.when);
    if (!at) continue;
    std::string message = with_value(smaller, all) + " exceeds " + with_value(larger, all);
    if (!order.risk.empty()) message += "; " + std::string(order.risk);
    faults.push_back(
        {at->name, std::move(message), order.risk.empty() ? Severity::error : Severity::warning});
  }
  if (profile == Profile::class_cost && own.get(Setting::protect_home) == 0) {
    faults.push_back({"protect_home",
                      "without it, a queue and its guests can take a node from each other for ever",
                      Severity::warning});
  }
  return faults;
}

}  // namespace cede
