// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/cow_map.h"
#include "base/undo.h"
#include "model/drafts.h"
#include "model/metrics.h"
#include "sequence/action.h"
#include "sequence/ledger.h"
#include "sequence/metrics_counter.h"
#include "sequence/storm_window.h"
#include "sequence/vanished_names.h"

namespace cede {

class StepRun;

// What a step needs to know about the cluster; the sequence itself does not know it.
class ClusterCheck {
 public:
  virtual ~ClusterCheck() = default;
  // Whether the entry's places are free now: no task in the model uses them, and no other requester was told
  // to start there. An entry without victims left waits until they are free.
  virtual bool has_room_now(const Entry& entry) const = 0;
  // Whether the model still shows tasks of the entry's victims that were reported gone. As long as it does,
  // the entry must be remembered, because only the entry shows that the space is free.
  virtual bool shows_gone_tasks(const Entry& entry) const = 0;
  // Whether the model shows a later run of the victim. Then the manager knows that the victim has left, and
  // an unanswered `requeue` or `gone` about the earlier run is not listed again.
  virtual bool runs_again(const Entry& entry, const Victim& victim) const = 0;
  // Whether the cluster already shows what the event says: a job or task that does not run, or runs; a node
  // that is down, or up. `vanished`: its job or node left the cluster.
  virtual bool confirms(const Event& event, bool vanished) const = 0;
};

struct StepResult {
  Time now = kNoTime;                // the time that the step used
  std::vector<Action> actions;       // by id
  std::vector<EventAnswer> answers;  // one per event
};

// A plan without a commit, or anything else that counts as an attempt.
struct PlanNote {
  std::string requester;  // empty: not a job
  std::string profile;
  Outcome outcome = Outcome::wait;
  std::int64_t plan_micros = -1;
};

// From plan to started job: a state machine over the ledger, without I/O. Everything is by name, because the
// ledger outlives every model. `now` never decreases: an earlier value counts as the last one.
//
// A step processes events first, in their order, and then each entry that is due. A manager reports a change
// of the cluster first and then the event about it. Such an event is never ignored, even if the change has
// already said everything. What happened to a job that is gone happened before it left, so its events come
// first. Commit, extend, cancel and changes of the model list no actions; the next step does.
//
// Copies are cheap and independent (see Ledger). A caller that must not change anything when memory runs out
// keeps an Undo.
//
// Choices where the specification leaves room:
// * If a requester starts before it is ready, or vanishes, its entry is cancelled. If a ready requester
//   exits, its start was missed. Claims end with claim-done. The sequence does not know which job starts on
//   claimed nodes, so the caller turns the start of a job of the claiming queue into claim-done.
// * If a node of the placement goes down, the entry becomes `short`, even if it was ready; node-up repairs
//   that. The same holds for space that the cluster no longer has (lose_space) until it is back.
// * `started` ends an entry that has just become short: the start was already under way.
// * An entry with a new plan also waits for its old victims, except those that cannot be removed.
// * An entry that takes over a hold also takes over its unfinished victims and waits for them.
// * An entry may borrow surplus room of other entries. It waits for their victims as for its own. It is
//   `short` if such a victim cannot be removed or keeps running. It returns nothing once it has started.
// * On `entry_timeout` all victims that have begun to leave finish. On cancel and give-up only those past the
//   point of no return do.
// * Several victims of one job in different entries are allowed, the same task in two entries is not.
class Sequence {
 public:
  // Each call is all or nothing. On refusal `why` tells the reason and nothing has changed. With `cluster`
  // null, every place counts as free.
  EntryId commit(CommitOrder order, Time now, std::string& why, const ClusterCheck* cluster = nullptr);
  bool extend(EntryId id, CommitOrder order, Time now, std::string& why,
              const ClusterCheck* cluster = nullptr);
  bool cancel(EntryId id, Time now, std::string& why);
  // For an entry that is `short`: no new plan follows.
  bool give_up(EntryId id, Time now, std::string& why);

  void note(const PlanNote& note, Time now);
  // Names that are missing in the new model. Jobs count as exited or cancelled, nodes as down. The next step
  // acts on it.
  void jobs_gone(std::span<const std::string> jobs);
  // Jobs and nodes that a change of the cluster removed, whether an entry knows them or not.
  void removed(const RemovedNames& names);
  const VanishedNames& vanished() const { return vanished_; }
  void nodes_gone(std::span<const std::string> nodes);
  // The cluster no longer has the space of these entries' placements, or has it again. An entry that loses it
  // becomes `short` at once.
  void lose_space(std::span<const EntryId> entries, Time now);
  // The requesters of these entries are no longer what was planned for. The entries are cancelled at once.
  void requesters_changed(std::span<const EntryId> entries, Time now);
  void regain_space(std::span<const EntryId> entries);
  // Which of the runs beside an entry's placement are still there.
  void keep_beside(EntryId entry, std::vector<UnnamedRun> runs);
  // The latest edit of the cluster; later events come after it.
  void set_edit(std::uint32_t edit) { edit_ = edit; }

