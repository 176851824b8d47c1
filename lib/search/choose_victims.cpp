// SPDX-License-Identifier: MIT
#include "search/choose_victims.h"

#include <algorithm>
#include <limits>
#include <map>

#include "placement/node_attributes.h"
#include "policy/composition.h"
#include "policy/reclaim.h"
#include "search/answer_cache.h"
#include "search/cover_search.h"
#include "search/plan_builder.h"

namespace cede {

namespace {

std::vector<const Unit*> without_reasons(const DecisionContext& context, const Needs& needs,
                                         const Space& space) {
  const std::span<const Unit* const> units = context.units();
  const Eligibility rules(context.rule_context);
  const auto is_in = [&](const Unit* unit) { return !rules.excludes(*unit) && needs.serves(*unit, space); };
  // FairShareStatus is not thread-safe.
  WorkerPool* const workers = context.fair ? nullptr : workers_for(context.input.workers, units.size());
  std::vector<std::vector<const Unit*>> pieces((units.size() + kUnitsAtOnce - 1) / kUnitsAtOnce);
  each_piece(workers, pieces.size(), [&](std::size_t piece) {
    const auto part =
        units.subspan(piece * kUnitsAtOnce, std::min(kUnitsAtOnce, units.size() - piece * kUnitsAtOnce));
    std::copy_if(part.begin(), part.end(), std::back_inserter(pieces[piece]), is_in);
  });
  std::vector<const Unit*> out;
  for (const auto& piece : pieces) out.insert(out.end(), piece.begin(), piece.end());
  return out;
}

}  // namespace

std::vector<const Unit*> units_in_order(const DecisionContext& context) {
  std::vector<const Unit*> units(context.units().begin(), context.units().end());
  std::sort(units.begin(), units.end(),
            [&](const Unit* a, const Unit* b) { return comes_before(context.model, *a, *b); });
  return units;
}

std::vector<const Unit*> eligible_units(const DecisionContext& context, const Needs& needs,
                                        const Space& space, PlanBuilder& builder) {
  if (!context.explains_units_later()) return explained_eligible_units(context, needs, space, builder);
  builder.explain_units_later();
  return without_reasons(context, needs, space);
}

std::vector<const Unit*> explained_eligible_units(const DecisionContext& context, const Needs& needs,
                                                  const Space& space, PlanBuilder& builder) {
  std::vector<const Unit*> out;
  const RuleList<EligibilityRule> rules = eligibility_rules(context.rule_context);
  for (const Unit* unit : units_in_order(context)) {
    std::string why;
    const auto rule = std::find_if(rules.begin(), rules.end(),
                                   [&](const auto& each) { return each->excludes(*unit, &why); });
    if (rule != rules.end()) {
      builder.exclude(*unit, (*rule)->name(), std::move(why));
    } else if (!needs.serves(*unit, space)) {
      builder.exclude(*unit, "frees-nothing", "nothing it holds is of use to the request");
    } else {
      out.push_back(unit);
    }
  }
  builder.exclude_leaving();
  return out;
}

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

}  // namespace

std::uint32_t single_domain_level(const NodeAttributes& attributes, const Requirement& require) {
  std::uint32_t level = kNowhere;
  for (const NetworkRequirement& entry : require.network) {
    if (entry.strength == Strength::hard && entry.max_domains == 1 && entry.segment == 0)
      level = std::min(level, attributes.level(entry.level));
  }
  return level;
}

