// SPDX-License-Identifier: MIT
#pragma once

#include "policy/rule.h"

namespace cede {

// A job that just resumed is left alone for the policy's `cooldown`.
class Cooldown final : public EligibilityRule {
 public:
  using EligibilityRule::EligibilityRule;
  std::string_view name() const override { return "cooldown"; }
  Dependencies depends_on() const override { return {Dependency::time}; }
  bool excludes(const Unit& unit, std::string* why) const override;
  bool may_exclude() const override;
};

// Who is on the way out for somebody else is not taken a second time.
class Held final : public EligibilityRule {
 public:
  using EligibilityRule::EligibilityRule;
  std::string_view name() const override { return "held"; }
  Dependencies depends_on() const override { return {Dependency::node_in_flight}; }
  bool excludes(const Unit& unit, std::string* why) const override;
  bool may_exclude() const override;
};

// A unit is left alone until it has run for a while.
class MinRuntime final : public EligibilityRule {
 public:
  using EligibilityRule::EligibilityRule;
  std::string_view name() const override { return "min-runtime"; }
  Dependencies depends_on() const override { return {Dependency::time}; }
  bool excludes(const Unit& unit, std::string* why) const override;
  bool may_exclude() const override;
};

// The job, or a task of the gang, opted out.
class NotPreemptible final : public EligibilityRule {
 public:
  using EligibilityRule::EligibilityRule;
  std::string_view name() const override { return "not-preemptible"; }
  Dependencies depends_on() const override { return {}; }
  bool excludes(const Unit& unit, std::string* why) const override;
  bool excludes_row(const UnitRow& row) const override;
};

// A job that gave way often enough is left alone from then on.
class PreemptedOften final : public EligibilityRule {
 public:
  using EligibilityRule::EligibilityRule;
  std::string_view name() const override { return "preempted-often"; }
  Dependencies depends_on() const override { return {}; }
  bool excludes(const Unit& unit, std::string* why) const override;
  bool may_exclude() const override;
};

// The caller named the job as one to leave alone.
class ProtectedJob final : public EligibilityRule {
 public:
  using EligibilityRule::EligibilityRule;
  std::string_view name() const override { return "protected"; }
  Dependencies depends_on() const override { return {Dependency::query}; }
  bool excludes(const Unit& unit, std::string* why) const override;
  bool may_exclude() const override;
};

// The kill switch as victims see it: where preemption is off nobody is taken.
class QueueOff final : public EligibilityRule {
 public:
  using EligibilityRule::EligibilityRule;
  std::string_view name() const override { return "queue-off"; }
  Dependencies depends_on() const override { return {}; }
  bool excludes(const Unit& unit, std::string* why) const override;
  bool may_exclude() const override;
};

// Only what runs can give way: not what waits, is suspended, or is on its way out already.
class Running final : public EligibilityRule {
 public:
  using EligibilityRule::EligibilityRule;
  std::string_view name() const override { return "running"; }
  Dependencies depends_on() const override { return {}; }
  bool excludes(const Unit& unit, std::string* why) const override;
  bool excludes_row(const UnitRow& row) const override;
};

// Groups do not overlap: what another group's job frees is of no use.
class SameGroup final : public EligibilityRule {
 public:
  using EligibilityRule::EligibilityRule;
  std::string_view name() const override { return "same-group"; }
  Dependencies depends_on() const override { return {}; }
  bool excludes(const Unit& unit, std::string* why) const override;
  bool excludes_row(const UnitRow& row) const override;
  bool may_exclude() const override;
};

// A job does not give way to itself.
class SameJob final : public EligibilityRule {
 public:
  using EligibilityRule::EligibilityRule;
  std::string_view name() const override { return "same-job"; }
  Dependencies depends_on() const override { return {Dependency::requester}; }
  bool excludes(const Unit& unit, std::string* why) const override;
  bool excludes_row(const UnitRow& row) const override;
  bool may_exclude() const override;
};

// Sensitive work is never preempted, in no profile and for nobody.
class Sensitive final : public EligibilityRule {
 public:
  using EligibilityRule::EligibilityRule;
  std::string_view name() const override { return "sensitive"; }
  Dependencies depends_on() const override { return {}; }
  bool excludes(const Unit& unit, std::string* why) const override;
  bool excludes_row(const UnitRow& row) const override;
};

}  // namespace cede
