// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
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
#include "engine/options.h"
#include "engine/project_cluster.h"
#include "engine/registries.h"
#include "model/model.h"
#include "model/plan.h"
#include "policy/admit.h"
#include "policy/settings/policy.h"
#include "search/group_index.h"
#include "sequence/sequence.h"

namespace cede {

class Book;
struct BookEntry;

struct Query;

enum class LogLevel : std::int32_t { debug, info, warning };

// What a document says it is.
enum class DocumentKind : std::int32_t { unknown = 0, cluster = 1, changes = 2, policy = 3 };

// One cluster under one policy. Copying an engine copies pointers only (see Model); a copy has no log.
class Engine {
 public:
  using Log = void (*)(void* context, std::int32_t level, const char* text);

  explicit Engine(Options options);
  Engine(const Engine& other);
  Engine& operator=(const Engine&) = delete;

  // Each is all or nothing: with an error among the problems, nothing has changed. True when it was done.
  bool load(std::string_view text, Problems& problems);
  bool apply(std::string_view text, Problems& problems);
  bool set_policy(std::string_view text, Problems& problems);

  // The typed door: numbers for names and parts, then one edit per call. take() checks what was put into it
  // as apply() does and is all or nothing too.
  const NameRegistry& names() const { return names_; }
  std::uint32_t name(std::string_view text) { return names_.add(model_.job_names, text); }
  // All, or none where one is no name; then it is told which.
  std::size_t name_all(const TextList& texts, std::uint32_t* numbers);
  std::uint32_t find_name(std::string_view text) const { return names_.find(model_.job_names, text); }
  std::string_view name_text(std::uint32_t number) const { return names_.text(model_.job_names, number); }
  PartRegistry& parts() { return parts_; }
  // Gives numbers back, of names and of parts. The first that is nobody's is a problem, and none is given
  // back.
  bool forget(std::span<const std::uint32_t> numbers, Problems& problems);
  ArrayEdit edit_arrays(Problems& problems) {
    model_.edits = last_edit();
    return ArrayEdit(model_, names_, parts_, options_.limits, problems);
  }
  // Who may help with a large array.
  WorkerPool* workers() const { return workers_.get(); }
  bool take(ArrayEdit& arrays);
  const Model& model() const { return model_; }

  // Everything wrong or odd about a document as it would be taken now, or about what is loaded.
  void check(std::string_view text, Problems& problems) const;
  void check_loaded(Problems& problems) const;

  // Plans for one waiting job; `terms` are protect=JOB, avoid=NODE, only=NODE and, of relief, partial. A name
  // nobody knows, or a question that makes no sense, is a problem and no plan.
  std::optional<Plan> plan(std::string_view job, Time now, const std::vector<std::string>& terms,
                           Problems& problems) const;
  // The same for a job that comes after some entries: what their victims leave over is free for it where idle
  // space does not do. The plan names in `after` those it counts on.
  std::optional<Plan> plan_after(std::span<const EntryId> before, std::string_view job, Time now,
                                 const std::vector<std::string>& terms, Problems& problems) const;
  // Relief of `node:N`, `queue:Q` or `job:J`; a queue with jobs in several groups needs one named.
  std::optional<Plan> plan_relief(std::string_view target, std::string_view group, Time now,
                                  const std::vector<std::string>& terms, Problems& problems) const;
  // A claim of a queue on nodes, for `reclaim` or `sensitive`.
  std::optional<Plan> plan_claim(std::string_view queue, const std::vector<std::string>& nodes,
                                 std::string_view reason, Time now, const std::vector<std::string>& terms,
                                 Problems& problems) const;
  // Whether the job is taken as it was submitted: as it is loaded or, with changes, as it would be once they
  // were applied. The engine stays as it is.
  std::optional<AdmissionAnswer> admit(std::string_view job, std::optional<std::string_view> changes,
                                       Problems& problems) const;
  // Fair shares of one group or, without, of all whose profile is fair-share, as a document. They are as of
  // the last change; `now` decides who starves.
  std::optional<std::string> shares(std::optional<std::string_view> group, Time now,
                                    Problems& problems) const;
  std::shared_ptr<const PolicySet> policies() const { return policies_; }

  // ---- from plan to started job (sequence.md) ----
  // Each is all or nothing. `now` may be kNoTime: the latest moment known. How long planning took counts in
  // the metrics; -1: not measured.

  // Writes the plan into the ledger if it still holds: the new entry, or kNoEntry and a problem (`stale`
  // where the cluster has moved away from it).
  EntryId commit(const Plan& plan, const PolicySet& made_under, Time now, std::int64_t plan_micros,
                 Problems& problems);
  // Gives an entry that is short a new plan for the same requester.
  bool extend(EntryId entry, const Plan& plan, const PolicySet& made_under, Time now,
              std::int64_t plan_micros, Problems& problems);
  // The operator's way out; of an entry that is short also that nobody plans anew.
  bool cancel(EntryId entry, Time now, Problems& problems);
  bool give_up(EntryId entry, Time now, Problems& problems);
  // Counts a plan that led to nothing: an attempt of its requester.
  void note(const Plan& plan, Time now, std::int64_t plan_micros);
  StepResult step(Time now, std::span<const Event> events);
  const Sequence& sequence() const { return sequence_; }
  std::string save_state() const;
  std::string metrics_text() const;
  bool restore_state(std::string_view bytes, Problems& problems);

  // What was promised twice, can last for ever or leads nowhere, counted independently of everything that
  // plans and commits; empty when nothing. With the option `audit` every change is followed by it.
  std::string audit() const;

