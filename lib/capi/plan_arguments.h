// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "capi/guard.h"
#include "capi/handles.h"
#include "engine/plan.h"

namespace cede::capi {

// The arguments that all calls for plans share.
struct PlanArguments {
  const cede_engine* engine;
  std::int64_t now;
  cede_plan** plan;
};

// Checks them: 0, or a status with the error filled in.
inline std::int32_t plan_arguments_fault(const PlanArguments& arguments, cede_error* error) {
  if (!arguments.engine) return missing(error, "engine: NULL is not an engine");
  if (!arguments.plan) return missing(error, "plan: NULL is not a place for the new plan");
  return wrong_now(arguments.now, error) ? CEDE_E_INVALID : 0;
}

// Calls `decide` and returns its answer to the caller.
template <class Decide>
std::int32_t make_plan(const PlanArguments& arguments, cede_error* error, Decide decide) {
  const Engine& engine = arguments.engine->engine;
  Problems problems = engine.new_problems();
  std::optional<Plan> made = decide(engine, problems);
  if (!made) return tell(error, problems);
  *arguments.plan = handle_of(std::move(*made), engine).release();
  return tell(error, CEDE_OK, {});
}

inline std::int32_t make_batch(const PlanArguments& arguments, const std::vector<std::string>& jobs,
                               const std::vector<std::string>& terms, cede_error* error) {
  const Engine& engine = arguments.engine->engine;
  Problems problems = engine.new_problems();
  std::optional<std::vector<Plan>> made = plan_batch(engine, jobs, arguments.now, terms, problems);
  if (!made) return tell(error, problems);
  std::vector<std::unique_ptr<cede_plan>> handles;
  for (Plan& part : *made) handles.push_back(handle_of(std::move(part), engine));
  for (std::size_t i = 0; i < handles.size(); ++i) arguments.plan[i] = handles[i].release();
  return tell(error, CEDE_OK, {});
}

}  // namespace cede::capi
