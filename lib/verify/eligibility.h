// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "verify/plan_facts.h"

namespace cede {

// Eligibility, as plain claims about one unit and one request.

// The rule that excludes a unit or refuses a request, and why.
struct RuleReason {
  std::string_view rule;
  std::string_view why;
};

// What the claims need to know about the request, computed once for all units.
struct EligibilityTerms {
  explicit EligibilityTerms(const PlanFacts& facts);
  const PlanFacts& facts;
  std::int32_t priority = 0;    // of the request
  std::int64_t own_offset = 0;  // sum of `priority_offset` up from its queue
  int job_class = 0;
  QueueId fence;            // profile `guarantee`; none: no fence applies
  QueueId justifying;       // likewise: the queue that justifies the request
  bool aggressive = false;  // the requester starves aggressively
};

// The first rule that excludes the unit, in the order of eligibility_rules() in policy/composition.cpp.
// nullopt: the unit is eligible.
std::optional<RuleReason> exclusion_of(const EligibilityTerms& terms, const VictimUnit& unit);

// Relief of an overcommitted node: the step at which a unit may be taken, as rules are dropped in the order
// of ReliefStep in policy/rule.h. 0: no rule is dropped. 1: the wish to opt out. 2: tasks bound to their
// node. 3: storm limits. 4: max_victims. 5: the other rules. 6: guarantees. 7: never.
inline constexpr int kBoundTasksStep = 2;
inline constexpr int kStormLimitsStep = 3;
inline constexpr int kMaxVictimsStep = 4;
inline constexpr int kOtherRulesStep = 5;
inline constexpr int kGuaranteesStep = 6;
inline constexpr int kNeverStep = 7;
inline constexpr int kReliefTiers = 10;  // tier_of() of a unit at a step is at least this many times the step
int relief_step(const EligibilityTerms& terms, const VictimUnit& unit);
// kReliefTiers times the step, plus 1 for tasks bound to their node at a step after their own: of one step
// they are taken last.
int relief_rank(const EligibilityTerms& terms, const VictimUnit& unit);

// Units of a higher tier are taken only if it is proven that the lower tiers are not enough: last-resort
// units after all others, and in `fair-share` tasks within their job's share after those beyond it.
int tier_of(const PlanFacts& facts, const VictimUnit& unit);

// Whether the unit reduces the shortfall of a full queue on the request's path: as a job below that queue, or
// as a hold whose victims still use it.
bool makes_queue_room(const PlanFacts& facts, const VictimUnit& unit);

}  // namespace cede
