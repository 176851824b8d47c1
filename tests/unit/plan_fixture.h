// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "document/document.h"
#include "engine_fixture.h"
#include "planned_victims.h"
#include "search/decide.h"
#include "support/cluster_builder.h"
#include "verify/verify.h"

namespace cede {

// An engine with a policy and a cluster.
struct Loaded {
  explicit Loaded(const std::string& text, std::string_view policy = kPriorityPolicy) : engine(Options{}) {
    Problems problems;
    EXPECT_TRUE(engine.set_policy(policy, problems)) << problems.all()[0].message();
    EXPECT_TRUE(engine.load(text, problems)) << problems.all()[0].message() << "\n" << text;
  }

  Plan plan(std::string_view job = "p", const std::vector<std::string>& terms = {}) const {
    Problems problems;
    std::optional<Plan> made = engine.plan(job, kNoTime, terms, problems);
    EXPECT_TRUE(made) << (problems.all().empty() ? "" : problems.all()[0].message());
    return made ? std::move(*made) : Plan{};
  }

  std::string fault(const Plan& plan) const { return verify(plan, *engine.policies()); }

  Engine engine;
};

// Of a job: the queue it is in, and whatever else.
inline JsonObject in_queue(std::string_view queue, const JsonObject& more = {}) {
  return JsonObject{{"queue", queue}}.put_all(more);
}

// A plan in a few words: `preempt v1,v2`, `wait class`, `fits`.
inline std::string in_words(const Plan& plan) {
  std::string out(to_word(plan.outcome, kOutcomes));
  if (!plan.rule.empty() && plan.rule != out) out += ' ' + plan.rule;
  if (!plan.victims.empty()) out += ' ' + victims_of(plan);
  return out;
}

// The rule that excluded the first unit of a job, `eligible` where none did.
inline std::string excluded_by(const Plan& plan, std::string_view job) {
  for (const Exclusion& exclusion : plan.exclusions) {
    if (plan.model().job_name(exclusion.job) == job) return std::string(exclusion.rule);
  }
  return "eligible";
}

inline std::string nodes_of(const Plan& plan) {
  std::string out;
  for (const PlannedTask& task : plan.placement)
    out += (out.empty() ? "" : ",") + std::string(plan.model().name(plan.model().nodes[task.node].name));
  return out;
}

inline std::string objective_names(const Plan& plan) {
  std::string out;
  for (const Criterion& criterion : plan.objective)
    out += (out.empty() ? "" : " ") + std::string(criterion.name);
  return out;
}

// A cluster and the policy it is asked under, in few words. `root` is there from the start, a queue's parent
// is its name up to the last dot, a job is of queue `root` unless its members say otherwise. Every plan is
// verified as well.
class Scene {
 public:
  static constexpr Time kNow = 1'000'000;  // in seconds, as documents say it
  static constexpr Time later(Time seconds) { return (kNow + seconds) * kSecond; }

  explicit Scene(std::string_view profile, const JsonObject& settings = {}, std::string_view resource = "cpu")
      : profile_(profile), resource_(resource), settings_(settings) {
    cluster_.group();
    cluster_.queue("root");
  }

  Scene& root(const JsonObject& members) { return put(cluster_.queues.front(), members); }
  Scene& group(const JsonObject& members) { return put(cluster_.groups.front(), members); }
  Scene& limits(const JsonObject& members) { return put(limits_, members); }
  Scene& top(const JsonObject& members) { return put(cluster_.document, members); }
  Scene& settings(const JsonObject& members) { return put(settings_, members); }

  Scene& queue(std::string_view id, const JsonObject& members = {}) {
    return put(cluster_.queue(id, id.substr(0, id.rfind('.'))), members);
  }

  Scene& node(std::string_view id, int amount, const JsonObject& members = {}) {
    return put(cluster_.node(id, holding(amount)), members);
  }

  Scene& job(std::string_view id, const JsonObject& members, const JsonList& tasks) {
    JsonObject& job = members.has("queue") ? cluster_.job(id, {}) : cluster_.job(id);
    return put(job.put_all(members), {{"tasks", tasks}});
  }
  Scene& job(std::string_view id, const JsonObject& members, std::string_view tasks) {
    return job(id, members, JsonList().add_raw(tasks));
  }

  // A running job of one task.
  Scene& runs(std::string_view id, std::string_view node, int amount, const JsonObject& members = {}) {
    JsonObject all = members;
    if (!all.has("state")) all.put("state", "running");
    if (!all.has("started")) all.put("started", 900000);
    return job(id, all, {task(node, amount)});
  }

  // A job of some waiting tasks.
  Scene& waits(std::string_view id, int amount, const JsonObject& members = {}, int count = 1) {
    JsonObject all = members;
    if (!all.has("submitted")) all.put("submitted", 990000);
    return job(id, all, {JsonObject{{"count", count}, {"resources", holding(amount)}}});
  }

  JsonObject task(std::string_view node, int amount, const JsonObject& members = {}) const {
    return JsonObject{{"node", node}, {"resources", holding(amount)}}.put_all(members);
  }

  JsonObject holding(int amount) const { return {{resource_, amount}}; }

  std::string cluster() const { return cluster_.text(); }

  std::string policy() const { return policy_text(profile_, settings_, limits_); }

  Plan plan(std::string_view job = "p", const std::vector<std::string>& terms = {}) const {
    const Loaded loaded(cluster(), policy());
    Plan plan = loaded.plan(job, terms);
    EXPECT_EQ(loaded.fault(plan), "") << write_plan(plan, true) << cluster();
    return plan;
  }

  Plan relief(std::string_view target) const {
    const Loaded loaded(cluster(), policy());
    Problems problems;
    std::optional<Plan> plan = loaded.engine.plan_relief(target, "", kNoTime, {}, problems);
    EXPECT_TRUE(plan) << (problems.all().empty() ? "" : problems.all()[0].message());
    if (!plan) return {};
    EXPECT_EQ(loaded.fault(*plan), "") << write_plan(*plan, true) << cluster();
    return std::move(*plan);
  }

  // The same with decisions that are not finished yet.
  Plan plan_while(const std::function<void(const Model&, InFlight&)>& decided,
                  const Allowance& allowance = {}) const {
    const Loaded loaded(cluster(), policy());
    const Model model = loaded.plan().model();
    InFlight in_flight;
    decided(model, in_flight);
    Query query;
    query.job = model.find_job("p");
    query.now = later(0);
    query.allowance = allowance;
    return decide({std::make_shared<const Model>(model), loaded.engine.policies(),
                   std::make_shared<const InFlight>(in_flight)},
                  query);
  }

  std::string asks(std::string_view job = "p", const std::vector<std::string>& terms = {}) const {
    return in_words(plan(job, terms));
  }

  // What stands in the way of taking this job: a trigger or cap, else the rule that excluded it.
  std::string eligibility_of(std::string_view job, std::string_view requester = "p") const {
    const Plan made = plan(requester);
    for (const PlannedVictim& victim : made.victims) {
      if (made.model().job_name(victim.job) == job) return "eligible";
    }
    if (made.rule == "no-victims" || made.rule.empty()) return excluded_by(made, job);
    return made.rule;
  }

 private:
  Scene& put(JsonObject& object, const JsonObject& members) {
    object.put_all(members);
    return *this;
  }

  std::string profile_, resource_;
  JsonObject settings_, limits_;
  ClusterBuilder cluster_{kNow};
};

}  // namespace cede
