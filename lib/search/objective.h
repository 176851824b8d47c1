// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/worker_pool.h"
#include "model/plan.h"
#include "placement/placer.h"
#include "policy/composition.h"

namespace cede {

// The objective value of one set of victims: the criteria that documents show, then what only breaks ties.
struct ObjectiveValue {
  std::vector<Criterion> shown;
  Criterion younger;                // start times, oldest first; later wins
  std::vector<std::string> names;   // of the victims, sorted
  std::vector<std::string> places;  // node of each task, then its devices
};

std::strong_ordering compare(const ObjectiveValue& a, const ObjectiveValue& b);

// Computes the objective values of sets for one request from the profile's measures and the common tail.
class Objective {
 public:
  explicit Objective(const RuleContext& rule_context);

  // `named` = false leaves out what only breaks ties, for a set that is not compared with others.
  ObjectiveValue objective_value(std::span<const Unit* const> victims, const Placement& placement,
                                 bool named = true) const;
  const Model& model() const { return model_; }
  // The measures, and how many leading ones can only grow when a unit is added.
  const RuleList<Measure>& measures() const { return measures_; }
  std::size_t growing_measures() const { return growing_; }
  // The leading criteria that can only grow when a unit is added.
  std::vector<Criterion> growing(std::span<const Unit* const> victims) const;

 private:
  Criterion criterion(std::size_t measure, std::span<const Unit* const> victims) const;

  const RuleContext& context_;
  const Model& model_;
  RuleList<Measure> measures_;  // including the tail's victim count and freed amount
  std::size_t growing_ = 0;     // leading measures that only grow
};

// `v`, or `v/t3` for one task of several.
std::string unit_label(const Model& model, const Unit& unit);
// The labels of a set, sorted. They decide between sets that are otherwise equal.
std::vector<std::string> unit_labels(const Model& model, std::span<const Unit* const> units);

// The leading criteria of a set that only grow when a unit is added, as numbers compared from the front.
// Counts per value are packed into one number, in a base that no count reaches. All numbers but prices are
// multiples of kFine, so that little is lost when several nodes share the cost of a unit.
struct Cost {
  static constexpr std::size_t kParts = 7;
  static constexpr int kFineBits = 12;
  static constexpr Total kFine = 1 << kFineBits;
  std::array<Total, kParts> parts{};

  void add(const Cost& other, Total times = 1) {
    for (std::size_t i = 0; i < kParts; ++i) parts[i] += other.parts[i] * times;
  }
  // A part that `count` payers can pay each without paying more than the whole together.
  Cost shared_by(Total count) const {
    Cost out;
    for (std::size_t i = 0; i < kParts; ++i) out.parts[i] = parts[i] / count;
    return out;
  }
  // The same without remainders below zero: for differences, whose parts may be negative.
  Cost floor_shared_by(Total count) const {
    Cost out;
    for (std::size_t i = 0; i < kParts; ++i) out.parts[i] = parts[i] / count - (parts[i] % count < 0 ? 1 : 0);
    return out;
  }
  auto operator<=>(const Cost&) const = default;
  bool operator==(const Cost&) const = default;
};

// What each candidate adds to every criterion, as numbers. Compares sets without building anything, exactly
// as their objective values without a placement compare.
class CandidateScores {
 public:
  using Index = std::uint32_t;  // index of a candidate
  using Set = std::span<const Index>;

  CandidateScores(const Objective& objective, std::span<const Unit* const> units,
                  WorkerPool* workers = nullptr);
  // Without scores: for candidates that are only counted.
  CandidateScores(const Model& model, std::span<const Unit* const> units)
      : model_(&model), units_(units.begin(), units.end()) {}

