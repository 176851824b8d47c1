// SPDX-License-Identifier: MIT
#include <string>

#include "capi/guard.h"
#include "capi/handles.h"
#include "engine/reports.h"
#include "sequence/sequence.h"

using cede::Problems;
using cede::capi::guard;
using cede::capi::missing;
using cede::capi::tell;
using cede::capi::wrong_now;

namespace {

// Checks the arguments of commit and extend and calls `take`.
template <class Take>
int32_t with_plan(cede_engine* engine, const cede_plan* plan, int64_t now, int64_t plan_micros,
                  cede_error* error, Take take) {
  return guard(error, [&] {
    if (!engine) return missing(error, "engine: NULL is not an engine");
    if (!plan) return missing(error, "plan: NULL is not a plan");
    if (wrong_now(now, error)) return CEDE_E_INVALID;
    if (plan_micros < -1) {
      return missing(error, "plan_micros: " + std::to_string(plan_micros) + " is neither -1 nor a duration");
    }
    Problems problems = engine->engine.new_problems();
    return take(engine->engine, problems) ? tell(error, CEDE_OK, {}) : tell(error, problems);
  });
}

int32_t end(cede_engine* engine, int64_t now, cede_error* error, uint64_t entry,
            bool (cede::Engine::*call)(cede::EntryId, cede::Time, Problems&)) {
  return guard(error, [&] {
    if (!engine) return missing(error, "engine: NULL is not an engine");
    if (wrong_now(now, error)) return CEDE_E_INVALID;
    Problems problems = engine->engine.new_problems();
    return (engine->engine.*call)(entry, now, problems) ? tell(error, CEDE_OK, {}) : tell(error, problems);
  });
}

}  // namespace

int32_t cede_engine_commit(cede_engine* engine, const cede_plan* plan, int64_t now, int64_t plan_micros,
                           uint64_t* entry, cede_error* error) {
  if (!entry) return missing(error, "entry: NULL is not a place for the number");
  return with_plan(engine, plan, now, plan_micros, error, [&](cede::Engine& by, Problems& problems) {
    const cede::EntryId made = by.commit(plan->plan, *plan->policies, now, plan_micros, problems);
    if (made == cede::kNoEntry) return false;
    *entry = made;
    return true;
  });
}

int32_t cede_engine_extend(cede_engine* engine, uint64_t entry, const cede_plan* plan, int64_t now,
                           int64_t plan_micros, cede_error* error) {
  return with_plan(engine, plan, now, plan_micros, error, [&](cede::Engine& by, Problems& problems) {
    return by.extend(entry, plan->plan, *plan->policies, now, plan_micros, problems);
  });
}

int32_t cede_engine_cancel(cede_engine* engine, uint64_t entry, int64_t now, cede_error* error) {
  return end(engine, now, error, entry, &cede::Engine::cancel);
}

int32_t cede_engine_give_up(cede_engine* engine, uint64_t entry, int64_t now, cede_error* error) {
  return end(engine, now, error, entry, &cede::Engine::give_up);
}

int32_t cede_engine_note(cede_engine* engine, const cede_plan* plan, int64_t now, int64_t plan_micros,
                         cede_error* error) {
  return with_plan(engine, plan, now, plan_micros, error, [&](cede::Engine& by, Problems&) {
    by.note(plan->plan, now, plan_micros);
    return true;
  });
}
