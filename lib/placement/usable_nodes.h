// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "model/plan.h"
#include "placement/node_attributes.h"
#include "placement/space.h"
#include "policy/rule_context.h"

namespace cede {

// Which nodes a request may use at all. `ever` checks only what never changes for the request (hosts it
// includes or excludes, labels). `now` also checks that the node is up, not reserved for others, not avoided,
// and not kept from the request by the profile.
enum class Usable : std::uint8_t { ever, now };
void mark_usable(Space& space, const RuleContext& rule_context, const NodeTerms& avoid, Usable when);

// Which jobs may share a node: the request and the running jobs may each ask for nodes or whole domains of
// their own. Must be built again after tasks were removed or put back.
class Exclusivity {
 public:
  Exclusivity(const Space& space, const NodeAttributes& attributes, const Requirement& require);
  bool allows(std::size_t node) const;

  // Whether the jobs that hold anything on the node allow the request there. Ignores whole domains.
  static bool node_allows(const Space& space, const Requirement& require, std::size_t node);
  // Whether any job asks for a whole domain.
  static bool concerns_domains(const RuleContext& rule_context, const Requirement& require);
  // Whether any job asks for exclusivity at all.
  static bool matters(const RuleContext& rule_context, const Requirement& require);

 private:
  static bool is_stranger(const Space& space, JobId job, bool by_user);

  const Space& space_;
  const NodeAttributes& attributes_;
  const Requirement& require_;
  std::uint32_t own_level_ = kNowhere;  // level of a request for whole domains
  std::vector<bool> domain_taken_;      // by domain: another job holds something there
  std::vector<bool> domain_closed_;     // by domain: a job there asked to be alone
};

}  // namespace cede
