// SPDX-License-Identifier: MIT
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "capi/guard.h"
#include "capi/handles.h"
#include "engine/plan.h"

using cede::Plan;
using cede::Problems;
using cede::capi::guard;
using cede::capi::memory_fault;
using cede::capi::missing;
using cede::capi::tell;
using cede::capi::wrong_now;

namespace {

constexpr size_t kFew = 64;  // up to so many victims, making the names costs less than keeping their sources

// The arguments that all plan calls share.
struct PlanArguments {
  const cede_engine* engine;
  int64_t now;
  const char* const* terms;
  size_t term_count;
  cede_plan** plan;
};

// Copies the caller's texts. False, with the error filled in, if one is missing.
bool copy_texts(const char* const* texts, size_t count, const std::string& name, const char* kind,
                std::vector<std::string>& out, cede_error* error) {
  if (!texts && count > 0) {
    missing(error, name + "s: NULL, but " + name + "_count is not 0");
    return false;
  }
  if (memory_fault(count, sizeof *texts, name + "_count", error) != 0) return false;
  for (size_t i = 0; i < count; ++i) {
    if (!texts[i]) {
      missing(error, name + "s[" + std::to_string(i) + "]: NULL is not a " + kind);
      return false;
    }
    out.emplace_back(texts[i]);
  }
  return true;
}

// The caller's numbers for names; 0 for a name without a number.
class Numbers {
 public:
  Numbers(const cede::NameRegistry& book, const cede::InternTable& names)
      : book_(book), names_(names), none_(book.empty()) {}
  uint32_t of(std::string_view name) const { return none_ ? 0 : book_.find(names_, name); }
  // If the caller holds the name of a job, its NameId is the number.
  uint32_t of_job(cede::NameId name) const { return book_.holds(name) ? name : 0; }
  // A cache of one node: the victims for one task are mostly on one node.
  uint32_t of_node(const cede::Model& model, cede::NodeId node) {
    if (node != last_) number_ = of(model.name(model.nodes[node].name));
    last_ = node;
    return number_;
  }

 private:
  const cede::NameRegistry& book_;
  const cede::InternTable& names_;
  const bool none_;
  cede::NodeId last_;
  uint32_t number_ = 0;
};

void add_victims(const cede_plan& handle, Numbers& numbers) {
  const Plan& plan = handle.plan;
  const cede::Model& model = plan.model();
  handle.victims.reserve(plan.victims.size());
  handle.victim_tasks.reserve(plan.victims.size());
  for (const cede::PlannedVictim& victim : plan.victims) {
    const cede::JobCore& job = model.jobs[victim.job];
    cede_plan::Victim& names = handle.victims.emplace_back();
    names.job = model.job_name(victim.job);
    names.number = numbers.of_job(job.name);
    names.first_task = static_cast<uint32_t>(handle.victim_tasks.size());
    for (const cede::TaskId task : victim.tasks) {
      names.tasks.push_back(cede::plan_task_label(plan, task, 0));
      handle.victim_tasks.push_back({names.number, numbers.of(names.tasks.back()),
                                     task.value - job.first_task.value,
                                     numbers.of_node(model, model.tasks.core(task).node)});
    }
  }
}

void add_places(const cede_plan& handle, Numbers& numbers) {
  const Plan& plan = handle.plan;
  const cede::Model& model = plan.model();
  for (const cede::PlannedTask& task : plan.placement) {
    cede_plan::Place& place = handle.places.emplace_back();
    place.task = cede::plan_task_label(plan, task.task, task.index);
    place.node = model.name(model.nodes[task.node].name);
    const cede::JobCore& job = model.jobs[model.tasks.core(task.task).job];
    place.position = task.task.value - job.first_task.value;
    const std::string_view entry = std::string_view(place.task).substr(0, place.task.rfind('#'));
    place.task_number = numbers.of(model.tasks.core(task.task).counted ? entry : place.task);
    place.node_number = numbers.of_node(model, task.node);
  }
}

void add_names(const cede_plan& plan, const cede::NameRegistry& book, const cede::InternTable& names) {
  Numbers numbers(book, names);
  // This may be a second attempt after memory ran out halfway.
  plan.victims.clear();
  plan.victim_tasks.clear();
  plan.places.clear();
  add_victims(plan, numbers);
  add_places(plan, numbers);
}

std::unique_ptr<cede_plan> handle_of(Plan plan, const cede::Engine& engine) {
  auto handle = std::make_unique<cede_plan>();
  handle->plan = std::move(plan);
  handle->policies = engine.policies();
  if (handle->plan.victims.size() > kFew) {
    handle->called = {engine.names(), engine.model().job_names};
  } else {
    add_names(*handle, engine.names(), engine.model().job_names);
  }
  for (const cede::JobId job : handle->plan.after)
    handle->after.emplace_back(handle->plan.model().job_name(job));
  return handle;
}

// Checks the shared arguments and copies the terms: 0, or a status with the error filled in.
int32_t arguments_fault(const PlanArguments& arguments, std::vector<std::string>& terms, cede_error* error) {
  if (!arguments.engine) return missing(error, "engine: NULL is not an engine");
  if (!arguments.plan) return missing(error, "plan: NULL is not a place for the new plan");
  static_assert(CEDE_NOW_OF_CLUSTER == cede::kNoTime);
  if (arguments.now != CEDE_NOW_OF_CLUSTER && (arguments.now < 0 || arguments.now > cede::kMaxTime)) {
    return missing(
        error, "now: " + std::to_string(arguments.now) + " is outside 0.." + std::to_string(cede::kMaxTime));
  }
  return copy_texts(arguments.terms, arguments.term_count, "term", "term", terms, error) ? 0 : CEDE_E_INVALID;
}

// Calls `decide` and returns its answer to the caller.
template <class Decide>
int32_t create(const PlanArguments& arguments, cede_error* error, Decide decide) {
  std::vector<std::string> terms;
  if (const int32_t status = arguments_fault(arguments, terms, error)) return status;
  const cede::Engine& engine = arguments.engine->engine;
  Problems problems = engine.new_problems();
  std::optional<Plan> made = decide(engine, terms, problems);
  if (!made) return tell(error, problems);
  *arguments.plan = handle_of(std::move(*made), engine).release();
  return tell(error, CEDE_OK, {});
}

}  // namespace

