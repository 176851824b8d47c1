// SPDX-License-Identifier: MIT
#include "search/victim_search.h"

#include <algorithm>

#include "search/cap_usage.h"

namespace cede {

namespace {
constexpr std::size_t kFewUnits = 10;
constexpr std::uint64_t kUnitWork = 5;  // for one unit in a cap or a criterion
}  // namespace

void VictimSearch::remove(const Unit& unit) {
  for (const TaskId task : unit.tasks) space_.release(task);
}

void VictimSearch::put_back(const Unit& unit) {
  for (const TaskId task : unit.tasks) space_.take(task);
}

std::vector<TaskId> VictimSearch::remove_all(std::span<const Unit* const> units) {
  std::vector<TaskId> taken;
  for (const Unit* unit : units) {
    for (const TaskId task : unit->tasks) {
      if (!space_.holds(task)) continue;
      space_.release(task);
      taken.push_back(task);
    }
  }
  return taken;
}

void VictimSearch::put_back_all(const std::vector<TaskId>& tasks) {
  for (const TaskId task : tasks) space_.take(task);
}

bool VictimSearch::exhausted() {
  if (!work_.ended()) return false;
  work_.leave_open();
  return true;
}

bool VictimSearch::meets_needs() {
  work_.spend(10);
  return needs_.are_met(space_, subproblem_->nodes);
}

// An elastic job goes as a whole or task by task, never both.
bool VictimSearch::may_add(const Unit& unit) const {
  if (!any_whole_) return true;
  work_.spend(1 + chosen_.size() / 4);
  return std::none_of(chosen_.begin(), chosen_.end(), [&](const Unit* other) {
    return other->job == unit.job && (other->whole_elastic || unit.whole_elastic);
  });
}

bool VictimSearch::breaks_cap() const {
  for (std::size_t i = 0; i < caps_.size(); ++i) {
    work_.spend(caps_[i].work(chosen_));
    if (i != without_cap_ && caps_[i].breaks(chosen_, nullptr)) return true;
  }
  return false;
}

// Whether removing only the surplus tasks of the elastic job, instead of all of it, meets the needs too.
bool VictimSearch::part_is_enough(const Unit& whole) {
  std::vector<const Unit*> parts;
  for (const Unit* unit : subproblem_->units) {
    if (unit->job == whole.job && !unit->whole_elastic) parts.push_back(unit);
  }
  if (parts.empty()) return false;
  put_back(whole);
  for (const Unit* part : parts) remove(*part);
  const bool would_do = meets_needs();
  for (const Unit* part : parts) put_back(*part);
  remove(whole);
  return would_do;
}

// Whether the needs fail without any one of the chosen units.
bool VictimSearch::is_minimal() {
  for (const Unit* unit : chosen_) {
    put_back(*unit);
    const bool still = meets_needs();
    remove(*unit);
    if (still) return false;
  }
  return true;
}

bool VictimSearch::offer(bool minimal) {
  if (breaks_cap()) return false;
  if ((!minimal && !is_minimal()) || exhausted()) return true;
  for (const Unit* unit : chosen_) {
    if (unit->whole_elastic && part_is_enough(*unit)) return true;
  }
  VictimSet found;
  found.victims = chosen_;
  const std::uint64_t before = work_.left_open();
  if (!needs_.place(space_, subproblem_->nodes, found.placement)) return true;
  // The placement is certain to exist. Only its criteria may not be optimal.
  untried_for_placement_ += work_.left_open() - before;
  if (!found.placement.certain) answer_.placement_proven = false;
  work_.spend(4 * kUnitWork * found.victims.size());
  found.objective_value = objective_.objective_value(found.victims, found.placement);
  found.figure = figure();
  const auto same = [&](const VictimSet& other) {
    return compare(found.objective_value, other.objective_value) == 0;
  };
  if ((answer_.best && same(*answer_.best)) ||
      std::any_of(answer_.others.begin(), answer_.others.end(), same))
    return true;
  const auto is_better = [&](const VictimSet& other) {
    return found.figure != other.figure ? found.figure < other.figure
                                        : compare(found.objective_value, other.objective_value) < 0;
  };
  if (!answer_.best || is_better(*answer_.best)) {
    if (answer_.best) answer_.others.insert(answer_.others.begin(), std::move(*answer_.best));
    answer_.best = std::move(found);
  } else {
    const auto at = std::find_if(answer_.others.begin(), answer_.others.end(), is_better);
    answer_.others.insert(at, std::move(found));
  }
  if (answer_.others.size() > kAlternatives) answer_.others.resize(kAlternatives);
  return true;
}

bool VictimSearch::cannot_improve() {
  if (!answer_.best) return false;
  if (const std::int64_t now = figure(); now != answer_.best->figure) return now > answer_.best->figure;
  // In small subproblems the search also looks for the next best sets, to report as alternatives.
  const bool all_alternatives = order_.size() <= kFewUnits;
  if (all_alternatives && answer_.others.size() < kAlternatives) return false;
  work_.spend(20 + 2 * kUnitWork * chosen_.size());
  const std::vector<Criterion> now = objective_.growing(chosen_);
  const VictimSet& bound = all_alternatives ? answer_.others.back() : *answer_.best;
  const std::vector<Criterion>& best = bound.objective_value.shown;
  for (std::size_t i = 0; i < now.size(); ++i) {
    const auto order = compare(now[i], best[i]);
    if (order != 0) return order > 0;
  }
  return false;
}

// Tries all subsets of the units from `next` on together with the chosen ones. A set that meets the needs is
// not extended: every criterion up to `freed` only gets worse, and the set would not be minimal. A set that
// breaks a cap stays broken when units are added.
void VictimSearch::enumerate(std::size_t next) {
  if (exhausted() || cannot_improve() || breaks_cap()) return;
  if (next > kDeepest) return work_.leave_open();
  if (meets_needs()) {
    offer();
    return;
  }
  if (next == order_.size()) return;
  const Unit& unit = *order_[next];
  if (may_add(unit)) {
    remove(unit);
    chosen_.push_back(&unit);
    enumerate(next + 1);
    chosen_.pop_back();
    put_back(unit);
    if (exhausted()) return;
  }
  // Without this unit, the rest must still be enough.
  const std::vector<TaskId> taken = remove_all(std::span(order_).subspan(next + 1));
  const bool enough = meets_needs();
  put_back_all(taken);
  if (enough) enumerate(next + 1);
}

// Finds a set without a search: removes units from the front of the list until the needs are met, then puts
// back those that are not needed, from the end of the list on. Blocks that can be put back as a whole are, so
// that the number of trials depends on the victims and only slightly on the length of the list. False if the
// set breaks a cap; then it is neither an answer nor a proof that there is none.
bool VictimSearch::give_back(const std::vector<const Unit*>& list) {
  std::size_t removed = 0;
  const auto move_to = [&](std::size_t count) {
    while (removed < count) remove(*list[removed++]);
    while (removed > count) put_back(*list[--removed]);
  };
  std::size_t too_few = 0;
  std::size_t enough = std::min<std::size_t>(1, list.size());
  for (;; enough = std::min(2 * enough, list.size())) {
    move_to(enough);
    if (meets_needs()) break;
    if (enough == list.size() || exhausted()) {
      move_to(0);
      return true;
    }
    too_few = enough;
  }
  while (enough - too_few > 1) {
    const std::size_t middle = too_few + (enough - too_few) / 2;
    move_to(middle);
    (meets_needs() ? enough : too_few) = middle;
  }
  move_to(enough);
  std::size_t block = 1;
  for (std::size_t end = enough; end > 0 && !exhausted();) {
    block = std::min(block, end);
    for (std::size_t i = end - block; i < end; ++i) put_back(*list[i]);
    if (meets_needs()) {
      end -= block;
      block *= 2;
      continue;
    }
    for (std::size_t i = end - block; i < end; ++i) remove(*list[i]);
    if (block == 1) chosen_.push_back(list[--end]);
    block = std::max<std::size_t>(1, block / 2);
    if (exhausted()) {
      for (std::size_t i = 0; i < end; ++i) chosen_.push_back(list[i]);
    }
  }
  std::reverse(chosen_.begin(), chosen_.end());
  const bool kept = exhausted() || offer(true);
  for (const Unit* unit : chosen_) put_back(*unit);
  chosen_.clear();
  return kept;
}

// The units in the order of the objective, without those that would break a linear limit of a cap together
// with the units before them.
std::vector<const Unit*> VictimSearch::within_caps() {
  std::vector<const Cap*> caps;
  for (std::size_t i = 0; i < caps_.size(); ++i) {
    if (i != without_cap_ && caps_[i].may_break()) caps.push_back(&caps_[i]);
  }
  work_.spend(10 * caps.size() * order_.size());
  const CapLimits limits(caps, order_);
  CapUsage usage(limits);
  std::vector<const Unit*> list;
  for (std::uint32_t i = 0; i < order_.size(); ++i) {
    if (!usage.fits(i) || !may_add(*order_[i])) continue;
    usage.add(i);
    chosen_.push_back(order_[i]);
  }
  list.swap(chosen_);
  return list;
}

void VictimSearch::first_answers() {
  std::vector<const Unit*> list;
  for (const Unit* unit : order_) {
    if (may_add(*unit)) chosen_.push_back(unit);
  }
  list.swap(chosen_);
  if (!give_back(list)) give_back(within_caps());
}

void VictimSearch::order_by_objective() {
  std::vector<std::pair<ObjectiveValue, const Unit*>> alone;
  alone.reserve(subproblem_->units.size());
  work_.spend(4 * kUnitWork * subproblem_->units.size());
  for (const Unit* unit : subproblem_->units)
    alone.emplace_back(objective_.objective_value({&unit, 1}, {}), unit);
  std::stable_sort(alone.begin(), alone.end(),
                   [](const auto& a, const auto& b) { return compare(a.first, b.first) < 0; });
  order_.clear();
  for (const auto& [objective_value, unit] : alone) order_.push_back(unit);
}

// Enumerates with a share of the work.
void VictimSearch::prove(std::uint64_t share) {
  const WorkShare limit(work_, share);
  enumerate(0);
}

SearchResult VictimSearch::run(std::span<const Subproblem> subproblems) {
  answer_ = {};
  const std::uint64_t begun = work_.spent();
  const std::uint64_t open = work_.left_open();
  untried_for_placement_ = 0;
  std::uint64_t proof = limits_.proof;
  std::size_t left = subproblems.size();
  for (const Subproblem& subproblem : subproblems) {
    if (exhausted()) break;
    subproblem_ = &subproblem;
    const std::vector<TaskId> taken = remove_all(subproblem.units);
    const bool enough = meets_needs();
    put_back_all(taken);
    const std::size_t to_share = left--;
    if (!enough) continue;
    answer_.needs_met = true;
    order_by_objective();
    any_whole_ = std::any_of(subproblem.units.begin(), subproblem.units.end(),
                             [](const Unit* unit) { return unit->whole_elastic; });
    first_answers();
    const bool few = subproblem.units.size() <= static_cast<std::size_t>(limits_.exact_units);
    const std::uint64_t before = work_.spent();
    prove(few ? proof : proof / to_share);
    proof -= std::min(proof, work_.spent() - before);
  }
  answer_.proven = work_.left_open() == open + untried_for_placement_;
  answer_.work = work_.spent() - begun;
  return std::move(answer_);
}

}  // namespace cede
