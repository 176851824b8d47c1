// SPDX-License-Identifier: MIT
#include "search/cover_search.h"

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>

namespace cede {

namespace {

constexpr Total kMostStates = 1 << 14;
constexpr std::size_t kMostClasses = 64;
constexpr std::uint32_t kUntried = 0xFFFF'FFFF;
constexpr std::uint64_t kTryWork = 6;

Total common_divisor(Total a, Total b) {
  while (b != 0) a = std::exchange(b, a % b);
  return a;
}

}  // namespace

std::uint32_t CoverSearch::step_of(Index unit) const {
  return gains_[unit] >= shortfall_ ? states_ : static_cast<std::uint32_t>(gains_[unit] / unit_);
}

// Whether the first of two sets of equal cost and gain is the better one.
bool CoverSearch::comes_first(CandidateScores::Set a, CandidateScores::Set b) const {
  std::vector<std::int64_t> tail_a;
  std::vector<std::int64_t> tail_b;
  scores_.tail(a, tail_a);
  scores_.tail(b, tail_b);
  return tail_a != tail_b ? tail_a < tail_b : scores_.compare_names(a, b) < 0;
}

// Orders the units, without those that no best set takes because others of the class make up everything.
void CoverSearch::set_costs(Class& of) const {
  std::vector<std::pair<Cost, Index>> ranked;
  ranked.reserve(of.units.size());
  for (const Index unit : of.units) ranked.emplace_back(scores_.cost(unit), unit);
  const auto is_better = [&](const auto& a, const auto& b) {
    return a.first != b.first ? a.first < b.first : comes_first({&a.second, 1}, {&b.second, 1});
  };
  const std::size_t enough = of.whole ? ranked.size() : (states_ + of.step - 1) / of.step;
  if (ranked.size() > enough) {
    std::nth_element(ranked.begin(), ranked.begin() + static_cast<std::ptrdiff_t>(enough), ranked.end(),
                     is_better);
    ranked.resize(enough);
  }
  std::sort(ranked.begin(), ranked.end(), is_better);
  work_.spend(10 * of.units.size() + 60 * ranked.size());
  of.units.clear();
  of.costs.assign(1, {});
  for (const auto& [cost, unit] : ranked) {
    of.units.push_back(unit);
    of.costs.push_back(of.costs.back());
    of.costs.back().add(cost);
  }
  if (of.whole) of.costs.push_back(scores_.cost(*of.whole));
}

// A class of its own: either some single tasks leave, or the whole job does. False if the tasks differ in
// what they gain.
bool CoverSearch::add_elastic(std::vector<Index> tasks, Index whole) {
  Class of;
  of.step = step_of(tasks.front());
  for (const Index task : tasks) {
    if (step_of(task) != of.step) return false;
  }
  of.units = std::move(tasks);
  of.whole = whole;
  of.whole_step = step_of(whole);
  classes_.push_back(std::move(of));
  return true;
}

bool CoverSearch::divide_into_classes() {
  for (const Total gain : gains_) {
    if (gain < shortfall_) unit_ = common_divisor(gain, unit_);
  }
  if (unit_ == 0) unit_ = shortfall_;
  const Total states = (shortfall_ + unit_ - 1) / unit_;
  if (states > kMostStates) return false;
  states_ = static_cast<std::uint32_t>(states);
  struct Elastic {
    std::vector<Index> tasks;
    std::optional<Index> whole;
  };
  std::map<JobId, Elastic> elastic;
  for (Index i = 0; i < scores_.size(); ++i) {
    if (scores_.unit(i).whole_elastic) elastic[scores_.unit(i).job].whole = i;
  }
  std::map<std::uint32_t, Class> by_step;
  const auto add = [&](Index unit) { by_step[step_of(unit)].units.push_back(unit); };
  for (Index i = 0; i < scores_.size(); ++i) {
    if (scores_.unit(i).whole_elastic) continue;
    if (const auto at = elastic.find(scores_.unit(i).job); at != elastic.end()) {
      at->second.tasks.push_back(i);
    } else {
      add(i);
    }
  }
  for (auto& [job, each] : elastic) {
    if (each.tasks.empty()) {
      add(*each.whole);
    } else if (!add_elastic(std::move(each.tasks), *each.whole)) {
      return false;
    }
    if (classes_.size() > kMostClasses) return false;
  }
  for (auto& [step, of] : by_step) {
    of.step = step;
    classes_.push_back(std::move(of));
  }
  if (classes_.size() > kMostClasses) return false;
  for (Class& of : classes_) set_costs(of);
  return true;
}

std::uint32_t CoverSearch::left_of(const Class& of, std::uint32_t state, Count count) {
  const std::uint64_t gained = count > of.units.size() ? of.whole_step : std::uint64_t{count} * of.step;
  return gained >= state ? 0 : state - static_cast<std::uint32_t>(gained);
}

// How many units of each class up to this one the best set of the state takes if it takes so many of this
// one.
std::vector<CoverSearch::Count> CoverSearch::counts_of(std::size_t at, std::uint32_t state,
                                                       Count count) const {
  std::vector<Count> out(at + 1);
  for (std::size_t i = at;; --i) {
    out[i] = count;
    state = left_of(classes_[i], state, count);
    if (i == 0) return out;
    count = chosen_[i - 1][state];
  }
}

// The units that are in the set with `to` units of the class, but not in the one with `from`.
void CoverSearch::append(const Class& of, Count from, Count to, std::vector<Index>& out) const {
  if (to > of.units.size()) {
    out.push_back(*of.whole);
    return;
  }
  const Count first = from > of.units.size() ? 0 : from;
  for (Count i = first; i < to; ++i) out.push_back(of.units[i]);
}

bool CoverSearch::wins_tie(std::size_t at, std::uint32_t state, Count count) {
  if (work_.spent() > ties_end_at_) ties_settled_ = false;
  if (!ties_settled_) return false;
  const std::vector<Count> a = counts_of(at, state, count);
  const std::vector<Count> b = counts_of(at, state, chosen_[at][state]);
  std::vector<Index> only_a;
  std::vector<Index> only_b;
  for (std::size_t i = 0; i <= at; ++i) {
    if (a[i] == b[i]) continue;
    append(classes_[i], b[i], a[i], only_a);
    append(classes_[i], a[i], b[i], only_b);
  }
  work_.spend(20 + 4 * at + 20 * (only_a.size() + only_b.size()));
  return comes_first(only_a, only_b);
}

void CoverSearch::try_count(std::size_t at, std::uint32_t state, Count count) {
  work_.spend(kTryWork);
  const Class& of = classes_[at];
  Value value = before_[left_of(of, state, count)];
  value.cost.add(of.costs[count]);
  Count& chosen = chosen_[at][state];
  const bool better = chosen == kUntried || value < now_[state] ||
                      (value == now_[state] && value.lacks == 0 && wins_tie(at, state, count));
  if (!better) return;
  chosen = count;
  now_[state] = value;
}

// Divide and conquer: the more is lacking, the more is left for the other classes, because each further unit
// of the class costs at least as much as the one before. `least_left`, `most_left`: between which rows the
// state without the units of the class is; row -1 is the state in which nothing is lacking.
void CoverSearch::solve_rows(const Row& rows, std::int64_t first, std::int64_t last, std::int64_t least_left,
                             std::int64_t most_left) {
  if (first > last) return;
  const Class& of = classes_[rows.at];
  const std::int64_t row = first + (last - first) / 2;
  const std::uint32_t state = rows.state(row, of.step);
  const std::int64_t from = std::max(least_left, row - static_cast<std::int64_t>(of.units.size()));
  for (std::int64_t left = from; left <= std::min(most_left, row); ++left)
    try_count(rows.at, state, static_cast<Count>(row - left));
  const std::int64_t best = row - static_cast<std::int64_t>(chosen_[rows.at][state]);
  solve_rows(rows, first, row - 1, least_left, best);
  solve_rows(rows, row + 1, last, best, most_left);
}

void CoverSearch::solve(std::size_t at) {
  const Class& of = classes_[at];
  chosen_[at].assign(states_ + 1, kUntried);
  if (of.whole) {
    for (std::uint32_t state = 0; state <= states_; ++state) {
      for (Count count = 0; count < of.costs.size(); ++count) try_count(at, state, count);
    }
    return;
  }
  for (std::uint32_t offset = 0; offset < of.step && offset <= states_; ++offset) {
    const std::int64_t last = (states_ - offset) / of.step;
    solve_rows({at, offset}, 0, last, offset == 0 ? 0 : -1, last);
  }
}

std::optional<CoverSearch::Answer> CoverSearch::run() {
  if (!divide_into_classes()) return std::nullopt;
  std::uint64_t tries = 0;
  for (const Class& of : classes_)
    tries += of.whole ? of.costs.size() : 2 + static_cast<std::uint64_t>(std::bit_width(states_));
  if (tries * (states_ + 1) * kTryWork > work_.left() / 2) return std::nullopt;
  ties_end_at_ = work_.spent() + work_.left() / 2;
  before_.resize(states_ + 1);
  now_.resize(states_ + 1);
  chosen_.resize(classes_.size());
  for (std::uint32_t state = 0; state <= states_; ++state) before_[state].lacks = state;
  for (std::size_t at = 0; at < classes_.size(); ++at) {
    solve(at);
    std::swap(before_, now_);
  }
  if (classes_.empty() || before_[states_].lacks > 0) return std::nullopt;
  Answer answer;
  answer.ties_settled = ties_settled_;
  const std::size_t last = classes_.size() - 1;
  const std::vector<Count> counts = counts_of(last, states_, chosen_[last][states_]);
  for (std::size_t at = 0; at < counts.size(); ++at) append(classes_[at], 0, counts[at], answer.units);
  std::sort(answer.units.begin(), answer.units.end());
  return answer;
}

namespace {

using Units = std::vector<const Unit*>;

// The candidates that gain anything.
struct Gainers {
  Units units;
  std::vector<Total> gains;

