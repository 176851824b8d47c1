// SPDX-License-Identifier: MIT
#pragma once

#include "policy/rule.h"

namespace cede {

// A requester that just preempted does not preempt again right away.
class AttemptInterval final : public Trigger {
 public:
  using Trigger::Trigger;
  std::string_view name() const override { return "attempt-interval"; }
  bool refuses(std::string* why) const override;
};

// The storm limits leave nothing within the window: no running unit may be taken, or no more work may be
// lost.
class Budget : public Trigger {
 public:
  using Trigger::Trigger;
  std::string_view name() const override { return "budget"; }
  bool refuses(std::string* why) const override;
};

// An overcommitted node is left alone for a while: since its `overcommit_since`, else since the engine first
// saw it.
class OvercommitGrace final : public Trigger {
 public:
  using Trigger::Trigger;
  std::string_view name() const override { return "overcommit-grace"; }
  bool refuses(std::string* why) const override;
};

// Some running job must have a lower priority.
class NoLowerPriority final : public Trigger {
 public:
  using Trigger::Trigger;
  std::string_view name() const override { return "no-lower-priority"; }
  bool refuses(std::string* why) const override;
};

// A queue or job over its `max` is no reason to preempt.
class NoQuotaPreemption final : public Trigger {
 public:
  using Trigger::Trigger;
  std::string_view name() const override { return "no-quota-preemption"; }
  bool refuses(std::string* why) const override;
};

// Waiting jobs are served by priority, highest first, then by submission. Only the first may preempt. Jobs
// that are impossible, in progress or not allowed to preempt do not block the others.
class NotFront final : public Trigger {
 public:
  using Trigger::Trigger;
  std::string_view name() const override { return "not-front"; }
  bool refuses(std::string* why) const override;
  bool needs_front_job() const override;
};

// Only a job that has been below its fair share for long enough may preempt.
class NotStarving final : public Trigger {
 public:
  using Trigger::Trigger;
  std::string_view name() const override { return "not-starving"; }
  bool refuses(std::string* why) const override;
};

// The request must serve an unmet guarantee (law 4).
class OverGuarantee final : public Trigger {
 public:
  using Trigger::Trigger;
  std::string_view name() const override { return "over-guarantee"; }
  bool refuses(std::string* why) const override;
};

// A request may preempt only after the delay of its leaf queue.
class PendingDelay final : public Trigger {
 public:
  using Trigger::Trigger;
  std::string_view name() const override { return "pending-delay"; }
  bool refuses(std::string* why) const override;
};

// Exceeding a quota is no reason to preempt: a request that its queue does not admit now waits.
class QueueMax final : public Trigger {
 public:
  using Trigger::Trigger;
  std::string_view name() const override { return "queue-max"; }
  bool refuses(std::string* why) const override;
};

// A preemptible job must leave the room that its quota owes to jobs that may not be preempted.
class QuotaMax final : public Trigger {
 public:
  using Trigger::Trigger;
  std::string_view name() const override { return "quota-max"; }
  Dependencies depends_on() const override { return {Dependency::queue_usage}; }
  bool refuses(std::string* why) const override;
};

// A job that may not be preempted must stay within the minimum of its quota, up the tree.
class QuotaMin final : public Trigger {
 public:
  using Trigger::Trigger;
  std::string_view name() const override { return "quota-min"; }
  Dependencies depends_on() const override { return {Dependency::queue_usage}; }
  bool refuses(std::string* why) const override;
};

}  // namespace cede
