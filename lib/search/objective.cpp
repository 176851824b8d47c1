// SPDX-License-Identifier: MIT
#include "search/objective.h"

#include <algorithm>

#include "policy/rules/measures.h"

namespace cede {

std::strong_ordering compare(const ObjectiveValue& a, const ObjectiveValue& b) {
  if (const auto order = compare(a.shown, b.shown); order != 0) return order;
  if (const auto order = compare(a.younger, b.younger); order != 0) return order;
  if (const auto order = a.names <=> b.names; order != 0) return order;
  return a.places <=> b.places;
}

Objective::Objective(const RuleContext& rule_context)
    : context_(rule_context), model_(rule_context.model()), measures_(cede::measures(rule_context)) {
  measures_.add<VictimCount>().add<Freed>();
  const auto is_time = [](const Measure& measure) { return measure.kind() >= Measure::Kind::older_wins; };
  // Start times are compared only between sets of equal size, so no criterion after them may prune a search.
  while (growing_ < measures_.size() && !is_time(measures_[growing_])) ++growing_;
}

Criterion Objective::criterion(std::size_t index, std::span<const Unit* const> victims) const {
  const Measure& measure = measures_[index];
  std::vector<std::int64_t> values;
  values.reserve(victims.size());
  for (const Unit* unit : victims) values.push_back(measure.of(*unit));
  switch (measure.kind()) {
    case Measure::Kind::counts: return Criterion::of_counts(measure.name(), std::move(values));
    case Measure::Kind::older_wins: return Criterion::of_times(measure.name(), std::move(values), false);
    case Measure::Kind::younger_wins: return Criterion::of_times(measure.name(), std::move(values), true);
    case Measure::Kind::oldest_started_last: return Criterion::of_younger(measure.name(), std::move(values));
    case Measure::Kind::highest:
      return Criterion::of_number(measure.name(),
                                  values.empty() ? 0 : *std::max_element(values.begin(), values.end()));
    case Measure::Kind::sum: break;
  }
  Total sum = 0;
  for (const std::int64_t value : values) sum += value;
  return Criterion::of_number(measure.name(), static_cast<std::int64_t>(std::min<Total>(
                                                  sum, std::numeric_limits<std::int64_t>::max())));
}

std::vector<Criterion> Objective::growing(std::span<const Unit* const> victims) const {
  std::vector<Criterion> criteria;
  for (std::size_t i = 0; i < growing_; ++i) criteria.push_back(criterion(i, victims));
  return criteria;
}

ObjectiveValue Objective::objective_value(std::span<const Unit* const> victims, const Placement& placement,
                                          bool named) const {
  ObjectiveValue objective_value;
  if (named) {
    std::vector<Time> starts;
    for (const Unit* unit : victims) {
      starts.push_back(unit->start);
      objective_value.names.push_back(unit_label(model_, *unit));
    }
    objective_value.younger = Criterion::of_younger("younger", std::move(starts));
    std::sort(objective_value.names.begin(), objective_value.names.end());
  }
  for (std::size_t i = 0; i < measures_.size(); ++i) objective_value.shown.push_back(criterion(i, victims));
  objective_value.shown.push_back(Criterion::of_number("preferences", placement.preferences));
  objective_value.shown.push_back(Criterion::of_number("borrowed", placement.borrowed));
  if (!named) return objective_value;
  for (const PlannedTask& task : placement.tasks)
    objective_value.places.emplace_back(model_.name(model_.nodes[task.node].name));
  for (const PlannedTask& task : placement.tasks) objective_value.places.push_back(std::to_string(task.gpus));
  return objective_value;
}

std::string unit_label(const Model& model, const Unit& unit) {
  if (unit.hold != 0) return "hold:" + std::to_string(unit.hold);
  std::string label(model.job_name(unit.job));
  if (unit.whole_job) return label;
  const JobCore& job = model.jobs[unit.job];
  return label + '/' + model.task_name(job, unit.tasks.front().value - job.first_task.value);
}

std::vector<std::string> unit_labels(const Model& model, std::span<const Unit* const> units) {
  std::vector<std::string> out;
  for (const Unit* unit : units) out.push_back(unit_label(model, *unit));
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace cede
