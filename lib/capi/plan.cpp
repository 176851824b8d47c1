// SPDX-License-Identifier: MIT
#include "engine/plan.h"
#include "capi/guard.h"
#include "capi/handles.h"

using cede::capi::guard;
using cede::capi::hand_out;
using cede::capi::memory_fault;
using cede::capi::missing;
using cede::capi::name_all;
using cede::capi::place_fault;
using cede::capi::tell;
using cede::capi::write_out;

namespace {

// Whether the names of the plan exist; false if the plan is null or memory ran out.
bool is_named(const cede_plan* plan) {
  return plan && guard(nullptr, [&] {
                   name_all(*plan);
                   return CEDE_OK;
                 }) == CEDE_OK;
}

int32_t text_of(const cede_plan* plan, bool explained, cede_text** text, cede_error* error) {
  return guard(error, [&] {
    if (!plan) return missing(error, "plan: NULL is not a plan");
    if (!text) return missing(error, "text: NULL is not a place for the new text");
    *text = new cede_text{cede::plan_document(plan->plan, explained)};
    return tell(error, CEDE_OK, {});
  });
}

cede_victim victim_of(const cede_plan& plan, size_t victim) {
  name_all(plan);
  const cede::PlannedVictim& from = plan.plan.victims[victim];
  cede_victim facts{};
  facts.cost = from.cost;
  facts.action = static_cast<int32_t>(from.action) + CEDE_ACTION_CHECKPOINT;
  facts.requeue = from.requeue ? 1 : 0;
  facts.whole_job = from.whole_job ? 1 : 0;
  facts.task_count = static_cast<uint32_t>(from.tasks.size());
  facts.job = plan.victims[victim].number;
  facts.first_task = plan.victims[victim].first_task;
  facts.hold = from.hold;
  if (from.action == cede::VictimAction::checkpoint)
    facts.then = static_cast<int32_t>(from.then) + CEDE_ACTION_CHECKPOINT;
  return facts;
}

cede_place place_of(const cede_plan& plan, size_t place) {
  name_all(plan);
  const cede::PlannedTask& from = plan.plan.placement[place];
  cede_place facts{};
  facts.gpus = from.gpus;
  facts.devices_known = from.devices_known ? 1 : 0;
  facts.share = from.share;
  facts.share_device = from.share > 0 ? from.share_device : 0;
  facts.node = plan.places[place].node_number;
  facts.task = plan.places[place].task_number;
  facts.position = plan.places[place].position;
  facts.index = from.index;
  return facts;
}

cede_victim_task victim_task_of(const cede_plan& plan, size_t task) { return plan.victim_tasks[task]; }

// Writes the first `out_count` of `count` answers.
template <class Struct>
int32_t hand_out_all(const cede_plan* plan, Struct (*one)(const cede_plan&, size_t), const char* what,
                     size_t count, Struct* out, size_t out_size, size_t out_count, cede_error* error) {
  return guard(error, [&] {
    if (!plan) return missing(error, "plan: NULL is not a plan");
    if (const int32_t status = out_count > 0 ? place_fault(out, out_size, "out", error) : 0) return status;
    if (out_count > count) {
      return missing(error, "out_count: " + std::to_string(out_count) + " is more than the plan's " +
                                std::to_string(count) + ' ' + what);
    }
    for (size_t i = 0; i < out_count; ++i)
      write_out((*one)(*plan, i), static_cast<char*>(static_cast<void*>(out)) + i * out_size, out_size);
    return tell(error, CEDE_OK, {});
  });
}

}  // namespace

void cede_plan_destroy(cede_plan* plan) { delete plan; }

int32_t cede_plan_outcome(const cede_plan* plan) {
  return plan ? static_cast<int32_t>(plan->plan.outcome) + CEDE_OUTCOME_FITS : CEDE_E_INVALID;
}

const char* cede_plan_rule(const cede_plan* plan) { return plan ? plan->plan.rule.c_str() : nullptr; }

const char* cede_plan_reason(const cede_plan* plan) { return plan ? plan->plan.reason.c_str() : nullptr; }

uint64_t cede_plan_revision(const cede_plan* plan) { return plan ? plan->plan.revision : 0; }

int64_t cede_plan_cost(const cede_plan* plan) { return plan ? plan->plan.cost : 0; }

int64_t cede_plan_bound(const cede_plan* plan) { return plan ? plan->plan.bound : 0; }

const char* cede_plan_objective(const cede_plan* plan) {
  if (!plan) return nullptr;
  const int32_t status = guard(nullptr, [&] {
    std::call_once(plan->objective_once, [&] { plan->objective = cede::plan_objective(plan->plan); });
    return CEDE_OK;
  });
  return status == CEDE_OK ? plan->objective.c_str() : nullptr;
}

size_t cede_plan_victim_count(const cede_plan* plan) { return plan ? plan->plan.victims.size() : 0; }

