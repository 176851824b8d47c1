// SPDX-License-Identifier: MIT
#include "search/domain_search.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace cede {

// Assigns every node to its domain again. False if nothing changed.
bool DomainCache::group_nodes(std::uint32_t level) {
  const NodeTable& table = group_index_.nodes();
  std::map<std::uint32_t, std::vector<std::uint32_t>> domains;
  for (std::uint32_t node = 0; node < table.size(); ++node) {
    const std::uint32_t number = table.domains(node)[level];
    if (number != kNowhere) domains[number].push_back(node);
  }
  const bool same = std::equal(domains.begin(), domains.end(), domains_.begin(), domains_.end(),
                               [](const auto& now, const Domain& then) {
                                 return now.first == then.number && now.second == then.nodes;
                               });
  if (same) return false;
  domains_.clear();
  domain_of_.assign(table.size(), kNoCandidate);
  for (auto& [number, nodes] : domains) {
    for (const std::uint32_t node : nodes) domain_of_[node] = static_cast<std::uint32_t>(domains_.size());
    domains_.push_back({number, std::move(nodes), 0, {}});
  }
  return true;
}

void DomainCache::look_at(const SearchProblem& problem, const NodeCandidates::Eligible& eligible,
                          const std::vector<std::uint32_t>& nodes, const DomainConstraint& need) {
  const std::size_t pieces = (nodes.size() + kNodesAtOnce - 1) / kNodesAtOnce;
  each_piece(
      pieces > 1 ? workers_for(problem.workers, group_index_.units().size()) : nullptr, pieces,
      [&](std::size_t piece) {
        const std::vector<std::uint32_t> part(
            nodes.begin() + static_cast<std::ptrdiff_t>(piece * kNodesAtOnce),
            nodes.begin() + static_cast<std::ptrdiff_t>(std::min(nodes.size(), (piece + 1) * kNodesAtOnce)));
        std::vector<CandidateScores::Index> own;
        const NodeCandidates view(problem, eligible, part, pieces > 1 ? own : books_[0]);
        SolverScratch scratch(view.capacity_model, Fixings(view.scores.size(), Fixing::open),
                              work_per_node(problem.limits, group_index_.nodes().size()));
        const CapList none;
        for (const std::uint32_t node : part) {
          NodeSteps& out = by_node_[node];
          out = {};
          if (!view.capacity_model.may_use(node)) continue;
          const SubproblemSolver subproblem(view.capacity_model, none, scratch, {node}, &need);
          out.takes = static_cast<std::uint32_t>(subproblem.takes());
          for (const Cost& cost : subproblem.step_costs()) out.steps.push_back(lead_of(cost));
        }
      });
}

void DomainCache::gather(Domain& domain) const {
  domain.takes = 0;
  domain.steps.clear();
  for (const std::uint32_t node : domain.nodes) {
    domain.takes += by_node_[node].takes;
    domain.steps.insert(domain.steps.end(), by_node_[node].steps.begin(), by_node_[node].steps.end());
  }
  std::sort(domain.steps.begin(), domain.steps.end());
}

void DomainCache::follow(const SearchProblem& problem, const NodeCandidates::Eligible& eligible,
                         const DomainConstraint& need) {
  bool everything = false;
  std::vector<std::uint32_t> nodes = watch_.changed(problem, everything);
  if (nodes.empty() && !weak_ && problem.rule_context.now >= since_) return;
  everything = everything || weak_ || problem.rule_context.now < since_;
  if (everything || std::any_of(nodes.begin(), nodes.end(), [&](std::uint32_t node) {
        const std::uint32_t now = group_index_.nodes().domains(node)[need.level];
        const std::uint32_t then = domain_of_[node];
        return now != (then == kNoCandidate ? kNowhere : domains_[then].number);
      }))
    everything = group_nodes(need.level) || everything;
  if (everything) {
    nodes.resize(group_index_.nodes().size());
    std::iota(nodes.begin(), nodes.end(), 0);
    by_node_.clear();
    by_node_.resize(nodes.size());
    since_ = problem.rule_context.now;
    weak_ = false;
  }
  look_at(problem, eligible, nodes, need);
  std::vector<std::uint32_t> others;
  for (const std::uint32_t node : nodes) {
    if (domain_of_[node] != kNoCandidate) others.push_back(domain_of_[node]);
  }
  std::sort(others.begin(), others.end());
  others.erase(std::unique(others.begin(), others.end()), others.end());
  for (const std::uint32_t each : others) gather(domains_[each]);
}

