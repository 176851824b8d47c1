// SPDX-License-Identifier: MIT
#pragma once

#include <compare>
#include <span>
#include <string>
#include <vector>

#include "model/plan.h"
#include "placement/placer.h"
#include "policy/composition.h"

namespace cede {

// What one set of victims is worth: the criteria that documents show, and behind them what only breaks ties.
struct ObjectiveValue {
  std::vector<Criterion> shown;
  Criterion younger;                // start times, oldest first; the later set wins
  std::vector<std::string> names;   // of the victims, sorted
  std::vector<std::string> places;  // node of each task, then its devices
};

std::strong_ordering compare(const ObjectiveValue& a, const ObjectiveValue& b);

// Builds the worth of sets for one request from the profile's measures and the common tail.
class Objective {
 public:
  explicit Objective(const RuleContext& rule_context);

  // Without `named` only what documents show: of a set that is compared with no other.
  ObjectiveValue objective_value(std::span<const Unit* const> victims, const Placement& placement,
                                 bool named = true) const;
  const Model& model() const { return model_; }
  // What is measured of each unit, and how many of the leading ones can only grow when a unit is added.
  const RuleList<Measure>& measures() const { return measures_; }
  std::size_t growing_measures() const { return growing_; }
  // The leading criteria that can only grow when a unit is added.
  std::vector<Criterion> growing(std::span<const Unit* const> victims) const;

 private:
  Criterion criterion(std::size_t measure, std::span<const Unit* const> victims) const;

  const RuleContext& context_;
  const Model& model_;
  RuleList<Measure> measures_;  // with the tail's number of victims and what they free
  std::size_t growing_ = 0;     // how many of them only grow
};

// `v`, or `v/t3` for one task of several.
std::string unit_label(const Model& model, const Unit& unit);
// Those of a set, sorted: what decides between sets that are equal otherwise.
std::vector<std::string> unit_labels(const Model& model, std::span<const Unit* const> units);

}  // namespace cede
