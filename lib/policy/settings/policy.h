// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "policy/settings/admission.h"
#include "policy/settings/profile.h"
#include "policy/settings/setting_values.h"

namespace cede {

struct GroupRow;
struct Model;

struct Policy {
  std::string name;
  Profile profile = Profile::priority;
  SettingValues settings;
  bool operator==(const Policy&) const = default;
};

// Limits on how much may be preempted within a window, and on the work of one search.
struct StormLimits {
  std::optional<std::int64_t> max_preemptions_per_queue;  // `max_preemptions_per_window`, per victim queue
  std::optional<std::int64_t> max_preemptions_per_user;   // the same, per victim user
  std::optional<std::int64_t>
      max_lost_work;  // `max_lost_work_per_window`: per group, thousandths of a GPU-minute
  Duration window = 10 * kMinute;
  Duration cooldown = 0;
  std::int64_t exact_units = 20;
  std::int64_t search_work = 10'000'000;
  bool operator==(const StormLimits&) const = default;
};

// A policy document.
struct PolicySet {
  std::vector<Policy> policies;  // sorted by name
  Admission admission;
  StormLimits limits;
  // The kill switch of the whole engine: `preemption` at the top of the document. The setting of the same
  // name applies to one policy or queue.
  bool preemption = true;

  const Policy* find(std::string_view name) const;
  // The priorities that are legal in at least one policy.
  PriorityRange priorities() const;
  bool operator==(const PolicySet&) const = default;
};

// The policy of a group: the one the group names, else `default`, else the only one. Null if there is none.
const Policy* policy_of(const Model& model, const GroupRow& group, const PolicySet& policies);

}  // namespace cede
