// SPDX-License-Identifier: MIT
#include "support/answer_check.h"

#include <algorithm>
#include <set>
#include <stdexcept>

#include "document/document.h"
#include "search/decide.h"
#include "support/enumerator.h"
#include "verify/plan_checks.h"
#include "verify/triggers.h"
#include "verify/verify.h"

namespace cede {

namespace {

constexpr std::size_t kMostUnits = 9;  // that every set of is tried

// A no that the search has proven.
bool is_proven_no(const std::string& rule) {
  static const std::set<std::string> kRules{
      "no-set", "no-victims", "max-victims", "value-exceeded",    "below-guarantee", "no-gain",
      "budget", "one-node",   "impossible",  "nodes-unavailable", "job-max"};
  return kRules.contains(rule);
}

// A trigger, except those about space.
bool is_trigger(const std::string& rule) {
  static const std::set<std::string> kRules{"not-waiting",         "off",
                                            "in-progress",         "may-not-preempt",
                                            "not-front",           "no-lower-priority",
                                            "no-quota-preemption", "queue-max",
                                            "quota-min",           "quota-max",
                                            "not-starving",        "pending-delay",
                                            "attempt-interval",    "over-guarantee",
                                            "overcommit-grace",    "worth-waiting"};
  return kRules.contains(rule);
}

// Whether victims that free what the group counts may be on other nodes than those that make space: the
// verifier says yes, the search does not look for them, so its no is not the oracle's.
bool hinges_on_licences(const PlanFacts& facts) {
  const bool one_node = facts.is(Profile::fair_share) || facts.is(Profile::guarantee);
  return one_node && std::any_of(facts.asked().begin(), facts.asked().end(),
                                 [&](const auto& asked) { return facts.counted_by_group(asked.first); });
}

// A unit on a claimed node that may not be taken and is not the claiming queue's own.
bool is_blocked(const PlanFacts& facts) {
  const EligibilityTerms terms(facts);
  bool found = false;
  for (const NodeId node : facts.subject.claimed) {
    for (TaskId t = facts.model.nodes[node].first_task; t; t = facts.model.tasks.core(t).next_on_node) {
      const JobId job = facts.model.tasks.core(t).job;
      if (facts.model.is_below(facts.model.jobs[job].queue, facts.queue())) continue;
      for (const VictimUnit& unit : JobUnits(facts.effective, job, *facts.plan.in_flight).units)
        found = found || exclusion_of(terms, unit);
    }
  }
  return found;
}

std::string first_of(const Problems& problems) {
  return problems.all().empty() ? "no reason" : problems.all().front().message();
}

}  // namespace

AnsweredQuery::AnsweredQuery(std::uint64_t seed, const std::string& profile)
    : random(seed, profile), engine(Options{}) {
  Problems problems;
  if (!engine.set_policy(random.policy, problems))
    throw std::runtime_error(first_of(problems) + ": " + random.policy);
  if (!engine.load(random.cluster, problems)) return;  // some combinations are errors under some profile
  const std::optional<Plan> first = engine.plan("p", kNoTime, {}, problems);
  if (!first) throw std::runtime_error(first_of(problems) + ": " + random.cluster);
  const Query query = random.query(first->model());
  plan = decide({first->snapshot, engine.policies(),
                 std::make_shared<const InFlight>(random.in_flight(first->model()))},
                query);
}

std::string AnsweredQuery::description() const {
  return write_plan(*plan, true) + random.policy + random.cluster;
}

std::string fault_by_verifier(const AnsweredQuery& answered) {
  return verify(*answered.plan, *answered.engine.policies());
}

EnumeratorFinding fault_by_enumerator(const AnsweredQuery& answered) {
  const Plan& plan = *answered.plan;
  Enumerator enumerator(plan, *answered.engine.policies());
  const PlanFacts& facts = enumerator.facts();
  const std::optional<RuleReason> refused = refused_by(facts);
  // The enumerator's plan takes victims, so no task may fit without.
  if ((plan.outcome == Outcome::preempt || plan.outcome == Outcome::wait) && plan.rule != "not-waiting") {
    if (std::string fault = plan_check::free_first(facts); !fault.empty()) return {std::move(fault), false};
  }
  if (is_trigger(plan.rule)) return {refused ? "" : plan.rule + " does not refuse the request", true};
  if (plan.subject.is_claim()) {
    const bool by_job = plan.rule == "claim-blocked" && !plan.in_flight->any_blocked();
    return {!by_job || is_blocked(facts) ? "" : "nobody blocks the claim", false};
  }
  if (enumerator.eligible() > kMostUnits || plan.partial || hinges_on_licences(facts)) return {};
  if (plan.outcome == Outcome::preempt) {
    const auto best = enumerator.best();
    if (!best) return {"a set that trying every set does not find", true};
    return {compare(plan.objective, *best) == 0 ? "" : "there is a better set", true};
  }
  if (!is_proven_no(plan.rule) || refused) return {};
  return {enumerator.best() ? plan.rule + ", and there is a set" : "", true};
}

}  // namespace cede
