// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "policy/unit.h"

namespace cede {

// The running units of each job, at addresses that are stable while the job has them. Most jobs are one unit,
// and these share pages; a job with several units has an array of its own, in the order in which they were
// made.
class UnitTable {
 public:
  UnitTable() = default;
  UnitTable(const UnitTable& other);
  UnitTable& operator=(const UnitTable&) = delete;

  std::span<Unit> of(JobId job);
  // For a job without units.
  std::span<Unit> put(JobId job, std::vector<Unit> units);
  // The same for one unit; the caller fills it in.
  Unit& put_one(JobId job) {
    if (job.value >= places_.size()) make_place(job);
    const std::uint32_t found = take_place();
    places_[job.value] = found + 1;
    return at(found);
  }
  // Makes room for all jobs below this bound, so that none of them makes the table grow.
  void expect(std::size_t jobs) { places_.resize(std::max(jobs, places_.size()), 0); }
  void drop(JobId job);

  // Visits the units of all jobs, job by job.
  template <class Visit>
  void for_each(Visit visit) {
    for (std::size_t i = 0; i < places_.size(); ++i) {
      for (Unit& unit : of(JobId{i})) visit(unit);
    }
  }

 private:
  static constexpr std::uint32_t kPageUnits = 64;
  using Page = std::array<Unit, kPageUnits>;

  Unit& at(std::uint32_t place) { return (*pages_[place / kPageUnits])[place % kPageUnits]; }
  std::uint32_t take_place() {
    if (free_ == 0) {
      if (fresh_ == pages_.size() * kPageUnits) pages_.push_back(std::make_unique<Page>());
      return fresh_++;
    }
    const std::uint32_t found = free_ - 1;
    free_ = at(found).slot;
    return found;
  }
  void make_place(JobId job);

  static constexpr std::uint32_t kSeveral = static_cast<std::uint32_t>(-1);
  std::vector<std::uint32_t> places_;  // by JobId, plus 1; 0: no unit
  std::vector<std::unique_ptr<Page>> pages_;
  std::uint32_t free_ = 0;   // the first freed place, plus 1; each links to the next in its `slot`
  std::uint32_t fresh_ = 0;  // the first place that was never used
  std::map<JobId, std::vector<Unit>> several_;
};

// One task on a node, and a unit whose leaving removes it.
struct Occupant {
  const Unit* unit = nullptr;
  ShapeId resources = kNoShape;
  TaskId task;
  std::uint32_t devices = 0;  // whole devices it holds, known or not
};

// The occupants of each node, in no order. The first lists share one allocation, because a large cluster has
// a list for every few tasks; a list that grows moves to an array of its own.
class OccupantLists {
 public:
  OccupantLists() = default;
  OccupantLists(const OccupantLists&) = delete;
  OccupantLists& operator=(const OccupantLists&) = delete;

  // Makes room for count_of(node) occupants on each node. The lists must be empty.
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
  void add(std::size_t node, const Occupant& occupant) {
    List& list = lists_[node];
    if (list.size == list.room) move_out(node);
    list.first[list.size++] = occupant;
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
  std::unordered_map<std::size_t, std::unique_ptr<Occupant[]>> own_;  // lists that moved out
};

}  // namespace cede
