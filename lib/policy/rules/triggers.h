// SPDX-License-Identifier: MIT
#pragma once

#include "policy/rule.h"

namespace cede {

// One request does not preempt again right after it did.
class AttemptInterval final : public Trigger {
 public:
  using Trigger::Trigger;
  std::string_view name() const override { return "attempt-interval"; }
  bool refuses(std::string* why) const override;
};

// Nothing more may be taken within the window of the storm limits: of nobody who runs, or no work at all.
class Budget : public Trigger {
 public:
  using Trigger::Trigger;
  std::string_view name() const override { return "budget"; }
  bool refuses(std::string* why) const override;
};

// Somebody of lower priority must run.
class NoLowerPriority final : public Trigger {
 public:
  using Trigger::Trigger;
  std::string_view name() const override { return "no-lower-priority"; }
  bool refuses(std::string* why) const override;
};

// A queue or job over its `max` is not a reason to preempt either.
class NoQuotaPreemption final : public Trigger {
 public:
  using Trigger::Trigger;
  std::string_view name() const override { return "no-quota-preemption"; }
  bool refuses(std::string* why) const override;
};

// Waiting jobs are served from the highest priority down, then by submission: only the first may preempt.
// Jobs that are impossible, in progress or may not preempt do not hold up the line.
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

// The request must serve a guarantee that is not met (law 4).
class OverGuarantee final : public Trigger {
 public:
  using Trigger::Trigger;
  std::string_view name() const override { return "over-guarantee"; }
  bool refuses(std::string* why) const override;
};

// A request waits for the delay of its leaf queue before it may preempt.
class PendingDelay final : public Trigger {
 public:
  using Trigger::Trigger;
  std::string_view name() const override { return "pending-delay"; }
  bool refuses(std::string* why) const override;
};

// Quota excess is never a reason to preempt: what the queue does not admit today waits.
class QueueMax final : public Trigger {
 public:
  using Trigger::Trigger;
  std::string_view name() const override { return "queue-max"; }
  bool refuses(std::string* why) const override;
};

// A job that may be preempted must leave room for what its quota owes to those that may not.
class QuotaMax final : public Trigger {
 public:
  using Trigger::Trigger;
  std::string_view name() const override { return "quota-max"; }
  Dependencies depends_on() const override { return {Dependency::queue_usage, Dependency::in_flight}; }
  bool refuses(std::string* why) const override;
};

// A job that may not be preempted must stay within its quota's minimum, up the tree.
class QuotaMin final : public Trigger {
 public:
  using Trigger::Trigger;
  std::string_view name() const override { return "quota-min"; }
  Dependencies depends_on() const override { return {Dependency::queue_usage, Dependency::in_flight}; }
  bool refuses(std::string* why) const override;
};

}  // namespace cede
