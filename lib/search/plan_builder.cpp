// SPDX-License-Identifier: MIT
#include "search/plan_builder.h"

#include <algorithm>
#include <map>

namespace cede {

std::int64_t cost_of(const Asking& asking, const Unit& unit) {
  std::int64_t sum = 0;
  for (const CostPart& part : composition(asking.effective.profile()).price(asking, unit)) sum += part.value;
  return sum;
}

void write_victims(const Asking& asking, const std::vector<const Unit*>& units, Plan& plan) {
  const Model& model = asking.model();
  const Composition& profile = composition(asking.effective.profile());
  std::map<std::pair<std::uint64_t, std::string_view>, PlannedVictim> victims;  // holds last
  Duration expected = 0;
  Duration latest = 0;
  for (const Unit* unit : units) {
    PlannedVictim& victim = victims[{unit->hold, model.job_name(unit->job)}];
    victim.job = unit->job;
    victim.hold = unit->hold;
    victim.tasks.insert(victim.tasks.end(), unit->tasks.begin(), unit->tasks.end());
    const std::vector<CostPart> parts = profile.price(asking, *unit);
    if (victim.cost_parts.empty()) {
      victim.cost_parts = parts;
    } else {
      for (std::size_t i = 0; i < parts.size(); ++i) victim.cost_parts[i].value += parts[i].value;
    }
    for (const CostPart& part : parts) victim.cost += part.value;
    if (unit->hold != 0) continue;  // its victims are on their way out already
    const Leaving leaving = profile.leaving(asking.effective, unit->job);
    victim.action = leaving.action;
    victim.requeue = leaving.requeue;
    const LeavingTime time = leaving_time(asking.effective, unit->job, leaving);
    expected = std::max(expected, time.expected);
    if (latest != kNoDuration)
      latest = time.latest == kNoDuration ? kNoDuration : std::max(latest, time.latest);
  }
  for (auto& [key, victim] : victims) {
    std::sort(victim.tasks.begin(), victim.tasks.end());
    std::size_t placed = 0;
    const JobCore& job = model.jobs[victim.job];
    for (std::uint32_t k = 0; k < job.task_rows; ++k) {
      placed += model.tasks.core(TaskId{job.first_task.value + k}).node ? 1 : 0;
    }
    victim.whole_job = victim.hold == 0 && victim.tasks.size() == placed;
    plan.cost += victim.cost;
    plan.victims.push_back(std::move(victim));
  }
  plan.expected_start = asking.now + expected;
  plan.latest_start = latest == kNoDuration ? kNoTime : asking.now + latest;
}

}  // namespace cede
