// SPDX-License-Identifier: MIT
#pragma once

#include <array>

#include "policy/settings/profile.h"

namespace cede {

inline constexpr std::array kEveryProfile{Profile::priority, Profile::class_cost, Profile::quota,
                                          Profile::fair_share, Profile::guarantee};

}  // namespace cede
