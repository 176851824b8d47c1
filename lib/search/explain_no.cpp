// SPDX-License-Identifier: MIT
#include "search/explain_no.h"

#include <set>

#include "placement/usable_nodes.h"
#include "search/tiers.h"

namespace cede {

namespace {

// The search keeps `one-node` by the places it looks at, so it is not among the caps. Returns the number of
// nodes the victims would be on without it; 0 if it is not the obstacle.
std::size_t nodes_needed(DecisionContext& context, const VictimProblem& problem,
                         const std::vector<const Unit*>& eligible) {
  if (!problem.placer || problem.one_node == OneNode::anywhere) return 0;
  const Placer& placer = *problem.placer;
  // Room for one task is on one node anyway. Only resources that the group counts could come from elsewhere.
  const bool domain = placer.need().require().exclusive == Exclusive::domain;
  if (context.request.tasks.size() == 1 && !domain && placer.has_group_room(problem.space)) return 0;
  const RequestNeeds needs(context.rule_context, placer, OneNode::anywhere);
  const VictimProblem anywhere{needs,       &placer, problem.space, OneNode::anywhere, problem.objective,
                               problem.caps};
  const SearchResult found = search_candidates(context, anywhere, eligible);
  std::set<NodeId> nodes;
  for (const Unit* unit : found.best ? found.best->victims : std::vector<const Unit*>{}) {
    for (const TaskId task : unit->tasks) nodes.insert(context.model.tasks.core(task).node);
  }
  return nodes.size();
}

void release_all(Space& space, const std::vector<const Unit*>& units) {
  for (const Unit* unit : units) {
    for (const TaskId task : unit->tasks) {
      if (space.holds(task)) space.release(task);
    }
  }
}

// Whether the request would fit without these units if a missing topology were the right one.
bool lacks_topology(DecisionContext& context, const std::vector<const Unit*>& gone) {
  const Placer placer(context.rule_context, context.group_index->nodes(), context.work);
  if (!placer.asks_topology()) return false;
  Space space(context.rule_context, context.group_index->nodes(), Space::Fill::as_it_is, &context.work);
  mark_usable(space, context.rule_context, context.query.avoid, Usable::now);
  release_all(space, gone);
  return queue_shortfalls(context.rule_context, space.usage()).empty() &&
         placer.fits(space) != PlacementResult::placed && fits_if_topology_known(context, placer, space);
}

// Names the cap that alone is in the way, and by how much at least.
Verdict explain_by_caps(DecisionContext& context, const VictimProblem& problem,
                        const std::vector<const Unit*>& eligible) {
  for (std::size_t i = 0; i < problem.caps.size() && !context.work.ended(); ++i) {
    const SearchResult without = search_candidates(context, problem, eligible, i);
    std::string why;
    if (without.best && problem.caps[i].breaks(without.best->victims, &why))
      return Verdict::wait(problem.caps[i].name(), std::move(why));
  }
  return Verdict::wait("no-set", "no allowed set of the eligible units makes room for it");
}

// The needs are not met even with all eligible units gone.
Verdict explain_by_needs(DecisionContext& context, const VictimProblem& problem,
                         const std::vector<const Unit*>& eligible) {
  if (may_reuse_answers(context, problem)) {
    const CountTerms counted(context, problem);
    if (const std::optional<NoRoom> no = AnswerCache(counted.terms(), context.query).no_room(eligible))
      return no_room_verdict(*no);
  }
  release_all(problem.space, eligible);
  if (problem.placer && lacks_topology(context, eligible))
    return Verdict::wait("topology-unknown", kTopologyUnknown);
  return Verdict::wait("no-set", "even with all " + std::to_string(eligible.size()) +
                                     " eligible units gone " + (problem.placer ? "it does not fit: " : "") +
                                     problem.needs.missing(problem.space));
}

}  // namespace

bool fits_if_topology_known(DecisionContext& context, const Placer& placer, const Space& space) {
  return placer.asks_topology() &&
         Placer(context.rule_context, space.table(), context.work, Unknown::passes).fits(space) ==
             PlacementResult::placed;
}

Verdict explain_no(DecisionContext& context, const VictimProblem& problem, const SearchResult& failed,
                   const std::vector<const Unit*>& eligible) {
  if (!failed.proven)
    return Verdict::wait("undecided", "no set was found within the allowed work; there may be one");
  if (const std::size_t nodes = nodes_needed(context, problem, eligible); nodes > 0) {
    return Verdict::wait("one-node", "victims on one node do not make room for it; it takes those of " +
                                         std::to_string(nodes));
  }
  return failed.needs_met ? explain_by_caps(context, problem, eligible)
                          : explain_by_needs(context, problem, eligible);
}

Verdict no_room_verdict(const NoRoom& found) {
  return Verdict::wait("no-set", "even with all " + std::to_string(found.units) +
                                     " eligible units gone it does not fit: " + found.missing);
}

}  // namespace cede
