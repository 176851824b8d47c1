// SPDX-License-Identifier: MIT
#include "search/place_capacity.h"

#include <algorithm>

namespace cede {

PlaceCapacity::PlaceCapacity(const CapacityModel& capacity_model, std::span<const std::uint32_t> nodes,
                             const Fixings& fixings, Work& work)
    : numbers_(capacity_model.scores().size(), CapacityModel::kNobody) {
  std::shared_ptr<Space> space;
  const bool plain = std::all_of(nodes.begin(), nodes.end(), [&](std::uint32_t node) {
    return capacity_model.is_plain(capacity_model.space_.node(node));
  });
  work.spend(10 * nodes.size() + capacity_model.scores().size() / 8);
  if (!plain) {
    space = std::make_shared<Space>(capacity_model.context_, capacity_model.space_.table(),
                                    Space::Fill::as_it_is, &work);
  }
  trials_.reserve(nodes.size());
  for (const std::uint32_t node : nodes) {
    NodeTrial& trial = trials_.emplace_back(capacity_model, work, space);
    trial.load(node, fixings);
    taken_.push_back(trial.capacity());
    total_ += taken_.back();
    for (std::uint32_t at = 0; at < trial.size(); ++at) {
      std::uint32_t& number = numbers_[trial.unit(at)];
      if (number == CapacityModel::kNobody) {
        number = static_cast<std::uint32_t>(units_.size());
        units_.push_back(trial.unit(at));
        assignments_.emplace_back();
      }
      assignments_[number].push_back({static_cast<std::uint32_t>(trials_.size() - 1), at});
    }
  }
}

std::uint64_t PlaceCapacity::most_gain(Index unit) const {
  std::uint64_t sum = 0;
  for (const TrialUnit& assignment : assignments_[numbers_[unit]])
    sum += trials_[assignment.trial].most_gain(assignment.at);
  return sum;
}

void PlaceCapacity::move(Index unit, bool away) {
  for (const TrialUnit& assignment : assignments_[numbers_[unit]]) {
    NodeTrial& trial = trials_[assignment.trial];
    if (away) {
      trial.remove(assignment.at);
    } else {
      trial.put_back(assignment.at);
    }
    total_ -= taken_[assignment.trial];
    taken_[assignment.trial] = trial.capacity();
    total_ += taken_[assignment.trial];
  }
}

}  // namespace cede
