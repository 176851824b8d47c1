// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/cow_map.h"
#include "model/metrics.h"
#include "sequence/action.h"
#include "sequence/ledger.h"
#include "sequence/metrics_counter.h"
#include "sequence/storm_window.h"

namespace cede {

// What a step asks about the cluster, which the sequence itself does not know.
class ClusterCheck {
 public:
  virtual ~ClusterCheck() = default;
  // Whether the entry's places are free at this moment: of every task the cluster shows and of whatever
  // others were told to start there. An entry whose victims are gone waits until they are.
  virtual bool has_room_now(const Entry& entry) const = 0;
  // Whether the cluster shows tasks of its victims of which it was said that they are gone. As long as it
  // does, nobody else knows that their space is free.
  virtual bool shows_gone_tasks(const Entry& entry) const = 0;
};

struct StepResult {
  Time now = kNoTime;                // what counted as now
  std::vector<Action> actions;       // by id
  std::vector<EventAnswer> answers;  // one per event
};

// A plan that led to nothing, or whatever else counts as an attempt without a commit.
struct PlanNote {
  std::string requester;  // empty: no job's
  std::string profile;
  Outcome outcome = Outcome::wait;
  std::int64_t plan_micros = -1;
};

// From plan to started job: a state machine without I/O over the ledger. Everything is by name, because the
// ledger outlives every model. `now` never decreases: an earlier one counts as the last.
//
// Within a step events come first, in their order, then what is due, entry by entry. Commit, extend, cancel
// and the model's changes list no actions themselves; the next step does.
//
// Copies are cheap and independent (see Ledger). A caller that must not change anything when memory runs out
// keeps a SequenceUndo.
//
// Where the specification leaves room:
// * `started` for a requester that is not ready, and a vanished requester, cancel the entry; `exited` of a
//   ready one is a start that was missed. Claims end with claim-done; who starts there is not known here, so
//   the caller turns the start of the queue's own job on those nodes into claim-done.
// * A node of the placement that goes down makes the entry `short`, also when it was ready; node-up mends
// that.
//   So does space that the cluster no longer has (lose_space), until it has it again.
// * `started` for an entry that has just become short still ends it: the start was on its way.
// * An entry planned anew waits for its old victims too, except those that cannot be removed.
// * Who takes over a hold takes over its unfinished victims with it and waits for them.
// * An entry may borrow what victims of others leave over. It waits for those victims as for its own, is
//   `short` where one cannot be removed or runs on, and lends nothing back once it has started.
// * On `entry_timeout` all victims already begun finish; on cancel and give-up only those past the point of
//   no return.
// * Several victims of one job in different entries are legal, the same task in two is not.
class Sequence {
 public:
  // Each is all or nothing; on refusal `why` says what is in the way and nothing has changed.
  // `cluster` null: every place is free.
  EntryId commit(CommitOrder order, Time now, std::string& why, const ClusterCheck* cluster = nullptr);
  bool extend(EntryId id, CommitOrder order, Time now, std::string& why,
              const ClusterCheck* cluster = nullptr);
  bool cancel(EntryId id, Time now, std::string& why);
  // For an entry that is `short`: nobody plans anew.
  bool give_up(EntryId id, Time now, std::string& why);

  void note(const PlanNote& note, Time now);
  // Names that are no longer in the model: as exited or cancelled, as node-down. Acted on by the next step.
  void jobs_gone(std::span<const std::string> jobs);
  void nodes_gone(std::span<const std::string> nodes);
  // The cluster no longer has the space of these entries' placements, or has it again. Those that lose it are
  // `short` at once.
  void lose_space(std::span<const EntryId> entries, Time now);
  // The requesters of these entries are not what was planned for any more: as cancelled, at once.
  void requesters_changed(std::span<const EntryId> entries, Time now);
  void regain_space(std::span<const EntryId> entries);
  // The cluster's latest edit; events are heard after it.
  void set_edit(std::uint32_t edit) { edit_ = edit; }

