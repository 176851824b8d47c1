// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/problem.h"
#include "base/worker_pool.h"
#include "engine/array_edit.h"
#include "engine/history.h"
#include "engine/ledger_names.h"
#include "engine/project_cluster.h"
#include "engine/registries.h"
#include "model/limits.h"
#include "model/model.h"
#include "model/plan.h"
#include "policy/admit.h"
#include "policy/settings/policy.h"
#include "report/picture.h"
#include "search/group_index.h"
#include "sequence/sequence.h"

namespace cede {

struct Options {
  Limits limits;
  std::uint64_t threads = 0;  // 0: as many as TBB allows
  std::uint64_t audit = 0;    // 1: audit after every change
};

// One row of the list behind cede_option_count() and its related calls.
struct OptionSpec {
  const char* name;
  const char* fallback;
  const char* help;
  std::uint64_t min;
  std::uint64_t max;
  std::uint64_t& (*in)(Options&);
};

std::span<const OptionSpec> option_specs();

// Sets an option from `name=value`. On failure `why` has the reason; the status is `unknown` for an unknown
// name and `invalid` otherwise.
Status set_option(Options& options, std::string_view text, std::string& why);

class Book;
struct BookEntry;

struct Query;

enum class LogLevel : std::int32_t { debug, info, warning };

// The kind that a document declares.
enum class DocumentKind : std::int32_t { unknown = 0, cluster = 1, changes = 2, policy = 3 };

// One cluster under one policy. A copy of an engine shares its data (see Model) and has no log.
class Engine {
 public:
  using Log = void (*)(void* context, std::int32_t level, const char* text);

  explicit Engine(Options options);
  Engine(const Engine& other);
  Engine& operator=(const Engine&) = delete;

  // Each call is all or nothing: after an error nothing has changed. Returns true on success.
  bool load(std::string_view text, Problems& problems);
  bool apply(std::string_view text, Problems& problems);
  bool set_policy(std::string_view text, Problems& problems);

  // The array interface: numbers for names and parts, then one edit per call. take() makes the same checks as
  // apply() and is all or nothing too.
  const NameRegistry& names() const { return names_; }
  std::uint32_t name(std::string_view text) { return names_.add(model_.job_names, text); }
  // Numbers for all texts. If any text is not a name, none is assigned and the result is the index of the
  // first such text.
  std::size_t name_all(const TextList& texts, std::uint32_t* numbers);
  // Of any name that has a number, also if no caller asked for it.
  std::uint32_t find_name(std::string_view text) const { return number_of(model_.job_names, text); }
  std::string_view name_text(std::uint32_t number) const { return text_of(model_.job_names, number); }
  PartRegistry& parts() { return parts_; }
  // Releases the numbers of names and parts. If any number is not assigned, this is a problem and none is
  // released.
  bool forget(std::span<const std::uint32_t> numbers, Problems& problems);
  ArrayEdit edit_arrays(Problems& problems) {
    model_.edits = last_edit();
    return ArrayEdit(model_, names_, parts_, options_.limits, problems);
  }
  // The threads for large arrays.
  WorkerPool* workers() const { return workers_.get(); }
  bool take(ArrayEdit& arrays);
  const Model& model() const { return model_; }

  // Finds everything wrong or odd about a document if it were taken now, or about the loaded cluster.
  void check(std::string_view text, Problems& problems) const;
  void check_loaded(Problems& problems) const;

  // Plans for one waiting job. `terms` are protect=JOB, avoid=NODE, only=NODE and, for relief only, partial.
  // An unknown name or an invalid query is a problem and gives no plan.
  std::optional<Plan> plan(std::string_view job, Time now, const std::vector<std::string>& terms,
                           Problems& problems) const;
  // The same for a job that comes after some entries. If idle space is not enough, the plan may use the
  // surplus room of these entries. Its `after` names the requesters of the entries it counts on.
  std::optional<Plan> plan_after(std::span<const EntryId> before, std::string_view job, Time now,
                                 const std::vector<std::string>& terms, Problems& problems) const;
  // Relief of `node:N`, `queue:Q` or `job:J`. A queue with jobs in several groups needs a named group.
  std::optional<Plan> plan_relief(std::string_view target, std::string_view group, Time now,
                                  const std::vector<std::string>& terms, Problems& problems) const;
  // A claim of a queue on nodes, with the reason `reclaim` or `sensitive`.
  std::optional<Plan> plan_claim(std::string_view queue, const std::vector<std::string>& nodes,
                                 std::string_view reason, Time now, const std::vector<std::string>& terms,
                                 Problems& problems) const;
  // Whether the job is admitted as it is loaded or, with changes, as it would be after them. The engine does
  // not change.
  std::optional<AdmissionAnswer> admit(std::string_view job, std::optional<std::string_view> changes,
                                       Problems& problems) const;
  // The fair shares of one group, or of all groups with the profile fair-share, as a document. The shares are
  // those of the last change; `now` decides which jobs starve.
  std::optional<std::string> shares(std::optional<std::string_view> group, Time now,
                                    Problems& problems) const;
  std::shared_ptr<const PolicySet> policies() const { return policies_; }

