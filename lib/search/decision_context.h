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
#include "policy/shares/fair_share_status.h"
#include "search/group_index.h"
#include "search/query.h"

namespace cede {

// Work that a question may do beside the proof of its answer: triggers, first answers, reasons for a no.
inline constexpr std::uint64_t kFirstAnswerWork = 15'000'000;

// The state that a decision is made on. The model must agree with the policies.
struct DecisionInput {
  std::shared_ptr<const Model> model;
  std::shared_ptr<const PolicySet> policies;
  std::shared_ptr<const InFlight> in_flight;
  // What an engine keeps from one decision to the next. Without it everything is made for this one alone.
  GroupIndexCache* group_indexes = nullptr;
  WorkerPool* workers = nullptr;  // threads that help; the answer does not depend on them
};

// What is decided, the rule that decided it and why in one sentence.
struct Verdict {
  Outcome outcome = Outcome::wait;
  std::string_view rule;  // empty where the outcome is preempt
  std::string reason;

  static Verdict wait(std::string_view rule, std::string reason) {
    return {Outcome::wait, rule, std::move(reason)};
  }
};

// What every step of one decision works with. All of it stays as it is while the decision is made, except
// what is counted and `asking.front_job`. Used by one thread; does not outlive the input and the question.
struct DecisionContext {
  DecisionContext(const DecisionInput& input, const Query& query);
  DecisionContext(const DecisionContext&) = delete;
  DecisionContext& operator=(const DecisionContext&) = delete;

  // Whether the plan is about so many units that the reasons for each of them are worked out only when
  // somebody asks (tell_units).
  bool explains_units_later() const;
  std::span<const Unit* const> units() const { return rule_context.units; }

  const DecisionInput& input;
  const Query& query;
  const Model& model;
  const Policy& policy;
  const Composition& profile;
  const std::shared_ptr<const GroupIndex> group_index;
  const EffectiveSettings effective;
  const Request request;
  const std::optional<GroupUsage> own_usage;          // only where it is not the ground's
  const std::unique_ptr<const FairShareStatus> fair;  // only in profile `fair-share`
  RuleContext rule_context;
  Work work;                       // all that is done to answer
  std::uint64_t proof_spent = 0;   // of it, on proofs
  std::uint64_t search_spent = 0;  // what the plan shows: the work of the searches for victims
};

// The group whose nodes and jobs a question is about.
GroupId group_of(const Model& model, const Query& query);

// `node 'n1'`, `queue 'q'` or `job 'j'`: what a relief is for.
std::string relief_target(const DecisionContext& context);

}  // namespace cede
