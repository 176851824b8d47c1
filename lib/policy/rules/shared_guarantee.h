// SPDX-License-Identifier: MIT
#pragma once

#include "policy/rule.h"

namespace cede {

// A guarantee that holds requester and victim alike justifies nothing (law 4).
class SharedGuarantee final : public EligibilityRule {
 public:
  explicit SharedGuarantee(const Asking& asking);
  std::string_view name() const override { return "shared-guarantee"; }
  bool excludes(const Unit& unit, std::string* why) const override;

 private:
  bool applies_;
  QueueId lowest_;  // that justifies the request
};

}  // namespace cede
