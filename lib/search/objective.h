// SPDX-License-Identifier: MIT
#pragma once

#include <compare>
#include <string>
#include <vector>

#include "model/plan.h"
#include "policy/rule.h"
#include "search/space.h"

namespace cede {

// What one set of victims is worth: the criteria that documents show, and behind them what only breaks ties.
struct Worth {
  std::vector<Criterion> shown;
  Criterion younger;                // start times, oldest first; the later set wins
  std::vector<std::string> names;   // of the victims, sorted
  std::vector<std::string> places;  // node of each task, then its devices
};

std::strong_ordering compare(const Worth& a, const Worth& b);

// Builds the worth of sets for one request.
class Objective {
 public:
  Objective(const Asking& asking, const Space& space);

  // What a unit frees of the requested resources, in billionths of the group's capacity, each rounded up.
  std::int64_t freed(const Unit& unit) const;
  Worth worth(const std::vector<const Unit*>& victims, const std::vector<PlannedTask>& placement) const;
  // The leading criteria that can only grow when a unit is added.
  std::vector<Criterion> growing(const std::vector<const Unit*>& victims) const;

 private:
  std::vector<Criterion> leading(const std::vector<const Unit*>& victims, std::int64_t freed_sum) const;

  const Asking& asking_;
  const Model& model_;
  std::vector<Total> capacity_;  // per resource, 0 where nothing of it is asked
};

// `v`, or `v/t3` for one task of several.
std::string unit_label(const Model& model, const Unit& unit);

// GPU-minutes (node-minutes where it holds no GPU) destroyed or idle because of this victim, in thousandths.
std::int64_t lost_work(const Effective& effective, const Unit& unit, VictimAction action, Time now);

}  // namespace cede
