// SPDX-License-Identifier: MIT
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "model/plan.h"
#include "search/answer_cache.h"
#include "search/decision_context.h"
#include "search/victim_problem.h"
#include "search/victim_search.h"

namespace cede {

// Why no set of the eligible units serves the request. Looks at the failed search and, if that is not enough,
// searches without `one-node` and without each cap. Leaves the space without the eligible units.
Verdict explain_no(DecisionContext& context, const VictimProblem& problem, const SearchResult& failed,
                   const std::vector<const Unit*>& eligible);

// Whether the request could fit into the space if a missing topology were known, and the reason for that
// case.
bool fits_if_topology_known(DecisionContext& context, const Placer& placer, const Space& space);
inline constexpr const char* kTopologyUnknown =
    "a hard entry of its requirement needs a topology that is not known";

// The request does not fit even with all candidates gone.
Verdict no_room_verdict(const NoRoom& found);

// The units in the order of a plan: by job name, the units of one job side by side, holds last.
std::vector<const Unit*> by_name(const Model& model, const std::vector<const Unit*>& units);

// Writes the chosen units into the plan; they must be in the order of by_name(). One victim per job, with all
// its chosen tasks, how it leaves, what it costs, and when the space will be free.
void write_victims(const RuleContext& rule_context, const std::vector<const Unit*>& units, Plan& plan);

// The total cost of a unit, in thousandths of the profile's unit.
std::int64_t cost_of(const RuleContext& rule_context, const Unit& unit);

// Collects the results of the steps of one decision and builds the plan. If a step is abandoned, its results
// stay until the next step replaces them.
class PlanBuilder {
 public:
  explicit PlanBuilder(const DecisionContext& context);

  // Writes the number of units looked at.
  void count_units() { plan_.units = context_.units().size(); }
  // Leaves the reasons of the units to explain_units().
  void explain_units_later();
  void exclude(const Unit& unit, std::string_view rule, std::string why);
  // Excludes the tasks that are leaving already. In the model they are off their nodes, so they are not
  // units.
  void exclude_leaving();
  bool any_excluded() const { return !plan_.exclusions.empty(); }
  const Exclusion& first_excluded() const { return plan_.exclusions.front(); }
  // Lists the eligible units that stay at least in part. Does nothing if this is left to explain_units().
  void list_not_needed(const std::vector<const Unit*>& eligible, const std::vector<const Unit*>& taken);
  // The same, by tasks: `gone` has the tasks of the taken units.
  void list_all_but(const std::vector<const Unit*>& eligible, const std::set<TaskId>& gone);
  void forget_not_needed() { plan_.not_needed.clear(); }

  // The request is served at once, without victims.
  void serve_now();
  void serve_now(const Placement& placement, const Placer& placer);
  // The set that a search found among the eligible units. `placer`: null if nothing is placed.
  void take(SearchResult found, const std::vector<const Unit*>& eligible, const Placer* placer);
  // The only possible set, found without a search.
  void take_only(const std::vector<const Unit*>& victims);
  // A set that relieves the target as far as possible. `partial`: it is not enough.
  void take_partly(const std::vector<const Unit*>& victims, const Objective& objective, bool partial);

  // The verdict on a plan with victims: how many jobs leave, and for what.
  Verdict preempt() const;

  Plan finish(Verdict verdict);
  // Moves the reasons of the units that were not taken into a plan that was made without them.
  void explain_units_of(Plan& plan);

 private:
  void list_preferences(std::vector<std::string> missed, const EffectiveRequirement& need);
  bool is_proven_up_to_victims() const;
  void set_gap(const SearchResult& found);
  void set_proven(const SearchResult& found, const Placer* placer);
  void set_bound(const SearchResult& found, const std::vector<const Unit*>& eligible);
  void list_alternatives(const std::vector<VictimSet>& others);

  const DecisionContext& context_;
  Plan plan_;
};

}  // namespace cede
