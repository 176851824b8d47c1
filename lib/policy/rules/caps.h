// SPDX-License-Identifier: MIT
#pragma once

#include "policy/reclaim.h"
#include "policy/rule.h"

namespace cede {

// Preemption never takes a queue below its guarantee (law 2).
class BelowGuarantee final : public Cap {
 public:
  using Cap::Cap;
  std::string_view name() const override { return "below-guarantee"; }
  ReliefStep dropped_at() const override { return ReliefStep::guarantees; }
  Dependencies depends_on() const override { return {Dependency::queue_usage}; }
  bool breaks(std::span<const Unit* const> victims, std::string* why) const override;
  std::optional<Total> most_freed(std::span<const Unit* const> candidates,
                                  std::uint32_t resource) const override;
  std::vector<LinearLimit> linear_limits(std::span<const Unit* const> candidates) const override;
  std::optional<Excess> excess(std::span<const Unit* const> victims) const override;
  Total room(std::uint64_t limit) const override;
};

// What the storm limits still allow within their window: preemptions per victim queue and per user, and lost
// work.
class BudgetLeft : public Cap {
 public:
  using Cap::Cap;
  std::string_view name() const override { return "budget"; }
  ReliefStep dropped_at() const override { return ReliefStep::storm_limits; }
  Dependencies depends_on() const override { return {Dependency::query, Dependency::time}; }
  bool may_break() const override { return context_.allowance.bounds(); }
  bool breaks(std::span<const Unit* const> victims, std::string* why) const override;
  std::vector<LinearLimit> linear_limits(std::span<const Unit* const> candidates) const override;
};

// At most `max_victims` jobs lose tasks. Units that borrow the requester's home nodes do not count.
class MaxVictims final : public Cap {
 public:
  explicit MaxVictims(const RuleContext& rule_context) : Cap(rule_context), reclaim_(rule_context) {}
  std::string_view name() const override { return "max-victims"; }
  ReliefStep dropped_at() const override { return ReliefStep::max_victims; }
  Dependencies depends_on() const override { return {}; }
  bool may_break() const override;
  bool breaks(std::span<const Unit* const> victims, std::string* why) const override;
  std::optional<Total> most_freed(std::span<const Unit* const> candidates,
                                  std::uint32_t resource) const override;
  std::vector<LinearLimit> linear_limits(std::span<const Unit* const> candidates) const override;
  std::int64_t figure(std::span<const Unit* const> victims) const override;
  std::optional<Excess> excess(std::span<const Unit* const> victims) const override;
  Total room(std::uint64_t limit) const override;

 private:
  const Reclaim reclaim_;
};

// Every job that loses a task stays more satisfied than the requester was. Each such step raises the smallest
// satisfaction, so jobs cannot take from each other in circles.
class NoGain final : public Cap {
 public:
  using Cap::Cap;
  std::string_view name() const override { return "no-gain"; }
  Dependencies depends_on() const override;
  bool breaks(std::span<const Unit* const> victims, std::string* why) const override;
  std::uint64_t work(std::span<const Unit* const> victims) const override;
};

// The victims must cost less than the request is worth. The cap does not apply if the request has no value.
// Units that borrow the requester's home nodes do not count.
class ValueExceeded final : public Cap {
 public:
  explicit ValueExceeded(const RuleContext& rule_context);
  std::string_view name() const override { return "value-exceeded"; }
  Dependencies depends_on() const override { return {Dependency::requester, Dependency::time}; }
  bool may_break() const override { return value_ >= 0; }
  bool breaks(std::span<const Unit* const> victims, std::string* why) const override;
  std::vector<LinearLimit> linear_limits(std::span<const Unit* const> candidates) const override;
  std::int64_t figure(std::span<const Unit* const> victims) const override;

 private:
  std::int64_t value_;  // thousandths of a minute; negative: none
  const Reclaim reclaim_;
};

}  // namespace cede
