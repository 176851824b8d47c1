// SPDX-License-Identifier: MIT
// What an engine that remembers says, compared with one that does not.
#pragma once

#include <algorithm>
#include <regex>
#include <string>
#include <vector>

#include "plan_fixture.h"
#include "search/decide.h"
#include "verify/verify.h"

namespace cede {

inline std::string document_of(const Plan& plan) {
  static const std::regex revision(R"("revision":\d+)");
  return std::regex_replace(plan_document(plan, true), revision, "");
}

inline std::vector<std::string> sorted_victims_of(const Plan& plan) {
  std::vector<std::string> names;
  for (const PlannedVictim& victim : plan.victims) names.emplace_back(plan.model().job_name(victim.job));
  std::sort(names.begin(), names.end());
  return names;
}

struct Count {
  int asked = 0;
  int preempting = 0;
  int proven = 0;
  int in_flight = 0;
  int without_room = 0;
};

inline void expect_as_without_memory(const Engine& engine, const Plan& plan, Time now, Count& count) {
  Query query;
  query.job = plan.subject.job;
  query.now = now;
  query.allowance = plan.allowance;
  const Plan plain = decide({plan.snapshot, engine.policies(), plan.in_flight}, query);
  ASSERT_EQ(plain.outcome, plan.outcome) << plain.reason << " / " << plan.reason;
  ASSERT_EQ(verify(plan, *engine.policies()), "");
  ++count.asked;
  if (plan.outcome != Outcome::preempt) return;
  ++count.preempting;
  if (plan.optimal && plain.optimal) {
    ++count.proven;
    ASSERT_EQ(sorted_victims_of(plain), sorted_victims_of(plan));
    ASSERT_EQ(plain.cost, plan.cost);
  } else if (plan.optimal) {
    ASSERT_TRUE(compare(plan.objective, plain.objective) <= 0);
  } else if (plain.optimal) {
    ASSERT_TRUE(compare(plan.objective, plain.objective) >= 0);
  }
}

// What a fresh engine says that was told the same state.
inline Engine fresh_copy(const Engine& engine, const std::string& policy) {
  Problems problems;
  Engine fresh{Options{}};
  EXPECT_TRUE(fresh.set_policy(policy, problems));
  EXPECT_TRUE(fresh.load(engine.export_cluster(), problems)) << problems.all()[0].message();
  EXPECT_TRUE(fresh.restore_state(engine.save_state(), problems));
  return fresh;
}

}  // namespace cede
