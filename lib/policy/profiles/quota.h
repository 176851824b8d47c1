// SPDX-License-Identifier: MIT
#pragma once

#include "policy/composition.h"

namespace cede {

// Elastic quotas: a job within its queue's minimum takes preemptible jobs of lower priority.
class QuotaProfile final : public Composition {
 public:
  std::string_view cause(const Asking& asking) const override;
  void add_admission(Parts<Trigger>& triggers) const override;
  void add_triggers(Parts<Trigger>& triggers) const override;
  void add_rules(Parts<EligibilityRule>& rules) const override;
  void add_caps(Parts<Cap>& caps) const override;
  void add_measures(Parts<Measure>& measures) const override;
  Leaving leaving(const Effective& effective, JobId victim) const override;
};

}  // namespace cede
