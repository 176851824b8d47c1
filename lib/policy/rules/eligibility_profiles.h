// SPDX-License-Identifier: MIT
#pragma once

#include "policy/rule.h"

namespace cede {

// Fair shares follow from all jobs and queues of the group: the rules that ask for them depend on everything.

// A pool may forbid that tasks within its jobs' shares are taken.
class AggressiveForbidden final : public EligibilityRule {
 public:
  using EligibilityRule::EligibilityRule;
  std::string_view name() const override { return "aggressive-forbidden"; }
  bool excludes(const Unit& unit, std::string* why) const override;
};

// Tasks within a job's share are for aggressively starving requests alone.
class AggressiveOnly final : public EligibilityRule {
 public:
  using EligibilityRule::EligibilityRule;
  std::string_view name() const override { return "aggressive-only"; }
  bool excludes(const Unit& unit, std::string* why) const override;
};

// The requester's class must be above the victim's, by one or by a band as `class_rule` says.
class LowerClass final : public EligibilityRule {
 public:
  explicit LowerClass(const RuleContext& rule_context);
  std::string_view name() const override { return "class"; }
  Dependencies depends_on() const override { return {}; }
  bool excludes(const Unit& unit, std::string* why) const override;
  bool excludes_row(const UnitRow& row) const override;
  bool may_exclude() const override { return static_cast<bool>(context_.requester()); }

 private:
  int least_for(int theirs) const;
  const int own_;
  const bool by_bands_;
};

// Nothing outside the requester's fence (law 7): the first fenced queue up its path, or the first that the
// request would bring over its `max`.
class Fence final : public EligibilityRule {
 public:
  explicit Fence(const RuleContext& rule_context);
  std::string_view name() const override { return "fence"; }
  Dependencies depends_on() const override { return {Dependency::queue_usage}; }
  bool excludes(const Unit& unit, std::string* why) const override;

 private:
  QueueId top_;  // none: no fence
};

// Who runs on nodes of the own queue does not give way to other queues: otherwise reclaims and requests would
// chase each other. Class 10 is excepted.
class Home final : public EligibilityRule {
 public:
  using EligibilityRule::EligibilityRule;
  std::string_view name() const override { return "home"; }
  Dependencies depends_on() const override { return {}; }
  bool excludes(const Unit& unit, std::string* why) const override;
  bool may_exclude() const override;
};

// Services are taken from borrowed nodes only.
class HomeService final : public EligibilityRule {
 public:
  using EligibilityRule::EligibilityRule;
  std::string_view name() const override { return "home-service"; }
  Dependencies depends_on() const override { return {}; }
  bool excludes(const Unit& unit, std::string* why) const override;
  bool excludes_row(const UnitRow& row) const override;
};

// A job that is about to reach its walltime is left to finish.
class NearCompletion final : public EligibilityRule {
 public:
  using EligibilityRule::EligibilityRule;
  std::string_view name() const override { return "near-completion"; }
  Dependencies depends_on() const override { return {Dependency::time_worsens}; }
  bool excludes(const Unit& unit, std::string* why) const override;
  bool excludes_row(const UnitRow& row) const override;

 private:
  Duration left(const Unit& unit, Duration walltime) const;
};

// After a commit on a node nobody there is taken for a while.
class NodeBackoff final : public EligibilityRule {
 public:
  using EligibilityRule::EligibilityRule;
  std::string_view name() const override { return "node-backoff"; }
  Dependencies depends_on() const override { return {Dependency::time, Dependency::node_in_flight}; }
  bool excludes(const Unit& unit, std::string* why) const override;
};

// Only a strictly lower priority gives way.
class LowerPriority final : public EligibilityRule {
 public:
  explicit LowerPriority(const RuleContext& rule_context);
  std::string_view name() const override { return "priority"; }
  Dependencies depends_on() const override { return {}; }
  bool excludes(const Unit& unit, std::string* why) const override;
  bool excludes_row(const UnitRow& row) const override;
  bool may_exclude() const override { return static_cast<bool>(context_.requester()); }

