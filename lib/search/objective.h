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

// The objective value of one set of victims: the criteria that documents show, then what only breaks ties.
struct ObjectiveValue {
  std::vector<Criterion> shown;
  Criterion younger;                // start times, oldest first; later wins
  std::vector<std::string> names;   // of the victims, sorted
  std::vector<std::string> places;  // node of each task, then its devices
};

std::strong_ordering compare(const ObjectiveValue& a, const ObjectiveValue& b);

// Computes the objective values of sets for one request from the profile's measures and the common tail.
class Objective {
 public:
  explicit Objective(const RuleContext& rule_context);

  // `named` = false leaves out what only breaks ties, for a set that is not compared with others.
  ObjectiveValue objective_value(std::span<const Unit* const> victims, const Placement& placement,
                                 bool named = true) const;
  const Model& model() const { return model_; }
  // The measures, and how many leading ones can only grow when a unit is added.
  const RuleList<Measure>& measures() const { return measures_; }
  std::size_t growing_measures() const { return growing_; }
  // The leading criteria that can only grow when a unit is added.
  std::vector<Criterion> growing(std::span<const Unit* const> victims) const;

 private:
  Criterion criterion(std::size_t measure, std::span<const Unit* const> victims) const;

  const RuleContext& context_;
  const Model& model_;
  RuleList<Measure> measures_;  // including the tail's victim count and freed amount
  std::size_t growing_ = 0;     // leading measures that only grow
};

// `v`, or `v/t3` for one task of several.
std::string unit_label(const Model& model, const Unit& unit);
// The labels of a set, sorted. They decide between sets that are otherwise equal.
std::vector<std::string> unit_labels(const Model& model, std::span<const Unit* const> units);

}  // namespace cede
