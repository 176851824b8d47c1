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

// Whose action it is: of a victim (its action or its errand), or of the entry itself.
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

// Everything decided and not yet finished, with the indexes that find it again by job, node and action. No
// task is in two entries. Copying a ledger copies pointers; writing to it afterwards costs what is written.
class Ledger {
 public:
  const Entry* find(EntryId id) const { return entries_.find(id); }
  // For writing; valid until another entry is written to. The entry must exist.
  Entry& edit(EntryId id) { return *entries_.find_edit(id); }
  std::vector<EntryId> ids() const;  // ascending
  std::size_t size() const { return entries_.size(); }

  // Adds an entry, or takes it back after a change of its victims or places: whatever the indexes say of it
  // is replaced. It is due at once.
  void put(Entry entry);
  // Of an entry that is finished, which has neither a live requester nor an open action.
  void erase(EntryId id);

  // The live entry of a waiting job.
  EntryId of_requester(std::string_view job) const;
  void forget_requester(const Entry& entry);

  // Unfinished victims of a job.
  std::span<const VictimRef> victims_of(std::string_view job) const;
  void forget_victim(std::string_view job, VictimRef victim);
  // The entry that has this task of this job among its unfinished victims and waits for it to leave.
  EntryId holder_of(std::string_view job, std::string_view task) const;

  // Whether the task is one of an unfinished victim, be it gone or not.
  bool is_of_victim(std::string_view job, std::string_view task) const;

  // Entries that wait, or once waited, for victims of a job that are another entry's; ascending.
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

  // Everything that can remember and take back.
  template <class Visit>
  void each_part(Visit visit) {
    visit(entries_);
    visit(requesters_);
    visit(victims_);
    visit(awaited_);
    visit(nodes_);
    visit(actions_);
    visit(due_);
  }

 private:
  void index(const Entry& entry);
  void unindex(const Entry& entry);

  CowMap<EntryId, Entry> entries_;
  CowMap<std::string, EntryId> requesters_;
  CowMap<std::string, std::vector<VictimRef>> victims_;
  CowMap<std::string, std::vector<EntryId>> awaited_;  // by the victim's job, with repetitions
  CowMap<std::string, std::vector<EntryId>> nodes_;    // likewise
  CowMap<ActionId, ActionOwner> actions_;
  DueQueue due_;
};

// The victim's task of that label; its number of tasks where there is none.
std::size_t task_index(const VictimOrder& order, std::string_view task);

}  // namespace cede
