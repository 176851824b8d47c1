// SPDX-License-Identifier: MIT
#include "engine/surplus_room.h"

#include <algorithm>

namespace cede {

std::shared_ptr<const ProjectedCluster> with_surplus_room(
    const std::shared_ptr<const ProjectedCluster>& projection, const Sequence& sequence,
    std::span<const EntryId> lenders) {
  if (lenders.empty()) return projection;
  const InFlight& from = projection->in_flight;
  std::vector<InFlight::SurplusRoom> all;
  const auto is_spare = [&](std::uint64_t entry) {
    return std::any_of(all.begin(), all.end(),
                       [&](const InFlight::SurplusRoom& each) { return each.entry == entry; });
  };
  for (const EntryId lender : lenders) {
    const Entry* entry = sequence.ledger().find(lender);
    if (!entry || is_spare(lender)) continue;
    InFlight::SurplusRoom surplus_room{lender, projection->model->find_job(entry->requester().name), {}, {}};
    for (const InFlight::Blocked& each : from.blocked) {
      if (each.entry == lender && !each.whole_node) surplus_room.room.push_back(each);
    }
    for (const InFlight::QueueSurplus& each : from.surplus) {
      if (each.entry == lender) surplus_room.queues.push_back(each);
    }
    if (surplus_room.job && !(surplus_room.room.empty() && surplus_room.queues.empty()))
      all.push_back(std::move(surplus_room));
  }
  if (all.empty()) return projection;
  auto out = std::make_shared<ProjectedCluster>(*projection);
  InFlight& to = out->in_flight;
  std::erase_if(to.blocked,
                [&](const InFlight::Blocked& each) { return !each.whole_node && is_spare(each.entry); });
  std::erase_if(to.surplus, [&](const InFlight::QueueSurplus& each) { return is_spare(each.entry); });
  to.surplus_rooms = std::move(all);
  to.origin = {projection, &from};
  return out;
}

}  // namespace cede