namespace {

constexpr std::size_t kSolvedAtOnce = DomainCache::kBooks;  // combinations in one wave
constexpr std::size_t kFirstAmong = 16;                     // the first waves choose from so many domains
constexpr std::size_t kMostListed = 50'000;
constexpr std::size_t kMostSolved = 2'000;  // beyond this, a CapacitySearch of the whole group is no slower
constexpr std::size_t kManySolved = 64;     // beyond this, the bounds have become weak
constexpr std::uint64_t kShareOfOne = 64;  // one combination may take this fraction of the work for the proof

}  // namespace

DomainSearch::DomainSearch(const SearchProblem& problem, const NodeCandidates::Eligible& eligible,
                           DomainCache& cache, const DomainConstraint& need)
    : problem_(problem),
      eligible_(eligible),
      cache_(cache),
      tasks_(static_cast<std::uint32_t>(problem.rule_context.request.tasks.size())),
      most_domains_(need.max_domains) {
  cache_.follow(problem, eligible, need);
}

DomainSearch::Row DomainSearch::row_of(const DomainCache::Domain& domain) const {
  Row row(1 + std::min<std::uint64_t>(tasks_, domain.most()));
  for (std::size_t t = domain.takes + 1; t < row.size(); ++t) {
    row[t] = row[t - 1];
    row[t].add(domain.steps[t - domain.takes - 1]);
  }
  return row;
}

// The least cost of the whole request in both together; nullopt if there is no room.
std::optional<LeadingCost> DomainSearch::joined(const Row& a, const Row& b) const {
  std::optional<LeadingCost> least;
  const std::size_t from = tasks_ >= b.size() ? tasks_ - b.size() + 1 : 0;
  for (std::size_t t = from; t < a.size(); ++t) {
    LeadingCost sum = a[t];
    sum.add(b[tasks_ - t]);
    if (!least || sum < *least) least = sum;
  }
  return least;
}

DomainSearch::Row DomainSearch::joined_row(const Row& a, const Row& b) const {
  if (a.size() == 1) return b;
  problem_.space.work().spend(a.size() * b.size() / 2);
  Row out(std::min<std::size_t>(tasks_ + 1, a.size() + b.size() - 1));
  std::vector<bool> set(out.size(), false);
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t k = 0; k < b.size() && i + k < out.size(); ++k) {
      LeadingCost sum = a[i];
      sum.add(b[k]);
      if (!set[i + k] || sum < out[i + k]) out[i + k] = sum;
      set[i + k] = true;
    }
  }
  return out;
}

// By r: a lower bound on the cost of so many tasks in up to r domains, as if each domain were the best one
// for its part.
std::vector<DomainSearch::Row> DomainSearch::least_rows() const {
  Row one;
  for (const Known& known : known_) {
    for (std::size_t t = 0; t < known.row.size(); ++t) {
      if (t == one.size()) {
        one.push_back(known.row[t]);
      } else {
        one[t] = std::min(one[t], known.row[t]);
      }
    }
  }
  std::vector<Row> rows{Row(1)};
  while (rows.size() < most_domains_) rows.push_back(joined_row(rows.back(), one));
  return rows;
}

