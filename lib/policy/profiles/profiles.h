// SPDX-License-Identifier: MIT
#pragma once

#include "policy/composition.h"

namespace cede {

// The five profiles. Each is a table of its triggers, eligibility rules, caps and measures, in the order in
// which they are asked.

// Sessions with priority numbers: those at or below a threshold give way to higher ones.
const Composition& priority_profile();

// Preemption classes: of the lower ones whoever is cheapest to checkpoint or to lose gives way.
const Composition& class_cost_profile();

// Elastic quotas: a job within its queue's minimum takes preemptible jobs of lower priority.
const Composition& quota_profile();

// Fair shares: a job that starves takes tasks that others run beyond their share.
const Composition& fair_share_profile();

// The laws of queue preemption: a queue below its guarantee takes from queues above theirs.
const Composition& guarantee_profile();

}  // namespace cede
