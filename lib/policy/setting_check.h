// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "policy/setting_values.h"

namespace cede {

struct SettingFault {
  std::string_view setting;  // the one to point at: it is among the settings given
  std::string message;
};

// Contradictions between two settings that `own` takes part in. `inherited` is what the policy and the queues
// above say, and defaults count: a contradiction is reported once, where it was written.
std::vector<SettingFault> check_settings(Profile profile, const SettingValues& inherited,
                                         const SettingValues& own);

}  // namespace cede
