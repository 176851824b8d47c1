// SPDX-License-Identifier: MIT
#pragma once

#include "base/work.h"
#include "policy/rule_context.h"
#include "search/group_index.h"

namespace cede {

// The first waiting job that is served before the requester and may preempt (RuleContext::front_job). Skips
// jobs that are impossible, in progress or may not preempt.
JobId find_front_job(const RuleContext& rule_context, const GroupIndex& group_index, Work& work);

}  // namespace cede
