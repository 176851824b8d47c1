// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace cede {

// The settings whose value is a word. As in model/words.h, each enum's words stand in the order of its
// values.

enum class Switch : std::uint8_t { on, off };
inline constexpr std::array<std::string_view, 2> kSwitches{"on", "off"};

// `saved`: only victims whose state was kept on their way out, by a checkpoint or by suspending them.
enum class Requeue : std::uint8_t { always, saved, never };
inline constexpr std::array<std::string_view, 3> kRequeues{"always", "saved", "never"};

enum class CostModel : std::uint8_t { formula, lost_work };
inline constexpr std::array<std::string_view, 2> kCostModels{"formula", "lost-work"};

enum class PreemptionOrder : std::uint8_t { oldest, newest, fewest, smallest };
inline constexpr std::array<std::string_view, 4> kPreemptionOrders{"oldest", "newest", "fewest", "smallest"};

enum class PreemptionMode : std::uint8_t { terminate, suspend };
inline constexpr std::array<std::string_view, 2> kPreemptionModes{"terminate", "suspend"};

enum class SuspendKeep : std::uint8_t { nothing, local };
inline constexpr std::array<std::string_view, 2> kSuspendKeeps{"nothing", "local"};

enum class VictimScope : std::uint8_t { user, project, tenant, group };
inline constexpr std::array<std::string_view, 4> kVictimScopes{"user", "project", "tenant", "group"};

enum class ClassRule : std::uint8_t { lower, banded };
inline constexpr std::array<std::string_view, 2> kClassRules{"lower", "banded"};

enum class Evict : std::uint8_t { remove, soft };
inline constexpr std::array<std::string_view, 2> kEvicts{"delete", "soft"};

}  // namespace cede
