// SPDX-License-Identifier: MIT
#include "search/place_count.h"

#include <algorithm>

namespace cede {

PlaceCount::PlaceCount(const Counting& counting, std::span<const std::uint32_t> nodes, const Fates& fates,
                       Work& work)
    : numbers_(counting.merits().size(), Counting::kNobody) {
  std::shared_ptr<Space> space;
  const bool plain = std::all_of(nodes.begin(), nodes.end(), [&](std::uint32_t node) {
    return counting.is_plain(counting.space_.node(node));
  });
  work.spend(10 * nodes.size() + counting.merits().size() / 8);
  if (!plain) {
    space = std::make_shared<Space>(counting.asking_, counting.space_.table(), Space::Fill::as_it_is, &work);
  }
  trials_.reserve(nodes.size());
  for (const std::uint32_t node : nodes) {
    NodeTrial& trial = trials_.emplace_back(counting, work, space);
    trial.load(node, fates);
    taken_.push_back(trial.capacity());
    total_ += taken_.back();
    for (std::uint32_t at = 0; at < trial.size(); ++at) {
      std::uint32_t& number = numbers_[trial.unit(at)];
      if (number == Counting::kNobody) {
        number = static_cast<std::uint32_t>(units_.size());
        units_.push_back(trial.unit(at));
        seats_.emplace_back();
      }
      seats_[number].push_back({static_cast<std::uint32_t>(trials_.size() - 1), at});
    }
  }
}

std::uint64_t PlaceCount::most_gain(Index unit) const {
  std::uint64_t sum = 0;
  for (const Seat& seat : seats_[numbers_[unit]]) sum += trials_[seat.trial].most_gain(seat.at);
  return sum;
}

void PlaceCount::move(Index unit, bool away) {
  for (const Seat& seat : seats_[numbers_[unit]]) {
    NodeTrial& trial = trials_[seat.trial];
    if (away) {
      trial.remove(seat.at);
    } else {
      trial.put_back(seat.at);
    }
    total_ -= taken_[seat.trial];
    taken_[seat.trial] = trial.capacity();
    total_ += taken_[seat.trial];
  }
}

}  // namespace cede
