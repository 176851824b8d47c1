// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "search/objective.h"
#include "search/plan_facts.h"

namespace cede {

// The best set by trying every subset of the units and, for each, every assignment of tasks to nodes and
// devices, judged by the verifier's checks: slow and obviously right. The oracle that every search is held
// against on small clusters. It leaves out only sets that are already worse than one it found.
class Enumerator {
 public:
  // `asked` tells request, policy and time; its answer is ignored. `usable`: nodes the request may use.
  Enumerator(const Plan& asked, const PolicySet& policies, const RuleContext& rule_context,
             const std::vector<NodeId>& usable);

  // The listed criteria of the best set, or nothing when no subset makes room.
  std::optional<std::vector<Criterion>> best(const std::vector<const Unit*>& units);

 private:
  struct Against {
    std::int64_t preferences = 0;
    std::int64_t borrowed = 0;
    auto operator<=>(const Against&) const = default;
  };
  bool is_legal(const std::vector<const Unit*>& set, const std::vector<const Unit*>& all);
  // The least that counts against a placement with these units gone; nothing when there is none. Without
  // `least` the first placement will do.
  std::optional<Against> place_without(const std::vector<const Unit*>& set, bool least);
  void give_nodes(std::size_t task);
  void give_devices(std::size_t task);
  bool amounts_hold() const;
  void judge();

  const PolicySet& policies_;
  const Policy& policy_;
  const RuleContext& context_;
  const Model& model_;
  const std::vector<NodeId>& usable_;
  const Objective objective_;
  const bool about_devices_;
  Plan trial_;
  std::optional<PlanFacts> facts_;
  std::optional<Against> found_;
  bool least_ = false;
};

}  // namespace cede
