// SPDX-License-Identifier: MIT
#include "search/plan_victims.h"

#include <algorithm>
#include <string_view>

namespace cede {

std::int64_t cost_of(const RuleContext& rule_context, const Unit& unit) {
  std::int64_t sum = 0;
  for (const CostPart& part : composition(rule_context.effective.profile()).price(rule_context, unit))
    sum += part.value;
  return sum;
}

// Names mostly differ behind what they all begin with, so its next eight bytes are compared as one number
// first.
std::vector<const Unit*> by_name(const Model& model, const std::vector<const Unit*>& units) {
  struct Named {
    std::uint64_t head = 0;
    std::string_view name;
    const Unit* unit = nullptr;
  };
  std::vector<Named> named;
  named.reserve(units.size());
  for (const Unit* unit : units) named.push_back({0, model.job_name(unit->job), unit});
  std::size_t common = units.empty() ? 0 : named.front().name.size();
  for (const Named& each : named) {
    const auto [end, unused] =
        std::mismatch(each.name.begin(), each.name.end(), named.front().name.begin(),
                      named.front().name.begin() + static_cast<std::ptrdiff_t>(common));
    common = static_cast<std::size_t>(end - each.name.begin());
  }
  for (Named& each : named) {
    for (std::size_t i = 0; i < 8; ++i) {
      const bool there = common + i < each.name.size();
      each.head = each.head << 8 | (there ? static_cast<unsigned char>(each.name[common + i]) : 0U);
    }
  }
  std::sort(named.begin(), named.end(), [](const Named& a, const Named& b) {
    if (a.unit->hold != b.unit->hold) return a.unit->hold < b.unit->hold;  // holds last
    if (a.head != b.head) return a.head < b.head;
    if (a.unit->job == b.unit->job) return a.unit < b.unit;
    return a.name < b.name;
  });
  std::vector<const Unit*> out;
  out.reserve(named.size());
  for (const Named& each : named) out.push_back(each.unit);
  return out;
}

void write_victims(const RuleContext& rule_context, const std::vector<const Unit*>& units, Plan& plan) {
  const Model& model = rule_context.model();
  const Composition& profile = composition(rule_context.effective.profile());
  std::vector<PlannedVictim>& victims = plan.victims;
  victims.clear();
  victims.reserve(units.size());
  Duration expected = 0;
  Duration latest = 0;
  const bool no_holds = rule_context.in_flight.holds.empty();
  for (const Unit* unit : units) {
    if (victims.empty() || victims.back().job != unit->job || victims.back().hold != unit->hold)
      victims.emplace_back();
    PlannedVictim& victim = victims.back();
    victim.job = unit->job;
    victim.hold = unit->hold;
    victim.tasks.insert(victim.tasks.end(), unit->tasks.begin(), unit->tasks.end());
    // Beside a hold a job runs with more than its units.
    victim.whole_job = unit->whole_job && no_holds && victim.tasks.size() == unit->tasks.size();
    std::vector<CostPart> parts = profile.price(rule_context, *unit);
    for (const CostPart& part : parts) victim.cost += part.value;
    if (victim.cost_parts.empty()) {
      victim.cost_parts = std::move(parts);
    } else {
      for (std::size_t i = 0; i < parts.size(); ++i) victim.cost_parts[i].value += parts[i].value;
    }
    if (unit->hold != 0) continue;  // its victims are on their way out already
    const WayOut leaving = profile.leaving(rule_context.effective, unit->job);
    victim.action = leaving.action;
    victim.requeue = leaving.requeue;
    const WayOutTime time = leaving_time(rule_context.effective, unit->job, leaving);
    expected = std::max(expected, time.expected);
    if (latest != kNoDuration)
      latest = time.latest == kNoDuration ? kNoDuration : std::max(latest, time.latest);
  }
  for (PlannedVictim& victim : victims) {
    plan.cost += victim.cost;
    if (victim.whole_job) continue;
    std::sort(victim.tasks.begin(), victim.tasks.end());
    std::size_t placed = 0;
    const JobCore& job = model.jobs[victim.job];
    for (std::uint32_t k = 0; k < job.task_rows; ++k) {
      placed += model.tasks.core(TaskId{job.first_task.value + k}).node ? 1 : 0;
    }
    victim.whole_job = victim.hold == 0 && victim.tasks.size() == placed;
  }
  plan.expected_start = rule_context.now + expected;
  plan.latest_start = latest == kNoDuration ? kNoTime : rule_context.now + latest;
}

}  // namespace cede
