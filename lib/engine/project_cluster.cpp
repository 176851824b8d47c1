// SPDX-License-Identifier: MIT
#include "engine/project_cluster.h"

#include <algorithm>

#include "engine/book_writer.h"
#include "policy/composition.h"

namespace cede {

namespace {

// Profiles that do not use the table of commits get no copy: sharing the table makes commits more expensive.
bool asks_for_commits(const PolicySet& policies) {
  return std::any_of(policies.policies.begin(), policies.policies.end(),
                     [](const Policy& policy) { return composition(policy.profile).inputs().node_commits; });
}

void add_history(InFlight& in_flight, const Sequence& sequence, const PolicySet* policies) {
  if (policies && asks_for_commits(*policies)) in_flight.node_commits = sequence.node_commits();
}

}  // namespace

ClusterProjector::ClusterProjector(const Model& model, const Ledger& ledger, EntryId own)
    : base_(model),
      own_(own),
      changes_(ledger.changes()),
      last_(ledger.last()),
      book_(base_, write_book_entries(base_, ledger)),
      lending_(book_, own),
      edit_(base_) {
  for (const BookEntry& entry : book_.entries())
    begin(views_.emplace_back(edit_, book_, entry, own, lending_));
  sort_lists(0, 0);
  for (EntryView& view : views_) place(view);
  for (EntryView& view : views_) keep(view);
}

// The lists of `known_` stay sorted; the ids from these positions on are new.
void ClusterProjector::sort_lists(std::size_t leaving, std::size_t requesters) {
  const auto merge = [](auto& ids, std::size_t first) {
    const auto added = ids.begin() + static_cast<std::ptrdiff_t>(first);
    std::sort(added, ids.end());
    std::inplace_merge(ids.begin(), added, ids.end());
  };
  merge(known_.leaving, leaving);
  merge(known_.requesters, requesters);
}

void ClusterProjector::begin(EntryView& view) {
  ++looks_;
  view.clear();
  const BookEntry& entry = view.entry();
  const std::vector<TaskId>& leaving = view.share().leaving;
  known_.leaving.insert(known_.leaving.end(), leaving.begin(), leaving.end());
  if (entry.live && entry.requester && entry.id != own_) known_.requesters.push_back(entry.requester);
  if (entry.live && !entry.relieved.empty()) known_.relief.emplace_back(entry.relieved, entry.group);
}

void ClusterProjector::place(EntryView& view) {
  if (view.entry().id == own_) return;
  const bool waits = view.place();
  if (view.entry().has_hold && view.entry().requester) placed_.insert(view.entry().requester);
  if (waits) known_.add(*view.share().hold);
}

void ClusterProjector::keep(EntryView& view) {
  if (view.entry().id == own_) return;
  ++looks_;
  for (const NodeId node : view.keep()) depending_[node].insert(view.entry().id);
  known_.put(view.share().room);
}

bool ClusterProjector::follow(const Ledger& ledger) {
  if (ledger.changes() != changes_ || ledger.last() < last_ || own_ != kNoEntry) return false;
  while (last_ < ledger.last()) {
    if (!add(ledger, last_ + 1)) return false;
    ++last_;
  }
  return true;
}

// Victims leave before requesters are placed: that gives the tasks of a requester other rows, and looks at
// the devices on which its tasks run.
bool ClusterProjector::moves(const BookEntry& entry) const {
  if (entry.requester && placed_.contains(entry.requester)) return true;
  return std::any_of(entry.victims.begin(), entry.victims.end(), [&](const BookVictim& victim) {
    return std::any_of(victim.tasks.begin(), victim.tasks.end(), [&](const BookVictimTask& task) {
      return task.row && placed_.contains(base_.tasks.core(task.row).job);
    });
  });
}

// Whether the victims that the borrower waits for leave for their own requesters too.
bool ClusterProjector::lends_alone(const Ledger& ledger, const Entry& borrower) const {
  const auto leaves = [&](const VictimRef& ref) {
    const BookEntry* lender = book_.find(ref.entry);
    return lender && lender->has_hold && lender->requester_kind == BookEntry::For::job;
  };
  return std::all_of(
      borrower.borrowed_rooms.begin(), borrower.borrowed_rooms.end(), [&](const BorrowedRoom& room) {
        return std::all_of(room.victims.begin(), room.victims.end(), [&](const AwaitedVictim& victim) {
          const std::span<const VictimRef> refs = ledger.victims_of(victim.job);
          return std::all_of(refs.begin(), refs.end(), leaves);
        });
      });
}

bool ClusterProjector::add(const Ledger& ledger, EntryId id) {
  const Entry* const added = ledger.find(id);
  if (!added || !lends_alone(ledger, *added)) return false;
  BookEntry entry = write_book_entry(base_, ledger, id);
  if (moves(entry) || !book_.add(std::move(entry))) return false;
  const BookEntry& in_book = book_.entries().back();
  std::set<EntryId> again;
  for (const RoomInUse& room : lending_.add(base_, in_book)) again.insert(room.from);
  EntryView& view = views_.emplace_back(edit_, book_, in_book, own_, lending_);
  const std::size_t leaving = known_.leaving.size();
  const std::size_t requesters = known_.requesters.size();
  begin(view);
  sort_lists(leaving, requesters);
  place(view);
  for (const NodeId node : book_.nodes_of(in_book)) {
    if (const auto others = depending_.find(node); others != depending_.end())
      again.insert(others->second.begin(), others->second.end());
  }
  for (const EntryId other : again) {
    const auto at = std::lower_bound(views_.begin(), views_.end(), other,
                                     [](const EntryView& each, EntryId id) { return each.entry().id < id; });
    if (at != views_.end() && at->entry().id == other) keep(*at);
  }
  keep(view);
  return true;
}

ProjectedCluster ClusterProjector::cluster(const Sequence& sequence, const PolicySet* policies) const {
  ProjectedCluster out{std::make_shared<const Model>(edit_.model()), known_};
  add_history(out.in_flight, sequence, policies);
  return out;
}

ProjectedCluster project_cluster(const Model& model, const Sequence& sequence, const PolicySet* policies,
                                 EntryId own) {
  if (sequence.ledger().size() == 0) {
    ProjectedCluster out{std::make_shared<const Model>(model), {}};
    add_history(out.in_flight, sequence, policies);
    return out;
  }
  return ClusterProjector(model, sequence.ledger(), own).cluster(sequence, policies);
}

}  // namespace cede
