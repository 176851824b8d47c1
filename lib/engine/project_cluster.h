// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "model/book.h"
#include "model/in_flight.h"
#include "model/model.h"
#include "policy/settings/policy.h"
#include "sequence/sequence.h"

namespace cede {

// The cluster as planning sees it: as it will be once everything in flight is done, with what must not be
// touched until then.
struct ProjectedCluster {
  std::shared_ptr<const Model> model;  // never null
  InFlight in_flight;
};

// `own` is an entry that is planned anew: its hold is free for it, and so is what its victims give up, except
// those that cannot be removed. `policies` say what of the past must be known; null: none were given.
ProjectedCluster project_cluster(const Model& model, const Sequence& sequence, const PolicySet* policies,
                                 EntryId own = kNoEntry);

}  // namespace cede
