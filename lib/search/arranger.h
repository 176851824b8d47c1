// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "model/plan.h"
#include "search/seating.h"
#include "search/sharing.h"
#include "search/terrain.h"

namespace cede {

enum class PlaceAnswer : std::uint8_t { placed, no_room, undecided };

// Where a search looks: indexes into the space's nodes, ascending; empty means all of them.
using NodeList = std::span<const std::uint32_t>;

struct Arrangement {
  std::vector<PlannedTask> tasks;
  std::uint32_t outside = 0;   // reporting nodes outside the largest set, where that is a preference
  std::uint32_t borrowed = 0;  // nodes
};

// Puts the request's tasks onto nodes so that every hard entry of one requirement is met by one assignment,
// or says that there is none. Requests of one task shape are decided exactly by counting; mixed ones by
// search. All of it counts in the space's work, and where that ends a no is `undecided`. The space is left as
// it was.
class Arranger {
 public:
  Arranger(const Asking& asking, const NodeTable& nodes, Requirement require, Unknown unknown, Work& work);

  // Without `out` only whether there is an arrangement.
  PlaceAnswer arrange(const Space& space, NodeList within, Arrangement* out) const;

  const Requirement& require() const { return require_; }
  const ChoiceNeed& need() const { return need_; }
  const Terrain& terrain() const { return terrain_; }
  bool sharing_matters() const { return sharing_matters_; }
  // How tasks are seated where all are alike and need no devices of one model over all nodes; else null.
  const Seating* only_seating() const;

 private:
  using Seatings = std::map<ShapeId, Seating>;
  std::uint64_t devices_asked() const;
  ChoiceNeed choice_need() const;
  void pin_placed_siblings(const NodeTable& nodes);
  std::vector<std::uint32_t> open_nodes(const Space& space, NodeList within) const;
  bool takes_any_nodes() const;
  PlaceAnswer count_tasks(const Space& space, NodeList within) const;
  PlaceAnswer find(const Space& space, NodeList within, Arrangement* out) const;
  PlaceAnswer arrange_alike(const Space& space, std::span<const std::uint32_t> open, const Seatings& seatings,
                            Arrangement* out) const;
  PlaceAnswer arrange_mixed(const Space& space, std::span<const std::uint32_t> open, const Seatings& seatings,
                            Arrangement* out) const;

  const Asking& asking_;
  const Model& model_;
  const Requirement require_;
  const Terrain terrain_;
  const bool sharing_matters_;
  const bool domains_shared_;  // somebody wants a whole domain
  bool alike_ = true;
  ChoiceNeed need_;
  std::vector<Seatings> seatings_;  // one per model where the job's devices must be of one, else one
};

}  // namespace cede
