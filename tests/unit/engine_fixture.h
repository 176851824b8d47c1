// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "engine/engine.h"

namespace cede {

inline constexpr std::string_view kPriorityPolicy =
    R"({"format":"cede-policy/1","policies":{"default":{"profile":"priority"}}})";

// The first error's message when the text is loaded into a fresh engine; empty when it is taken.
inline std::string load_fault(std::string_view text, std::string_view policy = {}, Options options = {}) {
  Engine engine(options);
  Problems problems;
  if (!policy.empty() && !engine.set_policy(policy, problems))
    return "policy: " + problems.all()[0].message();
  if (engine.load(text, problems)) return {};
  return problems.all().empty() ? "no text" : problems.all()[0].message();
}

inline std::string export_of(std::string_view text) {
  Engine engine{Options{}};
  Problems problems;
  EXPECT_TRUE(engine.load(text, problems)) << (problems.all().empty() ? "" : problems.all()[0].message());
  return engine.export_cluster();
}

// A small cluster whose parts tests replace: one group, a queue `root` with a child, a node of 8 GPUs.
inline std::string cluster_with(
    std::string_view jobs, std::string_view extra = {},
    std::string_view nodes = R"({"id":"n1","resources":{"gpu":8,"cpu":64}})",
    std::string_view queues = R"({"id":"root"},{"id":"root.a","parent":"root"})") {
  return std::string(R"({"format":"cede-cluster/1","now":1000,"groups":[{"id":"g"}],"queues":[)") +
         std::string(queues) + R"(],"nodes":[)" + std::string(nodes) + R"(],"jobs":[)" + std::string(jobs) +
         "]" + std::string(extra) + "}";
}

inline std::string job_with(std::string_view members, std::string_view tasks = R"({"resources":{"gpu":1}})") {
  return R"({"id":"j","queue":"root")" + std::string(members.empty() ? "" : ",") + std::string(members) +
         R"(,"tasks":[)" + std::string(tasks) + "]}";
}

}  // namespace cede
