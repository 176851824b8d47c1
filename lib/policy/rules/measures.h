// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>

#include "policy/rule.h"

namespace cede {

// How many victims run within their job's share.
class AggressiveCount final : public Measure {
 public:
  explicit AggressiveCount(const RuleContext& rule_context) : Measure(rule_context, Kind::sum) {}
  std::string_view name() const override { return "aggressive"; }
  Dependencies depends_on() const override { return {Dependency::tier}; }
  std::int64_t of(const Unit& unit) const override;
};

// The checkpoint part of the price.
class CheckpointPrice final : public Measure {
 public:
  explicit CheckpointPrice(const RuleContext& rule_context) : Measure(rule_context, Kind::sum) {}
  std::string_view name() const override { return "checkpoint"; }
  Dependencies depends_on() const override { return {}; }
  std::int64_t of(const Unit& unit) const override;
};

// How many victims have the highest class, then the next.
class ClassCounts final : public Measure {
 public:
  explicit ClassCounts(const RuleContext& rule_context) : Measure(rule_context, Kind::counts) {}
  std::string_view name() const override { return "class"; }
  Dependencies depends_on() const override { return {}; }
  std::int64_t of(const Unit& unit) const override;
};

// How much a unit frees of the requested resources, in billionths of the group's capacity, each rounded up.
class Freed final : public Measure {
 public:
  explicit Freed(const RuleContext& rule_context, std::string_view name = "freed");
  std::string_view name() const override { return name_; }
  Dependencies depends_on() const override { return {Dependency::capacity}; }
  std::int64_t of(const Unit& unit) const override;

 private:
  std::string_view name_;
  std::int64_t of_amounts(const Unit& unit) const;

  struct Counted {
    std::uint32_t resource = 0;
    Total capacity = 0;
  };
  std::vector<Counted> counted_;  // requested resources
  // What one task of a shape frees; -1: not computed yet. All threads compute the same value.
  mutable std::vector<std::atomic<std::int64_t>> by_shape_;
};

// The highest priority among the victims, however many have it.
class HighestPriority final : public Measure {
 public:
  explicit HighestPriority(const RuleContext& rule_context) : Measure(rule_context, Kind::highest) {}
  std::string_view name() const override { return "highest-priority"; }
  Dependencies depends_on() const override { return {}; }
  std::int64_t of(const Unit& unit) const override { return unit.priority; }
};

// The first criterion of every objective: as few last-resort units as possible. Units that opted out count
// too; only the relief of a node takes them.
class LastResort final : public Measure {
 public:
  explicit LastResort(const RuleContext& rule_context) : Measure(rule_context, Kind::sum) {}
  std::string_view name() const override { return "last-resort"; }
  Dependencies depends_on() const override { return {}; }
  std::int64_t of(const Unit& unit) const override { return unit.last_resort || !unit.preemptible ? 1 : 0; }
};

// GPU-minutes destroyed or idle, as `cost_model: lost-work` compares them.
class WorkLost final : public Measure {
 public:
  explicit WorkLost(const RuleContext& rule_context) : Measure(rule_context, Kind::sum) {}
  std::string_view name() const override { return "lost-work"; }
  Dependencies depends_on() const override { return {Dependency::time_worsens}; }
  bool is_price() const override { return true; }
  std::int64_t of(const Unit& unit) const override;
};

// How many tasks take their application down when they end.
class Originators final : public Measure {
 public:
  explicit Originators(const RuleContext& rule_context) : Measure(rule_context, Kind::sum) {}
  std::string_view name() const override { return "originators"; }
  Dependencies depends_on() const override { return {}; }
  std::int64_t of(const Unit& unit) const override;
};

// The victims' price: the sum of its parts.
class Price final : public Measure {
 public:
  explicit Price(const RuleContext& rule_context) : Measure(rule_context, Kind::sum) {}
  std::string_view name() const override { return "price"; }
  Dependencies depends_on() const override;
  bool is_price() const override { return true; }
  std::int64_t of(const Unit& unit) const override;
};

// How many victims have the highest priority, then the next.
class PriorityCounts final : public Measure {
 public:
  explicit PriorityCounts(const RuleContext& rule_context) : Measure(rule_context, Kind::counts) {}
  std::string_view name() const override { return "priority"; }
  Dependencies depends_on() const override { return {}; }
  std::int64_t of(const Unit& unit) const override { return unit.priority; }
};

// Start times compared one by one, in the direction that the profile chooses.
class StartTimes final : public Measure {
 public:
  StartTimes(const RuleContext& rule_context, Kind kind) : Measure(rule_context, kind) {}
  std::string_view name() const override { return "started"; }
  Dependencies depends_on() const override { return {}; }
  std::int64_t of(const Unit& unit) const override { return unit.start; }
};

// How many units are taken.
class VictimCount final : public Measure {
 public:
  explicit VictimCount(const RuleContext& rule_context, std::string_view name = "victims")
      : Measure(rule_context, Kind::sum), name_(name) {}
  std::string_view name() const override { return name_; }
  Dependencies depends_on() const override { return {}; }
  std::int64_t of(const Unit&) const override { return 1; }

 private:
  std::string_view name_;
};

}  // namespace cede
