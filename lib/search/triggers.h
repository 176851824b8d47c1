// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "base/work.h"
#include "policy/rule_context.h"
#include "search/decision_context.h"
#include "search/group_index.h"
#include "search/needs.h"

namespace cede {

// Whether the job is a victim of an earlier decision and still on its way out.
bool gives_way(const RuleContext& rule_context, JobId job);

// The first waiting job that is served before the requester and may preempt (RuleContext::front_job). Skips
// jobs that are impossible, in progress, on their way out, in a switched-off queue or may not preempt.
JobId find_front_job(const RuleContext& rule_context, const GroupIndex& group_index, Work& work);

// Why the profile does not let the request preempt at all; nullopt if it does.
std::optional<Verdict> refused_by_profile(DecisionContext& context);
// `overcommit-grace` if an overcommitted node is still left alone; nullopt otherwise.
std::optional<Verdict> refused_by_grace(DecisionContext& context);
// Why the storm limits allow no victim; nullopt if they allow some.
std::optional<Verdict> refused_by_budget(DecisionContext& context);
// `worth-waiting` if walltimes alone make room for the job within the horizon; nullopt otherwise.
std::optional<Verdict> worth_waiting(DecisionContext& context, const Needs& needs);

}  // namespace cede