int32_t cede_plan_victim_get(const cede_plan* plan, size_t victim, cede_victim* out, size_t out_size,
                             cede_error* error) {
  return guard(error, [&] {
    if (!plan) return missing(error, "plan: NULL is not a plan");
    if (const int32_t status = place_fault(out, out_size, "out", error)) return status;
    if (victim >= plan->plan.victims.size()) {
      return missing(error, "victim: " + std::to_string(victim) + " is outside the plan's " +
                                std::to_string(plan->plan.victims.size()) + " victims");
    }
    return hand_out(victim_of(*plan, victim), out, out_size, error);
  });
}

const char* cede_plan_victim_job(const cede_plan* plan, size_t victim) {
  return is_named(plan) && victim < plan->victims.size() ? plan->victims[victim].job.c_str() : nullptr;
}

const char* cede_plan_victim_task(const cede_plan* plan, size_t victim, size_t task) {
  if (!is_named(plan) || victim >= plan->victims.size() || task >= plan->victims[victim].tasks.size())
    return nullptr;
  return plan->victims[victim].tasks[task].c_str();
}

int32_t cede_plan_victims(const cede_plan* plan, cede_victim* out, size_t out_size, size_t out_count,
                          cede_error* error) {
  return hand_out_all(plan, victim_of, "victims", cede_plan_victim_count(plan), out, out_size, out_count,
                      error);
}

int32_t cede_plan_victim_tasks(const cede_plan* plan, cede_victim_task* out, size_t out_size,
                               size_t out_count, cede_error* error) {
  return hand_out_all(plan, victim_task_of, "victims' tasks", is_named(plan) ? plan->victim_tasks.size() : 0,
                      out, out_size, out_count, error);
}

size_t cede_plan_place_count(const cede_plan* plan) { return plan ? plan->plan.placement.size() : 0; }

int32_t cede_plan_place_get(const cede_plan* plan, size_t place, cede_place* out, size_t out_size,
                            cede_error* error) {
  return guard(error, [&] {
    if (!plan) return missing(error, "plan: NULL is not a plan");
    if (const int32_t status = place_fault(out, out_size, "out", error)) return status;
    if (place >= plan->plan.placement.size()) {
      return missing(error, "place: " + std::to_string(place) + " is outside the plan's " +
                                std::to_string(plan->plan.placement.size()) + " places");
    }
    return hand_out(place_of(*plan, place), out, out_size, error);
  });
}

const char* cede_plan_place_task(const cede_plan* plan, size_t place) {
  return is_named(plan) && place < plan->places.size() ? plan->places[place].task.c_str() : nullptr;
}

const char* cede_plan_place_node(const cede_plan* plan, size_t place) {
  return is_named(plan) && place < plan->places.size() ? plan->places[place].node.c_str() : nullptr;
}

int32_t cede_plan_places(const cede_plan* plan, cede_place* out, size_t out_size, size_t out_count,
                         cede_error* error) {
  return hand_out_all(plan, place_of, "places", cede_plan_place_count(plan), out, out_size, out_count, error);
}

int32_t cede_plan_json(const cede_plan* plan, cede_text** text, cede_error* error) {
  return text_of(plan, false, text, error);
}

int32_t cede_plan_explain(const cede_plan* plan, cede_text** text, cede_error* error) {
  return text_of(plan, true, text, error);
}

size_t cede_plan_after_count(const cede_plan* plan) { return plan ? plan->after.size() : 0; }

const char* cede_plan_after(const cede_plan* plan, size_t index) {
  return plan && index < plan->after.size() ? plan->after[index].c_str() : nullptr;
}

int32_t cede_plan_batch_json(const cede_plan* const* plans, size_t plan_count, cede_text** text,
                             cede_error* error) {
  return guard(error, [&] {
    if (!plans && plan_count > 0) return missing(error, "plans: NULL, but plan_count is not 0");
    if (!text) return missing(error, "text: NULL is not a place for the new text");
    if (const int32_t status = memory_fault(plan_count, sizeof *plans, "plan_count", error)) return status;
    std::vector<std::string> parts;
    for (size_t i = 0; i < plan_count; ++i) {
      if (!plans[i]) return missing(error, "plans[" + std::to_string(i) + "]: NULL is not a plan");
      parts.push_back(cede::plan_document(plans[i]->plan, false));
    }
    *text = new cede_text{cede::batch_document(parts)};
    return tell(error, CEDE_OK, {});
  });
}

int32_t cede_plan_verify(const cede_plan* plan, cede_error* error) {
  return guard(error, [&] {
    if (!plan) return missing(error, "plan: NULL is not a plan");
    const std::string fault = cede::plan_fault(plan->plan, *plan->policies);
    return fault.empty() ? tell(error, CEDE_OK, {}) : tell(error, CEDE_E_INTERNAL, fault);
  });
}
