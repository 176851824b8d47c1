// SPDX-License-Identifier: MIT
#include "policy/settings/setting.h"

#include <algorithm>
#include <cassert>
#include <charconv>
#include <cmath>
#include <vector>

#include "base/amount.h"
#include "base/text.h"
#include "base/time.h"
#include "policy/settings/setting_table.h"

namespace cede {

namespace {

template <std::size_t kOwn>
constexpr auto with_shared(Profile profile, const std::array<SettingSpec, kOwn>& own) {
  const auto shared = setting_rows::shared_settings(profile);
  std::array<SettingSpec, shared.size() + kOwn> all{};
  std::copy(own.begin(), own.end(), std::copy(shared.begin(), shared.end(), all.begin()));
  return all;
}

constexpr auto kPriority = with_shared(Profile::priority, setting_rows::kPrioritySettings);
constexpr auto kClassCost = with_shared(Profile::class_cost, setting_rows::kClassCostSettings);
constexpr auto kQuota = with_shared(Profile::quota, setting_rows::kQuotaSettings);
constexpr auto kFairShare = with_shared(Profile::fair_share, setting_rows::kFairShareSettings);
constexpr auto kGuarantee = with_shared(Profile::guarantee, setting_rows::kGuaranteeSettings);

constexpr std::array<std::span<const SettingSpec>, 5> kSettingsOfProfile{kPriority, kClassCost, kQuota,
                                                                         kFairShare, kGuarantee};

constexpr std::array kEveryProfile{Profile::priority, Profile::class_cost, Profile::quota,
                                   Profile::fair_share, Profile::guarantee};

std::string_view word(Profile profile) { return to_word(profile, kProfiles); }

bool may_hold(SettingHolder holder, const SettingSpec& spec) {
  return !spec.queue_field && (holder != SettingHolder::job || spec.job_may != JobMay::not_set);
}

// The names that are valid here, for suggestions.
std::vector<std::string_view> accepted_names(std::span<const Profile> profiles, SettingHolder holder) {
  std::vector<std::string_view> names;
  for (const Profile profile : profiles) {
    for (const SettingSpec& spec : settings_of(profile)) {
      if (may_hold(holder, spec)) names.push_back(spec.name);
    }
  }
  return names;
}

std::string refusal(SettingHolder holder, const SettingSpec& spec) {
  if (spec.queue_field) {
    const std::string_view member = spec.name.substr(spec.name.find('.') + 1);
    return quote(spec.name) + " is a field of queues, not a setting; write it there as \"preemption\": {\"" +
           std::string(member) + "\": …}";
  }
  return quote(spec.name) + " is not a setting of jobs; they may set " +
         one_of(accepted_names(std::array{Profile::fair_share}, holder)) + " (profile fair-share)";
}

}  // namespace

std::span<const SettingSpec> settings_of(Profile profile) {
  return kSettingsOfProfile[static_cast<std::size_t>(profile)];
}

const SettingSpec& setting_of(Profile profile, Setting id) {
  const std::span<const SettingSpec> all = settings_of(profile);
  const auto found = std::ranges::find(all, id, &SettingSpec::id);
  assert(found != all.end());
  return *found;
}

const SettingSpec* find_setting(Profile profile, std::string_view name) {
  const std::span<const SettingSpec> all = settings_of(profile);
  const auto found = std::ranges::find(all, name, &SettingSpec::name);
  return found == all.end() ? nullptr : &*found;
}

const SettingSpec* find_setting_anywhere(std::string_view name) {
  for (const Profile profile : kEveryProfile) {
    if (const SettingSpec* spec = find_setting(profile, name)) return spec;
  }
  return nullptr;
}

const SettingSpec& setting_anywhere(Setting id) {
  for (const Profile profile : kEveryProfile) {
    for (const SettingSpec& spec : settings_of(profile)) {
      if (spec.id == id) return spec;
    }
  }
  return settings_of(Profile::priority)
      .front();  // every enumerator is in the list of some profile; a test checks this
}

const SettingSpec* accept_setting(std::optional<Profile> profile, SettingHolder holder, std::string_view name,
                                  std::string& why) {
  const SettingSpec* known = find_setting_anywhere(name);
  if (known && !may_hold(holder, *known)) {
    why = refusal(holder, *known);
    return nullptr;
  }
  const SettingSpec* spec = profile ? find_setting(*profile, name) : known;
  if (spec) return spec;
  if (known) {
    const auto owner = std::ranges::find_if(kEveryProfile, [&](Profile p) { return find_setting(p, name); });
    why = quote(name) + " is a setting of " + std::string(word(*owner)) + ", not of " +
          std::string(word(*profile));
    return nullptr;
  }
  why = "unknown setting " + quote(name);
  if (profile) why += " of profile " + std::string(word(*profile));
  const std::span<const Profile> meant = profile ? std::span<const Profile>(&*profile, 1) : kEveryProfile;
  why += did_you_mean(name, accepted_names(meant, holder));
  return nullptr;
}

namespace {

using InputKind = SettingInput::Kind;

bool is_number(SettingUnit unit) {
  return unit != SettingUnit::flag && unit != SettingUnit::choice && unit != SettingUnit::amounts;
}

// How many decimal places a number in this unit may have.
int places(SettingUnit unit) {
  switch (unit) {
    case SettingUnit::ratio:
    case SettingUnit::factor: return 9;
    case SettingUnit::duration:
    case SettingUnit::minutes: return 3;
    default: return 0;
  }
}

std::string shown(const SettingInput& input) {
  switch (input.kind) {
    case InputKind::null: return "null";
    case InputKind::boolean: return input.flag ? "true" : "false";
    case InputKind::number: return shorten(input.text);
    case InputKind::text: return quote(input.text);
    case InputKind::compound: break;
  }
  return "a list or an object";
}

std::string not_wanted(const SettingSpec& spec, const SettingInput& input) {
  std::string text = shown(input) + " is not ";
  switch (spec.unit) {
    case SettingUnit::flag: text += "true or false"; break;
    case SettingUnit::choice: text += one_of(spec.choices); break;
    case SettingUnit::count: text += "a whole number, such as 3"; break;
    case SettingUnit::duration: text += "a duration, such as 90 or '90s'"; break;
    case SettingUnit::ratio:
    case SettingUnit::factor: text += "a number, such as 0.5"; break;
    case SettingUnit::minutes: text += "a number of minutes, such as 1.5"; break;
    case SettingUnit::amounts: text += "an object of amounts, such as {\"gpu\": 2}"; break;
  }
  if (spec.none_word == "none") text += ", or null";
  if (spec.none_word == "all") text += ", or 'all'";
  return text;
}

std::string outside(const SettingSpec& spec, std::string_view text) {
  return quote(text) + " is outside " + show_setting(spec, spec.min) + ".." + show_setting(spec, spec.max);
}

// Only chooses between two messages about a number that could not be read exactly.
bool is_roughly_outside(const SettingSpec& spec, std::string_view digits) {
  double value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error == std::errc::result_out_of_range)
    return digits.find('-', 1) == digits.npos;  // the sign of an exponent
  const double scale = std::pow(10.0, places(spec.unit));
  return value < 0 || value * scale > static_cast<double>(spec.max);
}

bool read_number(const SettingSpec& spec, std::string_view digits, std::int64_t& out, std::string& why) {
  const bool computed = spec.unit == SettingUnit::ratio || spec.unit == SettingUnit::factor;
  const std::string_view kept = computed ? cut_fraction(digits, places(spec.unit)) : digits;
  if (parse_scaled(kept, places(spec.unit), spec.max, out, why)) return true;
  if (is_roughly_outside(spec, digits)) {
    why = outside(spec, digits);
  } else if (spec.unit == SettingUnit::count) {
    why = quote(digits) + " is not a whole number";
  }
  return false;
}

bool read_choice(const SettingSpec& spec, std::string_view text, std::int64_t& out, std::string& why) {
  const auto found = std::ranges::find(spec.choices, text);
  if (found == spec.choices.end()) {
    why = quote(text) + " is not one of " + one_of(spec.choices) + did_you_mean(text, spec.choices);
    return false;
  }
  out = found - spec.choices.begin();
  return true;
}

bool is_none(const SettingSpec& spec, const SettingInput& input) {
  if (spec.none_word.empty()) return false;
  if (input.kind == InputKind::null) return spec.none_word == "none";
  return input.kind == InputKind::text && input.text == spec.none_word;
}

}  // namespace

