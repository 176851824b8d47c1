// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "base/amount.h"

namespace cede {

// The ranges of single values, whichever door they come through.
inline constexpr std::int64_t kMaxClass = 10;
inline constexpr std::int64_t kMaxMinTasks = 1'000'000;
inline constexpr std::int64_t kMaxPreemptedCount = 2'000'000'000;
inline constexpr std::int64_t kWholeShare = 1'000'000'000'000;  // of `fair_share`, in 10^-12
inline constexpr std::int64_t kMaxValue =
    1'000'000'000'000'000;  // thousandths of a minute: two million years
inline constexpr Amount kMaxWeight = 1'000'000 * kOne;

}  // namespace cede
