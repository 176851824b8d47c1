// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "policy/shares/water_filling.h"

namespace cede {

using Shares = std::vector<Share>;

inline Shares list(std::span<const Share> shares) { return {shares.begin(), shares.end()}; }

inline constexpr Share kPercent = kFullShare / 100;

}  // namespace cede
