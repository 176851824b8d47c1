// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>
#include <vector>

#include "model/plan.h"
#include "policy/rule.h"

namespace cede {

// How a victim leaves its nodes. A victim that saves first has the action checkpoint and then one of two
// others. Otherwise all three are equal.
struct VictimExit {
  VictimAction action = VictimAction::terminate;
  VictimAction then = VictimAction::terminate;     // once the checkpoint is written
  VictimAction unsaved = VictimAction::terminate;  // if it is not
  bool requeue = false;                            // as far as the plan can tell
};

// A profile's part of it.
struct ProfileExit {
  VictimAction saved = VictimAction::terminate;    // after a checkpoint
  VictimAction unsaved = VictimAction::terminate;  // after a failed one, or without one
  bool may_requeue = true;
};

// Relief of a node grants no extension and no deferral, because the capacity does not exist. A sensitive
// claim is not deferred either.
constexpr bool may_extend(Purpose purpose) { return purpose != Purpose::relief_node; }
constexpr bool may_defer(Purpose purpose) {
  return purpose != Purpose::relief_node && purpose != Purpose::sensitive_claim;
}

// How long until a victim's space is free: as a rule, and at the latest. kNoDuration: there is no latest
// time.
struct ExitTime {
  Duration expected = 0;
  Duration latest = 0;
};

// Where the victims that free space on nodes must be (`one-node`). Victims that make room in a queue may be
// anywhere.
enum class OneNode : std::uint8_t { anywhere, each_task, all_victims };

// Inputs of rules that are costly to keep. They are computed only for profiles that ask for them.
struct ProfileInputs {
  bool waiting_order = false;  // the waiting jobs in the order in which they are served
  bool fair_shares = false;    // RuleContext::fair
  bool node_commits = false;   // InFlight::node_commits
};

// A profile: its rules and their order. Stateless; there is one object per profile.
class Composition {
 public:
  virtual ~Composition() = default;

  virtual std::string_view cause(const RuleContext& rule_context) const = 0;
  // The profile's own rules. They come after the rules that every profile has. Admission triggers apply even
  // if the request fits into free space.
  virtual void add_admission(RuleList<Trigger>& triggers) const;
  virtual void add_triggers(RuleList<Trigger>& triggers) const = 0;
  virtual void add_eligibility(RuleList<EligibilityRule>& rules) const = 0;
  virtual void add_caps(RuleList<Cap>& caps) const = 0;
  // The criteria between `last-resort` and the common tail.
  virtual void add_measures(RuleList<Measure>& measures) const = 0;
  virtual ProfileInputs inputs() const = 0;
  virtual ProfileExit profile_exit(const EffectiveSettings& effective, JobId victim) const;
  // What a victim costs, in parts, each in thousandths.
  virtual std::vector<CostPart> price(const RuleContext& rule_context, const Unit& unit) const;
  // Whether the request's tasks may be placed on this node at all.
  virtual bool may_use(const RuleContext& rule_context, NodeId node) const;
  virtual OneNode one_node(const RuleContext& rule_context) const;
  // Units of a higher tier are taken only if it is proven that the lower tiers are not enough.
  virtual int tier(const RuleContext& rule_context, const Unit& unit) const;
  // A note for the reader of the plan; empty: none.
  virtual std::string remark(const RuleContext& rule_context) const;
};

const Composition& composition(Profile profile);

// Complete lists: the rules that every profile has, and the profile's own.
RuleList<EligibilityRule> eligibility_rules(const RuleContext& rule_context);
RuleList<Cap> caps(const RuleContext& rule_context);
// The caps that stay in force at this step of the relief of a node.
RuleList<Cap> caps_at(const RuleContext& rule_context, ReliefStep step);
// The first step at which the relief of a node may take the unit; `never`: at none. `rule` and `why` receive
// the first rule that excludes it, if any does.
ReliefStep relief_step(const RuleList<EligibilityRule>& rules, const Unit& unit, std::string_view& rule,
                       std::string& why);
// Whether a task of the unit can run on one named node only.
bool is_bound_to_node(const Model& model, const Unit& unit);
RuleList<Measure> measures(const RuleContext& rule_context);

// Whether the price is the first criterion after `last-resort`.
inline constexpr std::size_t kPriceMeasure = 1;
bool leads_with_price(const RuleList<Measure>& measures);
inline bool leads_with_price(const RuleContext& rule_context) {
  return leads_with_price(measures(rule_context));
}

// Whether `cost_model` makes lost work the first criterion after `last-resort`.
bool uses_lost_work(const RuleContext& rule_context);

// How long the job's checkpoint is expected to take.
Duration expected_checkpoint(const EffectiveSettings& effective, JobId job);

VictimExit victim_exit(const EffectiveSettings& effective, JobId victim);

// Whether the nodes of a suspended victim keep the state that it resumes from.
bool keeps_local(const EffectiveSettings& effective, JobId victim);

ExitTime exit_time(const EffectiveSettings& effective, JobId victim, const VictimExit& exit, Purpose purpose);

// Work destroyed or GPUs left idle because of this victim, in thousandths of a GPU-minute. A unit without
// GPUs counts node-minutes.
std::int64_t lost_work(const EffectiveSettings& effective, Time now, const Unit& unit);
inline std::int64_t lost_work(const RuleContext& rule_context, const Unit& unit) {
  return lost_work(rule_context.effective, rule_context.now, unit);
}

// All eligibility rules of a request, without explanations; fast enough for very many units. Rules that
// exclude no unit are skipped.
class Eligibility {
 public:
  // Leaves out the rules that depend on any of `left_out`.
  explicit Eligibility(const RuleContext& rule_context, Dependencies left_out = {})
      : context_(rule_context), rules_(eligibility_rules(rule_context)) {
    for (const auto& rule : rules_) {
      const Dependencies on = rule->depends_on();
      if (rule->may_exclude() && on.without(left_out) == on) asked_.push_back(rule.get());
    }
  }

  bool excludes(const Unit& unit) const {
    const UnitRow row(context_.effective, unit);
    for (const EligibilityRule* rule : asked_) {
      if (rule->excludes_row(row)) return true;
    }
    return false;
  }

  Dependencies depends_on() const {
    Dependencies all;
    for (const EligibilityRule* rule : asked_) all = all | rule->depends_on();
    return all;
  }

  // See EligibilityRule::figure().
  std::vector<std::int64_t> figures() const {
    std::vector<std::int64_t> all;
    for (const EligibilityRule* rule : asked_) {
      if (rule->depends_on().has(Dependency::figure)) all.push_back(rule->figure());
    }
    return all;
  }

 private:
  const RuleContext& context_;
  const RuleList<EligibilityRule> rules_;
  std::vector<const EligibilityRule*> asked_;
};

}  // namespace cede
