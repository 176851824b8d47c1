// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/problem.h"
#include "policy/settings/profile.h"

namespace cede {

inline constexpr std::uint8_t kDefaultMaxClass = 9;  // class 10 needs a rule that grants it

// What jobs of a project or user may request. A field that is absent restricts nothing.
struct AdmissionRule {
  std::string name;
  std::optional<std::int32_t> default_priority = {};
  bool may_change = true;
  std::optional<std::int32_t> min = {};
  std::optional<std::int32_t> max = {};
  bool may_opt_out = true;
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
  bool may_opt_out = true;
  std::uint8_t max_class = kDefaultMaxClass;
  bool operator==(const AdmissionTerms&) const = default;
};

// Either rule may be absent. Returns false, with the ranges that have nothing in common in `why`, if no
// priority is left. Then the range is empty and the default is outside it.
bool combine(Profile profile, const AdmissionRule* project, const AdmissionRule* user, AdmissionTerms& out,
             std::string& why);

// Checks every rule by itself, and every project against every user, because documents do not state which
// user works in which project. `legal` is the range that the policies' profiles allow.
void check_admission(const Admission& admission, PriorityRange legal, Problems& problems);

}  // namespace cede