 private:
  const std::int32_t own_;
};

// A victim's priority is not above the requester's, both with their queues' offsets (law 6); in the same leaf
// it is strictly lower.
class OffsetPriority final : public EligibilityRule {
 public:
  using EligibilityRule::EligibilityRule;
  std::string_view name() const override { return "priority"; }
  Dependencies depends_on() const override { return {}; }
  bool excludes(const Unit& unit, std::string* why) const override;
};

// Running jobs above `preemptible_priority` are out of reach of every priority.
class PriorityThreshold final : public EligibilityRule {
 public:
  using EligibilityRule::EligibilityRule;
  std::string_view name() const override { return "priority-threshold"; }
  Dependencies depends_on() const override { return {}; }
  bool excludes(const Unit& unit, std::string* why) const override;
  bool excludes_row(const UnitRow& row) const override;
};

// Tasks that a job runs within the protected part of its share stay, except on an overcommitted node.
class ProtectedTask final : public EligibilityRule {
 public:
  using EligibilityRule::EligibilityRule;
  std::string_view name() const override { return "protected-task"; }
  bool excludes(const Unit& unit, std::string* why) const override;
};

// A unit that as the only victim would cost a queue its guarantee is not eligible (law 5).
class QueueNotOver final : public EligibilityRule {
 public:
  using EligibilityRule::EligibilityRule;
  std::string_view name() const override { return "queue-not-over"; }
  Dependencies depends_on() const override { return {Dependency::queue_usage}; }
  bool excludes(const Unit& unit, std::string* why) const override;
};

// A task that can run nowhere else does not give way to another of its kind.
class OtherRequired final : public EligibilityRule {
 public:
  using EligibilityRule::EligibilityRule;
  std::string_view name() const override { return "required-node"; }
  Dependencies depends_on() const override { return {}; }
  bool excludes(const Unit& unit, std::string* why) const override;
};

// An application does not preempt itself (law 3).
class SameApp final : public EligibilityRule {
 public:
  using EligibilityRule::EligibilityRule;
  std::string_view name() const override { return "same-app"; }
  Dependencies depends_on() const override { return {Dependency::requester}; }
  bool excludes(const Unit& unit, std::string* why) const override;
};

// Whose jobs may be taken: the user's, project's or tenant's own, or anyone's in the group.
class Scope final : public EligibilityRule {
 public:
  using EligibilityRule::EligibilityRule;
  std::string_view name() const override { return "scope"; }
  Dependencies depends_on() const override { return {}; }
  bool excludes(const Unit& unit, std::string* why) const override;
  bool may_exclude() const override;
};

// A guarantee that holds requester and victim alike justifies nothing (law 4).
class SharedGuarantee final : public EligibilityRule {
 public:
  explicit SharedGuarantee(const RuleContext& rule_context);
  std::string_view name() const override { return "shared-guarantee"; }
  Dependencies depends_on() const override { return {Dependency::queue_usage}; }
  bool excludes(const Unit& unit, std::string* why) const override;

 private:
  bool applies_;
  QueueId lowest_;  // that justifies the request
};

// Who starves does not lose tasks to another who starves.
class StarvingVictim final : public EligibilityRule {
 public:
  using EligibilityRule::EligibilityRule;
  std::string_view name() const override { return "starving-victim"; }
  bool excludes(const Unit& unit, std::string* why) const override;
};

// High classes that cannot save their work are spared.
class UnsavedHighClass final : public EligibilityRule {
 public:
  using EligibilityRule::EligibilityRule;
  std::string_view name() const override { return "unsaved-high-class"; }
  Dependencies depends_on() const override { return {}; }
  bool excludes(const Unit& unit, std::string* why) const override;
  bool excludes_row(const UnitRow& row) const override;
};

}  // namespace cede
