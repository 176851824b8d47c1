// SPDX-License-Identifier: MIT
#include "engine/plan.h"

#include "capi/array_out.h"
#include "capi/guard.h"
#include "capi/handles.h"
#include "capi/plan_words.h"

using cede::capi::ArrayOut;
using cede::capi::guard;
using cede::capi::hand_out;
using cede::capi::memory_fault;
using cede::capi::missing;
using cede::capi::name_all;
using cede::capi::place_fault;
using cede::capi::tell;
using cede::capi::write_array;

namespace {

static_assert(CEDE_NONE == cede::kNoTime);

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

int32_t action_number(cede::VictimAction action) {
  return static_cast<int32_t>(action) + CEDE_ACTION_CHECKPOINT;
}

cede_victim victim_of(const cede_plan& plan, size_t victim) {
  const cede::PlannedVictim& from = plan.plan.victims[victim];
  cede_victim facts{};
  facts.cost = from.cost;
  facts.hold = from.hold;
  facts.job = plan.victims[victim].number;
  facts.task_count = static_cast<uint32_t>(from.tasks.size());
  facts.first_task = plan.victims[victim].first_task;
  facts.cost_part_count = static_cast<uint32_t>(from.cost_parts.size());
  facts.first_cost_part = plan.victims[victim].first_cost_part;
  facts.action = action_number(from.action);
  if (from.action == cede::VictimAction::checkpoint) {
    facts.then = action_number(from.then);
    facts.unsaved = action_number(from.unsaved);
  }
  facts.requeue = from.requeue ? 1 : 0;
  facts.whole_job = from.whole_job ? 1 : 0;
  return facts;
}

cede_place place_of(const cede_plan& plan, size_t place) {
  const cede::PlannedTask& from = plan.plan.placement[place];
  cede_place facts{};
  facts.gpus = from.gpus;
  facts.job = plan.target;
  facts.task = plan.places[place].task_number;
  facts.position = plan.places[place].position;
  facts.index = from.index;
  facts.node = plan.places[place].node_number;
  facts.share = from.share;
  facts.share_device = from.share > 0 ? from.share_device : 0;
  facts.devices_known = from.devices_known ? 1 : 0;
  facts.whole_node = plan.plan.cause == "required-node" ? 1 : 0;
  return facts;
}

cede_criterion criterion_of(const cede_plan& plan, size_t index) {
  const cede::Criterion& from = plan.plan.objective[index];
  cede_criterion facts{};
  switch (from.kind) {
    case cede::Criterion::Kind::number:
      facts.kind = CEDE_CRITERION_NUMBER;
      facts.value = from.number;
      break;
    case cede::Criterion::Kind::counts:
      facts.kind = CEDE_CRITERION_COUNTS;
      facts.value = static_cast<int64_t>(from.counts.size());
      break;
    case cede::Criterion::Kind::times:
      facts.kind = CEDE_CRITERION_TIMES;
      facts.value = static_cast<int64_t>(from.times.size());
      break;
  }
  facts.proven = index < plan.plan.proven ? 1 : 0;
  return facts;
}

// How far the first criterion that is not proven may be from the best.
void add_gap(const cede::Plan& plan, cede_plan_facts& facts) {
  using Kind = cede::Criterion::Kind;
  facts.gap_value = facts.gap_bound = CEDE_NONE;
  if (plan.optimal || plan.proven >= plan.objective.size()) return;
  const cede::Criterion& open = plan.objective[plan.proven];
  if (open.kind != Kind::number) return;
  facts.gap_value = open.number;
  if (plan.gap_bound && plan.gap_bound->kind == Kind::number) facts.gap_bound = plan.gap_bound->number;
}

cede_plan_facts facts_of(const cede_plan& handle) {
  const cede::Plan& plan = handle.plan;
  const auto size = [](const auto& list) { return static_cast<uint32_t>(list.size()); };
  cede_plan_facts facts{};
  facts.now = plan.now;
  facts.expected_start = plan.expected_start;
  facts.latest_start = plan.latest_start;
  facts.cost = plan.cost;
  facts.bound = plan.priced ? plan.bound : CEDE_NONE;
  add_gap(plan, facts);
  facts.revision = plan.revision;
  facts.units = plan.units;
  facts.work = plan.work;
  facts.outcome = static_cast<int32_t>(plan.outcome) + CEDE_OUTCOME_FITS;
  facts.purpose = cede::capi::purpose_number(plan.subject.purpose);
  facts.cause = cede::capi::cause_number(plan.cause);
  facts.optimal = plan.optimal ? 1 : 0;
  facts.partial = plan.partial ? 1 : 0;
  facts.target = handle.target;
  facts.group = handle.group;
  facts.proven = plan.proven;
  facts.criterion_count = size(plan.objective);
  facts.victim_count = size(plan.victims);
  facts.task_count = size(handle.victim_tasks);
  facts.place_count = size(plan.placement);
  facts.cost_part_count = size(handle.cost_parts);
  facts.after_count = size(handle.after);
  facts.met_count = size(plan.topology_met);
  facts.missed_count = size(plan.topology_missed);
  return facts;
}

// Calls `write` with the named plan.
template <class Write>
int32_t with_names(const cede_plan* plan, cede_error* error, Write write) {
  return guard(error, [&] {
    if (!plan) return missing(error, "plan: NULL is not a plan");
    name_all(*plan);
    return write(*plan);
  });
}

const char* text_at(const std::vector<std::string>& texts, size_t index) {
  return index < texts.size() ? texts[index].c_str() : nullptr;
}

}  // namespace