  // The number of jobs with remembered attempts. forget_jobs() drops the jobs for which `gone` is true.
  std::size_t known_jobs() const { return attempts_.size(); }
  void forget_jobs(const std::function<bool(std::string_view)>& gone);
  // The same for nodes of earlier commits.
  void forget_nodes(const std::function<bool(std::string_view)>& gone);

  StepResult step(Time now, std::span<const Event> events) { return step(now, events, {}, nullptr); }
  // `before` and `after` are events that the caller found itself; they are processed before and after the
  // given ones. `entries` are handled although nothing is due: they may have room now, or need not be
  // remembered any more. With `cluster` null, every place counts as free.
  struct Found {
    std::vector<Event> before;
    std::vector<Event> after;
    std::vector<EntryId> entries;
  };
  StepResult step(Time now, std::span<const Event> events, const Found& found, const ClusterCheck* cluster);
  // When the next step is due. kNoTime: on the next event. Ledger::kAtOnce: now.
  Time next_due() const;

  // ---- for planning -------------------------------------------------------------------------------------
  const Ledger& ledger() const { return ledger_; }
  EntryId live_entry(std::string_view job) const { return ledger_.of_requester(job); }
  bool is_held(std::string_view job, std::string_view task) const {
    return ledger_.holder_of(job, task) != kNoEntry;
  }

  // Space that is kept for one requester: its placement, and what its victims have already freed. The freed
  // space may be more or less than the placement needs.
  struct Hold {
    EntryId entry = kNoEntry;
    EntryState state = EntryState::waiting;
    const CommitOrder* order = nullptr;
    std::span<const Place> placement;
    std::vector<const Place*> freed;
  };
  std::vector<Hold> holds() const;  // by entry; valid until the sequence changes
  // Increases when an entry ends or a victim cannot be removed. Then a victim that other entries count on may
  // stay.
  std::uint64_t stays() const { return stays_; }
  // The same, but only if there is such a victim.
  std::uint64_t left_behind() const { return left_behind_; }
  // Increases with every change of an entry, a hold or a victim.
  std::uint64_t revision() const { return revision_; }

  // The longest window in use. Older records are dropped when new ones are added.
  void set_storm_window(Duration window) { storm_length_ = window; }
  const StormWindow& storm() const { return storm_; }
  const CowMap<std::string, Time>& node_commits() const { return node_commits_; }
  Time last_attempt_of(std::string_view job) const;

  // When each job was first found below its fair share. Kept here because it is saved with the rest.
  void set_starving_since(std::string_view job, Time since);  // kNoTime: no longer starving
  const CowMap<std::string, Time>& starving() const { return starving_; }
  void set_overcommitted_since(std::string_view node, Time since);  // kNoTime: within its capacity again
  const CowMap<std::string, Time>& overcommitted() const { return overcommitted_; }

  Time now() const { return now_; }
  Metrics metrics() const;

  // Visits every member, for Undo.
  template <class Visit>
  void each_part(Visit visit) {
    visit(ledger_, storm_, storm_length_, tally_, node_commits_, attempts_, starving_, overcommitted_,
          inbox_);
    visit(vanished_, last_entry_, last_action_, now_, revision_, stays_, left_behind_, edit_);
  }

 private:
  friend class StepRun;
  friend class SavedState;

  std::string conflict(const CommitOrder& order, EntryId own) const;
  std::string borrowed_room_conflict(const CommitOrder& order, EntryId own) const;
  void take_holds(Entry& entry, const CommitOrder& order);
  void move_borrowed_rooms(Entry& from, Entry& to);
  void count(const CommitOrder& order);
  void keep_for_next_step(Event event);
  void count_plan(std::string_view requester, std::string_view profile, Outcome outcome, std::int64_t micros);
  bool end_early(EntryId id, EntryState how, Time now);
  Time advance_to(Time now);
  bool is_confirmed(const Event& event, const ClusterCheck* cluster) const;
  // Returns which of the events it handled.
  std::vector<bool> take_inbox(StepRun& step_run, std::span<const Event> events,
                               std::vector<EventAnswer>& answers);

  Ledger ledger_;
  StormWindow storm_;
  Duration storm_length_ = 10 * kMinute;
  MetricsCounter tally_;
  CowMap<std::string, Time> node_commits_;
  CowMap<std::string, Time> attempts_;
  CowMap<std::string, Time> starving_;
  CowMap<std::string, Time> overcommitted_;  // by node
  std::vector<Event> inbox_;                 // changes of the model since the last step
  VanishedNames vanished_;
  EntryId last_entry_ = kNoEntry;
  ActionId last_action_ = kNoAction;
  Time now_ = kNoTime;
  std::uint64_t revision_ = 0;
  std::uint64_t stays_ = 0;
  std::uint64_t left_behind_ = 0;
  std::uint32_t edit_ = 0;  // not saved: edit numbers belong to one engine
};

extern template class Undo<Sequence>;

}  // namespace cede
