// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "model/model.h"
#include "policy/settings/policy.h"
#include "sequence/sequence.h"

namespace cede {

// Counts from first principles what is promised to which entry. It works by names and uses neither the book
// nor the tables of planning. It checks that no device, share or resource is promised twice, that promises
// exceed no limit, that no entry can last for ever, and that every action number leads to its owner. Returns
// an empty text if everything holds, otherwise the fault. The cost grows with the size of the cluster; it
// serves tests, fuzzing and the option `audit`. `policies` determine which limits apply. With null, limits
// are not checked, because only a step enforces them.
std::string audit_fault(const Model& model, const Sequence& sequence, const PolicySet* policies);

}  // namespace cede