void cede_plan_destroy(cede_plan* plan) { delete plan; }

int32_t cede_plan_outcome(const cede_plan* plan) {
  return plan ? static_cast<int32_t>(plan->plan.outcome) + CEDE_OUTCOME_FITS : CEDE_E_INVALID;
}

const char* cede_plan_rule(const cede_plan* plan) { return plan ? plan->plan.rule.c_str() : nullptr; }

const char* cede_plan_reason(const cede_plan* plan) { return plan ? plan->plan.reason.c_str() : nullptr; }

const char* cede_plan_cause(const cede_plan* plan) { return plan ? plan->plan.cause.c_str() : nullptr; }

const char* cede_plan_policy(const cede_plan* plan) { return plan ? plan->plan.policy.c_str() : nullptr; }

const char* cede_plan_profile(const cede_plan* plan) { return plan ? plan->plan.profile.c_str() : nullptr; }

uint64_t cede_plan_revision(const cede_plan* plan) { return plan ? plan->plan.revision : 0; }

int64_t cede_plan_cost(const cede_plan* plan) { return plan ? plan->plan.cost : 0; }

int64_t cede_plan_bound(const cede_plan* plan) {
  if (!plan) return 0;
  return plan->plan.priced ? plan->plan.bound : CEDE_NONE;
}

const char* cede_plan_objective(const cede_plan* plan) {
  if (!plan) return nullptr;
  const int32_t status = guard(nullptr, [&] {
    std::call_once(plan->objective_once, [&] { plan->objective = cede::plan_objective(plan->plan); });
    return CEDE_OK;
  });
  return status == CEDE_OK ? plan->objective.c_str() : nullptr;
}

size_t cede_plan_victim_count(const cede_plan* plan) { return plan ? plan->plan.victims.size() : 0; }

const char* cede_plan_victim_job(const cede_plan* plan, size_t victim) {
  return is_named(plan) && victim < plan->victims.size() ? plan->victims[victim].job.c_str() : nullptr;
}

const char* cede_plan_victim_task(const cede_plan* plan, size_t victim, size_t task) {
  if (!is_named(plan) || victim >= plan->victims.size() || task >= plan->victims[victim].tasks.size())
    return nullptr;
  return plan->victims[victim].tasks[task].c_str();
}

int32_t cede_plan_get(const cede_plan* plan, cede_plan_facts* out, size_t out_size, cede_error* error) {
  return with_names(plan, error, [&](const cede_plan& named) {
    if (const int32_t status = place_fault(out, out_size, "out", error)) return status;
    return hand_out(facts_of(named), out, out_size, error);
  });
}

int32_t cede_plan_victims(const cede_plan* plan, cede_victim* out, size_t out_size, size_t capacity,
                          size_t* count, cede_error* error) {
  return with_names(plan, error, [&](const cede_plan& named) {
    return write_array(
        ArrayOut<cede_victim>{out, out_size, capacity, count}, named.victims.size(),
        [&](size_t i) { return victim_of(named, i); }, error);
  });
}

