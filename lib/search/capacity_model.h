// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "placement/placer.h"
#include "search/group_index.h"
#include "search/objective.h"

namespace cede {

// The state of a candidate in branch and bound: not decided, removed, or kept.
enum class Fixing : std::uint8_t { open, gone, stays };
using Fixings = std::vector<Fixing>;  // by candidate

// A request of equal tasks that lacks nothing but room: whether it fits follows from how many tasks each node
// takes with some of its units gone.
class CapacityModel {
 public:
  using Index = CandidateScores::Index;
  static constexpr Index kNoCandidate = 0xFFFF'FFFF;

  static bool decides(const RuleContext& rule_context, const Placer& placer, const Space& space,
                      OneNode one_node);

  // `book`: by slot, all kNoCandidate; used during the lifetime of this object and restored. If null, the
  // object makes its own.
  CapacityModel(const RuleContext& rule_context, const Placer& placer, const GroupIndex& group_index,
                const Space& space, const CandidateScores& scores, std::vector<Index>* book = nullptr);
  ~CapacityModel();
  CapacityModel(const CapacityModel&) = delete;
  CapacityModel& operator=(const CapacityModel&) = delete;

  std::uint32_t tasks() const { return need().tasks; }
  std::uint32_t most_per_node() const { return most_; }
  const NodeChoiceConstraints& need() const { return arranger_.need(); }
  const NodeAttributes& attributes() const { return arranger_.attributes(); }
  const CandidateScores& scores() const { return scores_; }
  std::size_t nodes() const { return space_.size(); }
  bool may_use(std::size_t node) const { return space_.usable(node) && attributes().meets_baseline(node); }
  // The nodes of a candidate, each once, ascending.
  void nodes_of(Index unit, std::vector<std::uint32_t>& out) const;
  // kNoCandidate if the unit is no candidate.
  Index candidate(const Unit& unit) const { return candidates_[unit.slot]; }
  std::span<const Occupant> occupants(std::size_t node) const { return group_index_.occupants(node); }

 private:
  friend class NodeTrial;
  friend class SubproblemCapacity;
  friend class NodeBounds;
  // Whether free and freed amounts decide, without looking at individual devices.
  bool is_plain(const NodeSpace& node) const {
    return !about_devices_ && !arranger_.sharing_matters() && node.shared.empty() && !node.names_only();
  }

  const RuleContext& context_;
  const GroupIndex& group_index_;
  const Space& space_;
  const CandidateScores& scores_;
  const Arranger& arranger_;
  const DeviceAllocator& allocator_;
  const bool about_devices_;
  const std::uint32_t most_;
  std::vector<ResourceAmount> asked_;  // by one task, on its node
  std::vector<Index> own_book_;
  std::vector<Index>& candidates_;  // by slot
};

// One node with some of its candidates gone.
class NodeTrial {
 public:
  using Index = CandidateScores::Index;
  // `space`: shared by trials of different nodes; it must count in the same work. If null, the trial makes
  // its own when devices matter.
  NodeTrial(const CapacityModel& capacity_model, Work& work, std::shared_ptr<Space> space = nullptr);

  // Leaves the node, so that the next load() does not pay for it.
  void leave() { restore(); }
  // Loads the node without its candidates that are fixed as gone. The open candidates become the units of the
  // trial.
  void load(std::uint32_t node, const Fixings& fixings);
  std::size_t size() const { return units_.size(); }
  Index unit(std::size_t at) const { return units_[at]; }
  // Reorders the units. `order` must name all of them, and none may be removed.
  void arrange(std::span<const std::uint32_t> order);
  void remove(std::size_t at) { move(at, 1); }
  void put_back(std::size_t at) { move(at, -1); }
  Work& work() const { return work_; }
  bool takes(std::uint32_t tasks) const;
  // The same with the units from position `at` on removed as well.
  bool takes_without_rest(std::size_t at, std::uint32_t tasks);
  std::uint32_t capacity() const;  // at most what one node may get
  // An upper bound on how many more tasks the node takes once the unit is gone, for any other removals.
  std::uint32_t most_gain(std::size_t at) const;
  // Whether the node takes exactly this many tasks with all its units gone, and fewer if any one of them
  // stays. May return false although that holds.
  bool needs_everybody(std::uint32_t tasks);
  // Whether removing one frees at least what removing the other does.
  bool frees_as_much(std::size_t one, std::size_t other) const;

 private:
  void move(std::size_t at, int sign);
  void add_gain(const Occupant& occupant, Total* to);
  void restore();
  void sum_rest();

  const CapacityModel& capacity_model_;
  Work& work_;
  const std::size_t width_;  // resources asked for, and devices
  std::uint32_t node_ = 0;
  bool plain_ = true;
  bool counts_devices_ = false;
  std::vector<Index> units_;
  std::vector<Total> gains_;  // by unit
  std::vector<Total> rest_;   // by unit: sum of the gains from this unit on
  std::vector<Total> free_;
  std::vector<Total> needs_;
  ShapeId shape_ = kNoShape;  // converted last; its amounts are in amounts_
  std::vector<Total> amounts_;
  std::vector<Index> old_units_;  // used by arrange()
  std::vector<Total> old_gains_;
  // If devices matter: the tasks of each unit here, and the space in which they move.
  std::shared_ptr<Space> space_;
  std::vector<std::vector<TaskId>> tasks_;
  std::vector<TaskId> moved_;
};

// How many tasks the nodes of a subproblem take together while units are removed and put back. Each move
// recounts only the nodes of the unit.
class SubproblemCapacity {
 public:
  using Index = CandidateScores::Index;
  SubproblemCapacity(const CapacityModel& capacity_model, std::span<const std::uint32_t> nodes,
                     const Fixings& fixings, Work& work);

  std::uint64_t total() const { return total_; }
  // The open candidates with a task in the subproblem, each once.
  const std::vector<Index>& units() const { return units_; }
  // An upper bound on how many more tasks the subproblem takes once the unit is gone, for any other removals.
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
  std::vector<std::uint32_t> numbers_;               // by candidate: position in units_
  std::vector<std::vector<TrialUnit>> assignments_;  // by position in units_
  std::uint64_t total_ = 0;
};

}  // namespace cede