  std::string export_cluster() const;
  std::uint64_t revision() const { return revision_; }
  const Options& options() const { return options_; }
  Problems new_problems() const { return Problems(static_cast<std::size_t>(options_.limits.max_findings)); }
  void set_log(Log log, void* context);

 private:
  Plan decide_on(Query query, std::span<const EntryId> before = {}) const;
  Query completed(Query query) const;
  // What planning goes by: shared by all plans made until the next change.
  std::shared_ptr<const ProjectedCluster> outlook_of(const Query& query) const;
  // Takes over a new state in two steps: the first may fail and changes nothing, the second cannot.
  enum class Clock { keep, look };
  struct Next {
    std::shared_ptr<const ProjectedCluster> projection;
    std::optional<std::map<std::string, Time>> clocks;  // nothing: as they are
  };
  Next look(const Model& model, const PolicySet* policies, Clock clock) const;
  bool keeps_clocks(const Model& model, const PolicySet& policies) const;
  void adopt(Next next) noexcept;
  // Of model and sequence as they are, made when somebody asks: most states of a busy cluster are never
  // planned on. Stays until the next change.
  std::shared_ptr<const ProjectedCluster> projection() const;
  // The model as planning sees it.
  const Model& ahead() const { return *projection()->model; }
  // Whether nothing has changed since the plan was made.
  bool is_of_now(const Plan& plan) const;
  // What the next edit's number follows: never given twice, not to copies either, because it marks rows.
  std::uint32_t last_edit() const { return edits_->fetch_add(1); }
  // The sequence is changed in place; whoever calls this keeps an undo of it.
  void tell_sequence(const Model& next);
  void tell_lost_space(const Model& next);
  enum class Look : std::uint8_t { before_step, in_step };
  void tell_lost_limits(Look when, Time now);
  // Whether limits let the requester start at this moment, when victims of others may still be there.
  // `here`: the entries around it; `before`: what planning saw before the step, where that is known.
  bool limits_allow_now(const Book& here, const BookEntry& entry, const ProjectedCluster* before) const;
  bool any_space_lost() const;
  // Throws where an audit is wanted and finds something; to be called while the change can still be taken
  // back.
  void audit_change(const Model& next, const PolicySet* policies) const;
  std::string audit_usage() const;
  Time moment(Time now) const;
  // The entries that a plan comes after, or nothing and why; `own` is the entry it extends.
  std::optional<std::vector<EntryId>> entries_before(const Plan& plan, EntryId own, std::string& why) const;
  std::optional<CommitOrder> order_of(const Plan& plan, const PolicySet& made_under, EntryId own, Time now,
                                      std::int64_t plan_micros, Problems& problems) const;
  std::optional<Plan> rebased(const Plan& plan, EntryId own, Time now, std::string& why) const;
  EntryId short_entry_of(const Plan& plan) const;
  std::vector<Event> claims_done() const;
  std::vector<Event> unsaid_events() const;
  std::vector<EntryId> entries_to_look_at() const;
  // When each job was first found below its fair share, after a look at this outlook; they become part of
  // it.
  using Clocks = std::map<std::string, Time>;
  Clocks look_at_clocks(ProjectedCluster& projection, const PolicySet& policies) const;
  void remember_clocks(ProjectedCluster& projection) const;
  std::optional<Model> read_cluster_text(std::string_view text, Problems& problems) const;
  InternTable names_of_caller() const;
  std::optional<Model> read_changes_text(std::string_view text, Problems& problems) const;
  bool read_changes_into(Model& model, std::string_view text, Problems& problems) const;
  // The end of any change to a cluster: what the model and the policy have to say about it. Groups and queues
  // stand under the prefix in paths.
  bool finish_changes(ModelEdit& edit, const Path& prefix, Problems& problems) const;
  void keep(Undo& undo);
  // Empty where nobody listens.
  std::string summary(std::string_view what, const Model& model) const;
  std::shared_ptr<const PolicySet> read_policy_text(std::string_view text, Problems& problems) const;
  void say(LogLevel level, const std::string& text) const;

  Options options_;
  Model model_;
  NameRegistry names_;
  PartRegistry parts_;
  std::shared_ptr<const PolicySet> policies_;  // null: none was given
  std::uint64_t revision_ = 0;
  Sequence sequence_;
  // The model's last edit when a step looked for victims that left without a word; nothing where some have
  // been added since.
  std::optional<std::uint32_t> searched_at_;
  mutable std::mutex outlook_mutex_;
  mutable std::shared_ptr<const ProjectedCluster>
      projection_;                         // null: nobody has asked since the last change
  Clocks below_since_;                     // by job
  mutable GroupIndexCache group_indexes_;  // what decisions start from
  std::shared_ptr<WorkerPool> workers_;    // shared with copies, as are the two beside it
  std::shared_ptr<std::atomic<std::uint32_t>> edits_;
  Log log_ = nullptr;
  void* log_context_ = nullptr;
};

// A plan as its document, plain or explained; its objective alone; the label of a task in it; what is wrong
// with it.
std::string plan_document(const Plan& plan, bool explained);
std::string plan_objective(const Plan& plan);
std::string plan_task_label(const Plan& plan, TaskId row, std::uint32_t index);
std::string plan_fault(const Plan& plan, const PolicySet& policies);

std::string admission_document(const AdmissionAnswer& answer);

// The kind a text claims to be; unknown and a problem where it is no JSON object or of no known format.
DocumentKind document_kind(std::string_view text, const Limits& limits, Problems& problems);

}  // namespace cede
