// SPDX-License-Identifier: MIT
#include "search/offer_table.h"

#include <algorithm>
#include <map>
#include <utility>

namespace cede {

void OfferTable::add(std::vector<Offer> offers, std::vector<Index> units) {
  raw_.push_back({std::move(offers), std::move(units)});
}

void OfferTable::number_units(const CandidateScores& scores) {
  for (const Raw& node : raw_) units_.insert(units_.end(), node.units.begin(), node.units.end());
  std::sort(units_.begin(), units_.end());
  units_.erase(std::unique(units_.begin(), units_.end()), units_.end());
  std::sort(units_.begin(), units_.end(), [&](Index a, Index b) { return scores.compare(a, b) < 0; });
  for (Unit unit = 0; unit < units_.size(); ++unit) numbers_.emplace_back(units_[unit], unit);
  std::sort(numbers_.begin(), numbers_.end());
  for (Raw& node : raw_) {
    std::vector<Unit> numbers;
    find(node.units, numbers);
    node.units = std::move(numbers);
  }
}

bool OfferTable::find(std::span<const Index> candidates, std::vector<Unit>& out) const {
  for (const Index candidate : candidates) {
    const auto at = std::lower_bound(numbers_.begin(), numbers_.end(), std::pair(candidate, Unit{0}));
    if (at == numbers_.end() || at->first != candidate) return false;
    out.push_back(at->second);
  }
  return true;
}

// Numbers the units of the node in ascending order.
void OfferTable::sort(Raw& node) {
  std::vector<std::uint32_t> order(node.units.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(),
            [&](std::uint32_t a, std::uint32_t b) { return node.units[a] < node.units[b]; });
  for (Offer& offer : node.offers) {
    Mask units = 0;
    for (std::size_t i = 0; i < order.size(); ++i) units |= (offer.units >> order[i] & 1) << i;
    offer.units = units;
  }
  std::sort(node.offers.begin(), node.offers.end());
  std::sort(node.units.begin(), node.units.end());
}

// What a node offers for all its units or not at all, nodes with the same units offer together.
void OfferTable::merge_equal_nodes() {
  std::map<std::vector<Index>, std::size_t> first;
  std::vector<Raw> merged;
  for (Raw& node : raw_) {
    if (node.offers.size() == 1) {
      const auto [at, added] = first.try_emplace(node.units, merged.size());
      if (!added) {
        merged[at->second].offers.front().tasks += node.offers.front().tasks;
        continue;
      }
    }
    merged.push_back(std::move(node));
  }
  std::sort(merged.begin(), merged.end());
  raw_ = std::move(merged);
}

void OfferTable::finish(const CandidateScores& scores) {
  number_units(scores);
  for (Raw& node : raw_) sort(node);
  merge_equal_nodes();
  std::vector<std::pair<Unit, std::uint32_t>> at;
  for (const Raw& raw : raw_) {
    Node& node = nodes_.emplace_back();
    node.first = static_cast<std::uint32_t>(offers_.size());
    offers_.insert(offers_.end(), raw.offers.begin(), raw.offers.end());
    node.end = static_cast<std::uint32_t>(offers_.size());
    node.first_unit = static_cast<std::uint32_t>(places_.size());
    for (const Index unit : raw.units) {
      at.emplace_back(unit, static_cast<std::uint32_t>(places_.size()));
      places_.push_back({unit, static_cast<std::uint32_t>(nodes_.size() - 1)});
    }
    node.end_unit = static_cast<std::uint32_t>(places_.size());
  }
  raw_.clear();
  std::sort(at.begin(), at.end());
  first_place_.assign(units_.size() + 1, 0);
  for (const auto& [unit, place] : at) {
    by_unit_.push_back(place);
    ++first_place_[unit + 1];
  }
  for (std::size_t unit = 0; unit < units_.size(); ++unit) first_place_[unit + 1] += first_place_[unit];
}

}  // namespace cede
