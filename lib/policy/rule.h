// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "policy/rule_context.h"

namespace cede {

// What a rule's answer about a unit may depend on. Settings, the terms of the request (its queue, priority,
// class, kind, owners, amounts and requirement) and the unit's own job and nodes are always inputs and are
// not listed.
enum class Dependency : std::uint8_t {
  node_in_flight,  // what is in flight on the unit's nodes
  capacity,        // the total capacity of the group's nodes
  tier,            // the tiers of the unit's tasks; see FairShareIndex
  time_worsens,    // time, one way: as it passes, fewer units are eligible, or units cost more
  time,            // time, either way
  in_flight,       // what is in flight on other nodes
  queue_usage,     // what the queues use
  other_nodes,
  running_jobs,  // jobs other than the unit's own
  waiting_jobs,
  requester,    // the requesting job itself: its name, its value
  query,        // terms of the query: protected jobs, what the storm limits leave
  figure,       // one figure; see EligibilityRule::figure()
  fair_shares,  // what jobs use of their fair shares
  starvation,   // whether the unit's job starves, which depends on time
  commits,      // when something was last preempted on the unit's nodes, compared with the time
};

// A set of dependencies. Caches check it before they reuse an answer.
class Dependencies {
 public:
  constexpr Dependencies() = default;
  constexpr Dependencies(std::initializer_list<Dependency> list) {
    for (const Dependency each : list) bits_ |= std::uint32_t{1} << static_cast<unsigned>(each);
  }
  // Includes dependencies that have no name yet.
  static constexpr Dependencies everything() {
    Dependencies all;
    all.bits_ = ~std::uint32_t{0};
    return all;
  }

  constexpr Dependencies operator|(Dependencies other) const {
    other.bits_ |= bits_;
    return other;
  }
  constexpr Dependencies without(Dependencies other) const {
    other.bits_ = bits_ & ~other.bits_;
    return other;
  }
  constexpr bool has(Dependency one) const { return (bits_ & Dependencies{one}.bits_) != 0; }
  // Whether the set contains nothing but these.
  constexpr bool within(Dependencies allowed) const { return (bits_ & ~allowed.bits_) == 0; }
  bool operator==(const Dependencies&) const = default;

 private:
  std::uint32_t bits_ = 0;
};

// The rules that profiles consist of. A rule is created for one request; its constructor may compute what
// does not depend on the unit. Its name is part of the product: it appears in explanations, errors and tests.
// `why` receives one sentence with the compared values; if it is null, no text is built.
class Rule {
 public:
  explicit Rule(const RuleContext& rule_context) : context_(rule_context) {}
  virtual ~Rule() = default;
  virtual std::string_view name() const = 0;
  // What the rule's answers depend on. A rule that does not override this depends on everything, and no
  // answer that involves it is reused.
  virtual Dependencies depends_on() const { return Dependencies::everything(); }

 protected:
  const Model& model() const { return context_.model(); }
  const RuleContext& context_;
};

// Decides whether the request may preempt at all. Triggers are evaluated anew for every request, so caches
// ignore their dependencies, except those of admission triggers; see AnswerCache.
class Trigger : public Rule {
 public:
  using Rule::Rule;
  virtual bool refuses(std::string* why) const = 0;
  // Whether RuleContext::front_job must be set first. Finding that job takes work.
  virtual bool needs_front_job() const { return false; }
};

// The capacity of an overcommitted node does not exist, so its relief always finds a set. Rules are
// dropped in this order, each step only if the one before has no set. All rules of a step are dropped
// together.
enum class ReliefStep : std::uint8_t {
  every_rule,     // no rule is dropped
  opted_out,      // units that opted out, and last-resort units
  required_node,  // tasks that can run nowhere else: they come straight back
  storm_limits,
  max_victims,
  other_rules,
  guarantees,
  never,
};
// What was dropped at each step, in words.
inline constexpr std::array<std::string_view, 7> kReliefSteps{"",
                                                              "the wish to opt out was dropped",
                                                              "tasks bound to the node were taken",
                                                              "the storm limits were dropped",
                                                              "max_victims was dropped",
                                                              "the rules that spare units were dropped",
                                                              "guarantees were dropped"};

// A unit and the inputs that most rules look at, looked up once for all rules.
struct UnitRow {
  UnitRow(const EffectiveSettings& effective, const Unit& of)
      : unit(of),
        job(effective.model().jobs[of.job]),
        kind(effective.kind(job)),
        job_class(effective.job_class(job, kind)) {}
  const Unit& unit;
  const JobCore& job;
  const JobKind kind;
  const std::uint8_t job_class;
};

// Decides whether one unit may be taken for one request.
class EligibilityRule : public Rule {
 public:
  using Rule::Rule;
  virtual bool excludes(const Unit& unit, std::string* why) const = 0;
  // The same without an explanation, for very many units.
  virtual bool excludes_row(const UnitRow& row) const { return excludes(row.unit, nullptr); }
  // Whether the rule can exclude any unit at all.
  virtual bool may_exclude() const { return true; }
  // Of a rule that depends on it: if this figure is equal for two states, so are the answers about a unit.
  virtual std::int64_t figure() const { return 0; }
  // The step at which relief of an overcommitted node drops the rule.
  virtual ReliefStep dropped_at() const { return ReliefStep::other_rules; }

