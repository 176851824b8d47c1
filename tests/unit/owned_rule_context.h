// SPDX-License-Identifier: MIT
#pragma once

#include "policy/rule_context.h"
#include "policy/shares/starvation.h"

namespace cede {

// The RuleContext of a plan's request, with everything it refers to.
struct OwnedRuleContext {
  OwnedRuleContext(const Plan& plan, const PolicySet& policies)
      : effective(plan.model(), policies, policies.policies.front()),
        request(plan.subject.purpose == Purpose::job ? make_request(effective, plan.subject.job) : Request{}),
        usage(effective, plan.subject.group, *plan.in_flight),
        fair(effective, plan.subject.group, *plan.in_flight, plan.now),
        rule_context{effective, request, plan.now, {}, usage, *plan.in_flight, {}, &fair} {
    static_cast<Subject&>(request) = plan.subject;
  }
  EffectiveSettings effective;
  Request request;
  GroupUsage usage;
  FairShareStatus fair;
  RuleContext rule_context;
};

}  // namespace cede
