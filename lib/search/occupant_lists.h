// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "policy/unit.h"

namespace cede {

// One task on a node, and a unit that would take it away.
struct Occupant {
  const Unit* unit = nullptr;
  ShapeId resources = kNoShape;
  TaskId task;
  std::uint32_t devices = 0;  // whole ones it holds, known or not
};

// Who is on each node, in no order. Room for all who are there at first is made at once, for a large cluster
// has a list for every few tasks; a node that gets more moves to an array of its own.
class OccupantLists {
 public:
  OccupantLists() = default;
  OccupantLists(const OccupantLists&) = delete;
  OccupantLists& operator=(const OccupantLists&) = delete;

  // For so many on each of these nodes, where nobody is yet.
  template <class CountOf>
  void make_room(std::size_t nodes, CountOf count_of) {
    lists_.resize(nodes);
    std::size_t all = 0;
    for (std::size_t node = 0; node < lists_.size(); ++node)
      all += lists_[node].room = static_cast<std::uint32_t>(count_of(node));
    shared_ = std::make_unique<Occupant[]>(all);
    Occupant* next = shared_.get();
    for (List& list : lists_) {
      list.first = next;
      next += list.room;
    }
  }

  std::size_t size() const { return lists_.size(); }
  std::span<const Occupant> operator[](std::size_t node) const {
    return {lists_[node].first, lists_[node].size};
  }
  std::span<Occupant> operator[](std::size_t node) { return {lists_[node].first, lists_[node].size}; }
  void add(std::size_t node, const Occupant& tenant) {
    List& list = lists_[node];
    if (list.size == list.room) move_out(node);
    list.first[list.size++] = tenant;
  }
  void drop(std::size_t node, const Unit& unit);

 private:
  struct List {
    Occupant* first = nullptr;
    std::uint32_t size = 0;
    std::uint32_t room = 0;
  };
  void move_out(std::size_t node);

  std::vector<List> lists_;  // by the node's number
  std::unique_ptr<Occupant[]> shared_;
  std::unordered_map<std::size_t, std::unique_ptr<Occupant[]>> own_;  // of those that moved out
};

}  // namespace cede