  void keep_up_to(std::int64_t highest, const CandidateScores& scores) {
    Gainers kept;
    for (CandidateScores::Index i = 0; i < units.size(); ++i) {
      if (scores.highest(i) > highest) continue;
      kept.units.push_back(units[i]);
      kept.gains.push_back(gains[i]);
    }
    *this = std::move(kept);
  }
};

// The least value of the criterion `highest` that any set has. Fewer units of last resort count before it.
std::optional<std::int64_t> least_highest(const Gainers& gainers, const CandidateScores& scores,
                                          Total shortfall) {
  std::vector<std::pair<std::int64_t, Total>> by_value;
  for (CandidateScores::Index i = 0; i < gainers.units.size(); ++i) {
    if (gainers.units[i]->last_resort || gainers.units[i]->whole_elastic) return std::nullopt;
    by_value.emplace_back(scores.highest(i), gainers.gains[i]);
  }
  std::sort(by_value.begin(), by_value.end());
  Total sum = 0;
  for (const auto& [value, gain] : by_value) {
    sum += gain;
    if (sum >= shortfall) return value;
  }
  return std::nullopt;
}

// A set that makes up one sum.
struct CoverSet {
  Units victims;
  // How many leading criteria are certainly the best; no value: all.
  std::optional<std::size_t> proven_entries;
};

std::optional<CoverSet> solve_cover(const VictimProblem& problem, const Cover& cover,
                                    const Units& candidates) {
  Work& work = problem.space.work();
  Gainers gainers;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (cover.gains[i] == 0) continue;
    gainers.units.push_back(candidates[i]);
    gainers.gains.push_back(cover.gains[i]);
  }
  work.spend(20 * gainers.units.size());
  std::optional<CandidateScores> scores(std::in_place, problem.objective, gainers.units);
  if (scores->ends_at_highest()) return std::nullopt;
  if (scores->has_highest()) {
    const std::optional<std::int64_t> least = least_highest(gainers, *scores, cover.shortfall);
    if (!least) return std::nullopt;
    gainers.keep_up_to(*least, *scores);
    scores.emplace(problem.objective, gainers.units);
  }
  const std::optional<CoverSearch::Answer> answer =
      CoverSearch(*scores, gainers.gains, cover.shortfall, work).run();
  if (!answer) return std::nullopt;
  CoverSet out;
  if (!answer->ties_settled) out.proven_entries = scores->costed();
  for (const CoverSearch::Index index : answer->units) out.victims.push_back(gainers.units[index]);
  return out;
}

// Whether the set meets all needs and keeps all caps, and the single tasks of an elastic job would not do
// instead of the whole job.
class Check {
 public:
  Check(const VictimProblem& problem, const Units& candidates) : problem_(problem), candidates_(candidates) {}