std::vector<Subproblem> split_into_subproblems(const RuleContext& rule_context, const Placer& placer,
                                               const Space& space, const std::vector<const Unit*>& candidates,
                                               std::size_t few, OneNode one_node) {
  const Model& model = rule_context.model();
  const Requirement& require = placer.need().require();
  const bool single_task = rule_context.request.tasks.size() == 1;
  const bool whole_domains = require.exclusive == Exclusive::domain;  // units elsewhere count too
  std::vector<std::uint32_t> key(space.size());                       // subproblem of each node
  bool others_anywhere = false;
  if (single_task && (one_node != OneNode::anywhere || (!whole_domains && candidates.size() > few))) {
    for (std::uint32_t i = 0; i < key.size(); ++i) key[i] = i;
  } else if (one_node == OneNode::all_victims) {
    for (std::uint32_t i = 0; i < key.size(); ++i) key[i] = i;
    others_anywhere = true;  // the other tasks may go anywhere
  } else if (candidates.size() > few && !whole_domains) {
    const NodeAttributes attributes(rule_context, space.table(), require.conformance);
    const std::uint32_t level = single_domain_level(attributes, require);
    if (level == kNowhere) return {{{}, candidates}};
    for (std::uint32_t i = 0; i < key.size(); ++i) key[i] = attributes.domains(i)[level];
  } else {
    return {{{}, candidates}};
  }
  std::map<std::uint32_t, Subproblem> subproblems;
  for (std::uint32_t i = 0; i < key.size(); ++i) {
    if (space.usable(i) && key[i] != kNowhere) subproblems[key[i]].nodes.push_back(i);
  }
  const FreesSharedRoom helps(rule_context, placer, space, one_node == OneNode::anywhere);
  std::vector<const Unit*> everywhere;
  for (const Unit* unit : candidates) {
    if (helps(*unit)) {
      everywhere.push_back(unit);
      continue;
    }
    std::vector<std::uint32_t> seen;
    for (const NodeId node : nodes_of(model, rule_context.in_flight, *unit)) {
      const std::uint32_t subproblem = key[space.index_of(node)];
      if (std::find(seen.begin(), seen.end(), subproblem) != seen.end()) continue;
      seen.push_back(subproblem);
      if (const auto at = subproblems.find(subproblem); at != subproblems.end())
        at->second.units.push_back(unit);
    }
  }
  std::vector<Subproblem> out;
  for (auto& [number, subproblem] : subproblems) {
    subproblem.units.insert(subproblem.units.end(), everywhere.begin(), everywhere.end());
    if (others_anywhere) subproblem.nodes.clear();
    out.push_back(std::move(subproblem));
  }
  return out;
}