int32_t cede_plan_victim_tasks(const cede_plan* plan, cede_victim_task* out, size_t out_size, size_t capacity,
                               size_t* count, cede_error* error) {
  return with_names(plan, error, [&](const cede_plan& named) {
    return write_array({out, out_size, capacity, count}, named.victim_tasks, error);
  });
}

int32_t cede_plan_places(const cede_plan* plan, cede_place* out, size_t out_size, size_t capacity,
                         size_t* count, cede_error* error) {
  return with_names(plan, error, [&](const cede_plan& named) {
    return write_array(
        ArrayOut<cede_place>{out, out_size, capacity, count}, named.places.size(),
        [&](size_t i) { return place_of(named, i); }, error);
  });
}

int32_t cede_plan_moves(const cede_plan* plan, cede_place* out, size_t out_size, size_t capacity,
                        size_t* count, cede_error* error) {
  return with_names(plan, error, [&](const cede_plan&) {
    return write_array({out, out_size, capacity, count}, std::vector<cede_place>(), error);
  });
}

int32_t cede_plan_cost_parts(const cede_plan* plan, cede_cost_part* out, size_t out_size, size_t capacity,
                             size_t* count, cede_error* error) {
  return with_names(plan, error, [&](const cede_plan& named) {
    return write_array({out, out_size, capacity, count}, named.cost_parts, error);
  });
}

int32_t cede_plan_criteria(const cede_plan* plan, cede_criterion* out, size_t out_size, size_t capacity,
                           size_t* count, cede_error* error) {
  return with_names(plan, error, [&](const cede_plan& named) {
    return write_array(
        ArrayOut<cede_criterion>{out, out_size, capacity, count}, named.plan.objective.size(),
        [&](size_t i) { return criterion_of(named, i); }, error);
  });
}

int32_t cede_plan_violations(const cede_plan* plan, cede_violation* out, size_t out_size, size_t capacity,
                             size_t* count, cede_error* error) {
  return with_names(plan, error, [&](const cede_plan&) {
    return write_array({out, out_size, capacity, count}, std::vector<cede_violation>(), error);
  });
}

int32_t cede_plan_after_jobs(const cede_plan* plan, uint32_t* out, size_t capacity, size_t* count,
                             cede_error* error) {
  return with_names(plan, error, [&](const cede_plan& named) {
    return write_array({out, sizeof *out, capacity, count}, named.after_numbers, error);
  });
}

size_t cede_plan_place_count(const cede_plan* plan) { return plan ? plan->plan.placement.size() : 0; }

const char* cede_plan_place_task(const cede_plan* plan, size_t place) {
  return is_named(plan) && place < plan->places.size() ? plan->places[place].task.c_str() : nullptr;
}

const char* cede_plan_place_node(const cede_plan* plan, size_t place) {
  return is_named(plan) && place < plan->places.size() ? plan->places[place].node.c_str() : nullptr;
}

int32_t cede_plan_json(const cede_plan* plan, cede_text** text, cede_error* error) {
  return text_of(plan, false, text, error);
}

int32_t cede_plan_explain(const cede_plan* plan, cede_text** text, cede_error* error) {
  return text_of(plan, true, text, error);
}

size_t cede_plan_after_count(const cede_plan* plan) { return plan ? plan->after.size() : 0; }

const char* cede_plan_after(const cede_plan* plan, size_t index) {
  return plan ? text_at(plan->after, index) : nullptr;
}

const char* cede_plan_criterion_name(const cede_plan* plan, size_t criterion) {
  return is_named(plan) ? text_at(plan->criteria, criterion) : nullptr;
}

const char* cede_plan_met(const cede_plan* plan, size_t index) {
  return plan ? text_at(plan->plan.topology_met, index) : nullptr;
}

const char* cede_plan_missed(const cede_plan* plan, size_t index) {
  return plan ? text_at(plan->plan.topology_missed, index) : nullptr;
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

int32_t cede_plan_picture(const cede_plan* plan, int32_t format, uint32_t width, cede_text** text,
                          cede_error* error) {
  return guard(error, [&] {
    if (!plan) return missing(error, "plan: NULL is not a plan");
    if (!text) return missing(error, "text: NULL is not a place for the new text");
    cede::PictureForm form;
    if (const int32_t status = cede::capi::picture_fault(format, width, form, error)) return status;
    *text = new cede_text{cede::plan_picture(plan->plan, form)};
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
