// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "model/book.h"
#include "model/in_flight.h"
#include "model/model.h"
#include "model/plan.h"
#include "policy/group_usage.h"
#include "policy/settings/policy.h"
#include "sequence/sequence.h"
#include "verify/queue_usage.h"

namespace cede {

// The cluster as planning sees it: the state once everything in flight is done, and what must not be touched
// until then.
struct ProjectedCluster {
  std::shared_ptr<const Model> model;  // never null
  InFlight in_flight;
};

// `own` is an entry that is planned again. Its hold is free for the new plan, and so is the room of its
// victims, except victims that cannot be removed. `policies` determine which history is needed; null: no
// policy was given.
ProjectedCluster project_cluster(const Model& model, const Sequence& sequence, const PolicySet* policies,
                                 EntryId own = kNoEntry);

// The usage that planning maintains, in the form that the verifier reads.
class KeptUsage final : public QueueUsage {
 public:
  explicit KeptUsage(const GroupUsage& usage) : usage_(usage) {}
  Total used(QueueId queue, std::uint32_t r) const override { return usage_.used(queue, r); }
  Total fixed_used(QueueId queue, std::uint32_t r) const override { return usage_.fixed_used(queue, r); }
  Total fixed_requested(QueueId queue, std::uint32_t r) const override {
    return usage_.fixed_requested(queue, r);
  }
  Total capacity(std::uint32_t resource) const override { return usage_.capacity(resource); }

 private:
  const GroupUsage& usage_;
};

}  // namespace cede
