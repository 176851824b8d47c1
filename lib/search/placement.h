// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/plan.h"
#include "policy/request.h"
#include "search/space.h"

namespace cede {

enum class PlaceAnswer : std::uint8_t { placed, no_room, undecided };

// Puts a whole request into free space, or says that it does not fit. Requests of one task shape are decided
// exactly by counting; mixed ones by search within counted steps, beyond which the answer is `undecided`.
// Nodes are used in the order of their names. The space is left as it was.
class Placer {
 public:
  Placer(const Effective& effective, const Request& request);

  // With `only` set, every task must go to that node.
  PlaceAnswer place(Space& space, std::vector<PlannedTask>* out, NodeId only = {}) const;

  // Whether every `max` on the requester's path takes the request beside what is used.
  bool has_queue_room(const Space& space) const;
  // Of the path's queues the first without room, with the resource and how much is lacking; none when there
  // is room.
  struct Lacking {
    QueueId queue;
    std::uint32_t resource = 0;
    Total amount = 0;
  };
  std::vector<Lacking> lacking_queue_room(const Space& space) const;
  // The request's sum of a resource.
  Total asked(std::uint32_t resource) const { return asked_[resource]; }

 private:
  struct Seat {
    DeviceMask gpus = 0;
    std::uint32_t share_device = kMaxDevices;
    std::uint32_t share = 0;
    bool devices_known = true;
  };
  bool seat(NodeSpace& node, ShapeId shape, Seat& out) const;
  void unseat(NodeSpace& node, ShapeId shape, const Seat& seat) const;
  static PlannedTask planned(const RequestTask& asked, NodeId node, const Seat& seat);
  bool has_group_room(const Space& space) const;
  PlaceAnswer place_alike(Space& space, std::vector<PlannedTask>* out, NodeId only) const;
  PlaceAnswer place_mixed(Space& space, std::vector<PlannedTask>* out, NodeId only) const;
  struct Mixed;
  bool place_from(Mixed& state, std::size_t task) const;

  const Effective& effective_;
  const Model& model_;
  const Request& request_;
  const Requirement& require_;
  std::uint32_t gpu_;
  std::vector<Total> asked_;
  std::vector<bool> by_group_;
  bool alike_ = true;
};

}  // namespace cede
