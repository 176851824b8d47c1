// SPDX-License-Identifier: MIT
#include "support/enumerator.h"

#include <algorithm>

#include "base/bits.h"
#include "verify/devices.h"
#include "verify/objective.h"
#include "verify/plan_checks.h"
#include "verify/topology.h"
#include "verify/triggers.h"

namespace cede {

namespace {

Plan query_of(const Plan& asked) {
  Plan plan = asked;
  plan.outcome = Outcome::preempt;
  plan.victims.clear();
  plan.placement.clear();
  plan.partial = false;
  return plan;
}

bool concerns_devices(const Requirement& require) {
  return !require.gpus.empty() || require.nic.given || !require.gpu_models.empty() ||
         require.uniform_model != UniformModel::off || require.cpu_numa != CpuNuma::none;
}

// Calls visit(set) for all sets of that many of the lowest `devices`.
template <class Visit>
void each_set(std::uint32_t devices, std::uint32_t size, DeviceMask chosen, Visit visit) {
  if (size == 0) return visit(chosen);
  for (std::uint32_t d = size; d <= devices; ++d) each_set(d - 1, size - 1, chosen | bit(d - 1), visit);
}

}  // namespace

Enumerator::Enumerator(const Plan& asked, const PolicySet& policies)
    : trial_(query_of(asked)), facts_(trial_, policies, *policies.find(asked.policy)) {
  const Model& model = facts_.model;
  about_devices_ = concerns_devices(facts_.require());
  if (facts_.for_job()) {
    const UsableNodes usable(facts_);
    model.nodes.for_each([&](NodeId node, const NodeRow&) {
      if (usable.fault(node).empty()) usable_.push_back(node);
    });
  }
  model.jobs.for_each(
      [&](JobId job, const JobCore&) { jobs_.emplace_back(facts_.effective, job, *trial_.in_flight); });
  const EligibilityTerms terms(facts_);
  for (const JobUnits& job : jobs_) {
    for (const VictimUnit& unit : job.units) {
      if (exclusion_of(terms, unit)) continue;
      tiers_[tier_of(facts_, unit)].push_back(&unit);
      ++eligible_;
    }
  }
}

std::optional<std::vector<Criterion>> Enumerator::best() {
  if (facts_.subject.purpose == Purpose::relief_node) return best_relief();
  Set candidates;
  for (const auto& [tier, units] : tiers_) {
    candidates.insert(candidates.end(), units.begin(), units.end());
    if (auto found = best_of(candidates)) return found;
  }
  return std::nullopt;
}

// At every step more units may be taken and fewer caps hold.
std::optional<std::vector<Criterion>> Enumerator::best_relief() {
  for (relief_step_ = 0; relief_step_ < kNeverStep; ++relief_step_) {
    for (int tier = relief_step_ * kReliefTiers; tier < (relief_step_ + 1) * kReliefTiers; ++tier) {
      if (tier % kReliefTiers != 0 && !tiers_.contains(tier)) continue;
      Set candidates;
      for (const auto& [of, units] : tiers_) {
        if (of <= tier) candidates.insert(candidates.end(), units.begin(), units.end());
      }
      if (auto found = best_of(candidates)) return found;
    }
  }
  return std::nullopt;
}

std::optional<std::vector<Criterion>> Enumerator::best_of(const Set& units) {
  std::optional<std::vector<Criterion>> best;
  for (std::uint64_t mask = 1; mask < std::uint64_t{1} << units.size(); ++mask) {
    Set set;
    for (std::size_t i = 0; i < units.size(); ++i) {
      if ((mask >> i & 1) != 0) set.push_back(units[i]);
    }
    take(set);
    std::vector<Criterion> objective_value = objective_of(facts_, false);
    if (best && compare(objective_value, *best) > 0) continue;
    if (!is_legal(set, units)) continue;
    const std::optional<Against> against = place_without(set, Wanted::best);
    if (!against) continue;
    for (Criterion& criterion : objective_value) {
      if (criterion.name == "preferences") criterion.number = against->preferences;
      if (criterion.name == "borrowed") criterion.number = against->borrowed;
    }
    if (!best || compare(objective_value, *best) < 0) best = std::move(objective_value);
  }
  return best;
}

// An elastic job whole or in part, and whole only where its spare tasks would not make room. Whether caps
// allow so many tasks does not matter: taking more than is needed is not a way around a cap.
bool Enumerator::is_legal(const Set& set, const Set& all) {
  for (const VictimUnit* unit : set) {
    if (!unit->whole_elastic) continue;
    Set instead;
    for (const VictimUnit* other : set) {
      if (other == unit) continue;
      if (other->job == unit->job) return false;
      instead.push_back(other);
    }
    const std::size_t others = instead.size();
    for (const VictimUnit* part : all) {
      if (part->job == unit->job && !part->whole_elastic && part->hold == 0) instead.push_back(part);
    }
    if (instead.size() > others && place_without(instead, Wanted::room)) return false;
  }
  return true;
}

void Enumerator::take(const Set& set) {
  trial_.victims.clear();
  trial_.placement.clear();
  std::vector<std::uint32_t> gone;
  for (const VictimUnit* unit : set) {
    for (const TaskId task : unit->tasks) gone.push_back(task.value);
    const auto known = std::find_if(
        trial_.victims.begin(), trial_.victims.end(),
        [&](const PlannedVictim& victim) { return victim.job == unit->job && victim.hold == unit->hold; });
    PlannedVictim& victim = known != trial_.victims.end() ? *known : trial_.victims.emplace_back();
    victim.job = unit->job;
    victim.hold = unit->hold;
    victim.tasks.insert(victim.tasks.end(), unit->tasks.begin(), unit->tasks.end());
    std::sort(victim.tasks.begin(), victim.tasks.end());
    victim.whole_job = victim.hold == 0 && victim.tasks.size() == facts_.placed_tasks(victim.job).size();
  }
  facts_.set_gone(TaskSet(std::move(gone)));
}

std::optional<Enumerator::Against> Enumerator::place_without(const Set& set, Wanted wanted) {
  using namespace plan_check;
  take(set);
  found_.reset();
  wanted_ = wanted;
  // Caps that do not depend on the placement.
  if (wanted == Wanted::best) {
    for (const auto check : {max_victims, value_exceeded, budget, below_guarantee, no_gain}) {
      if (!check(facts_).empty()) return std::nullopt;
    }
  }
  if (wanted == Wanted::best && facts_.subject.purpose == Purpose::relief_node) {
    if (relief_step_ < kMaxVictimsStep && !max_victims_fault(facts_).empty()) return std::nullopt;
    if (relief_step_ < kStormLimitsStep && !budget_fault(facts_).empty()) return std::nullopt;
    if (relief_step_ < kGuaranteesStep && !below_guarantee_fault(facts_).empty()) return std::nullopt;
  }
  if (facts_.subject.is_relief()) {
    if (over_limit(facts_, held_by_target(facts_)).empty()) found_ = Against{};
    return found_;
  }
  give_nodes(0);
  return found_;
}

bool Enumerator::is_done() const { return found_ && (wanted_ == Wanted::room || *found_ == Against{}); }

void Enumerator::give_nodes(std::size_t task) {
  if (is_done()) return;
  if (task == facts_.wanted().size()) {
    using namespace plan_check;
    facts_.read_placement();
    for (const auto check : {node_space, group_space, queue_max, job_max}) {
      if (!check(facts_).empty()) return;
    }
    if (!has_enough_devices(facts_)) return;
    if (about_devices_) {
      give_devices(0);
    } else {
      keep_if_best();
    }
    return;
  }
  const auto [row, index] = facts_.wanted()[task];
  const NameId required = facts_.model.tasks.extras(row).required_node;
  for (const NodeId node : usable_) {
    if (required != kNoName && required != facts_.model.nodes[node].name) continue;
    PlannedTask planned;
    planned.task = row;
    planned.index = index;
    planned.node = node;
    trial_.placement.push_back(planned);
    give_nodes(task + 1);
    trial_.placement.pop_back();
  }
}

// Every set of free devices for each task. Of whole devices only.
void Enumerator::give_devices(std::size_t task) {
  if (is_done()) return;
  if (task == trial_.placement.size()) {
    if (plan_check::devices(facts_).empty()) keep_if_best();
    return;
  }
  PlannedTask& planned = trial_.placement[task];
  const std::uint32_t devices = facts_.model.device_count(facts_.model.nodes[planned.node]);
  const auto count = static_cast<std::uint32_t>(facts_.amount(planned.task, facts_.gpu) / kOne);
  each_set(devices, devices == 0 ? 0 : count, 0, [&](DeviceMask set) {
    planned.gpus = set;
    give_devices(task + 1);
  });
  planned.gpus = 0;
}

void Enumerator::keep_if_best() {
  using namespace plan_check;
  for (const auto check : {spread_over_nodes, network, conformance, exclusivity, home}) {
    if (!check(facts_).empty()) return;
  }
  if (wanted_ == Wanted::best && !(quota(facts_).empty() && one_node(facts_).empty())) return;
  if (about_devices_ && !gpu_entries(facts_).empty()) return;
  const Against against{preferences_missed(facts_), borrowed_nodes(facts_)};
  if (!found_ || against < *found_) found_ = against;
}

}  // namespace cede