 protected:
  // Whether the claim is true for any queue.
  template <class Claim>
  bool any_queue(Claim claim) const {
    bool any = false;
    model().queues.for_each([&](QueueId id, const QueueRow&) { any = any || claim(id); });
    return any;
  }
  QueueId queue_of(const Unit& unit) const { return context_.model().jobs[unit.job].queue; }
  bool excludes_unit(const Unit& unit) const { return excludes_row(UnitRow(context_.effective, unit)); }
};

// One linear part of a cap: what the victims take of it must not add up to more than `most`.
struct LinearLimit {
  struct Taken {
    std::uint32_t candidate = 0;  // index
    Total amount = 0;             // above 0
  };
  Total most = 0;
  std::vector<Taken> taken;  // each candidate at most once
};

// A limit on the whole set of victims. Taking less never breaks it, so adding units never repairs a set that
// breaks it.
class Cap : public Rule {
 public:
  using Rule::Rule;
  virtual bool breaks(std::span<const Unit* const> victims, std::string* why) const = 0;
  // Whether the cap forbids any set at all.
  virtual bool may_break() const { return true; }
  // An upper bound on how much of the resource any set of these candidates can free within the cap. It is
  // used before the search, so it may be too high but never too low. nullopt: as much as the candidates hold.
  virtual std::optional<Total> most_freed(std::span<const Unit* const>, std::uint32_t) const {
    return std::nullopt;
  }
  // The cost of one check with these victims, in the units of base/work.h.
  virtual std::uint64_t work(std::span<const Unit* const> victims) const {
    std::uint64_t sum = 4;
    for (const Unit* unit : victims) sum += 4 + 4 * unit->tasks.size();
    return sum;
  }
  // Linear limits that every set within the cap keeps. They guide the search and give bounds; breaks()
  // decides. Empty: the cap has none.
  virtual std::vector<LinearLimit> linear_limits(std::span<const Unit* const>) const { return {}; }
  // One limit that the victims exceed. They break the cap for as long as room(limit) is less than `taken`.
  struct Excess {
    std::uint64_t limit = 0;
    Total taken = 0;
  };
  // Of victims that break the cap. nullopt: what they exceed is no such limit.
  virtual std::optional<Excess> excess(std::span<const Unit* const>) const { return std::nullopt; }
  virtual Total room(std::uint64_t) const { return 0; }
  // The step at which relief of an overcommitted node drops the cap.
  virtual ReliefStep dropped_at() const { return ReliefStep::never; }
  // How much of the limited quantity the victims take. Adding a victim never lowers it.
  virtual std::int64_t figure(std::span<const Unit* const>) const { return 0; }
};

// One criterion of an objective, as an amount per unit. Amounts are summed, counted per value from the top,
// or reduced to their maximum. Start times are compared one by one: from the oldest on, from the newest on,
// or from the oldest on with the later one winning.
class Measure : public Rule {
 public:
  enum class Kind : std::uint8_t { sum, counts, highest, older_wins, younger_wins, oldest_started_last };
  Measure(const RuleContext& rule_context, Kind kind) : Rule(rule_context), kind_(kind) {}
  virtual std::int64_t of(const Unit& unit) const = 0;
  // Whether this measure is the victims' cost as the plan reports it.
  virtual bool is_price() const { return false; }
  Kind kind() const { return kind_; }

 private:
  Kind kind_;
};

// Rules of one kind, in the order of evaluation.
template <class Kind>
class RuleList {
 public:
  explicit RuleList(const RuleContext& rule_context) : context_(&rule_context) {}
  template <class Concrete, class... More>
  RuleList& add(More... more) {
    list_.push_back(std::make_unique<const Concrete>(*context_, more...));
    return *this;
  }
  template <class Claim>
  void drop_if(Claim claim) {
    std::erase_if(list_, [&](const auto& rule) { return claim(*rule); });
  }
  const RuleContext& rule_context() const { return *context_; }
  auto begin() const { return list_.begin(); }
  auto end() const { return list_.end(); }
  std::size_t size() const { return list_.size(); }
  const Kind& operator[](std::size_t i) const { return *list_[i]; }

 private:
  const RuleContext* context_;
  std::vector<std::unique_ptr<const Kind>> list_;
};

template <class Kind>
Dependencies depends_on(const RuleList<Kind>& rules) {
  Dependencies all;
  for (const auto& rule : rules) all = all | rule->depends_on();
  return all;
}

}  // namespace cede
