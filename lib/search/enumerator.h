// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "search/objective.h"
#include "search/placement.h"

namespace cede {

// The best set by trying every subset of the units and, for each, every assignment of tasks to nodes: slow
// and obviously right. The oracle that every search is held against on small clusters; it prunes nothing and
// orders nothing.
class Enumerator {
 public:
  Enumerator(const Asking& asking, const Objective& objective, const std::vector<NodeId>& usable,
             std::int64_t max_victims)
      : asking_(asking),
        model_(asking.model()),
        objective_(objective),
        usable_(usable),
        max_victims_(max_victims) {}

  // The listed criteria of the best set, or nothing when no subset makes room.
  std::optional<std::vector<Criterion>> best(const std::vector<const Unit*>& units);

 private:
  bool legal(const std::vector<const Unit*>& set, const std::vector<const Unit*>& all);
  bool fits_without(const std::vector<const Unit*>& set);
  bool assign(std::size_t task);
  bool holds() const;

  const Asking& asking_;
  const Model& model_;
  const Objective& objective_;
  const std::vector<NodeId>& usable_;
  const std::int64_t max_victims_;
  std::vector<bool> gone_;        // by task row
  std::vector<NodeId> assigned_;  // node of each task of the request
};

}  // namespace cede
