// SPDX-License-Identifier: MIT
#include "topology/fit/fit_search.h"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "base/bits.h"
#include "topology/fit/device_sets.h"

namespace cede {

namespace {

// The device sets that one task may have, by their lowest device.
std::vector<std::vector<std::uint32_t>> task_sets(const NodeRules& rules, std::uint32_t size) {
  std::vector<std::vector<std::uint32_t>> sets(rules.sets().count());
  const auto allowed = static_cast<std::uint32_t>(rules.allowed());
  for (std::uint32_t set = 1; set < size; ++set) {
    if (static_cast<std::uint32_t>(count_bits(set)) != rules.terms().devices || (set & ~allowed) != 0)
      continue;
    const auto lowest = static_cast<std::size_t>(std::countr_zero(set));
    if ((set & ~rules.mates(lowest)) == 0 && rules.task_holds(set)) sets[lowest].push_back(set);
  }
  return sets;
}

}  // namespace

std::uint64_t FitTable::work_to_make(const NodeRules& rules) {
  const std::uint32_t per_task = rules.terms().devices;
  const std::uint32_t count = rules.sets().count();
  if (per_task == 0 || count == 0) return 1;
  std::uint64_t masks = 0;  // masks that are compared with every set that has the same lowest device
  for (std::uint32_t members = 2 * per_task; members <= count; members += per_task)
    masks += subset_count(count, members);
  const std::uint64_t sets = subset_count(count, per_task);
  const std::uint64_t with_one = subset_count(count - 1, per_task - 1);
  return (std::uint64_t{1} << count) * (count + 2) / 16 + sets * 4 + masks * with_one / 16;
}

// A union of t sets has t × devices members. So the size of a mask gives t, and the rules for all tasks
// together can be checked on the mask. The results are then passed on from each mask to the masks that
// contain it.
FitTable::FitTable(const NodeRules& rules) {
  const std::uint32_t devices = rules.terms().devices;
  if (devices == 0) {
    most_.assign(1, rules.task_holds(0) ? kNoLimit : std::uint8_t{0});
    return;
  }
  const std::uint32_t size = std::uint32_t{1} << rules.sets().count();
  mask_ = size - 1;
  const std::vector<std::vector<std::uint32_t>> sets = task_sets(rules, size);
  std::vector<bool> splits(size, false);
  std::vector<std::uint16_t> fits(size, 0);
  for (const std::vector<std::uint32_t>& list : sets) {
    for (const std::uint32_t set : list) splits[set] = true;
  }
  for (std::uint32_t mask = 1; mask < size; ++mask) {
    const auto members = static_cast<std::uint32_t>(count_bits(mask));
    if (members % devices != 0) continue;
    if (members > devices) {
      const std::vector<std::uint32_t>& with_lowest = sets[static_cast<std::size_t>(std::countr_zero(mask))];
      splits[mask] = std::any_of(with_lowest.begin(), with_lowest.end(),
                                 [&](std::uint32_t set) { return (set & ~mask) == 0 && splits[mask ^ set]; });
    }
    if (splits[mask] && rules.node_holds(mask)) {
      fits[mask] = static_cast<std::uint16_t>(1u << (members / devices - 1));
    }
  }
  for (std::uint32_t device = 1; device < size; device <<= 1) {
    for (std::uint32_t mask = 0; mask < size; ++mask) {
      if ((mask & device) != 0) fits[mask] = static_cast<std::uint16_t>(fits[mask] | fits[mask ^ device]);
    }
  }
  most_.resize(size);
  for (std::uint32_t mask = 0; mask < size; ++mask) {
    most_[mask] = static_cast<std::uint8_t>(std::bit_width(fits[mask]));
  }
  if (!rules.is_hereditary()) exact_ = std::move(fits);
}

namespace {

constexpr std::uint64_t kStep = 3;
// a failure that was cheaper than this is cheap to find again
constexpr std::uint64_t kWorthKeeping = 4 * kStep;

constexpr DeviceMask lowest_of(DeviceMask set) { return set & (~set + 1); }

}  // namespace

std::size_t FitSearch::StateHash::operator()(const State& state) const {
  std::uint64_t hash = state.left;
  for (const std::uint64_t part : {state.remaining, state.used, state.missed, state.spans}) {
    hash = (hash ^ part) * 0x9e3779b97f4a7c15u;
    hash ^= hash >> 29;
  }
  return hash;
}

FitSearch::FitSearch(const NodeRules& rules, const FitTable* table, const FitQuery& query, Work& work)
    : rules_(rules),
      table_(table),
      query_(query),
      work_(work),
      devices_(rules.terms().devices),
      counts_cpu_(rules.numa() != CpuNuma::none && !query.free_cpu.empty()) {
  chosen_.reserve(query.tasks);
}

Fit FitSearch::run() {
  DeviceMask remaining = query_.free & rules_.allowed() & ~query_.taken;
  for (DeviceMask rest = query_.taken | query_.include; rest != 0; rest &= rest - 1) {
    remaining &= rules_.node_mates(static_cast<std::size_t>(std::countr_zero(rest)));
  }
  used_ = query_.taken;
  bool found = false;
  if (query_.include == 0) {
    found = place(remaining, query_.tasks);
  } else if ((query_.include & ~rules_.allowed()) == 0) {
    remaining &= ~query_.include;
    DeviceMask candidates = remaining;
    for (DeviceMask rest = query_.include; rest != 0; rest &= rest - 1) {
      candidates &= rules_.mates(static_cast<std::size_t>(std::countr_zero(rest)));
    }
    found = extend(query_.include, candidates, remaining, query_.tasks);
  }
  if (found) return Fit::yes;
  if (!doubtful_) return Fit::no;
  work_.leave_open();
  return Fit::undecided;
}

bool FitSearch::is_dead(DeviceMask remaining, std::uint32_t left) const {
  if (rules_.most_tasks(remaining) < left) return true;
  if (!table_ || query_.taken != 0) return false;
  if (rules_.has_node_rules()) return !table_->fits(used_ | remaining, query_.tasks);
  return !table_->fits(remaining, left);
}

bool FitSearch::pack_spans(std::uint64_t& out) const {
  out = 0;
  if (!counts_cpu_) return true;
  if (spans_.size() > 8) return false;
  std::array<std::uint8_t, 8> names{};
  for (std::size_t i = 0; i < spans_.size(); ++i) {
    const auto name = std::find(span_names_.begin(), span_names_.end(), spans_[i]) - span_names_.begin();
    if (name >= 255) return false;
    names[i] = static_cast<std::uint8_t>(name + 1);
  }
  std::sort(names.begin(), names.end());
  for (const std::uint8_t name : names) out = out << 8 | name;
  return true;
}

bool FitSearch::place(DeviceMask remaining, std::uint32_t left) {
  if (left == 0) return finish();
  if (!work_.spend(kStep)) {
    doubtful_ = true;
    return false;
  }
  if (is_dead(remaining, left)) return false;
  State state{remaining, rules_.judges_node() ? used_ : 0, query_.max_missed == kNoBound ? 0 : missed_, 0,
              left};
  const bool keep = pack_spans(state.spans);
  if (keep && failed_.contains(state)) return false;
  const std::uint64_t before = work_.spent();
  if (try_place(remaining, left)) return true;
  if (keep && !doubtful_ && work_.spent() - before > kWorthKeeping) failed_.insert(state);
  return false;
}

bool FitSearch::try_place(DeviceMask remaining, std::uint32_t left) {
  const DeviceMask lowest = lowest_of(remaining);
  if (lowest == 0) return false;
  const auto device = static_cast<std::size_t>(std::countr_zero(lowest));
  const DeviceMask candidates = remaining & ~lowest & rules_.mates(device) & rules_.node_mates(device);
  if (extend(lowest, candidates, remaining, left)) return true;
  // If an assignment uses a twin of this device, it could use this device instead.
  return place(remaining & ~rules_.twins(device), left);
}

// Adds devices to the set in ascending order until it is complete. All `candidates` are higher than the last
// device added and may be combined with every device of the set.
bool FitSearch::extend(DeviceMask set, DeviceMask candidates, DeviceMask remaining, std::uint32_t left) {
  const auto lacking = static_cast<int>(devices_) - count_bits(set);
  if (lacking == 0) return take(set, remaining, left);
  while (count_bits(candidates) >= lacking) {
    if (!work_.spend(kStep)) {
      doubtful_ = true;
      return false;
    }
    const DeviceMask next = lowest_of(candidates);
    const auto device = static_cast<std::size_t>(std::countr_zero(next));
    candidates &= ~next;
    const DeviceMask lower_twins = rules_.twins(device) & (next - 1) & remaining & ~set;
    if (lower_twins != 0) continue;
    const DeviceMask beside = candidates & rules_.mates(device) & rules_.node_mates(device);
    if (extend(set | next, beside, remaining, left)) return true;
  }
  return false;
}

bool FitSearch::take(DeviceMask set, DeviceMask remaining, std::uint32_t left) {
  work_.spend(rules_.has_node_rules() ? 4 * kStep : kStep);
  if (!rules_.task_holds(set)) return false;
  const EntrySet missed_before = missed_;
  missed_ |= rules_.task_misses(set);
  spans_.push_back(0);
  bool found = take_cpu(set) && static_cast<std::uint32_t>(count_bits(missed_)) <= query_.max_missed;
  if (found) {
    used_ |= set;
    chosen_.push_back(set);
    DeviceMask rest = remaining & ~set;
    for (DeviceMask add = set; add != 0; add &= add - 1) {
      rest &= rules_.node_mates(static_cast<std::size_t>(std::countr_zero(add)));
    }
    found = place(rest, left - 1);
    if (found) return true;
    chosen_.pop_back();
    used_ &= ~set;
  }
  spans_.pop_back();
  missed_ = missed_before;
  return false;
}

// Checks the cpu of all tasks so far, including this one.
bool FitSearch::take_cpu(DeviceMask set) {
  if (!counts_cpu_) return true;
  spans_.back() = rules_.sets().numa_nodes(set);
  if (std::find(span_names_.begin(), span_names_.end(), spans_.back()) == span_names_.end()) {
    span_names_.push_back(spans_.back());
  }
  const NumaTerms numa = rules_.numa_terms(query_.free_cpu);
  const Fit fit = shares_cpu(spans_, numa.limit, numa.free, numa.cpu, work_);
  if (fit == Fit::yes) return true;
  if (!rules_.numa_is_hard()) {
    missed_ |= kNumaEntry;
    return true;
  }
  doubtful_ = doubtful_ || fit == Fit::undecided;
  return false;
}

bool FitSearch::finish() {
  if (!rules_.node_holds(used_)) return false;
  const EntrySet missed = missed_ | rules_.node_misses(used_);
  if (static_cast<std::uint32_t>(count_bits(missed)) > query_.max_missed) return false;
  missed_ = missed;
  return true;
}

}  // namespace cede
