// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>

#include "base/text.h"
#include "document/plan_writer.h"
#include "engine/engine.h"
#include "engine/question.h"
#include "policy/request.h"
#include "search/decide.h"
#include "search/verify.h"

namespace cede {

std::optional<Plan> Engine::plan(std::string_view job, Time now, const std::vector<std::string>& terms,
                                 Problems& problems) const {
  QuestionReader reader(model_, policies_.get(), problems);
  if (!reader.about_job(job) || !reader.at(now) || !reader.on_terms(terms)) return std::nullopt;
  return decide_on(reader.question());
}

std::optional<Plan> Engine::plan_relief(std::string_view target, std::string_view group, Time now,
                                        const std::vector<std::string>& terms, Problems& problems) const {
  QuestionReader reader(model_, policies_.get(), problems);
  if (!reader.about_relief(target, group) || !reader.at(now) || !reader.on_terms(terms)) return std::nullopt;
  return decide_on(reader.question());
}

std::optional<Plan> Engine::plan_claim(std::string_view queue, const std::vector<std::string>& nodes,
                                       std::string_view reason, Time now,
                                       const std::vector<std::string>& terms, Problems& problems) const {
  QuestionReader reader(model_, policies_.get(), problems);
  if (!reader.about_claim(queue, nodes, reason) || !reader.at(now) || !reader.on_terms(terms))
    return std::nullopt;
  return decide_on(reader.question());
}

Plan Engine::decide_on(const Question& question) const {
  Plan plan = decide(model_, *policies_, in_flight(model_), question, {policies_, &grounds_, crew_.get()});
  plan.revision = revision_;
  return plan;
}

std::string plan_document(const Plan& plan, bool explained) {
  if (!explained || plan.units_told) return write_plan(plan, explained);
  Plan told = plan;
  tell_units(told);
  return write_plan(told, true);
}

std::string plan_objective(const Plan& plan) { return write_objective(plan); }

std::string plan_task_label(const Plan& plan, TaskId row, std::uint32_t index) {
  return task_label(plan.model, row, index);
}

std::string plan_fault(const Plan& plan, const PolicySet& policies) { return verify(plan, policies); }

}  // namespace cede