  // ---- from plan to started job ----
  // Each call is all or nothing. `now` may be kNoTime for the latest known time. `plan_micros` is how long
  // planning took, for the metrics; -1: not measured.

  // Writes the plan into the ledger if it still holds. Returns the new entry, or kNoEntry with a problem
  // (`stale` if the cluster has changed too much for the plan).
  EntryId commit(const Plan& plan, const PolicySet& made_under, Time now, std::int64_t plan_micros,
                 Problems& problems);
  // Gives an entry that is short of space a new plan for the same requester.
  bool extend(EntryId entry, const Plan& plan, const PolicySet& made_under, Time now,
              std::int64_t plan_micros, Problems& problems);
  // cancel() ends an entry on the operator's order. give_up() says that no new plan follows for an entry that
  // is short of space.
  bool cancel(EntryId entry, Time now, Problems& problems);
  bool give_up(EntryId entry, Time now, Problems& problems);
  // Counts a plan that was not committed as an attempt of its requester.
  void note(const Plan& plan, Time now, std::int64_t plan_micros);
  // `look_at` sees the result while the step can still be taken back.
  StepResult step(Time now, std::span<const Event> events,
                  const std::function<void(const StepResult&)>& look_at = {});
  const Sequence& sequence() const { return sequence_; }
  std::string save_state() const;
  std::string metrics_text() const;
  bool restore_state(std::string_view bytes, Problems& problems);

  // Finds anything that is promised twice, can last for ever or leads nowhere. It shares no counts with
  // planning and commits. Empty if nothing is wrong. With the option `audit` it runs after every change.
  std::string audit() const;

  std::string export_cluster() const;
  std::uint64_t revision() const { return revision_; }
  const Options& options() const { return options_; }
  Problems new_problems() const { return Problems(static_cast<std::size_t>(options_.limits.max_findings)); }
  void set_log(Log log, void* context);

