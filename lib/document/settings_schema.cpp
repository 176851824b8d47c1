// SPDX-License-Identifier: MIT
#include <algorithm>
#include <vector>

#include "base/amount.h"
#include "document/json_writer.h"
#include "document/schema.h"

namespace cede {

namespace {

constexpr std::array kProfilesInOrder{Profile::priority, Profile::class_cost, Profile::quota,
                                      Profile::fair_share, Profile::guarantee};

// A value that is none of the unit's own: null or a word.
void write_type(std::string_view type, const SettingSpec& setting, JsonWriter& json) {
  if (setting.none_word.empty()) {
    json.key("type").text(type);
  } else {
    json.key("type").begin_array().text(type).text("string");
    if (setting.none_word == "none") json.text("null");
    json.end_array().key("pattern").text('^' + std::string(setting.none_word) + '$');
  }
}

void write_bounds(const SettingSpec& setting, int places, JsonWriter& json) {
  json.key("minimum").raw(format_scaled(setting.min, places));
  json.key("maximum").raw(format_scaled(setting.max, places));
}

// What the help does not say: the profiles that have the setting, if not all do.
std::string owners(Setting id) {
  std::string text;
  std::size_t count = 0;
  for (const Profile profile : kProfilesInOrder) {
    if (std::ranges::find(settings_of(profile), id, &SettingSpec::id) == settings_of(profile).end()) continue;
    ++count;
    text += (text.empty() ? "; profile " : ", ") + std::string(to_word(profile, kProfiles));
  }
  return count == kProfilesInOrder.size() ? "" : text;
}

// The default in words; if it is not one value.
std::string default_in_words(const SettingSpec& setting) {
  return setting.training_fallback || setting.suspend_fallback ? "; default: " + show_default(setting) : "";
}

void write_setting(const SettingSpec& setting, const std::string& remark, bool with_default,
                   JsonWriter& json) {
  json.line().key(setting.name).begin_object();
  write_setting_schema(setting, json);
  json.key("description").text(std::string(setting.help) + remark);
  if (with_default) json.key("default").raw(format_setting(setting, setting.fallback));
  json.key("$comment").text(kSettingUnits[static_cast<std::size_t>(setting.unit)]);
  json.end_object();
}

void end_settings(JsonWriter& json) {
  json.end_object().line().key("patternProperties").raw(R"({"^x-":{}})");
  json.key("additionalProperties").flag(false);
}

}  // namespace

std::string settings_definition(Profile profile) {
  return "settings_" + std::string(to_word(profile, kProfiles));
}

std::string settings_definition(SettingHolder holder) {
  return holder == SettingHolder::queue ? "settings_of_queue" : "settings_of_job";
}

void write_setting_schema(const SettingSpec& setting, JsonWriter& json) {
  const bool none = setting.none_word == "none";
  switch (setting.unit) {
    case SettingUnit::flag: json.key("type").text("boolean"); return;
    case SettingUnit::choice:
      json.key("enum").begin_array();
      for (const std::string_view choice : setting.choices) json.text(choice);
      json.end_array();
      return;
    case SettingUnit::count: write_type("integer", setting, json); return write_bounds(setting, 0, json);
    case SettingUnit::duration: return write_duration_schema(none, setting.min > 0, none, json);
    case SettingUnit::ratio:
    case SettingUnit::factor: write_type("number", setting, json); return write_bounds(setting, 9, json);
    case SettingUnit::minutes: write_type("number", setting, json); return write_bounds(setting, 3, json);
    case SettingUnit::amounts:
      json.raw(R"("anyOf":[{"$ref":"#/$defs/amounts"},{"enum":["none",null]}])");
      return;
  }
}

void write_settings_schema(Profile profile, JsonWriter& json) {
  json.key("type").text("object").key("description");
  json.text("settings of the profile " + std::string(to_word(profile, kProfiles)));
  json.line().key("properties").begin_object();
  for (const SettingSpec& setting : settings_of(profile)) {
    if (!setting.queue_field) write_setting(setting, default_in_words(setting), true, json);
  }
  end_settings(json);
}

void write_settings_schema(SettingHolder holder, JsonWriter& json) {
  const bool job = holder == SettingHolder::job;
  json.key("type").text("object").key("description");
  json.text(job ? "settings that a job may change for itself" : "settings that hold for a queue");
  json.line().key("properties").begin_object();
  std::vector<std::string_view> written;
  for (const Profile profile : kProfilesInOrder) {
    for (const SettingSpec& setting : settings_of(profile)) {
      if (setting.queue_field || (job && setting.job_may == JobMay::not_set)) continue;
      if (std::ranges::find(written, setting.name) != written.end()) continue;
      written.push_back(setting.name);
      write_setting(setting, owners(setting.id), false, json);
    }
  }
  end_settings(json);
}

}  // namespace cede
