// SPDX-License-Identifier: MIT
#include "search/capacity_search.h"

#include <algorithm>
#include <map>

namespace cede {

namespace {

constexpr std::size_t kNodesSearchedAtOnce = 256;  // one piece for a worker
constexpr std::size_t kPiecesAtOnce = 16;          // one wave
constexpr std::size_t kTies = 64;
constexpr std::uint64_t kLeastPerNode = 6000;  // units of work
constexpr std::uint64_t kLeastPerSingleNode = 800;
constexpr std::uint64_t kMostPerNode = 200'000;

bool is_part(const Unit* unit) { return !unit->whole_elastic; }

std::vector<const Unit*> without_wholes(std::span<const Unit* const> candidates) {
  std::vector<const Unit*> out;
  std::copy_if(candidates.begin(), candidates.end(), std::back_inserter(out), is_part);
  return out;
}

}  // namespace

CapacitySearch::CapacitySearch(const SearchProblem& problem, std::span<const Unit* const> candidates)
    : problem_(problem),
      work_(problem.space.work()),
      begun_(work_.spent()),
      scores_(problem.objective, without_wholes(candidates), workers_for(problem.workers, candidates.size())),
      capacity_model_(problem.rule_context, problem.placer, problem.group_index, problem.space, scores_),
      workers_(workers_for(problem.workers, scores_.size())),
      elastic_(scores_.size() < candidates.size()),
      start_(scores_.size(), Fixing::open) {
  work_.spend(20 * candidates.size());
}

// A quarter of the work may go into single nodes.
std::uint64_t work_per_node(const SearchLimits& limits, std::size_t nodes) {
  return std::clamp(limits.proof / 4 / std::max<std::size_t>(1, nodes), kLeastPerNode, kMostPerNode);
}

std::uint64_t work_per_single_node(const SearchLimits& limits, std::size_t nodes) {
  return std::max(limits.proof / std::max<std::size_t>(1, nodes), kLeastPerSingleNode);
}

// The part of the work that is left for the proof.
std::uint64_t CapacitySearch::proof_left() const {
  const std::uint64_t spent = work_.spent() - begun_;
  return std::min(work_.left(), problem_.limits.proof - std::min(problem_.limits.proof, spent));
}

// Adds the work and the open bound of one piece of the search.
void CapacitySearch::gather(const Work& part, bool certain, const Cost& bound) {
  work_.add(part);
  if (!certain || part.left_open() > 0) leave_open(bound);
}

const DomainConstraint* CapacitySearch::several() const {
  const DomainConstraint* out = nullptr;
  for (const DomainConstraint& entry : capacity_model_.need().domains) {
    if (entry.max_domains > 1) out = &entry;
  }
  return out;
}

// The sets of nodes that may be used together, considering only entries for one domain and for one
// fingerprint.
std::vector<CapacitySearch::Nodes> CapacitySearch::regions() const {
  std::map<std::vector<std::uint32_t>, Nodes> regions;
  const NodeChoiceConstraints& need = capacity_model_.need();
  if (need.domains.empty() && need.uniform == UniformOver::nothing) {
    Nodes all;
    for (std::uint32_t node = 0; node < capacity_model_.nodes(); ++node) {
      if (capacity_model_.may_use(node)) all.push_back(node);
    }
    return {std::move(all)};
  }
  std::vector<std::uint32_t> key;
  for (std::uint32_t node = 0; node < capacity_model_.nodes(); ++node) {
    if (!capacity_model_.may_use(node)) continue;
    key.clear();
    bool somewhere = true;
    for (const DomainConstraint& entry : need.domains) {
      const std::uint32_t domain = capacity_model_.attributes().domains(node)[entry.level];
      somewhere = somewhere && domain != kNowhere;
      if (entry.max_domains == 1) key.push_back(domain);
    }
    if (!somewhere) continue;
    if (need.uniform == UniformOver::job) key.push_back(capacity_model_.attributes().fingerprint(node));
    regions[key].push_back(node);
  }
  std::vector<Nodes> out;
  for (auto& [unused, nodes] : regions) out.push_back(std::move(nodes));
  return out;
}

std::vector<CapacitySearch::Nodes> CapacitySearch::domains_of(const Nodes& region,
                                                              std::uint32_t level) const {
  std::map<std::uint32_t, Nodes> domains;
  for (const std::uint32_t node : region)
    domains[capacity_model_.attributes().domains(node)[level]].push_back(node);
  std::vector<Nodes> out;
  for (auto& [unused, nodes] : domains) out.push_back(std::move(nodes));
  return out;
}

// Whether some region takes the request with every open candidate gone.
bool CapacitySearch::is_enough(const std::vector<Nodes>& regions, std::uint64_t* looked_at) {
  ScratchLease scratch(*this, work_.left());
  Fixings all = start_;
  for (Fixing& fixing : all) fixing = fixing == Fixing::open ? Fixing::gone : fixing;
  const auto most = [&](const Nodes& nodes) {
    std::uint64_t sum = 0;
    for (const std::uint32_t node : nodes) {
      scratch->trial.load(node, all);
      sum += scratch->trial.capacity();
      if (sum >= capacity_model_.tasks()) break;
    }
    if (looked_at) *looked_at += nodes.size();
    return sum;
  };
  const DomainConstraint* need = several();
  const bool enough = std::any_of(regions.begin(), regions.end(), [&](const Nodes& region) {
    if (!need) return most(region) >= capacity_model_.tasks();
    std::vector<std::uint64_t> sums;
    for (const Nodes& domain : domains_of(region, need->level)) sums.push_back(most(domain));
    std::sort(sums.begin(), sums.end(), std::greater<>());
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < sums.size() && i < need->max_domains; ++i) sum += sums[i];
    return sum >= capacity_model_.tasks();
  });
  work_.add(scratch->work);
  return enough;
}

