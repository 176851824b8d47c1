// SPDX-License-Identifier: MIT
#pragma once

#include "policy/composition.h"

namespace cede {

// Fair shares: a job that starves takes tasks that others run beyond their share.
class FairShareProfile final : public Composition {
 public:
  std::string_view cause(const Asking& asking) const override;
  void add_triggers(Parts<Trigger>& triggers) const override;
  void add_rules(Parts<EligibilityRule>& rules) const override;
  void add_caps(Parts<Cap>& caps) const override;
  void add_measures(Parts<Measure>& measures) const override;
  Leaving leaving(const Effective& effective, JobId victim) const override;
  OneNode one_node(const Asking& asking) const override;
  int tier(const Asking& asking, const Unit& unit) const override;
};

}  // namespace cede
