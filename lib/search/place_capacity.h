// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "search/capacity_model.h"

namespace cede {

// How many tasks the nodes of a place take together, while units go and come back: each move looks again at
// the unit's own nodes alone.
class PlaceCapacity {
 public:
  using Index = CandidateScores::Index;
  PlaceCapacity(const CapacityModel& capacity_model, std::span<const std::uint32_t> nodes,
                const Fixings& fixings, Work& work);

  std::uint64_t total() const { return total_; }
  // The open candidates with a task in the place, each once.
  const std::vector<Index>& units() const { return units_; }
  // How many more tasks the place takes at most once the unit is gone, whoever else is.
  std::uint64_t most_gain(Index unit) const;
  void remove(Index unit) { move(unit, true); }
  void put_back(Index unit) { move(unit, false); }

 private:
  struct TrialUnit {
    std::uint32_t trial = 0;
    std::uint32_t at = 0;  // among the trial's units
  };
  void move(Index unit, bool away);

  std::vector<NodeTrial> trials_;
  std::vector<std::uint32_t> taken_;  // by trial: tasks it takes
  std::vector<Index> units_;
  std::vector<std::uint32_t> numbers_;               // by candidate: position in seats_
  std::vector<std::vector<TrialUnit>> assignments_;  // of units_
  std::uint64_t total_ = 0;
};

}  // namespace cede
