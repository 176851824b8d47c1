// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/cow_map.h"
#include "sequence/due_queue.h"
#include "sequence/entry.h"

namespace cede {

// The owner of an action: a victim (its action or its pending action), or the entry itself.
struct ActionOwner {
  static constexpr std::uint32_t kEntry = 0xFFFF'FFFF;
  EntryId entry = kNoEntry;
  std::uint32_t victim = kEntry;
};

struct VictimRef {
  EntryId entry = kNoEntry;
  std::uint32_t victim = 0;
  bool operator==(const VictimRef&) const = default;
};

// Everything decided and not finished, with indexes by job, node and action. No task is in two entries. A
// copy shares storage; a later write costs only what it changes.
class Ledger {
 public:
  const Entry* find(EntryId id) const { return entries_.find(id); }
  // Write access. The reference is valid until another entry is written. The entry must exist.
  Entry& edit(EntryId id) {
    if (id != being_added_) ++changes_;
    return *entries_.find_edit(id);
  }
  std::vector<EntryId> ids() const;  // ascending
  std::size_t size() const { return entries_.size(); }
  // The entry that was added last, and how often any other was written or erased. While the latter stays the
  // same, entries were only added, with consecutive numbers. Changes that are taken back still count.
  EntryId last() const { return last_; }
  std::uint64_t changes() const { return changes_; }

  // Stores an entry, maybe again after its victims or places changed. The indexes are updated. The entry is
  // due at once.
  void put(Entry entry);
  // The same for an entry that a commit adds. Until end_of_addition() writing it again is part of adding it.
  void add(Entry entry);
  void end_of_addition() { being_added_ = kNoEntry; }
  // The entry must be finished: it has no live requester and no open action.
  void erase(EntryId id);

  // The live entry of a waiting job.
  EntryId of_requester(std::string_view job) const;
  void forget_requester(const Entry& entry);

  // Unfinished victims of a job.
  std::span<const VictimRef> victims_of(std::string_view job) const;
  void forget_victim(std::string_view job, VictimRef victim);
  // The entry that waits for this task to leave, as part of an unfinished victim.
  EntryId holder_of(std::string_view job, std::string_view task) const;

  // Whether the task is part of an unfinished victim, gone or not.
  bool is_of_victim(std::string_view job, std::string_view task) const;

  // Entries that wait, or have waited, for a victim of this job that belongs to another entry; ascending.
  std::vector<EntryId> waiting_for(std::string_view job) const;

  // Entries with a victim's task or a place on the node, ascending.
  std::vector<EntryId> on_node(std::string_view node) const;

  std::optional<ActionOwner> owner_of(ActionId action) const;
  void open(ActionId action, ActionOwner owner) { actions_.edit(action) = owner; }
  void close(ActionId action) { actions_.erase(action); }

  // kNoTime: never.
  void set_due(EntryId id, Time due) { due_.set(id, due); }
  std::optional<DueQueue::Item> first_due() const { return due_.first(); }

  static constexpr Time kAtOnce = kNoTime + 1;

  template <class Visit>
  void each_part(Visit visit) {
    visit(entries_, requesters_, victims_, awaited_, nodes_, actions_, due_, last_, being_added_);
  }

 private:
  void index(const Entry& entry);
  void unindex(const Entry& entry);

  CowMap<EntryId, Entry> entries_;
  CowMap<std::string, EntryId> requesters_;
  CowMap<std::string, std::vector<VictimRef>> victims_;
  CowMap<std::string, std::vector<EntryId>> awaited_;  // by the victim's job, with duplicates
  CowMap<std::string, std::vector<EntryId>> nodes_;    // likewise
  CowMap<ActionId, ActionOwner> actions_;
  DueQueue due_;
  EntryId last_ = kNoEntry;
  EntryId being_added_ = kNoEntry;
  // Not taken back with the rest, so that no state is taken for another one.
  EntryId highest_ = kNoEntry;
  std::uint64_t changes_ = 0;
};

// The index of the victim's task with that label; the number of tasks if there is none.
std::size_t task_index(const VictimOrder& order, std::string_view task);

}  // namespace cede
