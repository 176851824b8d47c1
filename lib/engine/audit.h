// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "model/model.h"
#include "policy/settings/policy.h"
#include "sequence/sequence.h"

namespace cede {

// Counts from first principles who was promised what, by names, without the book and without the tables that
// planning uses: no device, share or resource is promised twice, no limit is exceeded by what was promised,
// no entry can last for ever, and no number leads nowhere. Empty when everything holds, else what was found.
// Costs the size of the cluster; for tests, fuzzing and the option `audit`.
// `policies` say whose limits count; null: limits are not looked at, for only a step does that.
std::string audit_fault(const Model& model, const Sequence& sequence, const PolicySet* policies);

}  // namespace cede