// False if no combination has room.
bool DomainSearch::bound_domains() {
  for (const DomainCache::Domain& domain : cache_.domains()) {
    if (domain.most() > 0) known_.push_back({&domain, row_of(domain), {}});
  }
  const std::vector<Row> rows = least_rows();
  std::erase_if(known_, [&](Known& known) {
    const std::optional<LeadingCost> least = joined(known.row, rows.back());
    if (least) known.least = *least;
    return !least;
  });
  std::stable_sort(known_.begin(), known_.end(),
                   [](const Known& a, const Known& b) { return a.least < b.least; });
  return !known_.empty();
}

// Lists combinations of the first `among` domains that cost no more than `most`, in no order. False if there
// are too many.
bool DomainSearch::list_combinations(std::size_t among, const std::optional<LeadingCost>& most,
                                     std::vector<Combination>& out) const {
  std::vector<std::uint32_t> taken;
  const auto descend = [&](const auto& self, std::size_t from, const Row& row) -> bool {
    for (std::size_t i = from; i < among; ++i) {
      problem_.space.work().spend(2 + row.size() / 2);
      if (problem_.space.work().ended()) return false;
      if (most && known_[i].least > *most) break;
      taken.push_back(static_cast<std::uint32_t>(i));
      if (const std::optional<LeadingCost> bound = joined(row, known_[i].row);
          bound && (!most || *bound <= *most)) {
        out.push_back({*bound, taken});
        if (out.size() > kMostListed) return false;
      }
      if (taken.size() < most_domains_ && !self(self, i + 1, joined_row(row, known_[i].row))) return false;
      taken.pop_back();
    }
    return true;
  };
  return descend(descend, 0, Row(1));
}

DomainSearch::Solution DomainSearch::solve(const Combination& combination,
                                           const std::optional<LeadingCost>& most,
                                           std::vector<CandidateScores::Index>& book) const {
  Solution out;
  for (const std::uint32_t each : combination.domains)
    out.nodes.insert(out.nodes.end(), known_[each].domain->nodes.begin(), known_[each].domain->nodes.end());
  std::erase_if(out.nodes, [&](std::uint32_t node) { return !problem_.space.usable(node); });
  std::sort(out.nodes.begin(), out.nodes.end());
  const NodeCandidates view(problem_, eligible_, out.nodes, book);
  std::erase_if(out.nodes, [&](std::uint32_t node) { return !view.capacity_model.may_use(node); });
  SolverScratch scratch(view.capacity_model, Fixings(view.scores.size(), Fixing::open),
                        work_per_node(problem_.limits, problem_.space.size()));
  const std::uint64_t share = problem_.limits.proof / kShareOfOne;
  scratch.work = Work(4 * share + 200 * out.nodes.size());
  const CapList none;
  SubproblemSolver subproblem(view.capacity_model, none, scratch, out.nodes);
  out.bound = lead_of(subproblem.bound());
  if (!subproblem.is_enough() || (most && out.bound > *most)) return out;
  std::optional<CostedSet> set;
  out.certain = subproblem.improve(share, set);
  out.work = scratch.work.spent();
  if (!set) return out;
  view.scores.numbers(set->units, out.numbers);
  for (const CandidateScores::Index index : set->units) out.units.push_back(&view.scores.unit(index));
  return out;
}

bool DomainSearch::is_better(const Solution& a, const Solution& b) const {
  if (const auto order = a.numbers <=> b.numbers; order != 0) return order < 0;
  return unit_labels(problem_.rule_context.model(), a.units) <
         unit_labels(problem_.rule_context.model(), b.units);
}

void DomainSearch::keep(Solution solution) {
  if (!solution.certain) open_bounds_.push_back(solution.bound);
  if (solution.numbers.empty()) return;
  if (!best_) {
    best_ = std::move(solution);
  } else if (is_better(solution, *best_)) {
    std::swap(*best_, solution);
    alternatives_.push_back(std::move(solution));
  } else {
    alternatives_.push_back(std::move(solution));
  }
}

