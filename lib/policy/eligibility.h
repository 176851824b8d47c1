// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "policy/composition.h"

namespace cede {

// All eligibility rules of a request, without explanations; fast enough for very many units. Rules that
// exclude no unit are skipped.
class Eligibility {
 public:
  explicit Eligibility(const RuleContext& rule_context)
      : context_(rule_context), rules_(eligibility_rules(rule_context)) {
    for (const auto& rule : rules_) {
      if (rule->may_exclude()) asked_.push_back(rule.get());
    }
  }

  bool excludes(const Unit& unit) const {
    const UnitRow row(context_.effective, unit);
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
  const RuleContext& context_;
  const RuleList<EligibilityRule> rules_;
  std::vector<const EligibilityRule*> asked_;
};

}  // namespace cede
