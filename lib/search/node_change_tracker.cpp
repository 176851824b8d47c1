// SPDX-License-Identifier: MIT
#include "search/node_change_tracker.h"

#include <algorithm>
#include <numeric>

namespace cede {

namespace {

void make_unique(std::vector<std::uint32_t>& numbers) {
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
}

std::vector<const Unit*> units_on(const SearchProblem& terms, const NodeCandidates::Eligible& eligible,
                                  const std::vector<std::uint32_t>& nodes) {
  std::vector<const Unit*> units;
  if (nodes.size() == terms.space.size()) {
    // The group index already has all units, in this order and once each.
    const auto somewhere = [&](const Unit* unit) {
      return std::any_of(unit->tasks.begin(), unit->tasks.end(), [&](TaskId task) {
        return terms.space.usable(terms.space.index_of(terms.rule_context.model().tasks.core(task).node));
      });
    };
    units.reserve(terms.group_index.units().size());
    for (const Unit* unit : terms.group_index.units()) {
      if (somewhere(unit) && eligible(*unit)) units.push_back(unit);
    }
    return units;
  }
  for (const std::uint32_t node : nodes) {
    if (!terms.space.usable(node)) continue;
    for (const Occupant& occupant : terms.group_index.occupants(node)) units.push_back(occupant.unit);
  }
  std::sort(units.begin(), units.end(), [](const Unit* a, const Unit* b) { return a->slot < b->slot; });
  units.erase(std::unique(units.begin(), units.end()), units.end());
  std::erase_if(units, [&](const Unit* unit) { return !eligible(*unit); });
  return units;
}

}  // namespace

// Whether comparing and counting work as before. What a unit frees is measured in fractions of the capacity,
// and an interned id may have a new meaning.
bool NodeChangeTracker::is_same(const SearchProblem& terms) {
  const RuleContext& rule_context = terms.rule_context;
  const Model& model = rule_context.model();
  std::vector<Total> capacity;
  for (std::uint32_t r = 0; r < rule_context.usage.resources(); ++r)
    capacity.push_back(rule_context.usage.capacity(r));
  const ResourceView shape = model.shape(rule_context.request.tasks.front().resources);
  const RequirementId id = model.job_extras[rule_context.request.job.value].require;
  std::shared_ptr<const Requirement> require = id ? model.requirements[id.value] : nullptr;
  const bool same = capacity == capacity_ && require == require_ &&
                    std::equal(shape.begin(), shape.end(), asked_.begin(), asked_.end());
  capacity_ = std::move(capacity);
  require_ = std::move(require);
  asked_.assign(shape.begin(), shape.end());
  return same;
}

// What is blocked or held for other requests changes without a change to the node or its jobs.
std::vector<std::uint32_t> NodeChangeTracker::in_flight_nodes(const SearchProblem& terms) const {
  const RuleContext& rule_context = terms.rule_context;
  std::vector<std::uint32_t> out;
  const auto add = [&](NodeId node) {
    if (node && rule_context.model().nodes[node].group == rule_context.group())
      out.push_back(terms.space.index_of(node));
  };
  for (const InFlight::Blocked& each : rule_context.in_flight.blocked) add(each.node);
  for (const InFlight::Hold& hold : rule_context.in_flight.holds) {
    for (const TaskId task : hold.tasks) add(rule_context.model().tasks.core(task).node);
  }
  return out;
}

std::vector<std::uint32_t> NodeChangeTracker::changed(const SearchProblem& terms, bool& everything) {
  std::vector<std::uint32_t> moving = in_flight_nodes(terms);
  std::vector<std::uint32_t> nodes;
  everything = !is_same(terms) || !begun_ || seen_ < group_index_.forgotten();
  if (everything) {
    nodes.resize(group_index_.nodes().size());
    std::iota(nodes.begin(), nodes.end(), 0);
  } else {
    for (std::uint64_t at = seen_; at < group_index_.touched_end(); ++at)
      nodes.push_back(group_index_.touched(at));
    nodes.insert(nodes.end(), moving.begin(), moving.end());
    nodes.insert(nodes.end(), moving_.begin(), moving_.end());
    make_unique(nodes);
  }
  begun_ = true;
  seen_ = group_index_.touched_end();
  moving_ = std::move(moving);
  return nodes;
}

NodeCandidates::NodeCandidates(const SearchProblem& terms, const Eligible& eligible,
                               const std::vector<std::uint32_t>& nodes,
                               std::vector<CandidateScores::Index>& book)
    : scores(terms.objective, units_on(terms, eligible, nodes)),
      capacity_model(terms.rule_context, terms.placer, terms.group_index, terms.space, scores, &book) {}

}  // namespace cede
