// SPDX-License-Identifier: MIT
#include "topology/fit/numa_cpu.h"

#include "base/bits.h"

#include <algorithm>
#include <bit>
#include <numeric>

namespace cede {
namespace {

constexpr std::size_t kMaxDistinct = 12;  // sets of NUMA nodes; all their unions are checked

// Every task has its set. The demands fit by Hall's condition: for each union of sets, the tasks that must
// stay inside it find room there.
Fit fills(std::span<const NumaSet> sets, std::span<const NumaDemand> demands, std::span<const Amount> free,
          Work& work) {
  std::vector<NumaSet> distinct(sets.begin(), sets.end());
  std::sort(distinct.begin(), distinct.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  if (distinct.size() > kMaxDistinct) return Fit::undecided;
  const std::uint64_t unions = std::uint64_t{1} << distinct.size();
  if (!work.spend(5 + unions * (4 + distinct.size() + sets.size()) / 8)) return Fit::undecided;
  for (std::size_t pick = 1; pick < unions; ++pick) {
    NumaSet place = 0;
    for (std::size_t i = 0; i < distinct.size(); ++i) place |= (pick >> i & 1) != 0 ? distinct[i] : 0;
    Total room = 0;
    for (NumaSet rest = place; rest != 0; rest &= rest - 1) {
      room += std::max<Amount>(free[static_cast<std::size_t>(std::countr_zero(rest))], 0);
    }
    for (std::size_t i = 0; i < sets.size(); ++i) room -= (sets[i] & ~place) == 0 ? demands[i].cpu : 0;
    if (room < 0) return Fit::no;
  }
  return Fit::yes;
}

// Gives each task a set of exactly as many NUMA nodes as it may use, including its span. A larger set never
// hurts.
class Choice {
 public:
  Choice(std::vector<NumaDemand> demands, std::span<const Amount> free, Work& work)
      : demands_(std::move(demands)), free_(free), work_(work) {
    std::sort(demands_.begin(), demands_.end());  // puts equal tasks next to each other
    sets_.reserve(demands_.size());
  }

  Fit run() {
    if (choose()) return Fit::yes;
    if (!doubtful_) return Fit::no;
    work_.leave_open();
    return Fit::undecided;
  }

 private:
  bool choose() {
    if (sets_.size() == demands_.size()) return true;
    const NumaDemand& next = demands_[sets_.size()];
    return widen(next.span, 0, next.limit - static_cast<std::uint32_t>(count_bits(next.span)));
  }

  bool widen(NumaSet set, std::size_t from, std::uint32_t more) {
    if (!work_.spend(3)) {
      doubtful_ = true;
      return false;
    }
    if (more == 0) return take(set);
    for (std::size_t i = from; i < free_.size(); ++i) {
      const NumaSet node = NumaSet{1} << i;
      if ((set & node) == 0 && widen(set | node, i + 1, more - 1)) return true;
    }
    return false;
  }

  bool take(NumaSet set) {
    const std::size_t at = sets_.size();
    // Among equal tasks a later one never gets a smaller set, so no arrangement is tried twice.
    if (at > 0 && demands_[at] == demands_[at - 1] && set < sets_.back()) return false;
    sets_.push_back(set);
    const Fit fit = fills(sets_, demands_, free_, work_);
    doubtful_ = doubtful_ || fit == Fit::undecided;
    const bool found = fit == Fit::yes && choose();
    if (!found) sets_.pop_back();
    return found;
  }

  std::vector<NumaDemand> demands_;
  std::vector<NumaSet> sets_;
  std::span<const Amount> free_;
  Work& work_;
  bool doubtful_ = false;
};

// One NUMA node per task. Tasks with devices have no choice; the others go to any NUMA node with room left.
Fit share_single(std::span<const NumaSet> spans, std::span<const Amount> free, Amount per_task) {
  Total loose = 0;
  std::vector<Amount> left(free.begin(), free.end());
  for (const NumaSet span : spans) {
    if (span == 0) {
      ++loose;
      continue;
    }
    Amount& here = left[static_cast<std::size_t>(std::countr_zero(span))];
    if (here < per_task) return Fit::no;
    here -= per_task;
  }
  for (const Amount here : left) loose -= std::max<Amount>(here, 0) / per_task;
  return loose <= 0 ? Fit::yes : Fit::no;
}

}  // namespace

std::vector<Amount> numa_capacity(const NodeClass& node_class, Amount node_cpu) {
  const Total cores = std::accumulate(node_class.cores.begin(), node_class.cores.end(), Total{0});
  std::vector<Amount> capacity;
  if (cores == 0 || node_class.cores.size() != node_class.numa.size()) return capacity;
  for (const std::uint32_t here : node_class.cores) {
    capacity.push_back(static_cast<Amount>(static_cast<Total>(node_cpu) * here / cores));
  }
  return capacity;
}

Fit shares_cpu(std::span<const NumaSet> spans, std::uint32_t limit, std::span<const Amount> free,
               Amount per_task, Work& work) {
  if (per_task <= 0 || spans.empty() || limit >= free.size()) return Fit::yes;
  for (const NumaSet span : spans) {
    const bool known = static_cast<std::size_t>(std::bit_width(span)) <= free.size();
    if (!known || static_cast<std::uint32_t>(count_bits(span)) > limit) return Fit::no;
  }
  Total lacking = static_cast<Total>(per_task) * static_cast<Total>(spans.size());
  for (const Amount here : free) lacking -= std::max<Amount>(here, 0);
  if (limit == 0 || lacking > 0) return Fit::no;
  if (limit == 1) return share_single(spans, free, per_task);
  std::vector<NumaDemand> demands;
  for (const NumaSet span : spans) demands.push_back({span, limit, per_task});
  return Choice(std::move(demands), free, work).run();
}

Fit shares_cpu(std::span<const NumaDemand> demands, std::span<const Amount> free, Work& work) {
  std::vector<NumaDemand> counted;
  for (const NumaDemand& demand : demands) {
    if (demand.cpu <= 0 || demand.limit >= free.size()) continue;
    const bool known = static_cast<std::size_t>(std::bit_width(demand.span)) <= free.size();
    const auto spanned = static_cast<std::uint32_t>(count_bits(demand.span));
    if (!known || demand.limit == 0 || spanned > demand.limit) return Fit::no;
    counted.push_back(demand);
  }
  return Choice(std::move(counted), free, work).run();
}

}  // namespace cede
