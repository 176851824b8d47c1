// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "engine/engine.h"
#include "policy/request.h"

namespace cede {

inline std::string fair_policy(std::string_view settings = {}, std::string_view limits = {}) {
  return R"({"format":"cede-policy/1","policies":{"default":{"profile":"fair-share","settings":{)" +
         std::string(settings) + R"(}}},"limits":{)" + std::string(limits) + "}}";
}

// A task of so many CPUs that began at `started`, or that waits.
struct FairTask {
  int cpu = 1;
  int started = 0;
  std::string_view node = "n1";
  std::string_view members = {};  // more of them, each with a comma before it
};

inline std::string placed(const FairTask& task) {
  return R"({"node":")" + std::string(task.node) + R"(","started":)" + std::to_string(task.started) +
         R"(,"resources":{"cpu":)" + std::to_string(task.cpu) + "}" + std::string(task.members) + "}";
}

inline std::string waiting(int cpu, int count = 1) {
  return R"({"count":)" + std::to_string(count) + R"(,"resources":{"cpu":)" + std::to_string(cpu) + "}}";
}

// `count` tasks of one CPU each, t0 the oldest, started at `from`, from + 1 and so on.
inline std::vector<FairTask> ones(int count, int from = 1) {
  std::vector<FairTask> tasks;
  for (int i = 0; i < count; ++i) tasks.push_back({1, from + i});
  return tasks;
}

// A job with these placed tasks and, behind them, waiting ones as they are written.
inline std::string fair_job(std::string_view id, const std::vector<FairTask>& tasks, std::string_view waits,
                            std::string_view members = {}, std::string_view queue = "root") {
  std::string list;
  for (const FairTask& task : tasks) list += (list.empty() ? "" : ",") + placed(task);
  if (!waits.empty()) list += (list.empty() ? "" : ",") + std::string(waits);
  return R"({"id":")" + std::string(id) + R"(","queue":")" + std::string(queue) + R"(","state":")" +
         (tasks.empty() ? "pending" : "running") + "\"" + std::string(members) + R"(,"tasks":[)" + list +
         "]}";
}

inline constexpr std::string_view kRootOnly = R"({"id":"root"})";
inline constexpr std::string_view kOneNode = R"({"id":"n1","resources":{"cpu":10}})";

inline std::string fair_cluster(const std::vector<std::string>& jobs, std::string_view queues = kRootOnly,
                                std::string_view nodes = kOneNode, int now = 1000) {
  std::string list;
  for (const std::string& job : jobs) list += (list.empty() ? "" : ",") + job;
  return R"({"format":"cede-cluster/1","now":)" + std::to_string(now) +
         R"(,"groups":[{"id":"g"}],"queues":[)" + std::string(queues) + R"(],"nodes":[)" +
         std::string(nodes) + R"(],"jobs":[)" + list + "]}";
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
  // Puts jobs at a time in seconds.
  void put(int now, const std::vector<std::string>& jobs) {
    std::string list;
    for (const std::string& job : jobs) list += (list.empty() ? "" : ",") + job;
    Problems problems;
    EXPECT_TRUE(engine.apply(
        R"({"format":"cede-changes/1","now":)" + std::to_string(now) + R"(,"put":{"jobs":[)" + list + "]}}",
        problems))
        << problems.all()[0].message();
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
