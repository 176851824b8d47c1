// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

#include "model/words.h"

namespace cede {

// Settings whose value is a word. The words of each enum are in the order of its values, as in model/words.h.

enum class Switch : std::uint8_t { on, off };
inline constexpr std::array<std::string_view, 2> kSwitches{"on", "off"};

// `saved`: only victims whose checkpoint was written or whose nodes keep their state.
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

// `automatic`: a waiting job takes back its queue's nodes from those who borrow them. `claims`: only a claim
// that names nodes does.
enum class ReclaimMode : std::uint8_t { automatic, claims };
inline constexpr std::array<std::string_view, 2> kReclaimModes{"auto", "claims"};

enum class Evict : std::uint8_t { remove, soft };
inline constexpr std::array<std::string_view, 2> kEvicts{"delete", "soft"};

enum class Profile : std::uint8_t { priority, class_cost, quota, fair_share, guarantee };
inline constexpr std::array<std::string_view, 5> kProfiles{"priority", "class-cost", "quota", "fair-share",
                                                           "guarantee"};

struct PriorityRange {
  std::int32_t min = std::numeric_limits<std::int32_t>::min();
  std::int32_t max = std::numeric_limits<std::int32_t>::max();

  constexpr bool contains(std::int64_t priority) const { return min <= priority && priority <= max; }
  constexpr bool empty() const { return min > max; }
  bool operator==(const PriorityRange&) const = default;
};

// The defaults that differ between profiles.
struct ProfileFacts {
  std::string_view help;
  bool gang = false;  // use default_gang(): the job's kind counts too
  std::int32_t default_priority = 0;
  PriorityRange priorities = {};
  Requeue requeue = Requeue::never;
  std::optional<Requeue> requeue_suspended = {};    // where victims are suspended, if that differs
  std::optional<std::int64_t> max_victims = {};     // none: no limit
  std::optional<std::int64_t> tasks_per_plan = {};  // none: all
};

inline constexpr std::array<ProfileFacts, 5> kProfileFacts{
    {{.help = "sessions with priority numbers: those at or below a threshold give way to higher ones",
      .gang = true,
      .default_priority = 10,
      .priorities = {0, 100},
      .requeue_suspended = Requeue::always},
     {.help = "preemption classes: of the lower classes, the jobs that are cheapest to checkpoint or to lose",
      .gang = true,
      .requeue = Requeue::always,
      .max_victims = 3},
     {.help = "elastic quotas: a job within its queue's minimum takes preemptible jobs of lower priority",
      .gang = true},
     {.help = "fair shares: a job that starves takes tasks that others run beyond their share",
      .tasks_per_plan = 1},
     {.help = "queue guarantees: a queue below its guarantee takes from queues above theirs",
      .tasks_per_plan = 1}}};

constexpr const ProfileFacts& facts(Profile profile) {
  return kProfileFacts[static_cast<std::size_t>(profile)];
}

// Whether a job is a gang if it does not state it. Services and inference jobs scale task by task, so they
// never are.
constexpr bool default_gang(Profile profile, JobKind kind) {
  return facts(profile).gang && kind != JobKind::service && kind != JobKind::inference;
}

}  // namespace cede
