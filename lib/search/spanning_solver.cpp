// SPDX-License-Identifier: MIT
#include "search/spanning_solver.h"

#include <algorithm>

namespace cede {

namespace {

constexpr std::size_t kMostSharedHere = 5;  // of one node: every choice of them is tried
constexpr std::size_t kMostOffers = 256;
constexpr std::uint32_t kMostTasks = 64;  // of one node
constexpr std::uint64_t kTieShare = 8;    // of the work, for ties that plans do not show to be proven

}  // namespace

// False if the node has too many units. An offer for no more tasks and for no fewer units than another one is
// left out.
bool SpanningSolver::add_offer(std::uint32_t tasks, const std::vector<Index>& units) {
  OfferTable::Offer offer{tasks};
  for (const Index unit : units) {
    auto at = std::find(units_.begin(), units_.end(), unit);
    if (at == units_.end()) {
      if (units_.size() == OfferTable::kMostUnits) return false;
      at = units_.insert(at, unit);
    }
    offer.units |= OfferTable::Mask{1} << (at - units_.begin());
  }
  const auto covers = [](const OfferTable::Offer& a, const OfferTable::Offer& b) {
    return a.tasks >= b.tasks && (a.units & ~b.units) == 0;
  };
  if (std::any_of(offers_.begin(), offers_.end(), [&](const auto& each) { return covers(each, offer); }))
    return true;
  std::erase_if(offers_, [&](const auto& each) { return covers(offer, each); });
  offers_.push_back(offer);
  return offers_.size() <= kMostOffers;
}

// What the node offers if of the shared units only those fixed as gone are taken. False if not all of it
// could be found.
bool SpanningSolver::list_without(std::uint32_t node, std::span<const Index> shared, std::uint32_t takes) {
  NodeTrial& trial = scratch_.trial;
  trial.load(node, scratch_.fixings);
  std::vector<Index> gone;
  for (const Index unit : shared) {
    if (scratch_.fixings[unit] == Fixing::gone) gone.push_back(unit);
  }
  const std::uint32_t now = trial.capacity();
  all_listed_ = all_listed_ && (trial.size() == 0 || trial.needs_everybody(now + 1));
  if (now > takes && !add_offer(now - takes, gone)) return false;
  if (trial.size() == 0) return true;
  solver_.arrange(trial);
  for (std::uint32_t tasks = now + 1;
       tasks <= capacity_model_.most_per_node() && trial.takes_without_rest(0, tasks); ++tasks) {
    if (tasks - takes > kMostTasks) return false;
    std::optional<CostedSet> best;
    if (!solver_.improve(trial, tasks, scratch_.node_share, best, [](const auto&) {}) || !best) return false;
    best->units.insert(best->units.end(), gone.begin(), gone.end());
    if (!add_offer(tasks - takes, best->units)) return false;
  }
  return true;
}

// For every choice of the shared units, the cheapest others for every number of tasks.
bool SpanningSolver::list(std::uint32_t node) {
  NodeTrial& trial = scratch_.trial;
  trial.load(node, scratch_.fixings);
  std::vector<Index> shared;
  for (std::size_t at = 0; at < trial.size(); ++at) {
    if (scratch_.shares[trial.unit(at)] > 1) shared.push_back(trial.unit(at));
  }
  if (shared.size() > kMostSharedHere) return false;
  const std::uint32_t takes = trial.capacity();
  offers_.clear();
  units_.clear();
  all_listed_ = true;
  bool listed = true;
  for (std::uint32_t choice = 0; listed && choice < std::uint32_t{1} << shared.size(); ++choice) {
    for (std::size_t i = 0; i < shared.size(); ++i)
      scratch_.fixings[shared[i]] = (choice >> i & 1) != 0 ? Fixing::gone : Fixing::stays;
    listed = list_without(node, shared, takes);
  }
  for (const Index unit : shared) scratch_.fixings[unit] = Fixing::open;
  if (!listed) return false;
  if (offers_.empty()) return true;
  // Units that no offer names any more.
  OfferTable::Mask named = 0;
  for (const OfferTable::Offer& offer : offers_) named |= offer.units;
  std::vector<Index> units;
  for (std::size_t i = units_.size(); i-- > 0;) {
    if ((named >> i & 1) != 0) {
      units.insert(units.begin(), units_[i]);
      continue;
    }
    const OfferTable::Mask below = (OfferTable::Mask{1} << i) - 1;
    for (OfferTable::Offer& offer : offers_)
      offer.units = (offer.units & below) | (offer.units >> 1 & ~below);
  }
  if (!all_listed_) chosen_among_.insert(chosen_among_.end(), units.begin(), units.end());
  table_.add(std::move(offers_), std::move(units));
  return true;
}

bool SpanningSolver::breaks_cap(const std::vector<Index>& indexes) {
  std::vector<const Unit*> units;
  for (const Index index : indexes) units.push_back(&scores_.unit(index));
  const bool breaks = breaks_any(caps_, units, scratch_.work);
  refused_ = refused_ || breaks;
  return breaks;
}

// Whether the set is the best one now.
bool SpanningSolver::offer(std::vector<Index> units, std::optional<CostedSet>& best) {
  std::sort(units.begin(), units.end());
  if (best && units == best->units) return true;
  CostedSet set{scores_.cost(units), std::move(units)};
  scratch_.work.spend(10 + 4 * set.units.size());
  if (best &&
      (set.cost > best->cost || (set.cost == best->cost && scores_.compare(set.units, best->units) >= 0)))
    return false;
  if (!caps_.empty() && breaks_cap(set.units)) return false;
  best = std::move(set);
  return true;
}

SpanningSolver::Answer SpanningSolver::search(std::uint64_t tasks, std::optional<CostedSet>& best) {
  std::vector<Cost> unit_costs;
  for (const Index unit : table_.candidates()) unit_costs.push_back(scores_.cost(unit));
  const PackedCosts costs(scores_, unit_costs, best ? &best->cost : nullptr);
  const std::size_t shown = std::min(costs.parts(), scores_.shown_parts());
  if (shown == 0) return {};
  std::vector<Total> packed;
  for (const Cost& cost : unit_costs) packed.push_back(costs.of(cost));
  DivisionBound bound(table_, std::move(packed), tasks, scratch_.work);
  const auto cost_of_best = [&] { return best ? costs.most(best->cost) : DivisionBound::kNoSet; };
  SpanningSearch::Caller caller;
  caller.found = [&](std::vector<Index> units) {
    offer(std::move(units), best);
    return cost_of_best();
  };
  std::vector<bool> may_stay(table_.units(), true);
  if (!caps_.empty()) {
    caller.forbids = [&](const std::vector<Index>& units) { return breaks_cap(units); };
    std::vector<OfferTable::Unit> chosen_among;
    table_.find(chosen_among_, chosen_among);
    for (const OfferTable::Unit unit : chosen_among) may_stay[unit] = false;
    caller.may_stay = [&](OfferTable::Unit unit) { return may_stay[unit]; };
  }
  // The cost of a set elsewhere may be none that a set here has.
  const bool known = best && costs.is_exact(best->cost);
  SpanningSearch search(table_, costs, bound, cost_of_best(), known, scratch_.work, std::move(caller));
  Answer answer;
  const auto told = [&](Proof proof) {
    answer.proof = proof;
    answer.bound = costs.least_cost(std::min(search.bound(), cost_of_best()));
    // The implied part is that of the best set, if all before it are.
    const std::size_t implied = scores_.implied_part();
    if (best && implied < scores_.costed() &&
        std::equal(best->cost.parts.begin(), best->cost.parts.begin() + static_cast<std::ptrdiff_t>(implied),
                   answer.bound->parts.begin()))
      answer.bound->parts[implied] = best->cost.parts[implied];
    return answer;
  };
  if (!search.prove(shown)) return told(Proof::none);
  if (!best) return {Proof::all, Cost{}};
  // Plans also show start times that are compared before the number of victims.
  const bool costs_are_all = shown == scores_.shown_parts();
  const Answer shown_only = told(costs_are_all ? Proof::shown : Proof::none);
  const WorkShare part(scratch_.work, scratch_.work.left() / (costs_are_all ? kTieShare : 1));
  if (costs.parts() < scores_.costed() || !search.prove(costs.parts())) return shown_only;
  const std::optional<CandidateScores::TieList> list = scores_.tie_list();
  if (!list) return told(shown_only.proof);
  SpanningSearch::TieOrder order;
  std::vector<std::int64_t> values;
  for (const Index unit : table_.candidates()) values.push_back(scores_.tie_value(*list, unit));
  std::vector<std::int64_t> groups = values;
  std::sort(groups.begin(), groups.end());
  groups.erase(std::unique(groups.begin(), groups.end()), groups.end());
  for (const std::int64_t value : values)
    order.group.push_back(
        static_cast<std::uint32_t>(std::lower_bound(groups.begin(), groups.end(), value) - groups.begin()));
  order.take = list->take;
  std::vector<OfferTable::Unit> units;
  if (!table_.find(best->units, units)) return told(shown_only.proof);
  const bool all = search.break_ties(order, [&] {
    units.clear();
    table_.find(best->units, units);
    return units;
  });
  // A set that wins the tie may need units that are listed only behind others, which a cap forbids.
  const bool all_listed = !refused_ || chosen_among_.empty();
  return told(all && all_listed ? Proof::all : shown_only.proof);
}

SpanningSolver::Answer SpanningSolver::run(std::span<const std::uint32_t> nodes, std::uint64_t tasks,
                                           std::optional<CostedSet>& best) {
  std::vector<Index> excluded;
  // No set with a unit that costs more than the best set is better.
  for (std::size_t i = 0; best && i < nodes.size(); ++i) {
    for (const Occupant& occupant : capacity_model_.occupants(nodes[i])) {
      const Index unit = capacity_model_.candidate(*occupant.unit);
      if (unit == CapacityModel::kNoCandidate || scratch_.fixings[unit] != Fixing::open ||
          scores_.cost(unit) <= best->cost)
        continue;
      scratch_.fixings[unit] = Fixing::stays;
      excluded.push_back(unit);
    }
    scratch_.work.spend(5 * capacity_model_.occupants(nodes[i]).size());
  }
  bool listed = true;
  for (const std::uint32_t node : nodes) {
    listed = listed && !scratch_.work.ended() && list(node);
    if (!listed) break;
  }
  for (const Index unit : excluded) scratch_.fixings[unit] = Fixing::open;
  if (!listed) return {};
  table_.finish(scores_);
  return search(tasks, best);
}

}  // namespace cede
