// SPDX-License-Identifier: MIT
#include <algorithm>

#include "search/capacity_search.h"

namespace cede {

// Searches a few domains out of many. The steps of each domain are computed once. The cheapest steps bound
// the cost of a combination, and only combinations that could hold a better set are solved.
void CapacitySearch::search_combinations(const Nodes& region, const DomainConstraint& need) {
  const std::vector<Nodes> domains = domains_of(region, need.level);
  struct Curve {
    std::size_t domain = 0;
    std::uint64_t takes = 0;
    std::vector<Cost> steps;
    Cost bound;  // for every combination with this domain
    std::uint64_t most() const { return takes + steps.size(); }
  };
  std::vector<Curve> curves(domains.size());
  const std::size_t pieces = (domains.size() + kPlacesAtOnce - 1) / kPlacesAtOnce;
  const std::uint64_t each = work_.left() / 2 / std::max<std::size_t>(1, pieces);
  std::vector<Work> parts(pieces);
  each_piece(workers_, pieces, [&](std::size_t piece) {
    ScratchLease scratch(*this, each);
    const std::size_t end = std::min(domains.size(), (piece + 1) * kPlacesAtOnce);
    for (std::size_t i = piece * kPlacesAtOnce; i < end; ++i) {
      const PlaceSolver place(capacity_model_, terms_.caps, *scratch, domains[i], &need);
      curves[i] = {i, place.takes(), place.step_costs(), {}};
    }
    parts[piece] = scratch->work;
  });
  for (const Work& part : parts) gather(part, true, {});
  std::erase_if(curves, [](const Curve& curve) { return curve.most() == 0; });
  const std::uint64_t tasks = capacity_model_.tasks();
  const std::size_t most_domains = std::min<std::size_t>(need.max_domains, curves.size());
  // By number of tasks: the least cost of that many tasks, as far as there is room.
  using Row = std::vector<Cost>;
  const auto row_of = [&](std::uint64_t takes, const std::vector<Cost>& steps) {
    Row row(1 + std::min<std::uint64_t>(tasks, takes + steps.size()));
    work_.spend(row.size());
    for (std::size_t t = takes + 1; t < row.size(); ++t) {
      row[t] = row[t - 1];
      row[t].add(steps[t - takes - 1]);
    }
    return row;
  };
  const auto join = [&](const Row& a, const Row& b) {
    std::vector<std::optional<Cost>> least(std::min<std::size_t>(tasks + 1, a.size() + b.size() - 1));
    for (std::size_t i = 0; i < a.size(); ++i) {
      for (std::size_t k = 0; k < b.size() && i + k < least.size(); ++k) {
        Cost sum = a[i];
        sum.add(b[k]);
        if (!least[i + k] || sum < *least[i + k]) least[i + k] = sum;
      }
    }
    Row out;
    for (const std::optional<Cost>& cost : least) out.push_back(*cost);
    return out;
  };
  const auto full = [&](const Row& a, const Row& b) {
    std::optional<Cost> least;
    work_.spend(a.size());
    for (std::size_t i = tasks < b.size() ? 0 : tasks - b.size() + 1; i < a.size(); ++i) {
      Cost sum = a[i];
      sum.add(b[tasks - i]);
      if (!least || sum < *least) least = sum;
    }
    return least;
  };
  // rows[r]: a lower bound on the cost of so many tasks in up to r domains, as if each domain were the best
  // one for its part. If that takes too much work, the bound for any number of domains.
  Row one(1);
  std::uint64_t takes_anywhere = 0;
  std::vector<Cost> anywhere;
  for (const Curve& curve : curves) {
    takes_anywhere += curve.takes;
    anywhere.insert(anywhere.end(), curve.steps.begin(), curve.steps.end());
    const Row row = row_of(curve.takes, curve.steps);
    for (std::size_t t = 0; t < row.size(); ++t) {
      if (t == one.size()) {
        one.push_back(row[t]);
      } else {
        one[t] = std::min(one[t], row[t]);
      }
    }
  }
  std::vector<Row> rows{Row(1)};
  const std::uint64_t joins = std::uint64_t{most_domains} * (tasks + 1) * one.size() * 2;
  if (joins < work_.left() / 4) {
    work_.spend(joins);
    while (rows.size() < most_domains) rows.push_back(join(rows.back(), one));
  } else {
    work_.spend(8 * anywhere.size());
    std::sort(anywhere.begin(), anywhere.end());
    const Row row = row_of(takes_anywhere, anywhere);
    while (rows.size() < most_domains) rows.push_back(row);
  }
  std::erase_if(curves, [&](Curve& curve) {
    const auto least = full(row_of(curve.takes, curve.steps), rows[most_domains - 1]);
    if (least) curve.bound = *least;
    return !least;
  });
  if (curves.empty()) return;
  std::stable_sort(curves.begin(), curves.end(),
                   [](const Curve& a, const Curve& b) { return a.bound < b.bound; });
  std::vector<std::size_t> taken;
  const auto solve = [&] {
    Nodes nodes;
    for (const std::size_t i : taken)
      nodes.insert(nodes.end(), domains[curves[i].domain].begin(), domains[curves[i].domain].end());
    std::sort(nodes.begin(), nodes.end());
    work_.spend(10 * nodes.size());
    ScratchLease scratch(*this, work_.left());
    PlaceSolver place(capacity_model_, terms_.caps, *scratch, nodes);
    Solution solution{best_.set, nodes};
    const bool certain = place.improve(proof_left() / 16, solution.set);
    gather(scratch->work, certain, place.bound());
    keep(std::move(solution));
  };
  const auto combine = [&](const auto& self, std::size_t from, std::uint64_t takes,
                           const std::vector<Cost>& steps) -> void {
    const std::size_t left = most_domains - taken.size();
    if (left == 0) return;
    for (std::size_t i = from; i < curves.size(); ++i) {
      if (best_.set && curves[i].bound > best_.set->cost) break;
      if (work_.ended() || (best_.set && proof_left() == 0)) {
        doubt(curves[i].bound);
        return;
      }
      std::vector<Cost> together;
      together.reserve(steps.size() + curves[i].steps.size());
      std::merge(steps.begin(), steps.end(), curves[i].steps.begin(), curves[i].steps.end(),
                 std::back_inserter(together));
      const std::uint64_t both = takes + curves[i].takes;
      const Row row = row_of(both, together);
      work_.spend(10 + 2 * together.size());
      taken.push_back(i);
      if (row.size() > tasks && (!best_.set || row[tasks] <= best_.set->cost)) solve();
      const auto least = full(row, rows[left - 1]);
      if (left > 1 && least && (!best_.set || *least <= best_.set->cost)) self(self, i + 1, both, together);
      taken.pop_back();
    }
  };
  combine(combine, 0, 0, {});
}

}  // namespace cede
