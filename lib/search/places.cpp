// SPDX-License-Identifier: MIT
#include "search/places.h"

#include <algorithm>
#include <map>

#include "placement/node_attributes.h"

namespace cede {

namespace {

// Whether a unit helps wherever it runs: always by room in a queue, by other room only if victims may be
// anywhere.
class FreesSharedRoom {
 public:
  FreesSharedRoom(const RuleContext& rule_context, const Placer& placer, const Space& space, bool with_space)
      : model_(rule_context.model()),
        in_flight_(rule_context.in_flight),
        with_space_(with_space),
        lacking_(queue_shortfalls(rule_context, space.usage())) {
    for (std::uint32_t r = 0; with_space && r < model_.resources.size(); ++r) {
      if (space.counted_by_group(r) && placer.asked(r) > space.group_free(r)) group_.push_back(r);
    }
  }

  bool operator()(const Unit& unit) const {
    const RequirementId require = model_.job_extras[unit.job.value].require;
    // An exclusive job closes a whole domain.
    if (with_space_ && require && model_.requirements[require.value]->exclusive == Exclusive::domain)
      return true;
    const QueueId queue = model_.jobs[unit.job].queue;
    const auto frees = [&](std::uint32_t resource) {
      return std::any_of(unit.tasks.begin(), unit.tasks.end(), [&](TaskId task) {
        return amount_of(model_.shape(model_.tasks.core(task).resources), resource) > 0;
      });
    };
    return std::any_of(group_.begin(), group_.end(), frees) ||
           std::any_of(lacking_.begin(), lacking_.end(), [&](const QueueShortfall& shortfall) {
             return (model_.is_below(queue, shortfall.queue) && frees(shortfall.resource)) ||
                    (unit.hold != 0 &&
                     in_flight_.has_surplus(unit.hold, shortfall.queue, shortfall.resource));
           });
  }

 private:
  const Model& model_;
  const InFlight& in_flight_;
  const bool with_space_;
  const std::vector<QueueShortfall> lacking_;
  std::vector<std::uint32_t> group_;
};

// The level at which one domain must hold all tasks; the nearest one of several.
std::uint32_t single_domain_level(const NodeAttributes& attributes, const Requirement& require) {
  std::uint32_t level = kNowhere;
  for (const NetworkRequirement& entry : require.network) {
    if (entry.strength == Strength::hard && entry.max_domains == 1 && entry.segment == 0)
      level = std::min(level, attributes.level(entry.level));
  }
  return level;
}

}  // namespace

std::vector<SearchPlace> split_into_places(const RuleContext& rule_context, const Placer& placer,
                                           const Space& space, const std::vector<const Unit*>& candidates,
                                           std::size_t few, OneNode one_node) {
  const Model& model = rule_context.model();
  const Requirement& require = placer.need().require();
  const bool single_task = rule_context.request.tasks.size() == 1;
  const bool whole_domains = require.exclusive == Exclusive::domain;  // units elsewhere count too
  std::vector<std::uint32_t> key(space.size());                       // place of each node
  bool place_elsewhere = false;
  if (single_task && (one_node != OneNode::anywhere || (!whole_domains && candidates.size() > few))) {
    for (std::uint32_t i = 0; i < key.size(); ++i) key[i] = i;
  } else if (one_node == OneNode::all_victims) {
    for (std::uint32_t i = 0; i < key.size(); ++i) key[i] = i;
    place_elsewhere = true;  // the other tasks may go anywhere
  } else if (candidates.size() > few && !whole_domains) {
    const NodeAttributes attributes(rule_context, space.table(), require.conformance);
    const std::uint32_t level = single_domain_level(attributes, require);
    if (level == kNowhere) return {{{}, candidates}};
    for (std::uint32_t i = 0; i < key.size(); ++i) key[i] = attributes.domains(i)[level];
  } else {
    return {{{}, candidates}};
  }
  std::map<std::uint32_t, SearchPlace> places;
  for (std::uint32_t i = 0; i < key.size(); ++i) {
    if (space.usable(i) && key[i] != kNowhere) places[key[i]].nodes.push_back(i);
  }
  const FreesSharedRoom helps(rule_context, placer, space, one_node == OneNode::anywhere);
  std::vector<const Unit*> everywhere;
  for (const Unit* unit : candidates) {
    if (helps(*unit)) {
      everywhere.push_back(unit);
      continue;
    }
    std::vector<std::uint32_t> seen;
    for (const TaskId task : unit->tasks) {
      const std::uint32_t place = key[space.index_of(model.tasks.core(task).node)];
      if (std::find(seen.begin(), seen.end(), place) != seen.end()) continue;
      seen.push_back(place);
      if (const auto at = places.find(place); at != places.end()) at->second.units.push_back(unit);
    }
  }
  std::vector<SearchPlace> out;
  for (auto& [number, place] : places) {
    place.units.insert(place.units.end(), everywhere.begin(), everywhere.end());
    if (place_elsewhere) place.nodes.clear();
    out.push_back(std::move(place));
  }
  return out;
}

}  // namespace cede
