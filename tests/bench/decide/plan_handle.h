// SPDX-License-Identifier: MIT
#pragma once

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

#include "decide/cluster.h"

namespace bench {

struct DropPlan {
  void operator()(cede_plan* plan) const { cede_plan_destroy(plan); }
};
using PlanHandle = std::unique_ptr<cede_plan, DropPlan>;

[[noreturn]] inline void give_up(const cede_error& error) {
  std::fprintf(stderr, "%s\n", error.text);
  std::exit(1);
}

inline PlanHandle plan_for(const cede_engine* engine, const std::string& job,
                           std::int64_t now = CEDE_NOW_OF_CLUSTER) {
  cede_plan* plan = nullptr;
  cede_error error;
  if (cede_plan_create(engine, job.c_str(), now, nullptr, 0, &plan, &error) < 0) give_up(error);
  return PlanHandle(plan);
}

}  // namespace bench
