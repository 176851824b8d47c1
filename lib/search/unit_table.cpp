// SPDX-License-Identifier: MIT
#include "search/unit_table.h"

#include <utility>

namespace cede {

UnitTable::UnitTable(const UnitTable& other)
    : places_(other.places_), free_(other.free_), several_(other.several_) {
  pages_.reserve(other.pages_.size());
  for (const std::unique_ptr<Page>& page : other.pages_) pages_.push_back(std::make_unique<Page>(*page));
}

std::span<Unit> UnitTable::of(JobId job) {
  const std::uint32_t place = job.value < places_.size() ? places_[job.value] : 0;
  if (place == 0) return {};
  if (place == kSeveral) return several_.at(job);
  return {&at(place - 1), 1};
}

std::span<Unit> UnitTable::put(JobId job, std::vector<Unit> units) {
  if (units.empty()) return {};
  places_.grow_to(job.value + std::size_t{1});
  if (units.size() > 1) {
    std::vector<Unit>& own = several_[job] = std::move(units);
    places_.edit(job.value) = kSeveral;
    return own;
  }
  std::uint32_t& place = places_.edit(job.value);
  const std::uint32_t found = free_place();
  free_ = at(found).slot;
  at(found) = std::move(units.front());
  place = found + 1;
  return {&at(found), 1};
}

void UnitTable::drop(JobId job) {
  const std::uint32_t place = job.value < places_.size() ? places_[job.value] : 0;
  if (place == 0) return;
  places_.edit(job.value) = 0;
  if (place == kSeveral) {
    several_.erase(job);
    return;
  }
  Unit& freed = at(place - 1);
  freed = Unit{};
  freed.slot = free_;
  free_ = place;
}

std::uint32_t UnitTable::free_place() {
  if (free_ == 0) {
    auto page = std::make_unique<Page>();
    const auto first = static_cast<std::uint32_t>(pages_.size() * kPageUnits);
    for (std::uint32_t i = 0; i + 1 < kPageUnits; ++i) (*page)[i].slot = first + i + 2;
    pages_.push_back(std::move(page));
    free_ = first + 1;
  }
  return free_ - 1;
}

}  // namespace cede
