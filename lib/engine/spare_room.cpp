// SPDX-License-Identifier: MIT
#include "engine/spare_room.h"

#include <algorithm>

namespace cede {

std::shared_ptr<const Outlook> with_spare_room(const std::shared_ptr<const Outlook>& outlook,
                                               const Sequence& sequence, std::span<const EntryId> lenders) {
  if (lenders.empty()) return outlook;
  const InFlight& from = outlook->in_flight;
  std::vector<InFlight::Spare> all;
  const auto is_spare = [&](std::uint64_t entry) {
    return std::any_of(all.begin(), all.end(),
                       [&](const InFlight::Spare& each) { return each.entry == entry; });
  };
  for (const EntryId lender : lenders) {
    const Entry* entry = sequence.ledger().find(lender);
    if (!entry || is_spare(lender)) continue;
    InFlight::Spare spare{lender, outlook->model->find_job(entry->requester().name), {}, {}};
    for (const InFlight::Blocked& each : from.blocked) {
      if (each.entry == lender && !each.whole_node) spare.room.push_back(each);
    }
    for (const InFlight::Surplus& each : from.surplus) {
      if (each.entry == lender) spare.queues.push_back(each);
    }
    if (spare.job && !(spare.room.empty() && spare.queues.empty())) all.push_back(std::move(spare));
  }
  if (all.empty()) return outlook;
  auto out = std::make_shared<Outlook>(*outlook);
  InFlight& to = out->in_flight;
  std::erase_if(to.blocked,
                [&](const InFlight::Blocked& each) { return !each.whole_node && is_spare(each.entry); });
  std::erase_if(to.surplus, [&](const InFlight::Surplus& each) { return is_spare(each.entry); });
  to.spare = std::move(all);
  to.origin = {outlook, &from};
  return out;
}

}  // namespace cede