namespace {

constexpr std::size_t kFewNodesOfSpace = 500;  // so few that every set can look at all of them
constexpr std::size_t kMostTriedAlone = 256;   // victims of a set

// Whether some cap lets all candidates together free less than the request lacks.
bool caps_leave_too_little(const Placer& placer, const VictimProblem& problem,
                           const std::vector<const Unit*>& candidates, std::size_t without_cap) {
  const RuleList<Cap>& caps = problem.caps;
  const std::size_t resources = problem.space.model().resources.size();
  for (std::uint32_t r = 0; r < resources; ++r) {
    if (placer.asked(r) == 0) continue;
    const Total shortfall = placer.asked(r) - free_of(problem.space, r);
    for (std::size_t i = 0; shortfall > 0 && i < caps.size(); ++i) {
      const std::optional<Total> most = i == without_cap ? std::nullopt : caps[i].most_freed(candidates, r);
      if (most && *most < shortfall) return true;
    }
  }
  return false;
}

// nullopt if the capacity model does not decide.
std::optional<SearchResult> search_by_counting(DecisionContext& context, const VictimProblem& problem,
                                               const std::vector<const Unit*>& candidates,
                                               std::size_t without_cap) {
  if (caps_leave_too_little(*problem.placer, problem, candidates, without_cap)) {
    SearchResult no;
    no.proven = true;
    no.needs_met = true;  // by all candidates together, as far as known
    return no;
  }
  if (!CapacityModel::decides(context.rule_context, *problem.placer, problem.space, problem.one_node))
    return std::nullopt;
  const CapacityProblem capacity_problem(context, problem, without_cap);
  const std::uint64_t before = context.work.spent();
  std::optional<SearchResult> found = CapacitySearch(capacity_problem.problem(), candidates).run();
  if (!found) return std::nullopt;
  context.search_spent += found->work;
  context.proof_spent += context.work.spent() - before;
  return found;
}

// Removes victims without whom the request fits as well. A search that was not completed knows the best set
// of each subproblem it looked at, but a victim with tasks in several subproblems may make room in another
// subproblem alone.
void drop_needless(DecisionContext& context, const VictimProblem& problem, VictimSet& set) {
  Space& space = problem.space;
  // Dropping victims cannot break this rule where all victims are on one node whatever the placement is.
  const bool on_placement = problem.one_node == OneNode::each_task;
  const FreesSharedRoom makes_queue_room(context.rule_context, *problem.placer, space, false);
  const auto keeps_one_node = [&](const std::vector<const Unit*>& victims, const Placement& placement) {
    return !on_placement || std::all_of(victims.begin(), victims.end(), [&](const Unit* unit) {
      if (makes_queue_room(*unit)) return true;
      const std::vector<NodeId> nodes = nodes_of(context.model, context.rule_context.in_flight, *unit);
      return std::any_of(placement.tasks.begin(), placement.tasks.end(), [&](const PlannedTask& to) {
        return std::find(nodes.begin(), nodes.end(), to.node) != nodes.end();
      });
    });
  };
  std::vector<std::pair<ObjectiveValue, const Unit*>> costliest;
  for (const Unit* unit : set.victims) {
    costliest.emplace_back(problem.objective.objective_value({&unit, 1}, {}), unit);
    for (const TaskId task : unit->tasks) space.release(task);
  }
  std::sort(costliest.begin(), costliest.end(),
            [](const auto& a, const auto& b) { return compare(a.first, b.first) > 0; });
  const std::size_t before = set.victims.size();
  for (const auto& [alone, unit] : costliest) {
    if (context.work.ended() || set.victims.size() == 1) break;
    for (const TaskId task : unit->tasks) space.take(task);
    std::vector<const Unit*> others = set.victims;
    std::erase(others, unit);
    Placement placement;
    if (problem.needs.are_met(space, {}) && problem.needs.place(space, {}, placement) &&
        keeps_one_node(others, placement)) {
      set.victims = std::move(others);
      set.placement = std::move(placement);
    } else {
      for (const TaskId task : unit->tasks) space.release(task);
    }
  }
  for (const Unit* unit : set.victims) {
    for (const TaskId task : unit->tasks) space.take(task);
  }
  if (set.victims.size() < before)
    set.objective_value = problem.objective.objective_value(set.victims, set.placement);
}

void drop_needless(DecisionContext& context, const VictimProblem& problem, SearchResult& found) {
  if (!problem.placer || !found.best || found.proven || found.best->victims.size() > kMostTriedAlone) return;
  const std::size_t before = found.best->victims.size();
  drop_needless(context, problem, *found.best);
  if (found.best->victims.size() == before) return;
  found.placement_proven = false;
  found.proven_entries = 0;
  found.gap_bound.reset();
  std::erase_if(found.others, [&](const VictimSet& other) {
    return compare(other.objective_value, found.best->objective_value) <= 0;
  });
}

}  // namespace

int tier_of(const DecisionContext& context, const Unit& unit) {
  return unit.last_resort ? std::numeric_limits<int>::max()
                          : context.profile.tier(context.rule_context, unit);
}

SearchResult search_candidates(DecisionContext& context, const VictimProblem& problem,
                               const std::vector<const Unit*>& candidates, std::size_t without_cap) {
  const SearchLimits limits = search_limits(context);
  const auto exact_units = static_cast<std::size_t>(limits.exact_units);
  const bool few = candidates.size() <= exact_units && problem.space.size() <= kFewNodesOfSpace;
  if (problem.placer && !few) {
    if (std::optional<SearchResult> found = search_by_counting(context, problem, candidates, without_cap)) {
      if (without_cap == kEveryCap) drop_needless(context, problem, *found);
      return std::move(*found);
    }
  }
  if (!few && without_cap == kEveryCap) {
    if (std::optional<SearchResult> found = search_covers(context, problem, candidates))
      return std::move(*found);
  }
  std::vector<Subproblem> subproblems{{{}, candidates}};
  if (problem.placer) {
    subproblems = split_into_subproblems(context.rule_context, *problem.placer, problem.space, candidates,
                                         exact_units, problem.one_node);
  }
  SearchResult found =
      VictimSearch(problem.space, problem.needs, problem.objective, problem.caps, limits, without_cap)
          .run(subproblems);
  context.search_spent += found.work;
  context.proof_spent += found.work;
  if (without_cap == kEveryCap) drop_needless(context, problem, found);
  return found;
}

