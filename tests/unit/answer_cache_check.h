// SPDX-License-Identifier: MIT
// What an engine that remembers says, compared with one that does not.
#pragma once

#include <algorithm>
#include <regex>
#include <string>
#include <vector>

#include "plan_fixture.h"
#include "search/decide.h"
#include "search/request_caches.h"
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
  int by_cache = 0;  // where counted
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

// Leads an engine from change to change and asks for one of three jobs of one task: `small`, `three`, `four`.
template <class Cluster>
void ask_for_tasks(Cluster& cluster, const std::string& policy, int changes, Count& count) {
  Problems problems;
  Engine engine{Options{}};
  ASSERT_TRUE(engine.set_policy(policy, problems)) << problems.all()[0].message();
  ASSERT_TRUE(engine.load(cluster.document(), problems)) << problems.all()[0].message();
  Time now = 100000;
  std::vector<EntryId> entries;
  for (int round = 0; round < changes; ++round) {
    now += static_cast<Time>(2 + cluster.below(21));
    if (round > 0) {
      ASSERT_TRUE(engine.apply(cluster.change(), problems)) << problems.all()[0].message();
    }
    const Engine fresh = fresh_copy(engine, policy);
    for (const char* job : {"small", "three", "four"}) {
      if (cluster.below(3) == 0) continue;
      const std::optional<Plan> plan = engine.plan(job, now * kSecond, {}, problems);
      const std::optional<Plan> other = fresh.plan(job, now * kSecond, {}, problems);
      ASSERT_TRUE(plan && other) << problems.all()[0].message();
      ASSERT_EQ(document_of(*plan), document_of(*other)) << "round " << round << ", " << job;
      ASSERT_NO_FATAL_FAILURE(expect_as_without_memory(engine, *plan, plan->now, count))
          << "round " << round << ", " << job;
      // The cache counts the nodes as its work.
      count.by_cache += plan->outcome == Outcome::preempt && plan->work == Cluster::kNodes ? 1 : 0;
      if (cluster.below(6) != 0 || plan->outcome != Outcome::preempt) continue;
      entries.push_back(engine.commit(*plan, *engine.policies(), now * kSecond, -1, problems));
      ASSERT_NE(entries.back(), kNoEntry) << problems.all()[0].message();
      engine.step(now * kSecond, {});
      ++count.in_flight;
      break;
    }
    if (!entries.empty() && cluster.below(3) == 0) {
      Problems gone_already;
      engine.cancel(entries.back(), now * kSecond + 100, gone_already);
      entries.pop_back();
    }
  }
}

// How many nodes are searched for requests for one task, from one state of an engine to the next.
class SearchedNodes {
 public:
  explicit SearchedNodes(const Engine& engine) : policies_(engine.policies()) {}

  // All so far, with the question of this plan.
  std::uint64_t after(const Plan& asked) {
    Query query;
    query.job = asked.subject.job;
    query.now = asked.now;
    EXPECT_EQ(decide({asked.snapshot, policies_, asked.in_flight, &indexes_}, query).outcome,
              Outcome::preempt);
    return index_of(asked)->caches().searched_nodes();
  }
  std::shared_ptr<const GroupIndex> index_of(const Plan& asked) {
    const Model& model = *asked.snapshot;
    const GroupId group = model.jobs[asked.subject.job].group;
    return indexes_.of(asked.snapshot, policies_, *policy_of(model, model.groups[group], *policies_), group,
                       *asked.in_flight);
  }

 private:
  const std::shared_ptr<const PolicySet> policies_;
  GroupIndexCache indexes_;
};

}  // namespace cede