void CapacitySearch::allow_up_to(std::int64_t highest) {
  for (Index i = 0; i < scores_.size(); ++i)
    start_[i] = scores_.highest(i) > highest ? Fixing::stays : Fixing::open;
  scratches_.clear();
}

// If the highest value counts before every sum, no unit above the lowest sufficient value is taken. Returns
// the values from that one on, because caps may still rule it out.
std::vector<std::int64_t> CapacitySearch::highest_values(const std::vector<Nodes>& regions) {
  std::vector<std::int64_t> values;
  for (Index i = 0; i < scores_.size(); ++i) values.push_back(scores_.highest(i));
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  std::size_t low = 0;
  std::size_t high = values.size() - 1;
  while (low < high) {
    const std::size_t middle = (low + high) / 2;
    allow_up_to(values[middle]);
    if (is_enough(regions)) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  values.erase(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(low));
  return values;
}

void CapacitySearch::keep(Solution solution) {
  if (!solution.set) return;
  if (best_.set) {
    if (solution.set->units == best_.set->units) return;
    const bool better = solution.set->cost != best_.set->cost
                            ? solution.set->cost < best_.set->cost
                            : scores_.compare(solution.set->units, best_.set->units) < 0;
    if (!better) {
      alternatives_.push_back(std::move(solution));
      return;
    }
    alternatives_.push_back(std::move(best_));
  }
  best_ = std::move(solution);
}

void CapacitySearch::leave_open(const Cost& bound) {
  if (!lowest_open_bound_ || bound < *lowest_open_bound_) lowest_open_bound_ = bound;
}

// For one task every node is a subproblem of its own.
void CapacitySearch::search_nodes(const Nodes& nodes) {
  const EffectiveRequirement& need = problem_.placer.need();
  const bool placement_matters = need.preferences() > 0 || problem_.space.table().any_home();
  const std::size_t pieces = (nodes.size() + kNodesSearchedAtOnce - 1) / kNodesSearchedAtOnce;
  const std::uint64_t share = work_per_single_node(problem_.limits, nodes.size());
  struct Result {
    Solution best;
    std::vector<Solution> ties;
    bool certain = true;
    Work work;
  };
  for (std::size_t wave = 0; wave < pieces; wave += kPiecesAtOnce) {
    std::vector<Result> results(std::min(kPiecesAtOnce, pieces - wave));
    const std::uint64_t each = work_.left() / (pieces - wave);
    each_piece(workers_, results.size(), [&](std::size_t piece) {
      ScratchLease scratch(*this, each);
      Result& result = results[piece];
      result.best = best_;
      NodeSolver subset(scores_, problem_.caps, nullptr, placement_matters);
      const std::size_t from = (wave + piece) * kNodesSearchedAtOnce;
      for (std::size_t i = from; i < std::min(nodes.size(), from + kNodesSearchedAtOnce); ++i) {
        scratch->trial.load(nodes[i], scratch->fixings);
        if (scratch->trial.size() == 0) continue;
        subset.arrange(scratch->trial);
        if (!scratch->trial.takes_without_rest(0, 1)) continue;
        const bool exact = scratch->trial.size() <= static_cast<std::size_t>(problem_.limits.exact_units);
        const std::uint64_t limit = exact ? each : share;
        std::optional<CostedSet> before = result.best.set;
        if (!exact || scratch->work.ended()) subset.start(scratch->trial, 1, result.best.set);
        const bool all = subset.improve(scratch->trial, 1, limit, result.best.set, [&](const auto& units) {
          if (placement_matters) result.ties.push_back({CostedSet{{}, units}, {nodes[i]}});
        });
        result.certain = result.certain && all;
        if (result.best.set && (!before || before->units != result.best.set->units)) {
          if (placement_matters && before) result.ties.push_back({before, result.best.nodes});
          result.best.nodes = {nodes[i]};
        }
      }
      result.work = scratch->work;
    });
    for (Result& result : results) {
      keep(std::move(result.best));
      gather(result.work, result.certain, {});
      for (Solution& tie : result.ties) ties_.push_back(std::move(tie));
    }
    std::erase_if(ties_, [&](const Solution& tie) {
      return scores_.compare_shown(tie.set->units, best_.set->units) != 0;
    });
    if (ties_.size() > kTies) {
      too_many_ties_ = true;
      ties_.resize(kTies);
    }
  }
}

void CapacitySearch::search_subproblems(const std::vector<Nodes>& subproblems) {
  struct Bounded {
    std::size_t subproblem = 0;
    Cost bound;
    bool enough = false;
  };
  std::vector<Bounded> order(subproblems.size());
  if (subproblems.size() > 1) {
    const std::size_t pieces = (subproblems.size() + kSubproblemsAtOnce - 1) / kSubproblemsAtOnce;
    const std::uint64_t each = work_.left() / 2 / pieces;
    std::vector<Work> parts(pieces);
    each_piece(workers_, pieces, [&](std::size_t piece) {
      ScratchLease scratch(*this, each);
      const std::size_t end = std::min(subproblems.size(), (piece + 1) * kSubproblemsAtOnce);
      for (std::size_t i = piece * kSubproblemsAtOnce; i < end; ++i) {
        const SubproblemSolver subproblem(capacity_model_, problem_.caps, *scratch, subproblems[i]);
        order[i] = {i, subproblem.bound(), subproblem.is_enough()};
      }
      parts[piece] = scratch->work;
    });
    // If work ran out here, a subproblem may look too small although it is not. gather() then leaves
    // its bound open.
    for (const Work& part : parts) gather(part, true, {});
    std::erase_if(order, [](const Bounded& each) { return !each.enough; });
    std::stable_sort(order.begin(), order.end(),
                     [](const Bounded& a, const Bounded& b) { return a.bound < b.bound; });
  }
  for (std::size_t wave = 0; wave < order.size(); wave += kSubproblemsAtOnce) {
    if (best_.set && order[wave].bound > best_.set->cost) break;
    if (best_.set && proof_left() == 0) {
      leave_open(order[wave].bound);
      break;
    }
    struct Result {
      Solution best;
      bool certain = true;
      Cost bound;
      Work work;
    };
    std::vector<Result> results(std::min(kSubproblemsAtOnce, order.size() - wave));
    // The subproblems with the lowest bounds come first and get half of what is left.
    const std::size_t waves = order.size() - wave > kSubproblemsAtOnce ? 2 : 1;
    const std::uint64_t share = proof_left() / waves / results.size();
    const std::uint64_t each = work_.left() / waves / results.size();
    each_piece(workers_, results.size(), [&](std::size_t piece) {
      ScratchLease scratch(*this, each);
      const Nodes& nodes = subproblems[order[wave + piece].subproblem];
      Result& result = results[piece];
      SubproblemSolver subproblem(capacity_model_, problem_.caps, *scratch, nodes);
      result.best.set = best_.set;
      result.certain = subproblem.improve(share, result.best.set);
      result.best.nodes = nodes;
      result.bound = subproblem.bound();
      result.work = scratch->work;
    });
    for (Result& result : results) {
      keep(std::move(result.best));
      gather(result.work, result.certain, result.bound);
    }
  }
}

std::optional<VictimSet> found_set(const SearchProblem& problem, std::vector<const Unit*> victims,
                                   NodeList nodes, bool named) {
  VictimSet out;
  out.victims = std::move(victims);
  // Putting back many tasks one by one is slow, so a large set uses a space of its own, which is dropped.
  std::optional<Space> own;
  if (out.victims.size() > kNamed) {
    own.emplace(problem.rule_context, problem.space.table(), Space::Fill::as_it_is, &problem.space.work());
    own->usable() = problem.space.usable();
  }
  Space& space = own ? *own : problem.space;
  for (const Unit* unit : out.victims) {
    for (const TaskId task : unit->tasks) space.vacate(task);
  }
  const bool placed = problem.needs.place(space, nodes, out.placement);
  for (const Unit* unit : out.victims) {
    for (const TaskId task : unit->tasks) {
      if (!own) space.occupy(task);
    }
  }
  if (!placed) return std::nullopt;
  out.objective_value = problem.objective.objective_value(out.victims, out.placement, named);
  return out;
}

std::optional<VictimSet> CapacitySearch::found(const CostedSet& set, const Nodes& nodes) {
  std::vector<const Unit*> victims;
  for (const Index index : set.units) victims.push_back(&scores_.unit(index));
  // Names and nodes only break ties, and for large sets they are a lot of text.
  const bool named = victims.size() <= kNamed || !ties_.empty();
  return found_set(problem_, std::move(victims), nodes, named);
}

// Turns the best set into victims and a placement. False if it cannot be placed after all.
bool CapacitySearch::finish() {
  std::optional<VictimSet> best = found(*best_.set, best_.nodes);
  if (!best) return false;
  for (const Solution& tie : ties_) {
    std::optional<VictimSet> other = found(*tie.set, tie.nodes);
    if (other && compare(other->objective_value, best->objective_value) < 0) best = std::move(other);
  }
  answer_.placement_proven = capacity_model_.tasks() == 1 && !too_many_ties_ && best->placement.certain;
  std::sort(alternatives_.begin(), alternatives_.end(), [&](const Solution& a, const Solution& b) {
    return a.set->cost != b.set->cost ? a.set->cost < b.set->cost
                                      : scores_.compare(a.set->units, b.set->units) < 0;
  });
  for (const Solution& each : alternatives_) {
    if (answer_.others.size() == kAlternatives) break;
    if (std::optional<VictimSet> other = found(*each.set, each.nodes))
      answer_.others.push_back(std::move(*other));
  }
  const Cost& cost = best_.set->cost;
  if (scores_.ends_at_highest()) leave_open(cost);
  if (lowest_open_bound_) lowest_open_bound_ = scores_.raised(*lowest_open_bound_);
  answer_.proven = !lowest_open_bound_ || *lowest_open_bound_ > cost;
  if (!answer_.proven) {
    while (answer_.proven_entries < scores_.costed() &&
           lowest_open_bound_->parts[answer_.proven_entries] == cost.parts[answer_.proven_entries])
      ++answer_.proven_entries;
    answer_.price_bound = scores_.price_of(std::min(*lowest_open_bound_, cost));
    answer_.gap_bound = scores_.criterion_of(*lowest_open_bound_, answer_.proven_entries);
    if (answer_.gap_bound)
      answer_.gap_bound->name = problem_.objective.measures()[answer_.proven_entries].name();
  }
  answer_.best = std::move(best);
  return true;
}

void CapacitySearch::search(const std::vector<Nodes>& all) {
  const DomainConstraint* need = several();
  if (capacity_model_.tasks() == 1) {
    Nodes nodes;
    for (const Nodes& region : all) nodes.insert(nodes.end(), region.begin(), region.end());
    std::sort(nodes.begin(), nodes.end());
    search_nodes(nodes);
  } else if (!need) {
    search_subproblems(all);
  } else {
    for (const Nodes& region : all) search_combinations(region, *need);
  }
}

std::optional<SearchResult> CapacitySearch::run() {
  std::size_t with_several = 0;
  for (const DomainConstraint& entry : capacity_model_.need().domains)
    with_several += entry.max_domains > 1 ? 1 : 0;
  if (capacity_model_.tasks() > 1 && with_several > 1) return std::nullopt;
  if (problem_.rule_context.in_flight.any_blocked()) {
    // Taking a hold also frees what is blocked beside it, on any node.
    for (Index i = 0; i < scores_.size(); ++i) {
      if (scores_.unit(i).hold != 0) return std::nullopt;
    }
  }
  const std::vector<Nodes> all = regions();
  const std::uint64_t before = work_.left_open();
  // The work reported for a no must not depend on what is cached.
  if (!is_enough(all, &answer_.work)) {
    if (elastic_) return std::nullopt;
    answer_.proven = work_.left_open() == before;
    return std::move(answer_);
  }
  answer_.needs_met = true;
  if (scores_.has_highest()) {
    if (elastic_) return std::nullopt;  // one whole elastic job may be enough instead of parts of several
    for (Index i = 0; i < scores_.size(); ++i) {
      if (scores_.unit(i).last_resort) return std::nullopt;  // fewer last-resort units count first
    }
    for (const std::int64_t highest : highest_values(all)) {
      if (work_.ended()) {
        leave_open({});
        break;
      }
      allow_up_to(highest);
      search(all);
      if (best_.set) break;
    }
  } else {
    search(all);
  }
  if (elastic_) leave_open({});
  if (!best_.set) {
    // Only caps are in the way. An elastic job as a whole may be one victim instead of several.
    if (elastic_) return std::nullopt;
    answer_.proven = !lowest_open_bound_;
    answer_.work = work_.spent() - begun_;
    return std::move(answer_);
  }
  if (!finish()) return std::nullopt;
  answer_.work = work_.spent() - begun_;
  if (capacity_model_.tasks() == 1) {
    // The work reported for a set must not depend on what is cached.
    answer_.work = problem_.space.size();
    answer_.others.clear();
  }
  return std::move(answer_);
}

}  // namespace cede
