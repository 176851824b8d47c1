// SPDX-License-Identifier: MIT
// White box: the verifier takes plans, and a foreign choice becomes one here.
#include "decide/judge.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <set>

#include "capi/handles.h"
#include "policy/unit.h"
#include "search/objective.h"
#include "search/plan_builder.h"
#include "search/plan_facts.h"
#include "search/verify.h"

namespace bench {

namespace {

// A node per task as the verifier wants it: devices are named where nobody stays who does not name his.
std::vector<cede::PlannedTask> placement_of(const cede::PlanFacts& facts, const Description& description,
                                            const Choice& choice) {
  const cede::Model& model = facts.model;
  std::vector<cede::PlannedTask> out;
  std::vector<std::uint32_t> given(description.nodes.size(), 0);
  const bool devices = description.resource == "gpu";
  for (std::size_t i = 0; i < choice.places.size(); ++i) {
    const cede::RequestTask& task = facts.request.tasks[i];
    cede::PlannedTask planned;
    planned.task = task.row;
    planned.index = task.index;
    planned.node = model.find_node(description.nodes[choice.places[i]].name);
    if (devices) {
      bool somebody_stays = false;
      for (cede::TaskId t = model.nodes[planned.node].first_task; t; t = model.tasks.core(t).next_on_node)
        somebody_stays = somebody_stays || !facts.gone.contains(t.value);
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

}  // namespace

Verdict judge(const Cluster& cluster, const Description& description, const Description::Job& asked,
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
  const cede::PlanFacts before(*own, policies, policy);
  const std::vector<cede::Unit> units = cede::make_units(before.effective, before.group(), *own->in_flight);
  std::set<std::string_view> taken;
  for (const std::size_t victim : choice.victims) taken.insert(description.jobs[victim].name);
  std::vector<const cede::Unit*> chosen;
  for (const cede::Unit& unit : units) {
    if (taken.contains(trial.model().job_name(unit.job))) chosen.push_back(&unit);
  }
  cede::write_victims(before.rule_context, chosen, trial);
  cede::Placement placement;
  {
    const cede::PlanFacts facts(trial, policies, policy);
    placement.tasks = placement_of(facts, description, choice);
  }
  trial.placement = placement.tasks;
  if (!chosen.empty())
    trial.objective = cede::Objective(before.rule_context).objective_value(chosen, placement).shown;
  Verdict out;
  out.fault = cede::verify(trial, policies);
  out.cost = trial.cost;
  const auto order = cede::compare(trial.objective, own->objective);
  out.compared = order < 0 ? -1 : order > 0 ? 1 : 0;
  return out;
}

}  // namespace bench