void cede::capi::name_all(const cede_plan& plan) {
  std::call_once(plan.named_once, [&] {
    if (plan.called) add_names(plan, plan.called->book, plan.called->names);
    plan.called.reset();
  });
}

int32_t cede_plan_create(const cede_engine* engine, const char* job, int64_t now, const char* const* terms,
                         size_t term_count, cede_plan** plan, cede_error* error) {
  return guard(error, [&] {
    if (!job) return missing(error, "job: NULL is not a job");
    return create({engine, now, terms, term_count, plan}, error,
                  [&](const cede::Engine& by, const std::vector<std::string>& texts, Problems& problems) {
                    return by.plan(job, now, texts, problems);
                  });
  });
}

int32_t cede_plan_create_batch(const cede_engine* engine, const char* const* jobs, size_t job_count,
                               int64_t now, const char* const* terms, size_t term_count, cede_plan** plans,
                               cede_error* error) {
  return guard(error, [&] {
    std::vector<std::string> names;
    std::vector<std::string> texts;
    if (!copy_texts(jobs, job_count, "job", "job", names, error)) return CEDE_E_INVALID;
    if (const int32_t status = arguments_fault({engine, now, terms, term_count, plans}, texts, error))
      return status;
    Problems problems = engine->engine.new_problems();
    std::optional<std::vector<Plan>> made = cede::plan_batch(engine->engine, names, now, texts, problems);
    if (!made) return tell(error, problems);
    std::vector<std::unique_ptr<cede_plan>> handles;
    for (Plan& part : *made) handles.push_back(handle_of(std::move(part), engine->engine));
    for (size_t i = 0; i < handles.size(); ++i) plans[i] = handles[i].release();
    return tell(error, CEDE_OK, {});
  });
}

int32_t cede_plan_create_relief(const cede_engine* engine, const char* target, const char* group, int64_t now,
                                const char* const* terms, size_t term_count, cede_plan** plan,
                                cede_error* error) {
  return guard(error, [&] {
    if (!target) return missing(error, "target: NULL is not node:NAME, queue:NAME or job:NAME");
    return create({engine, now, terms, term_count, plan}, error,
                  [&](const cede::Engine& by, const std::vector<std::string>& texts, Problems& problems) {
                    return by.plan_relief(target, group ? group : "", now, texts, problems);
                  });
  });
}

int32_t cede_plan_create_claim(const cede_engine* engine, const char* queue, const char* const* nodes,
                               size_t node_count, const char* reason, int64_t now, const char* const* terms,
                               size_t term_count, cede_plan** plan, cede_error* error) {
  return guard(error, [&] {
    if (!queue) return missing(error, "queue: NULL is not a queue");
    if (!reason) return missing(error, "reason: NULL is not reclaim or sensitive");
    std::vector<std::string> names;
    if (!copy_texts(nodes, node_count, "node", "node", names, error)) return CEDE_E_INVALID;
    return create({engine, now, terms, term_count, plan}, error,
                  [&](const cede::Engine& by, const std::vector<std::string>& texts, Problems& problems) {
                    return by.plan_claim(queue, names, reason, now, texts, problems);
                  });
  });
}
