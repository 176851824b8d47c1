// SPDX-License-Identifier: MIT
#include "search/unit_table.h"

#include <algorithm>
#include <utility>

namespace cede {

UnitTable::UnitTable(const UnitTable& other)
    : places_(other.places_), free_(other.free_), fresh_(other.fresh_), several_(other.several_) {
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
  if (units.size() > 1) {
    make_place(job);
    std::vector<Unit>& own = several_[job] = std::move(units);
    places_[job.value] = kSeveral;
    return own;
  }
  Unit& one = put_one(job);
  one = std::move(units.front());
  return {&one, 1};
}

void UnitTable::drop(JobId job) {
  const std::uint32_t place = job.value < places_.size() ? places_[job.value] : 0;
  if (place == 0) return;
  places_[job.value] = 0;
  if (place == kSeveral) {
    several_.erase(job);
    return;
  }
  Unit& freed = at(place - 1);
  freed = Unit{};
  freed.slot = free_;
  free_ = place;
}

// Grows by an eighth, so that one more job does not double the memory.
void UnitTable::make_place(JobId job) {
  if (job.value < places_.size()) return;
  if (job.value >= places_.capacity()) places_.reserve(job.value + job.value / 8 + 64);
  places_.resize(job.value + std::size_t{1}, 0);
}

void OccupantLists::drop(std::size_t node, const Unit& unit) {
  List& list = lists_[node];
  Occupant* const end = std::remove_if(list.first, list.first + list.size,
                                       [&](const Occupant& occupant) { return occupant.unit == &unit; });
  list.size = static_cast<std::uint32_t>(end - list.first);
}

void OccupantLists::move_out(std::size_t node) {
  List& list = lists_[node];
  const std::uint32_t room = list.room + list.room / 2 + 2;
  std::unique_ptr<Occupant[]>& own = own_[node];
  auto array = std::make_unique<Occupant[]>(room);
  std::copy(list.first, list.first + list.size, array.get());
  list.first = array.get();
  list.room = room;
  own = std::move(array);  // last: the list may have been in the previous array until now
}

}  // namespace cede
