// SPDX-License-Identifier: MIT
#include "search/spanning_search.h"

#include <algorithm>
#include <numeric>

namespace cede {

namespace {

constexpr std::size_t kFirstRounds = 60;  // of better divisions
constexpr std::size_t kRounds = 6;
constexpr std::size_t kPatience = 4;  // rounds without a better bound, before the steps become shorter
constexpr int kShortest = 6;

}  // namespace

bool SpanningSearch::is_pruned(Total bound) const {
  if (bound >= DivisionBound::kNoSet) return true;
  const Total least = costs_.raised(bound);
  if (least > most_ || parts_ == 0 || !known_) return least > most_;
  return costs_.leading(least, parts_) >= costs_.leading(most_, parts_);
}

void SpanningSearch::leave_open(Total bound) {
  complete_ = false;
  open_ = std::min(open_, bound);
}

// Gives the caller the set that the last evaluation took.
void SpanningSearch::offer() {
  const std::vector<Unit> units = bound_.needed_units();
  const Total cost = bound_.cost(units);
  if (cost > most_ || (cost == most_ && known_ && parts_ > 0)) return;
  std::vector<Index> candidates;
  for (const Unit unit : units) candidates.push_back(table_.candidate(unit));
  const Total now = caller_.found(std::move(candidates));
  if (now != cost) return;  // refused
  most_ = now;
  known_ = true;
}

// Bounds with better and better divisions until the search can be pruned here. Ends with the best of them.
Total SpanningSearch::look(std::size_t rounds) {
  Total best = bound_.evaluate();
  bool is_best = true;  // the last one
  std::size_t since = 0;
  int damping = 0;
  for (std::size_t round = 0; bound_.value() < DivisionBound::kNoSet; ++round) {
    offer();
    if (is_pruned(best) || round == rounds || work_.ended()) break;
    if (is_best) bound_.keep();
    const Total most = known_ ? most_ : bound_.cost(bound_.units_taken());
    if (!bound_.improve(most + (Total{1} << PackedCosts::kFineBits), damping)) break;
    is_best = bound_.evaluate() > best;
    best = std::max(best, bound_.value());
    since = is_best ? 0 : since + 1;
    if (since < kPatience) continue;
    since = 0;
    if (++damping > kShortest) break;
  }
  if (!is_best && !is_pruned(best)) {
    bound_.restore();
    bound_.evaluate();
  }
  return best;
}

// Drops what no set needs that is as good as the best one, so that ties can be broken later.
bool SpanningSearch::drop_nodes() {
  return bound_.drop_nodes(
      [&](Total bound) { return bound >= DivisionBound::kNoSet || costs_.raised(bound) > most_; });
}

bool SpanningSearch::may_go_on(std::size_t depth, Total above) {
  if (!work_.ended() && depth < kDeepest) return true;
  leave_open(above);
  return false;
}

template <class Deeper>
void SpanningSearch::with(Unit unit, Fixing fixing, Deeper deeper) {
  bound_.fix(unit, fixing);
  bool forbidden = false;
  if (fixing == Fixing::gone && caller_.forbids) {
    std::vector<Index> gone;
    for (const Unit each : bound_.gone()) gone.push_back(table_.candidate(each));
    forbidden = caller_.forbids(gone);
  }
  if (!forbidden) deeper();
  bound_.fix(unit, Fixing::open);
}

void SpanningSearch::search(std::size_t depth, Total above) {
  if (!may_go_on(depth, above)) return;
  const Total least = std::max(above, look(depth == 0 ? 0 : kRounds));
  if (is_pruned(least)) return;
  bool gone_first = true;
  Unit unit = bound_.distorted(gone_first);
  if (unit == DivisionBound::kNoNode && bound_.split_node() != DivisionBound::kNoNode) {
    const std::uint32_t node = bound_.split_node();
    const std::uint32_t tasks = bound_.split_tasks();
    const DivisionBound::Limits before = bound_.limits(node);
    bound_.limit(node, {tasks, before.most});
    search(depth + 1, least);
    bound_.limit(node, {before.least, tasks - 1});
    search(depth + 1, least);
    bound_.limit(node, before);
    return;
  }
  // All that is taken is charged in full, so only the caller can be against it.
  if (unit == DivisionBound::kNoNode && caller_.forbids) unit = bound_.costliest(caller_.may_stay);
  if (unit == DivisionBound::kNoNode) return leave_open(least);
  for (const Fixing fixing :
       {gone_first ? Fixing::gone : Fixing::stays, gone_first ? Fixing::stays : Fixing::gone})
    with(unit, fixing, [&] { search(depth + 1, least); });
}

bool SpanningSearch::prove(std::size_t parts) {
  parts_ = parts;
  complete_ = true;
  open_ = DivisionBound::kNoSet;
  Total least = 0;
  do {
    least = look(kFirstRounds);
  } while (!is_pruned(least) && !work_.ended() && drop_nodes());
  search(0, least);
  if (complete_) open_ = costs_.leading(most_, parts);
  return complete_;
}

// Whether the units fixed as gone are a worse choice of the groups before this one than the best set is.
bool SpanningSearch::loses_tie(std::uint32_t group) const {
  const auto groups_of = [&](const std::vector<Unit>& units) {
    std::vector<std::uint32_t> groups;
    for (const Unit unit : units) {
      if (ties_->group[unit] < group) groups.push_back(ties_->group[unit]);
    }
    std::sort(groups.begin(), groups.end());
    return groups;
  };
  const std::vector<std::uint32_t> here = groups_of(bound_.gone());
  const std::vector<std::uint32_t> best = groups_of((*best_)());
  const auto [a, b] = std::mismatch(here.begin(), here.end(), best.begin(), best.end());
  if (a == here.end() && b == best.end()) return false;
  // Which of them has more units of the first group in which they differ.
  const bool more = b == best.end() || (a != here.end() && *a < *b);
  return more != ties_->take;
}

void SpanningSearch::search_in_order(std::size_t depth, std::size_t next, Total above) {
  if (!may_go_on(depth, above)) return;
  if (is_pruned(look(kRounds))) return;
  const auto matters = [&](Unit unit) {
    return bound_.fixing(unit) == Fixing::open && bound_.with_node_of(unit) < DivisionBound::kNoSet &&
           costs_.raised(bound_.with_node_of(unit)) <= most_;
  };
  while (next < order_.size() && !matters(order_[next])) ++next;
  const bool end = next == order_.size();
  work_.spend(order_.size() / 4);
  if (loses_tie(end ? 0xFFFF'FFFF : ties_->group[order_[next]]) || end) return;
  const Unit unit = order_[next];
  for (const Fixing fixing :
       {ties_->take ? Fixing::gone : Fixing::stays, ties_->take ? Fixing::stays : Fixing::gone})
    with(unit, fixing, [&] { search_in_order(depth + 1, next + 1, above); });
}

bool SpanningSearch::break_ties(const TieOrder& order, const std::function<std::vector<Unit>()>& best) {
  ties_ = &order;
  best_ = &best;
  parts_ = 0;
  complete_ = true;
  open_ = DivisionBound::kNoSet;
  order_.resize(table_.units());
  std::iota(order_.begin(), order_.end(), 0);
  std::stable_sort(order_.begin(), order_.end(),
                   [&](Unit a, Unit b) { return order.group[a] < order.group[b]; });
  look(kRounds);
  drop_nodes();
  search_in_order(0, 0, most_);
  return complete_;
}

}  // namespace cede
