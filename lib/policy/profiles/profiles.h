// SPDX-License-Identifier: MIT
#pragma once

#include "policy/composition.h"

namespace cede {

// The five profiles. Each is a table of triggers, eligibility rules, caps and measures in the order of
// evaluation.

// Priority numbers: jobs at or below a threshold give way to jobs of higher priority.
const Composition& priority_profile();

// Preemption classes: among jobs of lower classes, those that are cheapest to checkpoint or to lose give way.
const Composition& class_cost_profile();

// Elastic quotas: a job within its queue's minimum takes preemptible jobs of lower priority.
const Composition& quota_profile();

// Fair shares: a starving job takes tasks that other jobs run beyond their share.
const Composition& fair_share_profile();

// The laws of queue preemption: a queue below its guarantee takes from queues above their guarantee.
const Composition& guarantee_profile();

}  // namespace cede