 private:
  Plan decide_on(Query query, std::span<const EntryId> before = {}) const;
  Query completed(Query query) const;
  // The projected cluster for one query. All plans share it until the next change, except those for an entry
  // that is short of space.
  std::shared_ptr<const ProjectedCluster> projection_of(const Query& query) const;
  // The same for an entry that is planned again: its own hold is free.
  std::shared_ptr<const ProjectedCluster> projection_for(EntryId own) const;
  // A new state is adopted in two steps: look() may fail and changes nothing; adopt() cannot fail. A state
  // that was adopted without a look, such as one under another policy, is looked at by the next step.
  struct Next {
    std::shared_ptr<const ProjectedCluster> projection;
    std::optional<Clocks> clocks;         // no value: unchanged
    std::optional<Clocks> overcommitted;  // likewise
    bool looked = false;
  };
  Next look(const Model& model, const PolicySet* policies) const;
  // The time of a change to this model: the latest that the engine was told.
  Time moment_of(const Model& model) const { return std::max(model.now, sequence_.now()); }
  void adopt(Next next) noexcept;
  // Adopts a state in which only the ledger has changed, by a commit.
  void adopt_commit() noexcept;
  // The projected cluster of the current model and sequence. It is made on demand, because most states of a
  // busy cluster are never planned on, and kept until the next change.
  std::shared_ptr<const ProjectedCluster> projection() const;
  ProjectedCluster follow_ledger() const;
  // The model of the projected cluster.
  const Model& projected_model() const { return *projection()->model; }
  // Whether nothing has changed since the plan was made.
  bool is_of_now(const Plan& plan) const;
  // The number before that of the next edit. Edit numbers are unique across all copies of an engine, because
  // they mark rows.
  std::uint32_t last_edit() const { return edits_->fetch_add(1); }
  // Changes the sequence in place; the caller keeps an undo of it.
  // Both return the book of the new state if they wrote it and it still holds, else null.
  std::shared_ptr<const Book> tell_sequence(const Model& next, const RemovedNames& removed);
  std::shared_ptr<const Book> tell_lost_space(const Model& next);
  enum class Look : std::uint8_t { before_step, in_step };
  void tell_lost_limits(Look when, Time now, const Book& book);
  // Whether limits allow the requester to start now, while victims of other entries may still be there.
  // `here` has the entries on the same nodes. `before` is the projected cluster before the step, if it is
  // known.
  bool limits_allow_now(const Book& here, const BookEntry& entry, const ProjectedCluster* before) const;
  bool any_space_lost() const;
  bool any_unnamed_hold() const;
  // If the option `audit` is set and finds a fault, throws. Call it while the change can still be reverted.
  void audit_change(const Model& next, const PolicySet* policies) const;
  std::string audit_usage() const;
  Time moment(Time now) const;
  // The entries that a plan comes after, or nothing with `why`. `own` is the entry that the plan extends.
  std::optional<std::vector<EntryId>> entries_before(const Plan& plan, EntryId own, std::string& why) const;
  std::optional<CommitOrder> order_of(const Plan& plan, const PolicySet& made_under, EntryId own, Time now,
                                      std::int64_t plan_micros, Problems& problems) const;
  std::optional<Plan> rebased(const Plan& plan, EntryId own, Time now, std::string& why) const;
  EntryId short_entry_of(const Plan& plan) const;
  std::vector<Event> claims_done() const;
  std::vector<Event> unreported_events(const Book& book) const;
  std::vector<EntryId> entries_to_look_at() const;
  std::optional<Model> read_cluster_text(std::string_view text, Problems& problems) const;
  InternTable names_of_caller() const;
  std::optional<Model> read_changes_text(std::string_view text, Problems& problems) const;
  bool read_changes_into(Model& model, std::string_view text, Problems& problems,
                         RemovedNames& removed) const;
  // Ends any change of the cluster: runs the checks of the model and the policy. Paths of groups and queues
  // start with the prefix.
  bool finish_changes(ModelEdit& edit, const Path& prefix, Problems& problems) const;
  void keep(Undo<Model>& undo, const RemovedNames& removed);
  // The numbers of what the ledger names, brought up to date apart from the engine: making them may fail,
  // adopting them cannot.
  struct NumbersOfLedger {
    InternTable names;
    LedgerNames held;
  };
  NumbersOfLedger numbers_with(EntryId entry) const;
  std::optional<NumbersOfLedger> numbers_without_ended() const;
  void adopt(std::optional<NumbersOfLedger> numbers) noexcept;
  using EntryEnd = bool (Sequence::*)(EntryId, Time, std::string&);
  bool end_entry(EntryEnd how, EntryId entry, Time now, Problems& problems);
  // Empty if there is no log.
  std::string summary(std::string_view what, const Model& model) const;
  std::shared_ptr<const PolicySet> read_policy_text(std::string_view text, Problems& problems) const;
  void say(LogLevel level, const std::string& text) const;

  Options options_;
  Model model_;
  NameRegistry names_;
  PartRegistry parts_;
  LedgerNames ledger_names_;
  std::shared_ptr<const PolicySet> policies_;  // null: no policy was given
  std::uint64_t revision_ = 0;
  Sequence sequence_;
  // The model's last edit when a step searched for victims that left without a report. No value if it must be
  // searched again. A commit changes nothing here: its victims are there.
  std::optional<std::uint32_t> searched_at_;
  // The book as the last change of the cluster left it, for the step that follows. Null: unknown.
  std::shared_ptr<const Book> book_;
  mutable std::mutex projection_mutex_;
  mutable std::shared_ptr<const ProjectedCluster> projection_;  // null: not needed since the last change
  // Made the projected cluster, and can follow commits. Null: it must be made anew.
  mutable std::unique_ptr<ClusterProjector> projector_;
  Clocks below_since_;                     // by job
  Clocks overcommitted_since_;             // by node
  bool looked_ = false;                    // whether both belong to the present state
  mutable GroupIndexCache group_indexes_;  // the starting points of decisions
  std::shared_ptr<WorkerPool> workers_;    // shared with copies, like group_indexes_ and edits_
  std::shared_ptr<std::atomic<std::uint32_t>> edits_;
  Log log_ = nullptr;
  void* log_context_ = nullptr;
};

// The document of a plan, plain or explained; its objective; the label of a task in it; the fault that
// verification finds.
std::string plan_document(const Plan& plan, bool explained);
std::string plan_objective(const Plan& plan);
std::string plan_picture(const Plan& plan, PictureForm form);
std::string plan_task_label(const Plan& plan, TaskId row, std::uint32_t index);
std::string plan_fault(const Plan& plan, const PolicySet& policies);

std::string admission_document(const AdmissionAnswer& answer);

// The kind that a text declares. Unknown, with a problem if the text is not a JSON object with a format.
DocumentKind document_kind(std::string_view text, const Limits& limits, Problems& problems);

}  // namespace cede
