// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "policy/dependency.h"
#include "policy/rule_context.h"

namespace cede {

// The rules that profiles are made of. A rule is made for one request and may compute in its constructor what
// does not depend on the unit. Its name is part of the product: it stands in explanations, errors and tests.
// A text that is asked for is one sentence with the values compared; with null nothing is spent on words.
class Rule {
 public:
  explicit Rule(const RuleContext& rule_context) : context_(rule_context) {}
  virtual ~Rule() = default;
  virtual std::string_view name() const = 0;
  // What its answers depend on. A rule that does not say so depends on everything, and no answer that it took
  // part in is used again.
  virtual Dependencies depends_on() const { return Dependencies::everything(); }

 protected:
  const Model& model() const { return context_.model(); }
  const RuleContext& context_;
};

// Decides whether the request may preempt at all. It is asked anew for every request, so its dependencies
// matter to no cache, except those of admission; see Recall.
class Trigger : public Rule {
 public:
  using Rule::Rule;
  virtual bool refuses(std::string* why) const = 0;
  // Whether RuleContext::front_job must be known before it is asked. Finding that job takes work.
  virtual bool needs_front_job() const { return false; }
};

// A unit with what most rules look at, fetched once for all of them.
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

// Decides for one unit and one request.
class EligibilityRule : public Rule {
 public:
  using Rule::Rule;
  virtual bool excludes(const Unit& unit, std::string* why) const = 0;
  // The same without words, for questions about very many units.
  virtual bool excludes_row(const UnitRow& row) const { return excludes(row.unit, nullptr); }
  // Whether there may be any unit at all that it excludes.
  virtual bool may_exclude() const { return true; }

 protected:
  // Whether the claim holds for any queue.
  template <class Claim>
  bool any_queue(Claim claim) const {
    bool any = false;
    model().queues.for_each([&](QueueId id, const QueueRow&) { any = any || claim(id); });
    return any;
  }
  QueueId queue_of(const Unit& unit) const { return context_.model().jobs[unit.job].queue; }
  bool excludes_unit(const Unit& unit) const { return excludes_row(UnitRow(context_.effective, unit)); }
};

// A condition on the whole set of victims that is kept when less is taken: a set that breaks it cannot be
// mended by adding units.
class Cap : public Rule {
 public:
  using Rule::Rule;
  virtual bool breaks(std::span<const Unit* const> victims, std::string* why) const = 0;
  // Whether there is any set at all that it forbids.
  virtual bool may_break() const { return true; }
  // No set of these candidates that keeps it frees more of the resource than this. Told before any search, so
  // it may be too much but never too little; nothing: as much as they hold.
  virtual std::optional<Total> most_freed(std::span<const Unit* const>, std::uint32_t) const {
    return std::nullopt;
  }
  // What asking it about so many victims costs, in the units of base/work.h.
  virtual std::uint64_t work(std::span<const Unit* const> victims) const {
    std::uint64_t sum = 4;
    for (const Unit* unit : victims) sum += 4 + 4 * unit->tasks.size();
    return sum;
  }
  // How much of what it bounds the victims take; never falls when one is added.
  virtual std::int64_t figure(std::span<const Unit* const>) const { return 0; }
};

// One entry of an objective, as an amount per unit: added up, counted per value from the top, the highest of
// all, or start times compared one by one: from the oldest on, from the newest on, or from the oldest on with
// the later one winning.
class Measure : public Rule {
 public:
  enum class Kind : std::uint8_t { sum, counts, highest, older_wins, younger_wins, oldest_started_last };
  Measure(const RuleContext& rule_context, Kind kind) : Rule(rule_context), kind_(kind) {}
  virtual std::int64_t of(const Unit& unit) const = 0;
  // Whether it is the victims' cost as the plan tells it.
  virtual bool is_price() const { return false; }
  Kind kind() const { return kind_; }

 private:
  Kind kind_;
};

// Rules of one kind, in the order in which they are asked.
template <class Kind>
class RuleList {
 public:
  explicit RuleList(const RuleContext& rule_context) : context_(&rule_context) {}
  template <class Concrete, class... More>
  RuleList& add(More... more) {
    list_.push_back(std::make_unique<const Concrete>(*context_, more...));
    return *this;
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
