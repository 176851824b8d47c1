// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <set>
#include <string_view>
#include <vector>

#include "sequence/sequence.h"

namespace cede {

// The work of one step, or of one call between steps: transitions of victims and entries with their effects
// on actions, indexes and counters.
class StepRun {
 public:
  StepRun(Sequence& sequence, Time now, const ClusterCheck* cluster = nullptr)
      : sequence_(sequence),
        now_(now),
        cluster_(cluster),
        last_edit_(sequence.edit_),
        last_sent_(sequence.last_action_) {}

  // Returns true if the event had an effect.
  bool take(const Event& event);
  // The same for a change of the cluster. Its effect on placements comes through Sequence::lose_space().
  bool take_of_cluster(const Event& event);
  // Does everything that is due in the entry and lists its new actions. Erases the entry once it is finished.
  void settle(EntryId id);

  // Ends a live entry early. Victims that can still run on do so.
  void end_entry(Entry& entry, EntryState how);
  // After a commit or an extension: an entry that waits for no victim is ready at once.
  void planned(Entry& entry);
  // A stronger plan takes the hold of an entry that is not ready.
  void lose_hold(Entry& entry);
  // The cluster no longer has the space of the entry's placement.
  void lose_space(Entry& entry);

  void close(PendingAction& pending_action);

  // Notifies other entries of the changes so far: of victims they wait for, and of lent room that is in use.
  // References to entries of the ledger become invalid.
  void pass_on();
  // Between steps: a notified entry that can no longer get its space becomes short at once. The next step
  // does the rest.
  void apply_notices();
  // Entries that were notified and not settled since.
  const std::set<EntryId>& unsettled() const { return unsettled_; }

  const std::vector<EntryId>& touched() const { return touched_; }
  std::vector<Action>& actions() { return actions_; }

 private:
  template <class Change>
  void change(Entry& entry, std::uint32_t victim, Change change);
  void act(Entry& entry, std::uint32_t victim, VictimStep step);
  void finish(Entry& entry, std::uint32_t victim);
  void let_go(Entry& entry, std::uint32_t victim);
  void follow(Entry& entry, EntryStep step);
  EntryNeeds needs_of(const Entry& entry) const;
  void tell(const Entry& entry, const Victim& victim);

  bool take_of_victims(const Event& event);
  bool take_of_victim(const Event& event, VictimRef ref);
  bool take_of_requester(const Event& event);
  bool take_of_claim(const Event& event);
  bool take_of_node(const Event& event);
  bool lose_victims_on(Entry& entry, std::string_view node);
  bool take_of_action(const Event& event);
  bool place_changed(Entry& entry, const Event& event);
  bool mark_done(Entry& entry, std::uint32_t victim, std::string_view task);
  bool leave(Entry& entry, std::uint32_t victim, ExitCause cause, std::string_view task,
             std::string_view node);

  void open(Entry& entry, PendingAction& pending_action, ActionKind kind, std::uint32_t owner);
  void pending_action_failed(Entry& entry, PendingAction& pending_action, std::uint32_t owner);
  void list(Entry& entry, PendingAction& pending_action, std::uint32_t owner);
  void list_again(Entry& entry);

  Action victim_action(const Entry& entry, const Victim& victim, ActionKind kind) const;
  Action entry_action(const Entry& entry, ActionKind kind) const;

  Sequence& sequence_;
  const Time now_;
  const ClusterCheck* const cluster_;  // null: every place is free
  std::uint32_t last_edit_;            // the last edit of the cluster when the event arrived
  // An action for a victim that this step has made.
  struct MadeAction {
    ActionId id = kNoAction;
    EntryId entry = kNoEntry;
    std::uint32_t victim = 0;
    bool operator==(const MadeAction&) const = default;
  };
  std::vector<MadeAction> made_;
  const ActionId last_sent_;  // actions with greater numbers are made in this step
  // Notices that are still to be passed on.
  struct Notice {
    std::shared_ptr<const CommitOrder> order;
    std::uint32_t victim = 0;
    AwaitedState state = AwaitedState::coming;
  };
  std::vector<Notice> notices_;
  std::vector<BorrowedRoom> used_up_;  // by requesters that have started
  std::set<EntryId> unsettled_;
  std::vector<EntryId> touched_;
  std::vector<Action> actions_;
};

// Applies a change to a victim's state machine and carries out its effects.
template <class Change>
void StepRun::change(Entry& entry, std::uint32_t index, Change change) {
  Victim& victim = entry.victims[index];
  const VictimState before = victim.state;
  const VictimStep step = change(entry.order_of(victim).terms, victim.state);
  const VictimState& after = victim.state;
  if (after == before) return;
  ++sequence_.revision_;
  if (after.saved && !before.saved) sequence_.tally_.checkpointed(now_ - after.hinted);
  if (after.checkpoint_failed && !before.checkpoint_failed) sequence_.tally_.checkpoint_failed();
  if (victim.action != kNoAction && (after.answered || step != VictimStep::none)) {
    sequence_.ledger_.close(victim.action);
    victim.action = kNoAction;
  }
  act(entry, index, step);
  if (after.finished() && !before.finished()) finish(entry, index);
  if (after.phase != before.phase && after.phase >= VictimPhase::stuck) tell(entry, victim);
  if (after.phase != before.phase && after.phase == VictimPhase::stuck) {
    ++sequence_.stays_;
    ++sequence_.left_behind_;
    if (!is_live(entry.clock.state)) let_go(entry, index);
  }
}

}  // namespace cede