bool read_setting(const SettingSpec& spec, const SettingInput& input, std::int64_t& out, std::string& why) {
  if (is_none(spec, input)) {
    out = kNoSetting;
    return true;
  }
  std::int64_t value = 0;
  if (spec.unit == SettingUnit::flag && input.kind == InputKind::boolean) {
    value = input.flag ? 1 : 0;
  } else if (spec.unit == SettingUnit::choice && input.kind == InputKind::text) {
    if (!read_choice(spec, input.text, value, why)) return false;
  } else if (is_number(spec.unit) && input.kind == InputKind::number) {
    if (!read_number(spec, input.text, value, why)) return false;
  } else if (spec.unit == SettingUnit::duration && input.kind == InputKind::text) {
    if (!parse_duration_text(input.text, value, why)) return false;
  } else {
    why = not_wanted(spec, input);
    return false;
  }
  if (value < spec.min || value > spec.max) {
    why = outside(spec, input.text);
    return false;
  }
  out = value;
  return true;
}

std::string show_setting(const SettingSpec& spec, std::int64_t value) {
  if (value == kNoSetting) return std::string(spec.none_word);
  switch (spec.unit) {
    case SettingUnit::flag: return value != 0 ? "true" : "false";
    case SettingUnit::choice: return std::string(spec.choices[static_cast<std::size_t>(value)]);
    case SettingUnit::duration: return format_duration(value);
    default: return format_scaled(value, places(spec.unit));
  }
}

std::string format_setting(const SettingSpec& spec, std::int64_t value) {
  const std::string text = show_setting(spec, value);
  if (value == kNoSetting) return text == "none" ? "null" : '"' + text + '"';
  const bool is_text = spec.unit == SettingUnit::choice || spec.unit == SettingUnit::duration;
  return is_text ? '"' + text + '"' : text;
}

std::string show_default(const SettingSpec& spec) {
  std::string text = show_setting(spec, spec.fallback);
  if (spec.training_fallback) {
    text += "; " + show_setting(spec, *spec.training_fallback) + " in queues of kind training";
  }
  if (spec.suspend_fallback) {
    text += "; " + show_setting(spec, *spec.suspend_fallback) + " where preemption_mode is suspend";
  }
  return text;
}

std::string show_range(const SettingSpec& spec) {
  std::string text;
  if (spec.unit == SettingUnit::flag) {
    text = "true or false";
  } else if (spec.unit == SettingUnit::choice) {
    text = one_of(spec.choices);
  } else if (spec.unit == SettingUnit::amounts) {
    text = "amounts by resource";
  } else {
    text = show_setting(spec, spec.min) + ".." + show_setting(spec, spec.max);
  }
  return spec.none_word.empty() ? text : text + " or " + std::string(spec.none_word);
}

}  // namespace cede