namespace {

using Units = std::vector<const Unit*>;

template <class Claim>
Units only(const Units& units, Claim claim) {
  Units out;
  std::copy_if(units.begin(), units.end(), std::back_inserter(out),
               [&](const Unit* unit) { return claim(*unit); });
  return out;
}

// Writes into the objective value whether the set is allowed by class alone: at equal price such a set wins.
void add_reclaim_criterion(const Reclaim& reclaim, VictimSet& set) {
  if (!reclaim.applies()) return;
  std::vector<Criterion>& shown = set.objective_value.shown;
  const auto price = std::find_if(shown.begin(), shown.end(), [](const Criterion& each) {
    return each.name == "price" || each.name == "lost-work";
  });
  const bool any = std::any_of(set.victims.begin(), set.victims.end(),
                               [&](const Unit* unit) { return reclaim.takes_back(*unit); });
  shown.insert(price == shown.end() ? price : price + 1, Criterion::of_number("reclaim", any ? 1 : 0));
}

void add_reclaim_criterion(const Reclaim& reclaim, SearchResult& found) {
  if (found.best) add_reclaim_criterion(reclaim, *found.best);
  for (VictimSet& other : found.others) add_reclaim_criterion(reclaim, other);
}

// Adds the result of a search among other candidates or other nodes. Sets already have their criterion
// `reclaim`.
void merge(SearchResult& all, SearchResult found) {
  const auto is_less = [](const VictimSet& a, const VictimSet& b) {
    return compare(a.objective_value, b.objective_value) < 0;
  };
  const auto price_of = [](const SearchResult& result) -> std::optional<std::int64_t> {
    if (!result.best) return std::nullopt;
    for (const Criterion& each : result.best->objective_value.shown) {
      if (each.name == "price" || each.name == "lost-work") return each.number;
    }
    return std::nullopt;
  };
  // A search that is proven needs no bound below its best set, and none if it has no set.
  const auto bound_of = [&](const SearchResult& result) {
    return result.proven ? price_of(result) : result.price_bound;
  };
  std::optional<std::int64_t> bound = bound_of(all);
  if (const std::optional<std::int64_t> other = bound_of(found); other && (!bound || *other < *bound))
    bound = other;
  const bool bounded = (all.proven || all.price_bound) && (found.proven || found.price_bound);
  all.proven = all.proven && found.proven;
  all.price_bound = !all.proven && bounded ? bound : std::nullopt;
  all.proven_entries = 0;
  all.gap_bound.reset();
  all.needs_met = all.needs_met || found.needs_met;
  all.placement_proven = all.placement_proven && found.placement_proven;
  all.work += found.work;
  for (VictimSet& other : found.others) all.others.push_back(std::move(other));
  if (found.best && (!all.best || is_less(*found.best, *all.best))) std::swap(found.best, all.best);
  if (found.best) all.others.push_back(std::move(*found.best));
  std::stable_sort(all.others.begin(), all.others.end(), is_less);
  const auto same = [](const VictimSet& a, const VictimSet& b) {
    return !a.objective_value.names.empty() && a.objective_value.names == b.objective_value.names;
  };
  std::erase_if(all.others, [&](const VictimSet& other) { return same(other, *all.best); });
  all.others.erase(std::unique(all.others.begin(), all.others.end(), same), all.others.end());
  if (all.others.size() > kAlternatives) all.others.resize(kAlternatives);
}

// The candidates differ in where the request may run once they are gone, so there are up to three searches:
// without units that bind the request to its home; at home, with all that class allows; at home, with all. A
// set of the last search that class allows is never better than the best of the other two, so the criterion
// `reclaim` need not be known while searching.
SearchResult search_at_home_too(DecisionContext& context, const VictimProblem& problem,
                                const VictimProblem& at_home, const Units& candidates) {
  const Reclaim reclaim(context.rule_context);
  const auto search = [&](const VictimProblem& where, const Units& units) {
    SearchResult found = search_candidates(context, where, units);
    add_reclaim_criterion(reclaim, found);
    return found;
  };
  const auto is_unbound = [&](const Unit& unit) { return !reclaim.binds(unit); };
  const auto is_by_class = [&](const Unit& unit) { return !reclaim.takes_back(unit); };
  const Units unbound = only(candidates, is_unbound);
  const Units by_class = only(candidates, is_by_class);
  SearchResult all;
  all.proven = true;
  if (!unbound.empty()) merge(all, search(problem, unbound));
  if (by_class.size() > unbound.size()) merge(all, search(at_home, by_class));
  if (candidates.size() > by_class.size()) merge(all, search(at_home, candidates));
  if (!all.best || all.proven) return all;
  // An unproven search may have missed that a part of the best set is enough where fewer units bind.
  const Units best = all.best->victims;
  for (const Units& part : {only(best, is_unbound), only(best, is_by_class)}) {
    const bool bound =
        std::any_of(part.begin(), part.end(), [&](const Unit* unit) { return reclaim.binds(*unit); });
    if (!part.empty() && part.size() < best.size()) merge(all, search(bound ? at_home : problem, part));
  }
  return all;
}

}  // namespace

