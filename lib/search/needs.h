// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <atomic>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "placement/placer.h"
#include "policy/composition.h"
#include "policy/queue_shortfall.h"

namespace cede {

// A sum that every set of victims must make up, and what each candidate adds to it.
struct Cover {
  Total shortfall = 0;
  std::vector<Total> gains;  // by candidate
};

// What must hold once the victims are gone. Freeing more never breaks a need.
class Needs {
 public:
  virtual ~Needs() = default;
  virtual bool are_met(const Space& space, NodeList within) const = 0;
  // The same, and returns where every task goes.
  virtual bool place(const Space& space, NodeList within, Placement& out) const = 0;
  // Whether the unit frees anything useful: room or a device on a usable node, exclusivity, room in a queue.
  // Called before any unit is removed from the space.
  virtual bool serves(const Unit& unit, const Space& space) const = 0;
  // In words: what is missing when nothing more can be freed.
  virtual std::string missing(const Space& space) const = 0;
  // The sums that a set must make up, although that may not be enough. None of the candidates is a hold.
  virtual std::vector<Cover> covers(const Space& space, std::span<const Unit* const> candidates) const = 0;
};

// Room for every task of the request, and in every queue of its path. If `one-node` holds for each task,
// every victim that makes no room in a queue was on one of the nodes placed on.
class RequestNeeds final : public Needs {
 public:
  RequestNeeds(const RuleContext& rule_context, const Placer& placer, OneNode one_node)
      : context_(rule_context), placer_(placer), one_node_(one_node) {}
  bool are_met(const Space& space, NodeList within) const override;
  bool place(const Space& space, NodeList within, Placement& out) const override;
  bool serves(const Unit& unit, const Space& space) const override;
  std::string missing(const Space& space) const override;
  std::vector<Cover> covers(const Space& space, std::span<const Unit* const> candidates) const override;

 private:
  bool makes_room(const Unit& unit, const GroupUsage& usage) const;
  bool frees(ShapeId shape, bool usable, const Space& space) const;
  bool frees_kept_room(const Unit& hold, const Space& space) const;
  bool keeps_one_node(const Space& space, const Placement& placement) const;
  const RuleContext& context_;
  const Placer& placer_;
  const OneNode one_node_;
  // A cache by shape: whether a task of that shape frees anything useful on a usable node, and elsewhere.
  // Threads may overwrite each other's entries, because all compute the same value.
  static constexpr std::size_t kKnown = 64;
  mutable std::array<std::atomic<std::uint64_t>, kKnown> known_{};
};

// How much of a resource is free for the request: on all usable nodes, or in the group if the group counts
// it.
Total free_of(const Space& space, std::uint32_t resource);

// The first resource in byte order of names for which the claim is true; kNoValue: none.
template <class Claim>
std::uint32_t first_resource(const Model& model, Claim claim) {
  std::uint32_t first = ResourceId::kNoValue;
  for (std::uint32_t r = 0; r < model.resources.size(); ++r) {
    const bool later = first != ResourceId::kNoValue && model.resource_name(first) < model.resource_name(r);
    if (!later && claim(r)) first = r;
  }
  return first;
}

// In words: an amount of a resource that is missing, or that the tasks cannot be arranged. `hindrance`: the
// hard entry in the way; may be empty.
std::string too_little(const Model& model, std::uint32_t resource, Total needed, Total there);
std::string no_arrangement(const std::string& hindrance, std::size_t tasks);

// A node must be within its capacity, or a queue or job within its `max`.
class ReliefNeeds final : public Needs {
 public:
  explicit ReliefNeeds(const RuleContext& rule_context) : context_(rule_context) {}
  bool are_met(const Space& space, NodeList within) const override;
  bool place(const Space& space, NodeList within, Placement& out) const override;
  bool serves(const Unit& unit, const Space& space) const override;
  std::string missing(const Space& space) const override;
  std::vector<Cover> covers(const Space& space, std::span<const Unit* const> candidates) const override;
  struct Excess {
    std::uint32_t resource = 0;
    Total over = 0;
  };
  // The resources over their bound, and by how much.
  std::vector<Excess> excesses(const Space& space) const;
  // `2 cpu and 3 gpu`, sorted by name.
  std::string over(const Space& space) const;

 private:
  Total held_by_job(const Space& space, std::uint32_t resource) const;
  // Whether what the task holds counts against the bound.
  bool counts(TaskId task) const;
  const RuleContext& context_;
  mutable std::optional<std::vector<Excess>> at_first_;  // before any unit was removed
};

}  // namespace cede
