// SPDX-License-Identifier: MIT
#include "policy/setting_codec.h"

#include <cstring>

namespace cede {

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

}  // namespace cede
