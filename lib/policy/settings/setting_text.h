// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "policy/settings/setting.h"

namespace cede {

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
