// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/engine.h"
#include "policy/request.h"
#include "support/cluster_builder.h"

namespace cede {

inline std::string fair_policy(const JsonObject& settings = {}, const JsonObject& limits = {}) {
  return policy_text("fair-share", settings, limits);
}

// A task of so many CPUs that began at `started`, or that waits.
struct FairTask {
  std::int64_t cpu = 1;
  int started = 0;
  std::string_view node = "n1";
  std::string_view members = {};
};

inline JsonObject placed(const FairTask& task) {
  return JsonObject{
      {"node", task.node}, {"started", task.started}, {"resources", JsonObject{{"cpu", task.cpu}}}}
      .put_all(task.members);
}

inline JsonObject waiting(std::int64_t cpu, int count = 1) {
  return {{"count", count}, {"resources", JsonObject{{"cpu", cpu}}}};
}

// `count` tasks of one CPU each, t0 the oldest, started at `from`, from + 1 and so on.
inline std::vector<FairTask> ones(int count, int from = 1) {
  std::vector<FairTask> tasks;
  for (int i = 0; i < count; ++i) tasks.push_back({1, from + i});
  return tasks;
}

// A job with these placed tasks and, behind them, waiting ones.
inline JsonObject fair_job(std::string_view id, const std::vector<FairTask>& tasks,
                           const std::vector<JsonObject>& waits, const JsonObject& members = {},
                           std::string_view queue = "root") {
  JsonList list;
  for (const FairTask& task : tasks) list.add(placed(task));
  for (const JsonObject& task : waits) list.add(task);
  return JsonObject{{"id", id}, {"queue", queue}, {"state", tasks.empty() ? "pending" : "running"}}
      .put_all(members)
      .put("tasks", list);
}

inline constexpr std::string_view kRootOnly = R"({"id":"root"})";
inline constexpr std::string_view kOneNode = R"({"id":"n1","resources":{"cpu":10}})";

// Queues and nodes as they stand in a document.
inline std::string fair_cluster(const std::vector<JsonObject>& jobs, std::string_view queues = kRootOnly,
                                std::string_view nodes = kOneNode, int now = 1000) {
  ClusterBuilder cluster(now);
  cluster.group();
  cluster.document.put("queues", JsonList().add_raw(queues)).put("nodes", JsonList().add_raw(nodes));
  cluster.jobs.assign(jobs.begin(), jobs.end());
  return cluster.text();
}

// An engine of profile fair-share. Every plan it makes is checked by the verifier as well.
struct FairEngine {
  explicit FairEngine(const std::string& cluster, const std::string& policy = fair_policy()) {
    Problems problems;
    EXPECT_TRUE(engine.set_policy(policy, problems)) << problems.all()[0].message();
    EXPECT_TRUE(engine.load(cluster, problems)) << problems.all()[0].message() << "\n" << cluster;
  }

  // Time in milliseconds; kNoTime: the cluster's.
  Plan plan(Time now = kNoTime, std::string_view job = "p") const {
    Problems problems;
    return checked(engine.plan(job, now, {}, problems), problems);
  }
  Plan relief(std::string_view target) const {
    Problems problems;
    return checked(engine.plan_relief(target, {}, kNoTime, {}, problems), problems);
  }
  // Puts jobs at a time in seconds, or without one.
  void put(std::optional<std::int64_t> now, const std::vector<JsonObject>& jobs) {
    ClusterBuilder changes;
    changes.now = now;
    changes.jobs.assign(jobs.begin(), jobs.end());
    Problems problems;
    EXPECT_TRUE(engine.apply(changes.changes(), problems)) << problems.all()[0].message();
  }

  Engine engine{Options{}};

 private:
  Plan checked(std::optional<Plan> made, const Problems& problems) const {
    EXPECT_TRUE(made) << (problems.all().empty() ? "" : problems.all()[0].message());
    if (!made) return {};
    EXPECT_EQ(plan_fault(*made, *engine.policies()), "");
    return std::move(*made);
  }
};

// The labels of a job's tasks that this rule left out, in the job's order.
inline std::string left_out(const Plan& plan, std::string_view rule, std::string_view job = "v") {
  std::string out;
  for (const Exclusion& each : plan.exclusions) {
    if (each.rule != rule || plan.model().job_name(each.job) != job) continue;
    for (const TaskId task : each.tasks) out += (out.empty() ? "" : ",") + task_label(plan.model(), task, 0);
  }
  return out;
}

inline std::int64_t criterion(const Plan& plan, std::string_view name) {
  for (const Criterion& each : plan.objective) {
    if (each.name == name) return each.number;
  }
  return -1;
}

}  // namespace cede