  // How many jobs' attempts are remembered, and forgetting those of the jobs that `gone` is true of.
  std::size_t known_names() const { return attempts_.size(); }
  void forget_jobs(const std::function<bool(std::string_view)>& gone);

  StepResult step(Time now, std::span<const Event> events) { return step(now, events, {}, nullptr); }
  // With events that the caller has found itself, before and after those that are answered, and entries to
  // look at though nothing is due there: those that may have room now, and those remembered for no reason
  // any more. `cluster` null: every place is free.
  struct Found {
    std::vector<Event> before;
    std::vector<Event> after;
    std::vector<EntryId> entries;
  };
  StepResult step(Time now, std::span<const Event> events, const Found& found, const ClusterCheck* cluster);
  // When a step is due next; kNoTime: when something happens. Ledger::kAtOnce: now.
  Time next_due() const;

  // ---- what planning asks -------------------------------------------------------------------------------
  const Ledger& ledger() const { return ledger_; }
  EntryId live_entry(std::string_view job) const { return ledger_.of_requester(job); }
  bool is_held(std::string_view job, std::string_view task) const {
    return ledger_.holder_of(job, task) != kNoEntry;
  }

  // Space that is kept for one requester: the places of its placement, and what its victims have given up
  // already, which may be more than the placement needs or less.
  struct Hold {
    EntryId entry = kNoEntry;
    EntryState state = EntryState::waiting;
    const CommitOrder* order = nullptr;
    std::span<const Place> placement;
    std::vector<const Place*> freed;
  };
  std::vector<Hold> holds() const;  // by entry; valid until the sequence changes
  // Grows whenever a victim that others may have counted on stays: its entry ended, or it cannot be removed.
  std::uint64_t stays() const { return stays_; }
  // The same, but only where there is such a victim.
  std::uint64_t left_behind() const { return left_behind_; }
  // Grows whenever an entry, a hold or a victim has changed.
  std::uint64_t revision() const { return revision_; }

  // The longest window that will be asked about; older records are dropped as new ones come.
  void set_storm_window(Duration window) { storm_length_ = window; }
  const StormWindow& storm() const { return storm_; }
  const CowMap<std::string, Time>& node_commits() const { return node_commits_; }
  Time last_commit_on(std::string_view node) const;  // of a plan with victims; kNoTime: none known
  Time last_attempt_of(std::string_view job) const;

  // When each job was first found below its fair share; kept here because it is saved with the rest.
  Time starving_since(std::string_view job) const;
  void set_starving_since(std::string_view job, Time since);  // kNoTime: not any more
  const CowMap<std::string, Time>& starving() const { return starving_; }

  Time now() const { return now_; }
  Metrics metrics() const;

 private:
  friend class StepRun;
  friend class SavedState;
  friend class SequenceUndo;

  std::string conflict(const CommitOrder& order, EntryId own) const;
  std::string loan_conflict(const CommitOrder& order, EntryId own) const;
  void take_holds(Entry& entry, const CommitOrder& order);
  void move_loans(Entry& from, Entry& to);
  void count(const CommitOrder& order);
  void count_plan(std::string_view requester, std::string_view profile, Outcome outcome, std::int64_t micros);
  bool end_early(EntryId id, EntryState how, Time now);
  Time advance_to(Time now);

  Ledger ledger_;
  StormWindow storm_;
  Duration storm_length_ = 10 * kMinute;
  MetricsCounter tally_;
  CowMap<std::string, Time> node_commits_;
  CowMap<std::string, Time> attempts_;
  CowMap<std::string, Time> starving_;
  std::vector<Event> inbox_;  // what became of the model since the last step
  EntryId last_entry_ = kNoEntry;
  ActionId last_action_ = kNoAction;
  Time now_ = kNoTime;
  std::uint64_t revision_ = 0;
  std::uint64_t stays_ = 0;
  std::uint64_t left_behind_ = 0;
  std::uint32_t edit_ = 0;  // not saved: numbers of edits are one engine's
};

}  // namespace cede
