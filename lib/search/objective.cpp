// SPDX-License-Identifier: MIT
#include "search/objective.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "policy/rules/measures.h"

namespace cede {

std::strong_ordering compare(const ObjectiveValue& a, const ObjectiveValue& b) {
  if (const auto order = compare(a.shown, b.shown); order != 0) return order;
  if (const auto order = compare(a.younger, b.younger); order != 0) return order;
  if (const auto order = a.names <=> b.names; order != 0) return order;
  return a.places <=> b.places;
}

Objective::Objective(const RuleContext& rule_context)
    : context_(rule_context), model_(rule_context.model()), measures_(cede::measures(rule_context)) {
  measures_.add<VictimCount>().add<Freed>();
  const auto is_time = [](const Measure& measure) { return measure.kind() >= Measure::Kind::older_wins; };
  // Start times are compared only between sets of equal size, so no criterion after them may prune a search.
  while (growing_ < measures_.size() && !is_time(measures_[growing_])) ++growing_;
}

Criterion Objective::criterion(std::size_t index, std::span<const Unit* const> victims) const {
  const Measure& measure = measures_[index];
  std::vector<std::int64_t> values;
  values.reserve(victims.size());
  for (const Unit* unit : victims) values.push_back(measure.of(*unit));
  switch (measure.kind()) {
    case Measure::Kind::counts: return Criterion::of_counts(measure.name(), std::move(values));
    case Measure::Kind::older_wins: return Criterion::of_times(measure.name(), std::move(values), false);
    case Measure::Kind::younger_wins: return Criterion::of_times(measure.name(), std::move(values), true);
    case Measure::Kind::oldest_started_last: return Criterion::of_younger(measure.name(), std::move(values));
    case Measure::Kind::highest:
      return Criterion::of_number(measure.name(),
                                  values.empty() ? 0 : *std::max_element(values.begin(), values.end()));
    case Measure::Kind::sum: break;
  }
  Total sum = 0;
  for (const std::int64_t value : values) sum += value;
  return Criterion::of_number(measure.name(), static_cast<std::int64_t>(std::min<Total>(
                                                  sum, std::numeric_limits<std::int64_t>::max())));
}

std::vector<Criterion> Objective::growing(std::span<const Unit* const> victims) const {
  std::vector<Criterion> criteria;
  for (std::size_t i = 0; i < growing_; ++i) criteria.push_back(criterion(i, victims));
  return criteria;
}

ObjectiveValue Objective::objective_value(std::span<const Unit* const> victims, const Placement& placement,
                                          bool named) const {
  ObjectiveValue objective_value;
  if (named) {
    std::vector<Time> starts;
    for (const Unit* unit : victims) {
      starts.push_back(unit->start);
      objective_value.names.push_back(unit_label(model_, *unit));
    }
    objective_value.younger = Criterion::of_younger("younger", std::move(starts));
    std::sort(objective_value.names.begin(), objective_value.names.end());
  }
  for (std::size_t i = 0; i < measures_.size(); ++i) objective_value.shown.push_back(criterion(i, victims));
  objective_value.shown.push_back(Criterion::of_number("preferences", placement.preferences));
  objective_value.shown.push_back(Criterion::of_number("borrowed", placement.borrowed));
  if (!named) return objective_value;
  for (const PlannedTask& task : placement.tasks)
    objective_value.places.emplace_back(model_.name(model_.nodes[task.node].name));
  for (const PlannedTask& task : placement.tasks) objective_value.places.push_back(std::to_string(task.gpus));
  return objective_value;
}

std::string unit_label(const Model& model, const Unit& unit) {
  if (unit.hold != 0) return "hold:" + std::to_string(unit.hold);
  std::string label(model.job_name(unit.job));
  if (unit.whole_job) return label;
  const JobCore& job = model.jobs[unit.job];
  return label + '/' + model.task_name(job, unit.tasks.front().value - job.first_task.value);
}

std::vector<std::string> unit_labels(const Model& model, std::span<const Unit* const> units) {
  std::vector<std::string> out;
  for (const Unit* unit : units) out.push_back(unit_label(model, *unit));
  std::sort(out.begin(), out.end());
  return out;
}

namespace {

constexpr int kBits = 108;  // of a Total, for packed counts; times Cost::kFine and the length of a hull

std::strong_ordering compare_lists(const std::vector<std::int64_t>& a, const std::vector<std::int64_t>& b,
                                   bool later_wins) {
  const std::size_t both = std::min(a.size(), b.size());
  for (std::size_t i = 0; i < both; ++i) {
    if (a[i] != b[i]) return later_wins ? b[i] <=> a[i] : a[i] <=> b[i];
  }
  return a.size() <=> b.size();
}

std::int64_t cut(Total sum) {
  return static_cast<std::int64_t>(std::min<Total>(sum, std::numeric_limits<std::int64_t>::max()));
}

}  // namespace

CandidateScores::CandidateScores(const Objective& objective, std::span<const Unit* const> units,
                                 WorkerPool* workers)
    : model_(&objective.model()),
      units_(units.begin(), units.end()),
      measures_(objective.measures().size()),
      costed_(std::min(objective.growing_measures(), Cost::kParts)) {
  values_.resize(units_.size() * measures_);
  for (std::size_t m = 0; m < measures_; ++m) {
    const Measure& measure = objective.measures()[m];
    kinds_.push_back(measure.kind());
  }
  if (leads_with_price(objective.measures())) price_ = kPriceMeasure;
  each_piece(workers, (units_.size() + kUnitsAtOnce - 1) / kUnitsAtOnce, [&](std::size_t piece) {
    for (std::size_t u = piece * kUnitsAtOnce; u < std::min(units_.size(), (piece + 1) * kUnitsAtOnce); ++u) {
      for (std::size_t m = 0; m < measures_; ++m)
        values_[u * measures_ + m] = objective.measures()[m].of(*units_[u]);
    }
  });
  weights_.resize(measures_);
  bits_ = static_cast<int>(std::bit_width(units_.size()));
  for (std::size_t m = 0; m < costed_; ++m) {
    if (kinds_[m] == Measure::Kind::counts) encode_counts(m);
    if (kinds_[m] != Measure::Kind::highest) continue;
    // Only right behind `last-resort` can it be settled before every sum. Elsewhere the cost ends before it.
    if (m <= kPriceMeasure) {
      highest_ = m;
    } else {
      costed_ = m;
      ends_at_highest_ = true;
    }
  }
}

void CandidateScores::encode_counts(std::size_t measure) {
  Weights& table = weights_[measure];
  for (Index u = 0; u < units_.size(); ++u) {
    // There are usually few distinct values.
    const auto at = std::lower_bound(table.values.begin(), table.values.end(), value(u, measure));
    const auto most = table.most.begin() + (at - table.values.begin());
    if (at != table.values.end() && *at == value(u, measure)) {
      ++*most;
      continue;
    }
    table.values.insert(at, value(u, measure));
    table.most.insert(most, 1);
    if (static_cast<int>(table.values.size()) * bits_ > kBits) {
      costed_ = measure;
      return;
    }
  }
  Total weight = Cost::kFine;
  for (std::size_t i = 0; i < table.values.size(); ++i) {
    table.weights.push_back(weight);
    weight <<= bits_;
  }
}

// The least packed counts of any set that are at least this. No count is above the number of units that have
// its value, so what is beyond that is at least one of the next value.
Total CandidateScores::raised(Total counts, const Weights& table) const {
  Total whole = (counts + Cost::kFine - 1) / Cost::kFine;
  const Total base = Total{1} << bits_;
  for (std::size_t i = table.values.size(); i-- > 0;) {
    const Total below = Total{1} << (bits_ * static_cast<int>(i));
    if (whole / below % base <= table.most[i]) continue;
    // Carried into the next value, which may then be beyond its own number.
    whole = (whole / below / base + 1) * below * base;
    i = std::min(i + 2, table.values.size());
  }
  return whole * Cost::kFine;
}

Cost CandidateScores::raised(Cost bound) const {
  for (std::size_t m = 0; m < costed_; ++m) {
    if (is_fine(m) || kinds_[m] == Measure::Kind::highest) continue;
    Total& part = bound.parts[m];
    const Total least = kinds_[m] == Measure::Kind::counts
                            ? raised(part, weights_[m])
                            : (part + Cost::kFine - 1) / Cost::kFine * Cost::kFine;
    if (least == part) continue;
    part = least;
    std::fill(bound.parts.begin() + static_cast<std::ptrdiff_t>(m) + 1, bound.parts.end(), 0);
    break;
  }
  return bound;
}

std::vector<CandidateScores::Field> CandidateScores::fields() const {
  constexpr int kAllBits = 120;
  std::vector<Field> fields;
  for (std::size_t m = 0; m < costed_; ++m) {
    if (kinds_[m] != Measure::Kind::counts) {
      fields.push_back({m, 0, kAllBits});
      continue;
    }
    for (std::size_t i = weights_[m].values.size(); i-- > 0;)
      fields.push_back({m, static_cast<int>(i) * bits_ + Cost::kFineBits, bits_});
  }
  return fields;
}

std::optional<std::int64_t> CandidateScores::price_of(const Cost& cost) const {
  if (price_ >= costed_) return std::nullopt;
  return cut(cost.parts[price_]);
}

std::optional<Criterion> CandidateScores::criterion_of(const Cost& cost, std::size_t measure) const {
  if (measure >= costed_ || kinds_[measure] == Measure::Kind::highest) return std::nullopt;
  if (kinds_[measure] == Measure::Kind::sum)
    return Criterion::of_number({}, cut(cost.parts[measure] / (is_fine(measure) ? 1 : Cost::kFine)));
  Criterion out;
  out.kind = Criterion::Kind::counts;
  const Weights& table = weights_[measure];
  for (std::size_t i = table.values.size(); i-- > 0;) {
    const Total count = cost.parts[measure] / table.weights[i] % (Total{1} << bits_);
    if (count > 0) out.counts.emplace_back(table.values[i], static_cast<std::int64_t>(count));
  }
  return out;
}

Cost CandidateScores::cost(Index index) const {
  Cost cost;
  for (std::size_t m = 0; m < costed_; ++m) {
    switch (kinds_[m]) {
      case Measure::Kind::highest: break;  // equal for all sets that are compared by cost
      case Measure::Kind::counts: {
        const Weights& table = weights_[m];
        const auto at = std::lower_bound(table.values.begin(), table.values.end(), value(index, m));
        cost.parts[m] = table.weights[static_cast<std::size_t>(at - table.values.begin())];
        break;
      }
      default: cost.parts[m] = value(index, m) * (is_fine(m) ? 1 : Cost::kFine);
    }
  }
  return cost;
}

Cost CandidateScores::cost(Set set) const {
  Cost sum;
  for (const Index index : set) sum.add(cost(index));
  return sum;
}

std::strong_ordering CandidateScores::compare_measure(std::size_t m, Set a, Set b) const {
  if (a.size() == 1 && b.size() == 1) {
    const std::int64_t va = value(a[0], m);
    const std::int64_t vb = value(b[0], m);
    return later_wins(m) ? vb <=> va : va <=> vb;
  }
  if (kinds_[m] == Measure::Kind::sum) {
    Total sa = 0;
    Total sb = 0;
    for (const Index i : a) sa += value(i, m);
    for (const Index i : b) sb += value(i, m);
    return cut(sa) <=> cut(sb);
  }
  const auto listed = [&](Set set) {
    std::vector<std::int64_t> values;
    values.reserve(set.size());
    for (const Index i : set) values.push_back(value(i, m));
    return values;
  };
  std::vector<std::int64_t> va = listed(a);
  std::vector<std::int64_t> vb = listed(b);
  switch (kinds_[m]) {
    case Measure::Kind::highest: {
      const auto top = [](const std::vector<std::int64_t>& v) {
        return v.empty() ? 0 : *std::max_element(v.begin(), v.end());
      };
      return top(va) <=> top(vb);
    }
    case Measure::Kind::counts:
    case Measure::Kind::younger_wins:
      std::sort(va.begin(), va.end(), std::greater<>());
      std::sort(vb.begin(), vb.end(), std::greater<>());
      return compare_lists(va, vb, kinds_[m] == Measure::Kind::younger_wins);
    default: break;
  }
  std::sort(va.begin(), va.end());
  std::sort(vb.begin(), vb.end());
  return compare_lists(va, vb, kinds_[m] == Measure::Kind::oldest_started_last);
}

std::strong_ordering CandidateScores::compare(Index a, Index b) const {
  if (a == b) return std::strong_ordering::equal;
  for (std::size_t m = 0; m < measures_; ++m) {
    const std::int64_t va = value(a, m);
    const std::int64_t vb = value(b, m);
    if (va != vb) return later_wins(m) ? vb <=> va : va <=> vb;
  }
  if (units_[a]->start != units_[b]->start) return units_[b]->start <=> units_[a]->start;
  return compare_names({&a, 1}, {&b, 1});
}

void CandidateScores::numbers(Set set, std::size_t first, std::vector<std::int64_t>& out) const {
  constexpr std::int64_t kEnd = std::numeric_limits<std::int64_t>::min();  // less than any value
  std::size_t size = out.size() + set.size() + 1;
  for (std::size_t m = first; m < measures_; ++m) {
    const bool one = kinds_[m] == Measure::Kind::sum || kinds_[m] == Measure::Kind::highest;
    size += one ? 1 : set.size() + 1;
  }
  out.reserve(size);
  const auto sorted_from = [&](std::size_t from, bool descending) {
    const auto begin = out.begin() + static_cast<std::ptrdiff_t>(from);
    if (descending) {
      std::sort(begin, out.end(), std::greater<>());
    } else {
      std::sort(begin, out.end());
    }
  };
  for (std::size_t m = first; m < measures_; ++m) {
    const std::size_t from = out.size();
    if (kinds_[m] == Measure::Kind::sum) {
      Total sum = 0;
      for (const Index i : set) sum += value(i, m);
      out.push_back(cut(sum));
      continue;
    }
    if (kinds_[m] == Measure::Kind::highest) {
      std::int64_t top = 0;
      for (const Index i : set) top = i == set.front() ? value(i, m) : std::max(top, value(i, m));
      out.push_back(top);
      continue;
    }
    // If later wins, the larger value must compare less.
    for (const Index i : set) out.push_back(later_wins(m) ? -value(i, m) : value(i, m));
    // Counts and newest-first times are listed in descending order. Negated values need the opposite order.
    const bool from_top = kinds_[m] == Measure::Kind::counts || kinds_[m] == Measure::Kind::younger_wins;
    sorted_from(from, from_top != later_wins(m));
    out.push_back(kEnd);
  }
  const std::size_t from = out.size();
  for (const Index i : set) out.push_back(-units_[i]->start);
  sorted_from(from, true);
  out.push_back(kEnd);
}

std::size_t CandidateScores::implied_part() const {
  const std::size_t victims = measures_ - 2;
  const auto end = kinds_.begin() + static_cast<std::ptrdiff_t>(victims);
  const bool counted = std::find(kinds_.begin(), end, Measure::Kind::counts) != end;
  return counted && victims < costed_ ? victims : SIZE_MAX;
}

std::optional<CandidateScores::TieList> CandidateScores::tie_list() const {
  if (costed_ == measures_) return TieList{measures_, false};
  switch (kinds_[costed_]) {
    case Measure::Kind::older_wins:
    case Measure::Kind::younger_wins: return TieList{costed_, true};
    case Measure::Kind::oldest_started_last: return TieList{costed_, false};
    default: return std::nullopt;
  }
}

std::int64_t CandidateScores::tie_value(const TieList& list, Index index) const {
  if (list.measure == measures_) return units_[index]->start;
  const std::int64_t start = value(index, list.measure);
  return kinds_[list.measure] == Measure::Kind::younger_wins ? -start : start;
}

std::strong_ordering CandidateScores::compare_shown(Set a, Set b) const {
  for (std::size_t m = 0; m < measures_; ++m) {
    if (const auto order = compare_measure(m, a, b); order != 0) return order;
  }
  return std::strong_ordering::equal;
}

std::strong_ordering CandidateScores::compare(Set a, Set b) const {
  if (const auto order = compare_shown(a, b); order != 0) return order;
  const auto starts = [&](Set set) {
    std::vector<std::int64_t> values;
    for (const Index i : set) values.push_back(units_[i]->start);
    std::sort(values.begin(), values.end());
    return values;
  };
  if (const auto order = compare_lists(starts(a), starts(b), true); order != 0) return order;
  return compare_names(a, b);
}

std::strong_ordering CandidateScores::compare_names(Set a, Set b) const {
  if (a.size() == 1 && b.size() == 1 && units_[a[0]]->whole_job && units_[b[0]]->whole_job &&
      units_[a[0]]->hold == 0 && units_[b[0]]->hold == 0)
    return model_->job_name(units_[a[0]]->job) <=> model_->job_name(units_[b[0]]->job);
  const auto names = [&](Set set) {
    std::vector<std::string> labels;
    for (const Index i : set) labels.push_back(unit_label(*model_, *units_[i]));
    std::sort(labels.begin(), labels.end());
    return labels;
  };
  return names(a) <=> names(b);
}

}  // namespace cede