  bool passes(const Units& victims, Placement& placement) {
    for (const auto& cap : problem_.caps) {
      problem_.space.work().spend(cap->work(victims));
      if (cap->breaks(victims, nullptr)) return false;
    }
    move(victims, true);
    bool good =
        problem_.needs.are_met(problem_.space, {}) && problem_.needs.place(problem_.space, {}, placement);
    for (const Unit* unit : victims) good = good && !(unit->whole_elastic && single_tasks_do(*unit));
    move(victims, false);
    return good;
  }

 private:
  void move(const Units& units, bool away) {
    for (const Unit* unit : units) {
      for (const TaskId task : unit->tasks) {
        if (away) {
          problem_.space.release(task);
        } else {
          problem_.space.take(task);
        }
      }
    }
  }

  bool single_tasks_do(const Unit& whole) {
    Units tasks;
    std::copy_if(candidates_.begin(), candidates_.end(), std::back_inserter(tasks),
                 [&](const Unit* unit) { return unit->job == whole.job && !unit->whole_elastic; });
    if (tasks.empty()) return false;
    move({&whole}, false);
    move(tasks, true);
    const bool met = problem_.needs.are_met(problem_.space, {});
    move(tasks, false);
    move({&whole}, true);
    return met;
  }

  const VictimProblem& problem_;
  const Units& candidates_;
};

}  // namespace

