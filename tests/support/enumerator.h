// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "verify/eligibility.h"
#include "verify/plan_facts.h"

namespace cede {

// The best set by trying every subset of the eligible units and, for each, every assignment of tasks to nodes
// and devices, checked by the verifier's claims alone: slow and obviously right. The oracle that every search
// is held against on small clusters. It leaves out only sets that are already worse than one it found.
class Enumerator {
 public:
  // `asked` tells request, policy, terms and time; its answer is ignored.
  Enumerator(const Plan& asked, const PolicySet& policies);

  // The listed criteria of the best set; nothing when no set makes room. A later tier of units is tried only
  // where the ones before do not do.
  std::optional<std::vector<Criterion>> best();

  // How many units may be taken; trying takes time exponential in it.
  std::size_t eligible() const { return eligible_; }
  // Helps to explain why nothing was found: whether the request may preempt at all.
  const PlanFacts& facts() const { return facts_; }

 private:
  struct Against {
    std::int64_t preferences = 0;
    std::int64_t borrowed = 0;
    auto operator<=>(const Against&) const = default;
  };
  using Set = std::vector<const VictimUnit*>;
  std::optional<std::vector<Criterion>> best_of(const Set& units);
  std::optional<std::vector<Criterion>> best_relief();
  bool is_legal(const Set& set, const Set& all);
  void take(const Set& set);
  // What is looked for with some units gone: the placement with the least against it, within every cap; or
  // whether there is room at all.
  enum class Wanted : std::uint8_t { best, room };
  // Nothing when there is no placement.
  std::optional<Against> place_without(const Set& set, Wanted wanted);
  bool is_done() const;
  void give_nodes(std::size_t task);
  void give_devices(std::size_t task);
  void keep_if_best();

  Plan trial_;
  PlanFacts facts_;
  std::vector<NodeId> usable_;
  std::vector<JobUnits> jobs_;
  std::map<int, Set> tiers_;
  std::size_t eligible_ = 0;
  bool about_devices_ = false;
  int relief_step_ = 0;  // how far rules have given way to the relief of a node
  std::optional<Against> found_;
  Wanted wanted_ = Wanted::best;
};

// The best objective for a plan's request by trying everything.
inline std::optional<std::vector<Criterion>> oracle_of(const Plan& plan, const PolicySet& policies) {
  return Enumerator(plan, policies).best();
}

}  // namespace cede
