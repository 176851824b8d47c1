// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "policy/setting_values.h"

namespace cede {

// Settings as the bytes a queue's or job's row keeps interned. They never leave the process.
std::string encode_settings(const SettingValues& values);
SettingValues decode_settings(std::string_view bytes);

}  // namespace cede
