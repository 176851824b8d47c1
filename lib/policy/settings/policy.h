// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/problem.h"
#include "base/time.h"
#include "policy/settings/profile.h"
#include "policy/settings/setting_values.h"

namespace cede {

inline constexpr PriorityRange kNoPriority{1, 0};
// `0..50`, `up to 50`, `10 and above`, `any`.
std::string show(PriorityRange range);

inline constexpr std::uint8_t kDefaultMaxClass = 9;  // class 10 needs a rule that grants it

// What jobs of a project or user may request. A field that is absent restricts nothing.
struct AdmissionRule {
  std::string name;
  std::optional<std::int32_t> default_priority = {};
  bool may_change = true;
  std::optional<std::int32_t> min = {};
  std::optional<std::int32_t> max = {};
  PriorityRange may_opt_out = {};  // the priorities at which a job may; empty: it may not
  std::optional<std::uint8_t> max_class = {};

  PriorityRange range() const;
  bool operator==(const AdmissionRule&) const = default;
};

struct Admission {
  std::vector<AdmissionRule> projects;  // both sorted by name
  std::vector<AdmissionRule> users;

  const AdmissionRule* project(std::string_view name) const;
  const AdmissionRule* user(std::string_view name) const;
  bool operator==(const Admission&) const = default;
};

// The rules of a project and a user combined, under one profile.
struct AdmissionTerms {
  PriorityRange priorities;
  std::int32_t default_priority = 0;  // within the range
  bool may_change = true;
  PriorityRange may_opt_out = {};  // of `priorities`, those at which a job may opt out of preemption
  std::uint8_t max_class = kDefaultMaxClass;

  bool may_always_opt_out() const { return may_opt_out == priorities; }
  bool operator==(const AdmissionTerms&) const = default;
};

// Either rule may be absent. Returns false, with the ranges that have nothing in common in `why`, if no
// priority is left. Then the range is empty and the default is outside it.
bool combine(Profile profile, const AdmissionRule* project, const AdmissionRule* user, AdmissionTerms& out,
             std::string& why);

// Checks every rule by itself, and every project against every user, because documents do not state which
// user works in which project. `legal` is the range that the policies' profiles allow.
void check_admission(const Admission& admission, PriorityRange legal, Problems& problems);

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
