// SPDX-License-Identifier: MIT
#include "search/occupant_lists.h"

#include <algorithm>

namespace cede {

void OccupantLists::drop(std::size_t node, const Unit& unit) {
  List& list = lists_[node];
  Occupant* const end = std::remove_if(list.first, list.first + list.size,
                                       [&](const Occupant& tenant) { return tenant.unit == &unit; });
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
  own = std::move(array);  // last: who moves a second time is in the one before till now
}

}  // namespace cede
