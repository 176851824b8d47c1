// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "model/plan.h"
#include "placement/node_attributes.h"
#include "placement/space.h"
#include "policy/rule_context.h"

namespace cede {

// Which nodes a request may use at all. `ever` asks only what never changes for the request (hosts it names
// or rules out, labels); `now` also whether the node is up, unreserved for it, not to be avoided and not kept
// from it by the profile.
enum class Usable : std::uint8_t { ever, now };
void mark_usable(Space& space, const RuleContext& rule_context, const NodeTerms& avoid, Usable when);

// Who may be on a node together: the request may ask for nodes or whole domains of its own, and so may those
// that run. Made anew whenever tasks were taken out or put back.
class Exclusivity {
 public:
  Exclusivity(const Space& space, const NodeAttributes& attributes, const Requirement& require);
  bool allows(std::size_t node) const;

  // Whether those that hold anything there leave the node to the request; says nothing of whole domains.
  static bool node_allows(const Space& space, const Requirement& require, std::size_t node);
  // Whether anybody asks for a whole domain.
  static bool concerns_domains(const RuleContext& rule_context, const Requirement& require);
  // Whether anybody asks for exclusivity at all; if not, there is nothing to look at.
  static bool matters(const RuleContext& rule_context, const Requirement& require);

 private:
  static bool is_stranger(const Space& space, JobId job, bool by_user);

  const Space& space_;
  const NodeAttributes& attributes_;
  const Requirement& require_;
  std::uint32_t own_level_ = kNowhere;  // of a request for whole domains
  std::vector<bool> domain_taken_;      // holds somebody else
  std::vector<bool> domain_closed_;     // somebody there asked to be alone
};

}  // namespace cede
