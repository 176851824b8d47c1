// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "base/work.h"
#include "base/worker_pool.h"
#include "model/in_flight.h"
#include "model/plan.h"
#include "policy/composition.h"
#include "policy/rule_context.h"
#include "policy/settings/policy.h"
#include "policy/shares/starvation.h"
#include "search/group_index.h"
#include "search/query.h"

namespace cede {

// The work a query may spend beside the proof of its answer: triggers, first answers, reasons for a no.
inline constexpr std::uint64_t kFirstAnswerWork = 15'000'000;

// The state on which a decision is made. The model must agree with the policies.
struct DecisionInput {
  std::shared_ptr<const Model> model;
  std::shared_ptr<const PolicySet> policies;
  std::shared_ptr<const InFlight> in_flight;
  // What an engine keeps from one decision to the next. If null, everything is built for this decision alone.
  GroupIndexCache* group_indexes = nullptr;
  WorkerPool* workers = nullptr;  // the answer does not depend on them
};

// What is decided, by which rule, and why in one sentence.
struct Verdict {
  Outcome outcome = Outcome::wait;
  std::string_view rule;  // empty if the outcome is preempt
  std::string reason;

  static Verdict wait(std::string_view rule, std::string reason) {
    return {Outcome::wait, rule, std::move(reason)};
  }
};

// The inputs of one decision. Constant during the decision, except the work counters and
// `rule_context.front_job`. Used by one thread; must not outlive the input and the query.
struct DecisionContext {
  DecisionContext(const DecisionInput& input, const Query& query);
  DecisionContext(const DecisionContext&) = delete;
  DecisionContext& operator=(const DecisionContext&) = delete;

  // Whether the plan is about so many units that their reasons are worked out only on demand (explain_units).
  bool explains_units_later() const;
  std::span<const Unit* const> units() const { return rule_context.units; }

  const DecisionInput& input;
  const Query& query;
  const Model& model;
  const Policy& policy;
  const Composition& profile;
  const std::shared_ptr<const GroupIndex> group_index;
  const EffectiveSettings effective;
  Request request;                                    // changed only before the decision begins; see decide()
  const std::optional<GroupUsage> own_usage;          // only if it differs from the group index
  const std::unique_ptr<const FairShareStatus> fair;  // only in profile `fair-share`
  RuleContext rule_context;
  Work work;                       // of the whole answer
  std::uint64_t proof_spent = 0;   // part of it that went into proofs
  std::uint64_t search_spent = 0;  // part of it that the plan shows: searches for victims
};

// The group whose nodes and jobs a query is about.
GroupId group_of(const Model& model, const Query& query);

// The target of a relief: `node 'n1'`, `queue 'q'` or `job 'j'`.
std::string relief_target(const DecisionContext& context);

}  // namespace cede
