// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/book.h"
#include "model/in_flight.h"
#include "model/model.h"
#include "model/plan.h"
#include "policy/group_usage.h"
#include "policy/settings/policy.h"
#include "sequence/ledger.h"
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

// What storm limits and earlier attempts still allow a request of the group at that moment. `requester` is
// the name of a job, or empty.
Allowance allowance_at(Time now, const Model& model, const StormLimits& limits, const Sequence& sequence,
                       GroupId group, std::string_view requester);

// The projected cluster with the surplus room of some entries free, for a plan that comes after those
// entries. Returns the given one if the entries leave nothing.
std::shared_ptr<const ProjectedCluster> with_surplus_room(
    const std::shared_ptr<const ProjectedCluster>& projection, const Sequence& sequence,
    std::span<const EntryId> lenders);

// What a plan uses of the surplus room it was made with (see InFlight::SurplusRoom), per lender. Idle space
// is used first, then the lenders in their order. Devices are the exception: they are borrowed where the plan
// uses them.
std::vector<BorrowedRoom> borrowed_rooms_of(const Plan& plan, const Ledger& ledger);

// Carries a plan over to another projected cluster by names. Returns nothing, with `why`, if an object that
// the plan names is gone.
std::optional<Plan> rebase(const Plan& plan, const std::shared_ptr<const ProjectedCluster>& projection,
                           std::string& why);

}  // namespace cede
