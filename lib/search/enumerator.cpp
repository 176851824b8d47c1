// SPDX-License-Identifier: MIT
#include "search/enumerator.h"

#include <algorithm>
#include <map>
#include <set>

#include "policy/borrowed_nodes.h"
#include "search/plan_builder.h"
#include "topology/fit/device_sets.h"

namespace cede {

namespace {

bool concerns_devices(const Requirement& require) {
  return !require.gpus.empty() || require.nic.given || !require.gpu_models.empty() ||
         require.uniform_model != UniformModel::off || require.cpu_numa != CpuNuma::none;
}

}  // namespace

Enumerator::Enumerator(const Plan& asked, const PolicySet& policies, const RuleContext& rule_context,
                       const std::vector<NodeId>& usable)
    : policies_(policies),
      policy_(*policies.find(asked.policy)),
      context_(rule_context),
      model_(rule_context.model()),
      usable_(usable),
      objective_(rule_context),
      about_devices_(concerns_devices(PlanFacts(asked, policies, policy_).require())),
      trial_(asked) {
  trial_.outcome = Outcome::preempt;
}

std::optional<std::vector<Criterion>> Enumerator::best(const std::vector<const Unit*>& units) {
  std::optional<std::vector<Criterion>> best;
  for (std::uint64_t mask = 1; mask < std::uint64_t{1} << units.size(); ++mask) {
    std::vector<const Unit*> set;
    for (std::size_t i = 0; i < units.size(); ++i) {
      if ((mask >> i & 1) != 0) set.push_back(units[i]);
    }
    Placement none;
    std::vector<Criterion> objective_value = objective_.objective_value(set, none).shown;
    if (best && compare(objective_value, *best) > 0) continue;
    if (!is_legal(set, units)) continue;
    const std::optional<Against> against = place_without(set, true);
    if (!against) continue;
    none.preferences = against->preferences;
    none.borrowed = against->borrowed;
    objective_value = objective_.objective_value(set, none).shown;
    if (!best || compare(objective_value, *best) < 0) best = std::move(objective_value);
  }
  return best;
}

// An elastic job whole or in part, and whole only where its spare tasks would not do.
bool Enumerator::is_legal(const std::vector<const Unit*>& set, const std::vector<const Unit*>& all) {
  for (const Unit* unit : set) {
    if (!unit->whole_elastic) continue;
    std::vector<const Unit*> instead;
    for (const Unit* other : set) {
      if (other->job == unit->job && other != unit) return false;
      if (other != unit) instead.push_back(other);
    }
    const std::size_t others = instead.size();
    for (const Unit* part : all) {
      if (part->job == unit->job && !part->whole_elastic) instead.push_back(part);
    }
    if (instead.size() > others && place_without(instead, false)) return false;
  }
  return true;
}

std::optional<Enumerator::Against> Enumerator::place_without(const std::vector<const Unit*>& set,
                                                             bool least) {
  trial_.victims.clear();
  trial_.placement.clear();
  trial_.cost = 0;
  write_victims(context_, by_name(context_.model(), set), trial_);
  facts_.emplace(trial_, policies_, policy_);
  found_.reset();
  least_ = least;
  // Caps that do not depend on the placement.
  if (plan_check::max_victims(*facts_).empty() && plan_check::value_exceeded(*facts_).empty()) give_nodes(0);
  return found_;
}

void Enumerator::give_nodes(std::size_t task) {
  if (found_ && (!least_ || *found_ == Against{})) return;
  const std::vector<RequestTask>& tasks = context_.request.tasks;
  if (task == tasks.size()) {
    facts_->read_placement();
    if (!amounts_hold()) return;
    if (about_devices_) {
      give_devices(0);
    } else {
      judge();
    }
    return;
  }
  for (const NodeId node : usable_) {
    if (tasks[task].required_node != kNoName && tasks[task].required_node != model_.nodes[node].name)
      continue;
    PlannedTask planned;
    planned.task = tasks[task].row;
    planned.index = tasks[task].index;
    planned.node = node;
    trial_.placement.push_back(planned);
    give_nodes(task + 1);
    trial_.placement.pop_back();
  }
}

// Every set of free devices for each task. Of whole devices only.
void Enumerator::give_devices(std::size_t task) {
  if (found_ && (!least_ || *found_ == Against{})) return;
  if (task == trial_.placement.size()) {
    if (plan_check::devices(*facts_).empty()) judge();
    return;
  }
  PlannedTask& planned = trial_.placement[task];
  const std::uint32_t gpu = model_.find_resource("gpu");
  const ShapeId shape = model_.tasks.core(planned.task).resources;
  const auto count = static_cast<std::uint32_t>(
      gpu == ResourceId::kNoValue ? 0 : amount_of(model_.shape(shape), gpu) / kOne);
  const std::uint32_t devices = model_.device_count(model_.nodes[planned.node]);
  const DeviceMask all = devices >= kMaxDevices ? ~DeviceMask{0} : (DeviceMask{1} << devices) - 1;
  for_each_subset(all, devices == 0 ? 0 : count, [&](DeviceMask mask) {
    planned.gpus = mask;
    give_devices(task + 1);
    return true;
  });
  planned.gpus = 0;
}

bool Enumerator::amounts_hold() const {
  return plan_check::node_space(*facts_).empty() && plan_check::group_space(*facts_).empty() &&
         plan_check::queue_max(*facts_).empty() && plan_check::enough_devices(*facts_);
}

void Enumerator::judge() {
  using namespace plan_check;
  for (const auto check :
       {spread_over_nodes, network, conformance, exclusivity, quota, below_guarantee, no_gain, one_node}) {
    if (!check(*facts_).empty()) return;
  }
  if (about_devices_ && !gpu_entries(*facts_).empty()) return;
  const Against against{preferences_missed(*facts_), borrowed_nodes(*facts_)};
  if (!found_ || against < *found_) found_ = against;
}

}  // namespace cede
