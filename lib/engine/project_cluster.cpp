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

}  // namespace

ClusterProjector::ClusterProjector(const Model& model, const Ledger& ledger, EntryId own)
    : base_(model),
      own_(own),
      changes_(ledger.changes()),
      last_(ledger.last()),
      book_(base_, write_book_entries(base_, ledger)),
      lending_(book_, own),
      edit_(base_) {
  for (const BookEntry& entry : book_.entries()) {
    views_.emplace_back(edit_, book_, entry, own, lending_).clear();
    ++looks_;
  }
  for (EntryView& view : views_) {
    if (view.entry().id != own && view.place()) moved_.insert(view.entry().requester);
  }
  for (EntryView& view : views_) {
    if (view.entry().id != own) keep(view);
  }
}

void ClusterProjector::keep(EntryView& view) {
  ++looks_;
  for (const NodeId node : view.keep()) depending_[node].insert(view.entry().id);
}

bool ClusterProjector::follow(const Ledger& ledger) {
  if (ledger.changes() != changes_ || own_ != kNoEntry) return false;
  while (last_ < ledger.last()) {
    if (!add(ledger, last_ + 1)) return false;
    ++last_;
  }
  return true;
}

// Victims leave before requesters are placed, which gives the tasks of the requester's job other rows.
bool ClusterProjector::moves(const BookEntry& entry) const {
  if (entry.requester && moved_.contains(entry.requester)) return true;
  return std::any_of(entry.victims.begin(), entry.victims.end(), [&](const BookVictim& victim) {
    return std::any_of(victim.tasks.begin(), victim.tasks.end(), [&](const BookVictimTask& task) {
      return task.row && moved_.contains(base_.tasks.core(task.row).job);
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
  ++looks_;
  view.clear();
  if (view.place()) moved_.insert(in_book.requester);
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
  ProjectedCluster out;
  out.model = std::make_shared<const Model>(edit_.model());
  InFlight& known = out.in_flight;
  if (policies && asks_for_commits(*policies)) known.node_commits = sequence.node_commits();
  const auto append = [](auto& to, const auto& from) { to.insert(to.end(), from.begin(), from.end()); };
  for (const EntryView& view : views_) {
    const BookEntry& entry = view.entry();
    const EntryShare& share = view.share();
    append(known.leaving, share.leaving);
    append(known.blocked, share.blocked);
    append(known.surplus, share.surplus);
    if (share.hold) known.holds.push_back(*share.hold);
    if (entry.live && entry.requester && entry.id != own_) known.requesters.push_back(entry.requester);
    if (entry.live && !entry.relieved.empty()) known.relief.emplace_back(entry.relieved, entry.group);
  }
  std::sort(known.leaving.begin(), known.leaving.end());
  std::sort(known.requesters.begin(), known.requesters.end());
  std::sort(known.holds.begin(), known.holds.end(),
            [](const InFlight::Hold& a, const InFlight::Hold& b) { return a.job < b.job; });
  return out;
}

ProjectedCluster project_cluster(const Model& model, const Sequence& sequence, const PolicySet* policies,
                                 EntryId own) {
  return ClusterProjector(model, sequence.ledger(), own).cluster(sequence, policies);
}

}  // namespace cede
