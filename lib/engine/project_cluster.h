// SPDX-License-Identifier: MIT
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "engine/entry_view.h"
#include "engine/lending.h"
#include "model/book.h"
#include "model/in_flight.h"
#include "model/model.h"
#include "model/plan.h"
#include "policy/group_usage.h"
#include "policy/settings/policy.h"
#include "search/group_index.h"
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

// Makes projected clusters of one cluster, and follows its ledger while entries are only added: that costs
// what is on the nodes of the new entries, however many others there are.
class ClusterProjector {
 public:
  // For `own` see project_cluster().
  ClusterProjector(const Model& model, const Ledger& ledger, EntryId own = kNoEntry);
  ClusterProjector(const ClusterProjector&) = delete;
  ClusterProjector& operator=(const ClusterProjector&) = delete;

  // False if more has happened than that entries were added, or if these change what other entries have. A
  // new projector must be made then.
  bool follow(const Ledger& ledger);
  ProjectedCluster cluster(const Sequence& sequence, const PolicySet* policies) const;
  // What the projected clusters say about clocks.
  InFlight& in_flight() { return known_; }
  const Model& model() const { return edit_.model(); }
  // How often it looked at an entry, for tests: a commit must not look at the whole ledger.
  std::uint64_t looks() const { return looks_; }

 private:
  bool add(const Ledger& ledger, EntryId id);
  bool moves(const BookEntry& entry) const;
  bool lends_alone(const Ledger& ledger, const Entry& borrower) const;
  void begin(EntryView& view);
  void sort_lists(std::size_t leaving, std::size_t requesters);
  void place(EntryView& view);
  void keep(EntryView& view);

  const Model base_;
  const EntryId own_;
  std::uint64_t changes_;  // of the ledger's entries, as far as followed
  EntryId last_;
  Book book_;
  Lending lending_;
  ProjectionEdit edit_;
  std::deque<EntryView> views_;  // by entry
  std::set<JobId> placed_;       // requesters of holds: their tasks are no longer as in base_
  std::map<NodeId, std::set<EntryId>> depending_;  // entries that keep room which depends on the node
  InFlight known_;
  std::uint64_t looks_ = 0;
};

// What differs between two projected clusters of the same cluster, clocks aside; empty: nothing.
std::string projection_fault(const ProjectedCluster& kept, const ProjectedCluster& fresh);

// The usage and the fair shares that planning maintains, in the form that the verifier reads.
class KeptUsage final : public QueueUsage {
 public:
  explicit KeptUsage(const GroupIndex& group_index)
      : usage_(group_index.usage()), fair_shares_(group_index.fair_shares()) {}
  Total used(QueueId queue, std::uint32_t r) const override { return usage_.used(queue, r); }
  Total fixed_used(QueueId queue, std::uint32_t r) const override { return usage_.fixed_used(queue, r); }
  Total fixed_requested(QueueId queue, std::uint32_t r) const override {
    return usage_.fixed_requested(queue, r);
  }
  Total capacity(std::uint32_t resource) const override { return usage_.capacity(resource); }
  const FairShareIndex* fair_shares() const override { return fair_shares_; }

 private:
  const GroupUsage& usage_;
  const FairShareIndex* const fair_shares_;
};

}  // namespace cede
