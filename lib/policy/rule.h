// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "policy/request.h"
#include "policy/unit.h"

namespace cede {

// Who asks, when, and what the caller wants left alone.
struct Asking {
  const Effective& effective;
  const Request& request;
  Time now = 0;
  std::vector<JobId> protect;  // sorted

  const Model& model() const { return effective.model(); }
  QueueId queue() const { return model().jobs[request.job].queue; }
};

// Decides for one unit and one request. Its name is product: it stands in explanations, errors and tests.
class EligibilityRule {
 public:
  virtual ~EligibilityRule() = default;
  virtual std::string_view name() const = 0;
  // The values compared, in one sentence, when the unit may not be taken; nothing when this rule lets it
  // pass.
  virtual std::optional<std::string> excludes(const Unit& unit, const Asking& asking) const = 0;
};

using EligibilityRules = std::vector<std::unique_ptr<const EligibilityRule>>;

// The rules every profile begins with, in their order.
EligibilityRules rules_of_every_profile();

}  // namespace cede
