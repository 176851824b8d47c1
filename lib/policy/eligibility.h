// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "policy/composition.h"

namespace cede {

// All rules of a request about one unit, without words: for whoever asks about very many. Those that exclude
// nobody are not asked.
class Eligibility {
 public:
  explicit Eligibility(const Asking& asking) : asking_(asking), rules_(eligibility_rules(asking)) {
    for (const auto& rule : rules_) {
      if (rule->may_exclude()) asked_.push_back(rule.get());
    }
  }

  bool excludes(const Unit& unit) const {
    const UnitRow row(asking_.effective, unit);
    for (const EligibilityRule* rule : asked_) {
      if (rule->excludes_row(row)) return true;
    }
    return false;
  }

  Dependencies depends_on() const {
    Dependencies all;
    for (const EligibilityRule* rule : asked_) all = all | rule->depends_on();
    return all;
  }

 private:
  const Asking& asking_;
  const RuleList<EligibilityRule> rules_;
  std::vector<const EligibilityRule*> asked_;
};

}  // namespace cede
