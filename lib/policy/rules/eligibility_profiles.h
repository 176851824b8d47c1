// SPDX-License-Identifier: MIT
#pragma once

#include "policy/reclaim.h"
#include "policy/rule.h"

namespace cede {

// A pool may forbid taking tasks within its jobs' shares.
class AggressiveForbidden final : public EligibilityRule {
 public:
  using EligibilityRule::EligibilityRule;
  std::string_view name() const override { return "aggressive-forbidden"; }
  Dependencies depends_on() const override { return {Dependency::tier}; }
  bool excludes(const Unit& unit, std::string* why) const override;
};

// Only aggressively starving requests may take tasks within a job's share.
class AggressiveOnly final : public EligibilityRule {
 public:
  using EligibilityRule::EligibilityRule;
  std::string_view name() const override { return "aggressive-only"; }
  Dependencies depends_on() const override { return {Dependency::tier, Dependency::figure}; }
  std::int64_t figure() const override;
  bool excludes(const Unit& unit, std::string* why) const override;
};

// The requester's class must be above the victim's, by one class or by a band, depending on `class_rule`. A
// unit that borrows the requester's home nodes is exempt (Reclaim).
class LowerClass final : public EligibilityRule {
 public:
  explicit LowerClass(const RuleContext& rule_context);
  std::string_view name() const override { return "class"; }
  Dependencies depends_on() const override { return {}; }
  bool excludes(const Unit& unit, std::string* why) const override;
  bool excludes_row(const UnitRow& row) const override;
  bool may_exclude() const override { return static_cast<bool>(context_.requester()); }

 private:
  const ClassOrder classes_;
  const Reclaim reclaim_;
};

// Victims must be inside the requester's fence (law 7): the subtree of the first queue up its path that is
// fenced or that the request would bring over its `max`.
class Fence final : public EligibilityRule {
 public:
  explicit Fence(const RuleContext& rule_context);
  std::string_view name() const override { return "fence"; }
  Dependencies depends_on() const override { return {Dependency::figure}; }
  std::int64_t figure() const override { return top_.value; }
  bool excludes(const Unit& unit, std::string* why) const override;

 private:
  QueueId top_;  // none: no fence
};

// A unit on nodes of its own queue does not give way to other queues. Otherwise reclaims and requests would
// chase each other. Class 10 requests are exempt.
class Home final : public EligibilityRule {
 public:
  using EligibilityRule::EligibilityRule;
  std::string_view name() const override { return "home"; }
  Dependencies depends_on() const override { return {}; }
  bool excludes(const Unit& unit, std::string* why) const override;
  bool may_exclude() const override;
};

// Services are taken only from borrowed nodes.
class HomeService final : public EligibilityRule {
 public:
  using EligibilityRule::EligibilityRule;
  std::string_view name() const override { return "home-service"; }
  Dependencies depends_on() const override { return {}; }
  bool excludes(const Unit& unit, std::string* why) const override;
  bool excludes_row(const UnitRow& row) const override;
};

// A job that is close to its walltime may finish.
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

// After a commit on a node, no unit there is taken for a while.
class NodeBackoff final : public EligibilityRule {
 public:
  using EligibilityRule::EligibilityRule;
  std::string_view name() const override { return "node-backoff"; }
  Dependencies depends_on() const override { return {Dependency::commits}; }
  bool excludes(const Unit& unit, std::string* why) const override;
};

// Only units of strictly lower priority are taken.
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

// A victim's priority must not be above the requester's, both with their queues' offsets (law 6). In the same
// leaf queue, and if the victim is bound to its node, it must be strictly lower: such a victim would take its
// place back at once. A request for a named node may take equal priorities.
class OffsetPriority final : public EligibilityRule {
 public:
  using EligibilityRule::EligibilityRule;
  std::string_view name() const override { return "priority"; }
  Dependencies depends_on() const override { return {}; }
  bool excludes(const Unit& unit, std::string* why) const override;
};

// Running jobs above `preemptible_priority` are never taken, whatever the requester's priority.
class PriorityThreshold final : public EligibilityRule {
 public:
  using EligibilityRule::EligibilityRule;
  std::string_view name() const override { return "priority-threshold"; }
  Dependencies depends_on() const override { return {}; }
  bool excludes(const Unit& unit, std::string* why) const override;
  bool excludes_row(const UnitRow& row) const override;
};

// Tasks within the protected part of a job's share are not taken, except on an overcommitted node.
class ProtectedTask final : public EligibilityRule {
 public:
  using EligibilityRule::EligibilityRule;
  std::string_view name() const override { return "protected-task"; }
  Dependencies depends_on() const override { return {Dependency::tier}; }
  bool excludes(const Unit& unit, std::string* why) const override;
};

// A unit is not eligible if taking it alone would bring a queue below its guarantee (law 5). A set with such
// a unit breaks the cap `below-guarantee` too.
class QueueNotOver final : public EligibilityRule {
 public:
  using EligibilityRule::EligibilityRule;
  std::string_view name() const override { return "queue-not-over"; }
  Dependencies depends_on() const override { return {Dependency::queue_usage}; }
  bool excludes(const Unit& unit, std::string* why) const override;
};

// A request for tasks that can run on named nodes only takes victims on these nodes, and no other such task.
class RequiredNode final : public EligibilityRule {
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

// Limits victims to jobs of the requester's user, project or tenant, or to the whole group.
class Scope final : public EligibilityRule {
 public:
  using EligibilityRule::EligibilityRule;
  std::string_view name() const override { return "scope"; }
  Dependencies depends_on() const override { return {}; }
  bool excludes(const Unit& unit, std::string* why) const override;
  bool may_exclude() const override;
};

// A guarantee that covers requester and victim alike justifies nothing (law 4).
class SharedGuarantee final : public EligibilityRule {
 public:
  explicit SharedGuarantee(const RuleContext& rule_context);
  std::string_view name() const override { return "shared-guarantee"; }
  Dependencies depends_on() const override { return {Dependency::figure}; }
  std::int64_t figure() const override { return lowest_.value; }
  bool excludes(const Unit& unit, std::string* why) const override;

 private:
  bool applies_;
  QueueId lowest_;  // the queue that justifies the request
};

// A starving job does not lose tasks to another starving job.
class StarvingVictim final : public EligibilityRule {
 public:
  using EligibilityRule::EligibilityRule;
  std::string_view name() const override { return "starving-victim"; }
  Dependencies depends_on() const override { return {Dependency::starvation}; }
  bool excludes(const Unit& unit, std::string* why) const override;
};

// Jobs of high classes that cannot save their work are not taken.
class UnsavedHighClass final : public EligibilityRule {
 public:
  using EligibilityRule::EligibilityRule;
  std::string_view name() const override { return "unsaved-high-class"; }
  Dependencies depends_on() const override { return {}; }
  bool excludes(const Unit& unit, std::string* why) const override;
  bool excludes_row(const UnitRow& row) const override;
};

}  // namespace cede
