// SPDX-License-Identifier: MIT
#pragma once

#include "policy/composition.h"

namespace cede {

// Preemption classes: of the lower ones whoever is cheapest to checkpoint or to lose gives way.
class ClassCostProfile final : public Composition {
 public:
  std::string_view cause(const Asking& asking) const override;

  void add_triggers(Parts<Trigger>& triggers) const override;
  void add_rules(Parts<EligibilityRule>& rules) const override;
  void add_caps(Parts<Cap>& caps) const override;
  void add_measures(Parts<Measure>& measures) const override;
  Leaving leaving(const Effective& effective, JobId victim) const override;
  std::vector<CostPart> price(const Asking& asking, const Unit& unit) const override;
  bool price_never_falls(const Asking& asking) const override;
  bool may_use(const Asking& asking, NodeId node) const override;
  std::string remark(const Asking& asking) const override;
};

}  // namespace cede
