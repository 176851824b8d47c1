// SPDX-License-Identifier: MIT
#include "document/write_parts.h"

#include <algorithm>
#include <vector>

#include "policy/settings/setting_text.h"
#include "policy/settings/setting_values.h"

namespace cede {

namespace {

// Calls visit(key, json) for each site field directly under the prefix.
template <class Visit>
void each_site_field(std::string_view fields, std::string_view prefix, Visit visit) {
  while (!fields.empty()) {
    const std::size_t key_end = fields.find('\0');
    const std::size_t value_end = fields.find('\0', key_end + 1);
    const std::string_view key = fields.substr(0, key_end);
    if (key.starts_with(prefix) && key.substr(prefix.size()).starts_with("x-")) {
      visit(key.substr(prefix.size()), fields.substr(key_end + 1, value_end - key_end - 1));
    }
    fields.remove_prefix(value_end + 1);
  }
}

}  // namespace

void ClusterParts::name(std::string_view key, NameId id) {
  if (id != kNoName) json_.key(key).text(model_.name(id));
}

void ClusterParts::shape(std::string_view key, ShapeId id) {
  if (id == kNoShape) return;
  std::vector<ResourceAmount> entries(model_.shape(id).begin(), model_.shape(id).end());
  std::sort(entries.begin(), entries.end(), [&](const ResourceAmount& a, const ResourceAmount& b) {
    return model_.resource_name(a.resource) < model_.resource_name(b.resource);
  });
  json_.key(key).begin_object();
  for (const ResourceAmount& entry : entries) {
    json_.key(model_.resource_name(entry.resource)).raw(format_amount(entry.amount));
  }
  json_.end_object();
}

void ClusterParts::time(std::string_view key, Time value) {
  if (value != kNoTime) json_.key(key).raw(format_seconds(value));
}

void ClusterParts::duration(std::string_view key, Duration value) {
  if (value != kNoDuration) json_.key(key).raw(format_seconds(value));
}

void ClusterParts::scaled(std::string_view key, std::int64_t value, int places) {
  if (value >= 0) json_.key(key).raw(format_scaled(value, places));
}

void ClusterParts::flag(std::string_view key, Tri value) {
  if (value != Tri::absent) json_.key(key).flag(value == Tri::yes);
}

void ClusterParts::preemptible(Preemptible value) {
  if (value == Preemptible::absent) return;
  json_.key("preemptible");
  if (value == Preemptible::last_resort) {
    json_.text("last-resort");
  } else {
    json_.flag(value == Preemptible::yes);
  }
}

void ClusterParts::site(std::string_view fields, std::string_view prefix) {
  each_site_field(fields, prefix,
                  [&](std::string_view key, std::string_view value) { json_.key(key).raw(value); });
}

bool ClusterParts::has_site(std::string_view fields, std::string_view prefix) const {
  bool found = false;
  each_site_field(fields, prefix, [&](std::string_view, std::string_view) { found = true; });
  return found;
}

void ClusterParts::settings(BlobId id, std::string_view site_fields) {
  if (id == kNoBlob && !has_site(site_fields, "settings/")) return;
  const SettingValues values = decode_settings(model_.blobs.view(id));
  json_.key("settings").begin_object();
  for (const SettingValues::Entry& entry : values.entries()) {
    const SettingSpec& spec = setting_anywhere(entry.id);
    json_.key(spec.name);
    if (spec.unit == SettingUnit::amounts && entry.value != kNoSetting) {
      json_.begin_object();
      for (const auto& [resource, amount] : values.usage_threshold())
        json_.key(resource).raw(format_amount(amount));
      json_.end_object();
    } else {
      json_.raw(format_setting(spec, entry.value));
    }
  }
  site(site_fields, "settings/");
  json_.end_object();
}

void ClusterParts::devices(DeviceMask mask) {
  json_.begin_array();
  for (std::uint32_t d = 0; d < kMaxDevices; ++d) {
    if ((mask >> d & 1) != 0) json_.number(d);
  }
  json_.end_array();
}

}  // namespace cede