  std::size_t size() const { return units_.size(); }
  const Unit& unit(Index index) const { return *units_[index]; }
  // How many leading criteria a cost covers. It ends before start times, and before counts with too many
  // distinct values for one number.
  std::size_t costed() const { return costed_; }
  // How many parts of a cost are up to and including the number of victims.
  std::size_t shown_parts() const { return measures_ - 1; }
  // The number of victims if counts before it tell it already; SIZE_MAX if not.
  std::size_t implied_part() const;
  bool has_highest() const { return highest_ < costed_; }
  // Whether a criterion `highest` follows the costed ones. Sets of equal cost then differ in more than what
  // adds up.
  bool ends_at_highest() const { return ends_at_highest_; }
  // The unit's own value in the criterion `highest`.
  std::int64_t highest(Index index) const { return value(index, highest_); }
  // The numbers in the costed parts of a cost, in the order in which they are compared: the bits from `shift`
  // on of a part.
  struct Field {
    std::size_t part = 0;
    int shift = 0;
    int bits = 0;
    Total in(const Cost& cost) const { return cost.parts[part] >> shift & ((Total{1} << bits) - 1); }
  };
  std::vector<Field> fields() const;
  // The price in a cost; nullopt if the cost covers no price.
  std::optional<std::int64_t> price_of(const Cost& cost) const;
  // One criterion of a cost, without its name; nullopt if the cost does not cover it.
  std::optional<Criterion> criterion_of(const Cost& cost, std::size_t measure) const;
  Cost cost(Index index) const;
  Cost cost(Set set) const;
  // The least cost of any set that costs at least this. Bounds are sums of shares, which no set can cost.
  Cost raised(Cost bound) const;

  // The better set is less. The order is total: sets are equal only if their units and names are.
  std::strong_ordering compare(Set a, Set b) const;
  std::strong_ordering compare(Index a, Index b) const;
  // Appends the numbers that are compared after the cost and before the names. Only for sets of equal cost.
  void tail(Set set, std::vector<std::int64_t>& out) const { numbers(set, costed_, out); }
  // Appends all numbers that are compared before the names, for any sets.
  void numbers(Set set, std::vector<std::int64_t>& out) const { numbers(set, 0, out); }
  std::strong_ordering compare_names(Set a, Set b) const;
  // The list of start times by which sets of equal cost and size are compared next: from the least value on.
  // `take`: a unit with the value is better than none, else it is worse.
  struct TieList {
    std::size_t measure = 0;
    bool take = true;
  };
  // nullopt if something else comes next.
  std::optional<TieList> tie_list() const;
  std::int64_t tie_value(const TieList& list, Index index) const;
  // Compares up to and including `freed`: what documents show of the victims.
  std::strong_ordering compare_shown(Set a, Set b) const;

 private:
  std::int64_t value(Index index, std::size_t measure) const { return values_[index * measures_ + measure]; }
  bool later_wins(std::size_t measure) const {
    return kinds_[measure] == Measure::Kind::younger_wins ||
           kinds_[measure] == Measure::Kind::oldest_started_last;
  }
  std::strong_ordering compare_measure(std::size_t measure, Set a, Set b) const;
  void encode_counts(std::size_t measure);
  void numbers(Set set, std::size_t first, std::vector<std::int64_t>& out) const;

  const Model* model_;
  std::vector<const Unit*> units_;
  std::size_t measures_ = 0;
  std::size_t costed_ = 0;
  std::size_t highest_ = SIZE_MAX;
  bool ends_at_highest_ = false;
  std::size_t price_ = SIZE_MAX;
  std::vector<Measure::Kind> kinds_;
  std::vector<std::int64_t> values_;  // by unit, then measure
  struct Weights {
    std::vector<std::int64_t> values;  // ascending
    std::vector<Total> weights;
    std::vector<Total> most;  // how many units have the value
  };
  Total raised(Total counts, const Weights& table) const;
  // Prices are fine enough as they are. The first criterion is nearly always 0.
  bool is_fine(std::size_t measure) const { return measure == 0 || measure == price_; }
  std::vector<Weights> weights_;  // by measure; only for counts
  int bits_ = 0;                  // of one count
};

}  // namespace cede