SearchResult search_tiers(DecisionContext& context, const VictimProblem& problem,
                          const std::vector<const Unit*>& eligible, const VictimProblem* at_home) {
  const auto search = [&](const Units& candidates) {
    return at_home ? search_at_home_too(context, problem, *at_home, candidates)
                   : search_candidates(context, problem, candidates);
  };
  std::vector<int> tiers;
  for (const Unit* unit : eligible) {
    const int tier = tier_of(context, *unit);
    if (std::find(tiers.begin(), tiers.end(), tier) == tiers.end()) tiers.push_back(tier);
  }
  std::sort(tiers.begin(), tiers.end());
  SearchResult found;
  for (const int tier : tiers) {
    if (tier == tiers.back()) return search(eligible);
    found = search(only(eligible, [&](const Unit& unit) { return tier_of(context, unit) <= tier; }));
    if (found.best || !found.proven) break;
  }
  return found;
}

namespace {

Verdict take(const DecisionContext& context, SearchResult found, const std::vector<const Unit*>& eligible,
             const Placer* placer, PlanBuilder& builder) {
  builder.take(std::move(found), eligible, placer);
  Verdict verdict = builder.preempt();
  const std::string remark = context.profile.remark(context.rule_context);
  if (!remark.empty()) verdict.reason += "; " + remark;
  return verdict;
}

// Of the two problems, the one to explain a no by: the one in which only a cap is in the way, else the one
// with all units.
const VictimProblem& problem_to_explain(DecisionContext& context, const VictimProblem& problem,
                                        const VictimProblem* at_home, Units& eligible,
                                        const SearchResult& failed) {
  if (!at_home) return problem;
  const Reclaim reclaim(context.rule_context);
  const Units unbound = only(eligible, [&](const Unit& unit) { return !reclaim.binds(unit); });
  if (!unbound.empty() && failed.needs_met) {
    const SearchResult again = search_candidates(context, problem, unbound);
    if (again.needs_met) {
      eligible = unbound;
      return problem;
    }
  }
  return *at_home;
}

}  // namespace

