// SPDX-License-Identifier: MIT
#include "search/objective.h"

#include <algorithm>
#include <set>

#include "policy/profiles/priority.h"

namespace cede {

namespace {

constexpr Total kBillion = 1'000'000'000;

}  // namespace

std::strong_ordering compare(const Worth& a, const Worth& b) {
  if (const auto order = compare(a.shown, b.shown); order != 0) return order;
  if (const auto order = compare(a.younger, b.younger); order != 0) return order;
  if (const auto order = a.names <=> b.names; order != 0) return order;
  return a.places <=> b.places;
}

Objective::Objective(const Asking& asking, const Space& space)
    : asking_(asking), model_(asking.model()), capacity_(asking.model().resources.size(), 0) {
  for (const RequestTask& task : asking.request.tasks) {
    for (const ResourceAmount& entry : model_.shape(task.resources)) {
      capacity_[entry.resource] = space.capacity(entry.resource);
    }
  }
}

std::int64_t Objective::freed(const Unit& unit) const {
  std::vector<Total> sum(capacity_.size(), 0);
  for (const TaskId task : unit.tasks) {
    for (const ResourceAmount& entry : model_.shape(model_.tasks.core(task).resources))
      sum[entry.resource] += entry.amount;
  }
  Total parts = 0;
  for (std::size_t r = 0; r < sum.size(); ++r) {
    if (capacity_[r] > 0) parts += (sum[r] * kBillion + capacity_[r] - 1) / capacity_[r];
  }
  return static_cast<std::int64_t>(std::min<Total>(parts, std::numeric_limits<std::int64_t>::max()));
}

std::vector<Criterion> Objective::leading(const std::vector<const Unit*>& victims,
                                          std::int64_t freed_sum) const {
  return priority_profile::objective(asking_, victims, freed_sum);
}

std::vector<Criterion> Objective::growing(const std::vector<const Unit*>& victims) const {
  std::int64_t sum = 0;
  for (const Unit* unit : victims) sum += freed(*unit);
  std::vector<Criterion> criteria = leading(victims, sum);
  // Start times are compared between sets of equal size only; nothing behind them may cut a search short.
  const auto times = std::find_if(criteria.begin(), criteria.end(),
                                  [](const Criterion& c) { return c.kind == Criterion::Kind::times; });
  criteria.erase(times, criteria.end());
  return criteria;
}

Worth Objective::worth(const std::vector<const Unit*>& victims,
                       const std::vector<PlannedTask>& placement) const {
  std::int64_t sum = 0;
  Worth worth;
  worth.younger.kind = Criterion::Kind::times;
  worth.younger.later_wins = true;
  for (const Unit* unit : victims) {
    sum += freed(*unit);
    worth.younger.times.push_back(unit->start);
    worth.names.push_back(unit_label(model_, *unit));
  }
  std::sort(worth.younger.times.begin(), worth.younger.times.end());
  std::sort(worth.names.begin(), worth.names.end());
  worth.shown = leading(victims, sum);
  worth.shown.push_back(Criterion::of_number("victims", static_cast<std::int64_t>(victims.size())));
  worth.shown.push_back(Criterion::of_number("freed", sum));
  worth.shown.push_back(Criterion::of_number("preferences", 0));
  worth.shown.push_back(Criterion::of_number("borrowed", 0));
  for (const PlannedTask& task : placement)
    worth.places.emplace_back(model_.name(model_.nodes[task.node].name));
  for (const PlannedTask& task : placement) worth.places.push_back(std::to_string(task.gpus));
  return worth;
}

std::string unit_label(const Model& model, const Unit& unit) {
  std::string label(model.job_name(unit.job));
  if (unit.whole_job) return label;
  const JobCore& job = model.jobs[unit.job];
  return label + '/' + model.task_name(job, unit.tasks.front().value - job.first_task.value);
}

std::int64_t lost_work(const Effective& effective, const Unit& unit, VictimAction action, Time now) {
  const Model& model = effective.model();
  const std::uint32_t gpu = model.find_resource("gpu");
  Total held = 0;
  std::set<std::uint32_t> nodes;
  for (const TaskId task : unit.tasks) {
    if (gpu != ResourceId::kNoValue) held += amount_of(model.shape(model.tasks.core(task).resources), gpu);
    nodes.insert(model.tasks.core(task).node.value);
  }
  if (held == 0) held = static_cast<Total>(nodes.size()) * kOne;
  const JobCheckpoint& checkpoint = model.job_checkpoints[unit.job.value];
  Duration lost = checkpoint.restart == kNoDuration ? 0 : checkpoint.restart;
  if (action == VictimAction::checkpoint) {
    lost += checkpoint.estimate == kNoDuration ? 0 : checkpoint.estimate;
  } else if (action != VictimAction::suspend) {
    const Time resumed = model.job_times[unit.job.value].resumed;
    Time since = resumed != kNoTime ? resumed : unit.start;
    if (checkpoint.last != kNoTime) since = std::max(since, checkpoint.last);
    lost += std::max<Duration>(0, now - since);
  }
  return static_cast<std::int64_t>((held * lost + kMinute / 2) / kMinute);
}

}  // namespace cede
