// SPDX-License-Identifier: MIT
#include "policy/settings/policy.h"

#include <algorithm>

#include "model/model.h"

namespace cede {

const Policy* PolicySet::find(std::string_view name) const {
  const auto at = std::ranges::lower_bound(policies, name, {}, &Policy::name);
  return at != policies.end() && at->name == name ? &*at : nullptr;
}

PriorityRange PolicySet::priorities() const {
  if (policies.empty()) return {};
  PriorityRange all = facts(policies.front().profile).priorities;
  for (const Policy& policy : policies) {
    const PriorityRange own = facts(policy.profile).priorities;
    all = {std::min(all.min, own.min), std::max(all.max, own.max)};
  }
  return all;
}

const Policy* policy_of(const Model& model, const GroupRow& group, const PolicySet& policies) {
  if (group.policy != kNoName) return policies.find(model.name(group.policy));
  if (const Policy* usual = policies.find("default")) return usual;
  return policies.policies.size() == 1 ? &policies.policies.front() : nullptr;
}

}  // namespace cede
