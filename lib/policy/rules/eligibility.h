// SPDX-License-Identifier: MIT
#pragma once

#include "policy/rule.h"

namespace cede {

// A job that just resumed is not taken during the policy's `cooldown`.
class Cooldown final : public EligibilityRule {
 public:
  using EligibilityRule::EligibilityRule;
  std::string_view name() const override { return "cooldown"; }
  Dependencies depends_on() const override { return {Dependency::time}; }
  bool excludes(const Unit& unit, std::string* why) const override;
  bool may_exclude() const override;
};

// A unit that is already a victim of another decision is not taken again.
class Held final : public EligibilityRule {
 public:
  using EligibilityRule::EligibilityRule;
  std::string_view name() const override { return "held"; }
  ReliefStep dropped_at() const override { return ReliefStep::never; }
  Dependencies depends_on() const override { return {Dependency::node_in_flight}; }
  bool excludes(const Unit& unit, std::string* why) const override;
  bool may_exclude() const override;
};

// A unit is not taken until it has run for a minimum time.
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
  ReliefStep dropped_at() const override { return ReliefStep::opted_out; }
  Dependencies depends_on() const override { return {}; }
  bool excludes(const Unit& unit, std::string* why) const override;
  bool excludes_row(const UnitRow& row) const override;
};

// A job that was preempted often enough is not taken again.
class PreemptedOften final : public EligibilityRule {
 public:
  using EligibilityRule::EligibilityRule;
  std::string_view name() const override { return "preempted-often"; }
  Dependencies depends_on() const override { return {}; }
  bool excludes(const Unit& unit, std::string* why) const override;
  bool may_exclude() const override;
};

// The caller named the job as protected, which is a term of the query and not a rule of the site: it never
// gives way.
class ProtectedJob final : public EligibilityRule {
 public:
  using EligibilityRule::EligibilityRule;
  std::string_view name() const override { return "protected"; }
  ReliefStep dropped_at() const override { return ReliefStep::never; }
  Dependencies depends_on() const override { return {Dependency::query}; }
  bool excludes(const Unit& unit, std::string* why) const override;
  bool may_exclude() const override;
};

// The kill switch on the victim's side: if preemption is off for a queue, none of its units is taken.
class QueueOff final : public EligibilityRule {
 public:
  using EligibilityRule::EligibilityRule;
  std::string_view name() const override { return "queue-off"; }
  ReliefStep dropped_at() const override { return ReliefStep::never; }
  Dependencies depends_on() const override { return {}; }
  bool excludes(const Unit& unit, std::string* why) const override;
  bool may_exclude() const override;
};

// Only running units can be taken: not waiting, suspended or departing ones.
class Running final : public EligibilityRule {
 public:
  using EligibilityRule::EligibilityRule;
  std::string_view name() const override { return "running"; }
  Dependencies depends_on() const override { return {}; }
  bool excludes(const Unit& unit, std::string* why) const override;
  bool excludes_row(const UnitRow& row) const override;
};

// Groups do not overlap, so space freed in another group is of no use.
class SameGroup final : public EligibilityRule {
 public:
  using EligibilityRule::EligibilityRule;
  std::string_view name() const override { return "same-group"; }
  ReliefStep dropped_at() const override { return ReliefStep::never; }
  Dependencies depends_on() const override { return {}; }
  bool excludes(const Unit& unit, std::string* why) const override;
  bool excludes_row(const UnitRow& row) const override;
  bool may_exclude() const override;
};

// A job is not its own victim.
class SameJob final : public EligibilityRule {
 public:
  using EligibilityRule::EligibilityRule;
  std::string_view name() const override { return "same-job"; }
  Dependencies depends_on() const override { return {Dependency::requester}; }
  bool excludes(const Unit& unit, std::string* why) const override;
  bool excludes_row(const UnitRow& row) const override;
  bool may_exclude() const override;
};

// Sensitive work is never preempted, in any profile, for any request.
class Sensitive final : public EligibilityRule {
 public:
  using EligibilityRule::EligibilityRule;
  std::string_view name() const override { return "sensitive"; }
  ReliefStep dropped_at() const override { return ReliefStep::never; }
  Dependencies depends_on() const override { return {}; }
  bool excludes(const Unit& unit, std::string* why) const override;
  bool excludes_row(const UnitRow& row) const override;
};

}  // namespace cede
