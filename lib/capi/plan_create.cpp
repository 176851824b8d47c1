// SPDX-License-Identifier: MIT
// Plans by text, and the names in their answers.
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "capi/guard.h"
#include "capi/handles.h"
#include "capi/plan_arguments.h"
#include "capi/plan_words.h"
#include "engine/plan.h"

using cede::Plan;
using cede::Problems;
using cede::capi::guard;
using cede::capi::memory_fault;
using cede::capi::missing;
using cede::capi::plan_arguments_fault;
using cede::capi::PlanArguments;
using cede::capi::tell;

namespace {

constexpr size_t kFew = 64;  // up to so many victims, making the names costs less than keeping their sources

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

// The engine's numbers for names; 0 for a name without a number.
class Numbers {
 public:
  Numbers(const cede::InternTable& names, const cede::Model& model) : names_(names), model_(model) {}
  uint32_t of(std::string_view name) const { return cede::number_of(names_, name); }
  // A hold of an earlier plan of the same batch has tasks such as `w#3`, which are in no ledger yet.
  uint32_t of_label(std::string_view label) const {
    const uint32_t number = of(label);
    return number != 0 ? number : of(label.substr(0, label.rfind('#')));
  }
  uint32_t of_job(cede::JobId job) const { return of(model_.job_name(job)); }
  // A cache of one node: the victims for one task are mostly on one node.
  uint32_t of_node(cede::NodeId node) {
    if (node != last_) number_ = of(model_.name(model_.nodes[node].name));
    last_ = node;
    return number_;
  }

 private:
  const cede::InternTable& names_;
  const cede::Model& model_;
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
    const auto index = static_cast<uint32_t>(handle.victims.size());
    cede_plan::Victim& names = handle.victims.emplace_back();
    names.job = model.job_name(victim.job);
    names.number = numbers.of(names.job);
    names.first_task = static_cast<uint32_t>(handle.victim_tasks.size());
    for (const cede::TaskId task : victim.tasks) {
      names.tasks.push_back(cede::plan_task_label(plan, task, 0));
      handle.victim_tasks.push_back({names.number, numbers.of_label(names.tasks.back()),
                                     task.value - job.first_task.value,
                                     numbers.of_node(model.tasks.core(task).node)});
    }
    names.first_cost_part = static_cast<uint32_t>(handle.cost_parts.size());
    for (const cede::CostPart& part : victim.cost_parts)
      handle.cost_parts.push_back({part.value, index, cede::capi::cost_kind(part.name)});
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
    place.node_number = numbers.of_node(task.node);
  }
}

void add_subject(const cede_plan& handle, Numbers& numbers) {
  const cede::Model& model = handle.plan.model();
  const cede::Subject& subject = handle.plan.subject;
  handle.group = subject.group ? numbers.of(model.name(model.groups[subject.group].name)) : 0;
  switch (subject.purpose) {
    case cede::Purpose::job:
    case cede::Purpose::relief_job: handle.target = numbers.of_job(subject.job); break;
    case cede::Purpose::relief_node: handle.target = numbers.of_node(subject.node); break;
    default: handle.target = numbers.of(model.name(model.queues[subject.queue].name));
  }
  for (const std::string& job : handle.after) handle.after_numbers.push_back(numbers.of(job));
  for (const cede::Criterion& criterion : handle.plan.objective) handle.criteria.emplace_back(criterion.name);
}

void add_names(const cede_plan& plan, const cede::InternTable& names) {
  Numbers numbers(names, plan.plan.model());
  // This may be a second attempt after memory ran out halfway.
  plan.victims.clear();
  plan.victim_tasks.clear();
  plan.cost_parts.clear();
  plan.places.clear();
  plan.after_numbers.clear();
  plan.criteria.clear();
  add_victims(plan, numbers);
  add_places(plan, numbers);
  add_subject(plan, numbers);
}

// Checks the shared arguments and copies the terms: 0, or a status with the error filled in.
int32_t arguments_fault(const PlanArguments& arguments, const char* const* terms, size_t term_count,
                        std::vector<std::string>& out, cede_error* error) {
  if (const int32_t status = plan_arguments_fault(arguments, error)) return status;
  return copy_texts(terms, term_count, "term", "term", out, error) ? 0 : CEDE_E_INVALID;
}

// Calls `decide` and returns its answer to the caller.
template <class Decide>
int32_t create(const PlanArguments& arguments, const char* const* terms, size_t term_count, cede_error* error,
               Decide decide) {
  std::vector<std::string> texts;
  if (const int32_t status = arguments_fault(arguments, terms, term_count, texts, error)) return status;
  return cede::capi::make_plan(arguments, error, [&](const cede::Engine& by, Problems& problems) {
    return decide(by, texts, problems);
  });
}

}  // namespace

void cede::capi::name_all(const cede_plan& plan) {
  std::call_once(plan.named_once, [&] {
    if (plan.numbers) add_names(plan, *plan.numbers);
    plan.numbers.reset();
  });
}

std::unique_ptr<cede_plan> cede::capi::handle_of(Plan plan, const Engine& engine) {
  auto handle = std::make_unique<cede_plan>();
  handle->plan = std::move(plan);
  handle->policies = engine.policies();
  for (const JobId job : handle->plan.after) handle->after.emplace_back(handle->plan.model().job_name(job));
  if (handle->plan.victims.size() > kFew) {
    handle->numbers = engine.model().job_names;
  } else {
    add_names(*handle, engine.model().job_names);
  }
  return handle;
}

int32_t cede_plan_create(const cede_engine* engine, const char* job, int64_t now, const char* const* terms,
                         size_t term_count, cede_plan** plan, cede_error* error) {
  return guard(error, [&] {
    if (!job) return missing(error, "job: NULL is not a job");
    return create({engine, now, plan}, terms, term_count, error,
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
    const PlanArguments arguments{engine, now, plans};
    if (const int32_t status = arguments_fault(arguments, terms, term_count, texts, error)) return status;
    return cede::capi::make_batch(arguments, names, texts, error);
  });
}

int32_t cede_plan_create_relief(const cede_engine* engine, const char* target, const char* group, int64_t now,
                                const char* const* terms, size_t term_count, cede_plan** plan,
                                cede_error* error) {
  return guard(error, [&] {
    if (!target) return missing(error, "target: NULL is not node:NAME, queue:NAME or job:NAME");
    return create({engine, now, plan}, terms, term_count, error,
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
    return create({engine, now, plan}, terms, term_count, error,
                  [&](const cede::Engine& by, const std::vector<std::string>& texts, Problems& problems) {
                    return by.plan_claim(queue, names, reason, now, texts, problems);
                  });
  });
}