std::optional<SearchResult> search_covers(DecisionContext& context, const VictimProblem& problem,
                                          const Units& candidates) {
  // With a hold also goes what is blocked beside it.
  if (std::any_of(candidates.begin(), candidates.end(), [](const Unit* unit) { return unit->hold != 0; }))
    return std::nullopt;
  const std::uint64_t begun = context.work.spent();
  SearchResult found;
  const auto done = [&] {
    found.work = context.work.spent() - begun;
    context.search_spent += found.work;
    context.proof_spent += found.work;
    return std::move(found);
  };
  const std::vector<Cover> covers = problem.needs.covers(problem.space, candidates);
  for (const Cover& cover : covers) {
    if (std::accumulate(cover.gains.begin(), cover.gains.end(), Total{0}) >= cover.shortfall) continue;
    found.proven = true;
    return done();
  }
  for (const Cover& cover : covers) {
    std::optional<CoverSet> best = solve_cover(problem, cover, candidates);
    VictimSet set;
    if (!best || !Check(problem, candidates).passes(best->victims, set.placement)) continue;
    set.victims = std::move(best->victims);
    set.objective_value =
        problem.objective.objective_value(set.victims, set.placement, set.victims.size() <= kNamed);
    // Where the tasks go is compared before start times and names.
    const bool any_place_does = !problem.placer || (set.placement.certain && set.placement.preferences == 0 &&
                                                    set.placement.borrowed == 0);
    found.placement_proven = any_place_does;
    found.needs_met = true;
    found.proven = !best->proven_entries;
    found.proven_entries = best->proven_entries.value_or(0);
    found.best = std::move(set);
    return done();
  }
  return std::nullopt;
}

}  // namespace cede
