// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <atomic>
#include <optional>
#include <string>
#include <vector>

#include "placement/placer.h"
#include "policy/composition.h"
#include "policy/queue_shortfall.h"

namespace cede {

// What must hold once the victims are gone. Kept when more is freed.
class Needs {
 public:
  virtual ~Needs() = default;
  virtual bool are_met(const Space& space, NodeList within) const = 0;
  // The same, with the place of every task.
  virtual bool place(const Space& space, NodeList within, Placement& out) const = 0;
  // Asked before anybody is taken out of the space: whether the unit frees anything of use: space or a device
  // on a node that may be used, exclusivity, room in a queue.
  virtual bool serves(const Unit& unit, const Space& space) const = 0;
  // What is missing, in words, when nothing more can be freed.
  virtual std::string missing(const Space& space) const = 0;
};

// A place for every task of the request, and room in every queue of its path. Where `one-node` holds for each
// task, whoever is gone and makes no room in a queue was on one of the nodes placed on.
class RequestNeeds final : public Needs {
 public:
  RequestNeeds(const RuleContext& rule_context, const Placer& placer, OneNode one_node)
      : context_(rule_context), placer_(placer), one_node_(one_node) {}
  bool are_met(const Space& space, NodeList within) const override;
  bool place(const Space& space, NodeList within, Placement& out) const override;
  bool serves(const Unit& unit, const Space& space) const override;
  std::string missing(const Space& space) const override;

 private:
  bool makes_room(const Unit& unit, const GroupUsage& usage) const;
  bool frees(ShapeId shape, bool usable, const Space& space) const;
  bool keeps_one_node(const Space& space, const Placement& placement) const;
  const RuleContext& context_;
  const Placer& placer_;
  const OneNode one_node_;
  // What tasks of some shapes free, as the last ones who asked found out: shape, and whether it is of use on
  // a node that may be used and elsewhere. Whoever works it out gets the same.
  static constexpr std::size_t kKnown = 64;
  mutable std::array<std::atomic<std::uint64_t>, kKnown> known_{};
};

// What is there of a resource for the request, on all nodes it may use or where the group counts it.
Total free_of(const Space& space, std::uint32_t resource);

// What is missing, in words: so much of a resource; or a way to arrange the tasks, with the hard entry that
// is in the way or without.
std::string too_little(const Model& model, std::uint32_t resource, Total needed, Total there);
std::string no_arrangement(const std::string& hindrance, std::size_t tasks);

// A node within its capacity, or a queue or job within its `max`.
class ReliefNeeds final : public Needs {
 public:
  explicit ReliefNeeds(const RuleContext& rule_context) : context_(rule_context) {}
  bool are_met(const Space& space, NodeList within) const override;
  bool place(const Space& space, NodeList within, Placement& out) const override;
  bool serves(const Unit& unit, const Space& space) const override;
  std::string missing(const Space& space) const override;
  struct Excess {
    std::uint32_t resource = 0;
    Total over = 0;
  };
  // By how much each resource is over; those within their bound are not listed.
  std::vector<Excess> excesses(const Space& space) const;
  // `2 cpu and 3 gpu`, by name.
  std::string over(const Space& space) const;

 private:
  Total held_by_job(const Space& space, std::uint32_t resource) const;
  const RuleContext& context_;
  mutable std::optional<std::vector<Excess>> at_first_;  // before anybody went
};

}  // namespace cede
