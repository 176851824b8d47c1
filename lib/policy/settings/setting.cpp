// SPDX-License-Identifier: MIT
#include "policy/settings/setting.h"

#include <algorithm>
#include <cassert>
#include <vector>

#include "base/text.h"
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

}  // namespace cede
