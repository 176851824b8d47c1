// SPDX-License-Identifier: MIT
// White box: the verifier takes plans, and a foreign choice becomes one here.
#include "decide/verify_choice.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <set>

#include "capi/handles.h"
#include "verify/objective.h"
#include "verify/plan_facts.h"
#include "verify/verify.h"

namespace bench {

namespace {

// A node per task as the verifier wants it: devices are named if no task stays that does not name its own.
std::vector<cede::PlannedTask> placement_of(const cede::PlanFacts& facts, const Description& description,
                                            const Choice& choice) {
  const cede::Model& model = facts.model;
  std::vector<cede::PlannedTask> out;
  std::vector<std::uint32_t> given(description.nodes.size(), 0);
  const bool devices = description.resource == "gpu";
  for (std::size_t i = 0; i < choice.places.size(); ++i) {
    const cede::PlanFacts::Wanted& task = facts.wanted()[i];
    cede::PlannedTask planned;
    planned.task = task.row;
    planned.index = task.index;
    planned.node = model.find_node(description.nodes[choice.places[i]].name);
    if (devices) {
      bool somebody_stays = false;
      for (cede::TaskId t = model.nodes[planned.node].first_task; t; t = model.tasks.core(t).next_on_node)
        somebody_stays = somebody_stays || !facts.gone().contains(t);
      planned.devices_known = !somebody_stays;
      const auto count = static_cast<std::uint32_t>(
          cede::amount_of(model.shape(model.tasks.core(task.row).resources), model.find_resource("gpu")) /
          cede::kOne);
      if (planned.devices_known)
        planned.gpus = ((cede::DeviceMask{1} << count) - 1) << given[choice.places[i]];
      given[choice.places[i]] += count;
    }
    out.push_back(planned);
  }
  return out;
}

cede::PlannedVictim whole_job(const cede::Model& model, std::string_view name) {
  cede::PlannedVictim victim;
  victim.job = model.find_job(name);
  const cede::JobCore& job = model.jobs[victim.job];
  for (std::uint32_t k = 0; k < job.task_rows; ++k) {
    const cede::TaskId task{job.first_task.value + k};
    if (model.tasks.core(task).node) victim.tasks.push_back(task);
  }
  victim.whole_job = true;
  return victim;
}

// How the victims leave, what they cost and when their space is free.
void leave(const cede::PlanFacts& facts, cede::Plan& plan) {
  for (const cede::VictimUnit& unit : facts.units()) {
    const auto victim = std::find_if(plan.victims.begin(), plan.victims.end(),
                                     [&](const cede::PlannedVictim& each) { return each.job == unit.job; });
    const std::vector<cede::CostPart> parts = cede::cost_parts_of(facts, unit);
    victim->cost_parts.resize(parts.size());
    for (std::size_t i = 0; i < parts.size(); ++i) {
      victim->cost_parts[i].name = parts[i].name;
      victim->cost_parts[i].value += parts[i].value;
    }
    victim->cost += cede::sum_of(parts);
    plan.cost += cede::sum_of(parts);
  }
  cede::Duration expected = 0;
  cede::Duration latest = 0;
  for (cede::PlannedVictim& victim : plan.victims) {
    const cede::RequiredExit exit = cede::required_exit(facts, victim.job);
    victim.action = exit.action;
    victim.then = exit.after_saving;
    victim.unsaved = exit.without_saving;
    victim.requeue = exit.requeue;
    const cede::RequiredExitTime time = cede::required_exit_time(facts, victim.job, exit, cede::Purpose::job);
    expected = std::max(expected, time.expected);
    latest = std::max(latest, time.latest);
  }
  plan.expected_start = plan.now + expected;
  plan.latest_start = plan.now + latest;
}

}  // namespace

Verdict verify_choice(const Cluster& cluster, const Description& description, const Description::Job& asked,
                      const Choice& choice) {
  const cede::Engine& engine = cluster.engine()->engine;
  cede::Problems problems;
  const std::optional<cede::Plan> own = engine.plan(asked.name, cede::kNoTime, {}, problems);
  if (!own) {
    std::fprintf(stderr, "%s\n", problems.all().front().message().c_str());
    std::exit(1);
  }
  const cede::PolicySet& policies = *engine.policies();
  const cede::Policy& policy = *policies.find(own->policy);
  cede::Plan trial = *own;
  trial.outcome = choice.victims.empty() ? cede::Outcome::fits : cede::Outcome::preempt;
  trial.rule.clear();
  trial.victims.clear();
  trial.placement.clear();
  trial.objective.clear();
  trial.cost = trial.bound = 0;
  trial.proven = 0;
  trial.optimal = false;
  std::set<std::string_view> taken;
  for (const std::size_t victim : choice.victims) taken.insert(description.jobs[victim].name);
  for (const std::string_view name : taken) trial.victims.push_back(whole_job(trial.model(), name));
  const cede::PlanFacts facts(trial, policies, policy);
  leave(facts, trial);
  trial.placement = placement_of(facts, description, choice);
  if (!trial.victims.empty()) {
    const cede::PlanFacts placed(trial, policies, policy);
    trial.objective = cede::objective_of(placed);
  }
  Verdict out;
  out.fault = cede::verify(trial, policies);
  out.cost = trial.cost;
  const auto order = cede::compare(trial.objective, own->objective);
  out.compared = order < 0 ? -1 : order > 0 ? 1 : 0;
  return out;
}

}  // namespace bench