namespace {

// The best value that a set of so many units could have if each unit alone could.
Criterion best_value(const Measure& measure, const std::vector<const Unit*>& eligible, std::size_t units) {
  std::vector<std::int64_t> values;
  for (const Unit* unit : eligible) values.push_back(measure.of(*unit));
  const bool latest =
      measure.kind() == Measure::Kind::younger_wins || measure.kind() == Measure::Kind::oldest_started_last;
  std::sort(values.begin(), values.end());
  if (latest) std::reverse(values.begin(), values.end());
  values.resize(std::min(values.size(), units));
  switch (measure.kind()) {
    case Measure::Kind::counts: return Criterion::of_counts(measure.name(), {values.front()});
    case Measure::Kind::older_wins:
    case Measure::Kind::younger_wins: return Criterion::of_times(measure.name(), std::move(values), latest);
    case Measure::Kind::oldest_started_last: return Criterion::of_younger(measure.name(), std::move(values));
    case Measure::Kind::highest:
    case Measure::Kind::sum: break;
  }
  return Criterion::of_number(measure.name(), values.front());
}

// A bound where the search has none: every set has at least one eligible unit.
void bound_gap(const VictimProblem& problem, const Units& eligible, SearchResult& found) {
  const RuleList<Measure>& measures = problem.objective.measures();
  const std::vector<Criterion>& shown = found.best->objective_value.shown;
  const std::size_t open = std::max<std::size_t>(found.proven_entries, shown.front().number == 0 ? 1 : 0);
  if (found.proven || found.gap_bound || open >= measures.size() || measures[open].name() != shown[open].name)
    return;
  const bool priced = found.price_bound && open == kPriceMeasure && leads_with_price(measures);
  found.gap_bound = priced ? Criterion::of_number(measures[open].name(), *found.price_bound)
                           : best_value(measures[open], eligible, found.best->victims.size());
}

}  // namespace

std::optional<Verdict> cached_victims(DecisionContext& context, const VictimProblem& problem,
                                      PlanBuilder& builder) {
  if (!may_reuse_answers(context, problem)) return std::nullopt;
  const CapacityProblem capacity_problem(context, problem);
  AnswerCache answers(capacity_problem.problem(), context.query);
  if (const std::optional<NoRoom> no = answers.no_room()) {
    context.search_spent += no->work;
    builder.explain_units_later();
    return no_room_verdict(*no);
  }
  const WorkShare share(context.work, context.work.left() / 3);
  std::optional<SearchResult> found = answers.run();
  if (!found) return std::nullopt;
  context.search_spent += found->work;
  builder.explain_units_later();
  drop_needless(context, problem, *found);
  add_reclaim_criterion(Reclaim(context.rule_context), *found);
  return take(context, std::move(*found), {}, problem.placer, builder);
}

Verdict choose_victims(DecisionContext& context, const VictimProblem& problem,
                       const std::vector<const Unit*>& eligible, PlanBuilder& builder,
                       const VictimProblem* at_home) {
  if (eligible.empty()) {
    return Verdict::wait("no-victims", "none of the " + std::to_string(context.units().size()) +
                                           " running units may give way");
  }
  SearchResult found = search_tiers(context, problem, eligible, at_home);
  if (!found.best) {
    builder.list_not_needed(eligible, {});
    Units concerned = eligible;
    const VictimProblem& failed = problem_to_explain(context, problem, at_home, concerned, found);
    Verdict no = explain_no(context, failed, found, concerned);
    if (&failed == at_home && no.rule == "no-set")
      no.reason +=
          "; only nodes of its own home, or of none, are counted: with victims that it takes back it runs "
          "there";
    return no;
  }
  bound_gap(problem, eligible, found);
  if (may_reuse_answers(context, problem)) {
    const CapacityProblem capacity_problem(context, problem);
    AnswerCache(capacity_problem.problem(), context.query).keep(found);
  }
  if (!at_home) add_reclaim_criterion(Reclaim(context.rule_context), found);
  return take(context, std::move(found), eligible, problem.placer, builder);
}

}  // namespace cede
