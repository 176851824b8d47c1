// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

#include "model/words.h"
#include "policy/setting_choices.h"

namespace cede {

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

// What differs from profile to profile where a document is silent.
struct ProfileFacts {
  std::string_view help;
  bool gang = false;  // ask default_gang(): the job's kind counts too
  std::int32_t default_priority = 0;
  PriorityRange priorities = {};
  Requeue requeue = Requeue::never;
  std::optional<std::int64_t> max_victims = {};     // none: no limit
  std::optional<std::int64_t> tasks_per_plan = {};  // none: all
};

inline constexpr std::array<ProfileFacts, 5> kProfileFacts{
    {{.help = "sessions with priority numbers: those at or below a threshold give way to higher ones",
      .gang = true,
      .default_priority = 10,
      .priorities = {0, 100},
      .requeue = Requeue::saved},
     {.help = "preemption classes: of the lower classes, whoever is cheapest to checkpoint or to lose",
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

// Whether a job that does not say so is a gang. Services and inference scale task by task, so they never are.
constexpr bool default_gang(Profile profile, JobKind kind) {
  return facts(profile).gang && kind != JobKind::service && kind != JobKind::inference;
}

}  // namespace cede
