// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/worker_pool.h"
#include "search/objective.h"

namespace cede {

// What the leading entries of an objective, those that only grow, come to for a set: compared from the front.
// Counts per value are one number here, written to a base that no count reaches.
struct Cost {
  static constexpr std::size_t kParts = 7;
  std::array<Total, kParts> parts{};

  void add(const Cost& other, Total times = 1) {
    for (std::size_t i = 0; i < kParts; ++i) parts[i] += other.parts[i] * times;
  }
  // A part of it that so many can share without paying more than the whole.
  Cost shared_by(Total count) const {
    Cost out;
    for (std::size_t i = 0; i < kParts; ++i) out.parts[i] = parts[i] / count;
    return out;
  }
  auto operator<=>(const Cost&) const = default;
  bool operator==(const Cost&) const = default;
};

// Candidates as numbers: what each counts in every entry of the objective. Sets of them are compared without
// building anything, exactly as their worth without a placement would be.
class CandidateScores {
 public:
  using Index = std::uint32_t;  // of a candidate
  using Set = std::span<const Index>;

  CandidateScores(const Objective& objective, std::span<const Unit* const> units,
                  WorkerPool* workers = nullptr);
  // With nothing measured: candidates that are only counted with.
  CandidateScores(const Model& model, std::span<const Unit* const> units)
      : model_(&model), units_(units.begin(), units.end()) {}

  std::size_t size() const { return units_.size(); }
  const Unit& unit(Index index) const { return *units_[index]; }
  // How many entries of the objective a cost stands for: those in front of start times, and in front of
  // counts of more values than a number can tell apart.
  std::size_t costed() const { return costed_; }
  bool has_highest() const { return highest_ < costed_; }
  // Of `highest`: the unit's own value.
  std::int64_t highest(Index index) const { return value(index, highest_); }
  // What a cost says of the price, where the objective has one among what it stands for.
  std::optional<std::int64_t> price_of(const Cost& cost) const;
  Cost cost(Index index) const;
  Cost cost(Set set) const;

  // The better set is less. Complete: equal only where units and names are.
  std::strong_ordering compare(Set a, Set b) const;
  std::strong_ordering compare(Index a, Index b) const;
  // What is compared behind the cost and in front of the names, as numbers compared from the front. Of sets
  // that cost the same.
  void tail(Set set, std::vector<std::int64_t>& out) const { numbers(set, costed_, out); }
  // The same of everything that is compared in front of the names, of any sets.
  void numbers(Set set, std::vector<std::int64_t>& out) const { numbers(set, 0, out); }
  std::strong_ordering compare_names(Set a, Set b) const;
  // Up to and with `freed`: what documents show of the victims.
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
  std::size_t price_ = SIZE_MAX;
  std::vector<Measure::Kind> kinds_;
  std::vector<std::int64_t> values_;  // by unit, then measure
  struct Weights {
    std::vector<std::int64_t> values;  // ascending
    std::vector<Total> weights;
  };
  std::vector<Weights> weights_;  // by measure; of counts
};

}  // namespace cede
