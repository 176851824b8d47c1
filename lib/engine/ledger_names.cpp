// SPDX-License-Identifier: MIT
#include "engine/ledger_names.h"

#include <string_view>

namespace cede {

void LedgerNames::release(const Numbers& numbers, InternTable& names) {
  for (const std::uint32_t number : numbers) names.release(number);
}

void LedgerNames::take(const Entry& entry, InternTable& names) {
  Numbers numbers;
  const auto hold = [&](std::string_view name) {
    if (name.empty()) return;
    const std::uint32_t number = names.intern(name);
    names.retain(number);
    numbers.push_back(number);
  };
  const auto hold_place = [&](const Place& place) {
    hold(place.task);
    // `w#3` is one of several equal tasks; answers name the entry that they come from.
    if (const std::size_t hash = place.task.rfind('#'); hash != std::string::npos)
      hold(std::string_view(place.task).substr(0, hash));
    hold(place.node);
  };
  const std::string_view target = entry.requester().name;
  const bool is_relief = entry.requester().kind == RequesterKind::relief;
  hold(is_relief ? target.substr(target.find(':') + 1) : target);
  for (const auto& order : entry.orders) {
    for (const Place& place : order->placement) hold_place(place);
    for (const VictimOrder& victim : order->victims) {
      hold(victim.job);
      for (const Place& place : victim.tasks) hold_place(place);
    }
  }
  Numbers& held = held_.edit(entry.id);
  release(held, names);  // after the new ones are held, or a name of both would be lost in between
  held = std::move(numbers);
}

void LedgerNames::take_all(const Ledger& ledger, InternTable& names) {
  LedgerNames next;
  for (const EntryId id : ledger.ids()) next.take(*ledger.find(id), names);
  held_.for_each([&](EntryId, const Numbers& numbers) { release(numbers, names); });
  held_ = std::move(next.held_);
}

void LedgerNames::drop_ended(const Ledger& ledger, InternTable& names) {
  std::vector<EntryId> ended;
  held_.for_each([&](EntryId id, const Numbers&) {
    if (!ledger.find(id)) ended.push_back(id);
  });
  for (const EntryId id : ended) {
    release(*held_.find(id), names);
    held_.erase(id);
  }
}

}  // namespace cede