// Solves the combinations in waves, in the order of their bounds. The combinations of one wave run in
// parallel.
void DomainSearch::solve_all(std::vector<Combination> list) {
  std::erase_if(list, [&](const Combination& each) {
    return std::binary_search(done_.begin(), done_.end(), each.domains);
  });
  std::sort(list.begin(), list.end());
  for (std::size_t wave = 0; wave < list.size() && looked_at_ <= kMostSolved; wave += kSolvedAtOnce) {
    // The rest cannot be solved, so this search has no answer. CapacitySearch has one.
    if (problem_.space.work().ended()) looked_at_ = kMostSolved;
    const std::optional<LeadingCost> most = best_ ? std::optional(best_->lead()) : std::nullopt;
    if (most && list[wave].bound > *most) break;
    std::vector<Solution> solutions(std::min(kSolvedAtOnce, list.size() - wave));
    each_piece(workers_for(problem_.workers, problem_.group_index.units().size()), solutions.size(),
               [&](std::size_t piece) {
                 const Combination& each = list[wave + piece];
                 if (!most || each.bound <= *most) solutions[piece] = solve(each, most, cache_.book(piece));
               });
    looked_at_ += solutions.size();
    for (std::size_t i = 0; i < solutions.size(); ++i) {
      problem_.space.work().spend(solutions[i].work);
      done_.push_back(list[wave + i].domains);
      keep(std::move(solutions[i]));
    }
  }
  std::sort(done_.begin(), done_.end());
}

std::optional<SearchResult> DomainSearch::answer() {
  SearchResult out;
  out.best = found_set(problem_, best_->units, best_->nodes, best_->units.size() <= kNamed);
  if (!out.best) return std::nullopt;
  const LeadingCost lead = best_->lead();
  out.needs_met = true;
  out.placement_proven = false;
  out.work = problem_.space.size() + best_->work;
  // Whether combinations that cannot hold a better set were solved is an accident. Drop them.
  std::erase_if(alternatives_, [&](const Solution& each) { return each.bound > lead; });
  std::sort(alternatives_.begin(), alternatives_.end(),
            [&](const Solution& a, const Solution& b) { return is_better(a, b); });
  for (const Solution& each : alternatives_) {
    out.work += each.work;
    if (each.units == best_->units || out.others.size() == kAlternatives) continue;
    if (auto other = found_set(problem_, each.units, each.nodes, each.units.size() <= kNamed))
      out.others.push_back(std::move(*other));
  }
  const auto lowest_open = std::min_element(open_bounds_.begin(), open_bounds_.end());
  out.proven = lowest_open == open_bounds_.end() || *lowest_open > lead;
  if (!out.proven) {
    if (lowest_open->last_resort == lead.last_resort)
      out.proven_entries = lowest_open->price == lead.price ? 2 : 1;
    out.price_bound = static_cast<std::int64_t>(std::min(lowest_open->price, lead.price));
    if (out.proven_entries == kPriceMeasure)
      out.gap_bound =
          Criterion::of_number(problem_.objective.measures()[kPriceMeasure].name(), *out.price_bound);
  }
  return out;
}

std::optional<SearchResult> DomainSearch::run() {
  if (!bound_domains()) return std::nullopt;
  std::vector<Combination> first;
  if (!list_combinations(std::min(kFirstAmong, known_.size()), std::nullopt, first)) return std::nullopt;
  std::sort(first.begin(), first.end());
  if (first.size() > kSolvedAtOnce) first.resize(kSolvedAtOnce);
  solve_all(std::move(first));
  std::vector<Combination> all;
  const std::optional<LeadingCost> most = best_ ? std::optional(best_->lead()) : std::nullopt;
  if (!list_combinations(known_.size(), most, all)) return std::nullopt;
  solve_all(std::move(all));
  if (looked_at_ > kManySolved) cache_.weaken(problem_.rule_context.now);
  if (!best_ || looked_at_ > kMostSolved) return std::nullopt;
  return answer();
}

}  // namespace cede
