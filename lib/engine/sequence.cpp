// SPDX-License-Identifier: MIT
// From a plan to a started job: how the engine keeps the ledger and the model in line.
#include "sequence/sequence.h"

#include <algorithm>
#include <functional>
#include <set>
#include <stdexcept>
#include <utility>

#include "base/text.h"
#include "engine/audit.h"
#include "engine/book_writer.h"
#include "engine/borrow_room.h"
#include "engine/commit_order.h"
#include "engine/engine.h"
#include "engine/plan.h"
#include "engine/project_cluster.h"
#include "report/metrics_text.h"
#include "search/decide.h"
#include "sequence/save.h"
#include "verify/verify.h"

namespace cede {

namespace {

// Compares the queue usage and the fair shares that planning maintains with a count over all jobs. Commits
// rely on them.
std::string usage_fault(const EffectiveSettings& effective, GroupId group, const GroupIndex& group_index) {
  const KeptUsage kept(group_index);
  std::string found = CountedUsage(effective, group).difference(effective.model(), kept);
  if (!found.empty() || !kept.fair_shares()) return found;
  const InFlight none;
  const FairFacts counted(effective, group, none, 0, nullptr);
  return counted.difference(FairFacts(effective, group, none, 0, kept.fair_shares()));
}

// Answers for the cluster during a step, when some events are processed and others are not.
class RoomInCluster : public ClusterCheck {
 public:
  // `limits`: whether limits allow the entry to start. Not given if the plan was just verified.
  using Limits = std::function<bool(const Book&, const BookEntry&)>;
  RoomInCluster(const Model& model, const Ledger& ledger, Limits limits = {})
      : model_(model), ledger_(ledger), limits_(std::move(limits)) {}

  bool has_room_now(const Entry& entry) const override {
    std::vector<EntryId> ids{entry.id};
    const std::string* last = nullptr;
    for (const Place& place : entry.placement()) {
      if (last && *last == place.node) continue;
      last = &place.node;
      const std::vector<EntryId> here = ledger_.on_node(place.node);
      ids.insert(ids.end(), here.begin(), here.end());
    }
    std::sort(ids.begin(), ids.end());
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    const Book book = write_book(model_, ledger_, ids);
    const BookEntry& view = *book.find(entry.id);
    return book.has_room_now(view) && (!limits_ || !book.is_limited(view) || limits_(book, view));
  }

  bool shows_gone_tasks(const Entry& entry) const override { return cede::shows_gone_tasks(model_, entry); }

  bool runs_again(const Entry& entry, const Victim& victim) const override {
    return cede::runs_again(model_, entry, victim);
  }

  bool confirms(const Event& event, bool vanished) const override {
    switch (event.kind) {
      case EventKind::released:
      case EventKind::exited:
      case EventKind::cancelled: {
        const JobId job = model_.find_job(event.job);
        return job ? !runs(job, event.task) : vanished;
      }
      case EventKind::started: {
        const JobId job = model_.find_job(event.job);
        return job && runs(job, {});
      }
      case EventKind::node_down:
      case EventKind::node_up: {
        const NodeId node = model_.find_node(event.node);
        const bool down = event.kind == EventKind::node_down;
        return node ? (model_.nodes[node].state == NodeState::down) == down : down && vanished;
      }
      default: return false;
    }
  }

 private:
  // Whether the task, or any task of the job, is on a node.
  bool runs(JobId job, std::string_view task) const {
    const JobCore& core = model_.jobs[job];
    for (std::uint32_t k = 0; k < core.task_rows; ++k) {
      const TaskId row{core.first_task.value + k};
      if (model_.tasks.core(row).node && (task.empty() || task_label(model_, row, 0) == task)) return true;
    }
    return false;
  }

  const Model& model_;
  const Ledger& ledger_;
  const Limits limits_;
};

// The start action lists only the tasks that do not run on their nodes yet.
void leave_out_running(const Model& model, Action& action) {
  const JobId job = model.find_job(action.job);
  std::erase_if(action.placement, [&](const Place& place) {
    const TaskId row = job ? model.find_task(job, place.task).row : TaskId{};
    const NodeId node = row ? model.tasks.core(row).node : NodeId{};
    return node && model.name(model.nodes[node].name) == place.node;
  });
}

// Whether the plan, or another with one of its victims or for the same job, was committed before; in words.
// `own`: the entry that the plan extends.
std::string committed_before(const Plan& plan, const Sequence& sequence, EntryId own) {
  const Model& model = plan.model();
  const Ledger& ledger = sequence.ledger();
  const bool for_job = plan.subject.purpose == Purpose::job;
  const EntryId entry_of_job = for_job ? sequence.live_entry(model.job_name(plan.subject.job)) : kNoEntry;
  for (const PlannedVictim& victim : plan.victims) {
    for (const TaskId task : victim.tasks) {
      if (victim.hold != 0) continue;
      const EntryId entry = ledger.holder_of(model.job_name(victim.job), task_label(model, task, 0));
      if (entry == kNoEntry || entry == own) continue;
      const std::string number = "entry " + std::to_string(entry);
      if (entry == entry_of_job) return "its victims are already on their way out for " + number;
      return "job " + quote(model.job_name(victim.job)) + " is already on its way out for " + number;
    }
  }
  if (entry_of_job == kNoEntry || entry_of_job == own) return {};
  return "entry " + std::to_string(entry_of_job) + " for job " + quote(model.job_name(plan.subject.job)) +
         " is not finished";
}

Query query_of(const Plan& plan, Time now) {
  const Subject& subject = plan.subject;
  Query query;
  query.purpose = subject.purpose;
  query.job = subject.job;
  query.node = subject.node;
  query.queue = subject.queue;
  query.group = subject.group;
  query.claimed = subject.claimed;
  query.partial = plan.partial;
  query.protect = plan.protect;
  query.avoid = plan.avoid;
  query.now = now;
  query.triggers_only = true;
  return query;
}

}  // namespace

Time Engine::moment(Time now) const { return std::max({now, model_.now, sequence_.now()}); }

std::optional<std::vector<EntryId>> Engine::entries_before(const Plan& plan, EntryId own,
                                                           std::string& why) const {
  std::vector<EntryId> entries;
  const Entry* extended = sequence_.ledger().find(own);
  const std::vector<BorrowedRoom> known = extended ? extended->borrowed_rooms : std::vector<BorrowedRoom>{};
  for (const JobId job : plan.after) {
    const std::string name(plan.model().job_name(job));
    const std::size_t found = entries.size();
    if (const EntryId live = sequence_.live_entry(name); live != kNoEntry) entries.push_back(live);
    // An entry that is planned again may still wait for victims of an entry that has ended, also if the
    // requester of that one has another entry now.
    for (const BorrowedRoom& borrowed_room : known) {
      const Entry* lender = sequence_.ledger().find(borrowed_room.from);
      if (lender && lender->requester().name == name) entries.push_back(borrowed_room.from);
    }
    if (entries.size() == found) {
      why = "it counts on the victims of " + quote(name) + ", for which nothing is in progress";
      return std::nullopt;
    }
  }
  return entries;
}

// The plan as an order, if it is sound on the current cluster. It is always verified, whatever happened since
// it was made. If anything has changed, this also checks that the answer is still the same. Plans of a batch
// are exempt from that, because they were made as if the earlier ones were committed.
std::optional<CommitOrder> Engine::order_of(const Plan& plan, const PolicySet& made_under, EntryId own,
                                            Time now, std::int64_t plan_micros, Problems& problems) const {
  const auto fail = [&](std::string text, Status status) {
    problems.error({}, std::move(text), status);
    return std::nullopt;
  };
  if (plan.outcome != Outcome::fits && plan.outcome != Outcome::preempt) {
    return fail("the plan's outcome is " + quote(to_word(plan.outcome, kOutcomes)) +
                    "; only fits and preempt can be committed",
                Status::invalid);
  }
  if (plan.outcome == Outcome::fits && plan.subject.is_relief())
    return fail("there is nothing to relieve; no job has to be preempted", Status::invalid);
  if (!policies_) return fail("the plan is stale: the engine has no policy any more", Status::stale);
  const bool is_current = is_of_now(plan) && &made_under == policies_.get();
  std::optional<Plan> moved;
  if (!is_current) {
    std::string why = committed_before(plan, sequence_, own);
    if (!why.empty()) return fail("the plan is stale: " + why, Status::stale);
    moved = rebased(plan, own, now, why);
    if (!moved) return fail("the plan is stale: " + why, Status::stale);
  }
  const Plan& current = is_current ? plan : *moved;
  const Policy* policy =
      policy_of(current.model(), current.model().groups[current.subject.group], *policies_);
  if (!policy || policy->name != plan.policy)
    return fail("the plan is stale: its group has another policy", Status::stale);
  const std::shared_ptr<const GroupIndex> group_index = group_indexes_.of(
      current.snapshot, policies_, *policy, current.subject.group, *current.in_flight, workers_.get());
  if (options_.audit != 0) {
    const EffectiveSettings effective(current.model(), *policies_, *policy);
    const std::string found = usage_fault(effective, current.subject.group, *group_index);
    if (!found.empty()) throw std::logic_error("audit: " + found);
  }
  const std::string why = verify_soundness(current, *policies_, KeptUsage(*group_index));
  if (!why.empty()) return fail("the plan is stale: " + why, Status::stale);
  CommitOrder order = commit_order(current, *policies_, now);
  order.borrowed_rooms = borrowed_rooms_of(current, sequence_.ledger());
  order.plan_micros = plan_micros;
  return order;
}

// The plan on the current cluster, or `why` it no longer holds there.
std::optional<Plan> Engine::rebased(const Plan& plan, EntryId own, Time now, std::string& why) const {
  const std::optional<std::vector<EntryId>> before = entries_before(plan, own, why);
  if (!before) return std::nullopt;
  const std::shared_ptr<const ProjectedCluster> projected =
      with_surplus_room(own == kNoEntry ? projection() : projection_for(own), *before);
  std::optional<Plan> moved = rebase(plan, projected, why);
  if (!moved) return std::nullopt;
  moved->now = now;
  const Query query = completed(query_of(*moved, now));
  moved->allowance = query.allowance;
  if (moved->in_batch) return moved;
  const Policy* policy = policy_of(moved->model(), moved->model().groups[moved->subject.group], *policies_);
  if (!policy) {
    why = "its group has no policy any more";
    return std::nullopt;
  }
  const Plan asked =
      decide({moved->snapshot, policies_, moved->in_flight, &group_indexes_, workers_.get()}, query);
  if (asked.outcome == plan.outcome) return moved;
  why = "now the answer is " + quote(to_word(asked.outcome, kOutcomes)) + ": " + asked.reason;
  return std::nullopt;
}

// The entry of the plan's requester if it is short of space. A new plan for that requester extends the entry.
EntryId Engine::short_entry_of(const Plan& plan) const {
  if (plan.subject.purpose != Purpose::job) return kNoEntry;
  const EntryId own = sequence_.live_entry(plan.model().job_name(plan.subject.job));
  const Entry* entry = sequence_.ledger().find(own);
  return entry && entry->clock.state == EntryState::short_of_space ? own : kNoEntry;
}

EntryId Engine::commit(const Plan& plan, const PolicySet& made_under, Time now, std::int64_t plan_micros,
                       Problems& problems) {
  now = moment(now);
  if (const EntryId own = short_entry_of(plan); own != kNoEntry)
    return extend(own, plan, made_under, now, plan_micros, problems) ? own : kNoEntry;
  std::optional<CommitOrder> order = order_of(plan, made_under, kNoEntry, now, plan_micros, problems);
  if (!order) return kNoEntry;
  Undo undo(sequence_);
  std::string why;
  const RoomInCluster cluster(model_, sequence_.ledger());
  const EntryId entry = sequence_.commit(std::move(*order), now, why, &cluster);
  if (entry == kNoEntry) {
    problems.error({}, "the plan is stale: " + why, Status::stale);
    return kNoEntry;
  }
  const std::string line = log_ ? "entry " + std::to_string(entry) + ": " + plan.reason : std::string();
  audit_change(model_, nullptr);
  NumbersOfLedger numbers = numbers_with(entry);
  undo.keep();
  adopt(std::move(numbers));
  adopt_commit();
  say(LogLevel::info, line);
  return entry;
}

bool Engine::extend(EntryId entry, const Plan& plan, const PolicySet& made_under, Time now,
                    std::int64_t plan_micros, Problems& problems) {
  now = moment(now);
  std::optional<CommitOrder> order = order_of(plan, made_under, entry, now, plan_micros, problems);
  if (!order) return false;
  Undo undo(sequence_);
  std::string why;
  const RoomInCluster cluster(model_, sequence_.ledger());
  if (!sequence_.extend(entry, std::move(*order), now, why, &cluster)) {
    problems.error({}, why, Status::invalid);
    return false;
  }
  audit_change(model_, nullptr);
  NumbersOfLedger numbers = numbers_with(entry);
  undo.keep();
  searched_at_.reset();
  adopt(std::move(numbers));
  adopt(Next{});
  return true;
}

bool Engine::end_entry(EntryEnd how, EntryId entry, Time now, Problems& problems) {
  Undo undo(sequence_);
  std::string why;
  const std::uint64_t stays = sequence_.stays();
  if (!(sequence_.*how)(entry, moment(now), why)) {
    problems.error({}, why, sequence_.ledger().find(entry) ? Status::invalid : Status::unknown);
    return false;
  }
  if (sequence_.stays() != stays) tell_lost_space(model_);
  audit_change(model_, nullptr);
  std::optional<NumbersOfLedger> numbers = numbers_without_ended();
  undo.keep();
  searched_at_.reset();
  adopt(std::move(numbers));
  adopt(Next{});
  return true;
}

bool Engine::cancel(EntryId entry, Time now, Problems& problems) {
  return end_entry(&Sequence::cancel, entry, now, problems);
}

bool Engine::give_up(EntryId entry, Time now, Problems& problems) {
  return end_entry(&Sequence::give_up, entry, now, problems);
}

void Engine::note(const Plan& plan, Time now, std::int64_t plan_micros) {
  PlanNote note;
  if (plan.subject.purpose == Purpose::job) note.requester = plan.model().job_name(plan.subject.job);
  note.profile = plan.profile;
  note.outcome = plan.outcome;
  note.plan_micros = plan_micros;
  Undo undo(sequence_);
  sequence_.note(note, moment(now));
  undo.keep();
}

namespace {

// The claims that wait for a job of their queue, and have one of this kind on their nodes.
template <class Begins>
std::vector<Event> claims_with(const Model& model, const Ledger& ledger, const Begins& begins) {
  std::vector<Event> events;
  for (const EntryId id : ledger.ids()) {
    const Entry& entry = *ledger.find(id);
    if (entry.requester().kind != RequesterKind::claim || entry.clock.state != EntryState::ready) continue;
    const QueueId queue = model.find_queue(entry.requester().name);
    bool any = false;
    for (const Place& place : entry.placement()) {
      const NodeId node = model.find_node(place.node);
      for (TaskId t = node ? model.nodes[node].first_task : TaskId{}; t && !any;
           t = model.tasks.core(t).next_on_node)
        any = model.is_below(model.jobs[model.tasks.core(t).job].queue, queue) && begins(t, entry);
    }
    if (any) events.push_back({.kind = EventKind::claim_done, .entry = id});
  }
  return events;
}

// The claims for which one of these events says that a job of their queue has started on their nodes.
std::vector<Event> claims_done_by(const Model& model, const Ledger& ledger, std::span<const Event> events) {
  std::set<JobId> started;
  for (const Event& event : events) {
    const JobId job = event.kind == EventKind::started ? model.find_job(event.job) : JobId{};
    if (job) started.insert(job);
  }
  if (started.empty()) return {};
  return claims_with(model, ledger,
                     [&](TaskId task, const Entry&) { return started.contains(model.tasks.core(task).job); });
}

}  // namespace

// The hold of a claim ends when a job of its queue starts on its nodes, for the first time or again: a run
// begins when it is resumed, else when it is started.
std::vector<Event> Engine::claims_done() const {
  return claims_with(model_, sequence_.ledger(), [&](TaskId task, const Entry& entry) {
    const Time resumed = model_.job_state_times[model_.tasks.core(task).job.value].resumed;
    return std::max(start_of(model_, task), resumed) > entry.committed;
  });
}

// Events that the cluster shows and that were not reported: victims that left their nodes, and requesters
// that run where they were to start. A report may be lost with its host.
std::vector<Event> Engine::unreported_events(const Book& book) const {
  std::vector<Event> events;
  if (model_.nodes.live() == 0) return events;
  for (const BookEntry& view : book.entries()) {
    const Entry& entry = *sequence_.ledger().find(view.id);
    for (std::size_t v = 0; v < entry.victims.size(); ++v) {
      if (entry.victims[v].state.finished()) continue;
      const VictimOrder& order = entry.order_of(entry.victims[v]);
      for (std::size_t i = 0; i < order.tasks.size(); ++i) {
        const BookVictimTask& task = view.victims[v].tasks[i];
        if (!task.reported_gone && task.state != VictimTaskState::there)
          events.push_back({.kind = EventKind::released, .job = order.job, .task = order.tasks[i].task});
      }
    }
    const auto runs = [](const BookPlace& place) { return place.state == PlaceState::running; };
    if (view.has_hold && view.requester && std::all_of(view.places.begin(), view.places.end(), runs))
      events.push_back({.kind = EventKind::started, .job = entry.requester().name});
  }
  return events;
}

bool Engine::any_space_lost() const {
  const std::vector<EntryId> ids = sequence_.ledger().ids();
  return std::any_of(ids.begin(), ids.end(),
                     [&](EntryId id) { return sequence_.ledger().find(id)->space_lost; });
}

// Whether a hold counts its devices without naming them. It may have to name them when a task leaves.
bool Engine::any_unnamed_hold() const {
  const auto lacks_names = [](const Place& place) {
    return !place.devices_known &&
           std::any_of(place.resources.begin(), place.resources.end(),
                       [](const auto& part) { return part.first == "gpu" && part.second > 0; });
  };
  const std::vector<EntryId> ids = sequence_.ledger().ids();
  return std::any_of(ids.begin(), ids.end(), [&](EntryId id) {
    const Entry& entry = *sequence_.ledger().find(id);
    return is_live(entry.clock.state) && entry.has_hold() &&
           std::any_of(entry.placement().begin(), entry.placement().end(), lacks_names);
  });
}

// Entries that wait only for space that a task outside the entry has not left yet, and finished entries that
// need not be remembered any more.
std::vector<EntryId> Engine::entries_to_look_at() const {
  std::vector<EntryId> ids;
  for (const EntryId id : sequence_.ledger().ids()) {
    const Entry& entry = *sequence_.ledger().find(id);
    if (entry.remembered && !shows_gone_tasks(model_, entry)) ids.push_back(id);
    if (!is_live(entry.clock.state) || entry.clock.state == EntryState::ready || !entry.has_hold()) continue;
    const EntryNeeds needs = entry.needs();
    if (!needs.pending && !needs.short_of_space) ids.push_back(id);
  }
  return ids;
}

StepResult Engine::step(Time now, std::span<const Event> events,
                        const std::function<void(const StepResult&)>& look_at) {
  std::shared_ptr<const Book> known_book = std::exchange(book_, nullptr);
  const auto book_now = [&]() -> const Book& {
    if (!known_book) known_book.reset(new Book(write_book(model_, sequence_.ledger())));
    return *known_book;
  };
  const bool idle = sequence_.ledger().size() == 0;
  Sequence::Found found;
  found.before = claims_done();
  const std::vector<Event> done = claims_done_by(model_, sequence_.ledger(), events);
  found.before.insert(found.before.end(), done.begin(), done.end());
  // The last step already found all tasks that are gone without an event, unless the cluster has changed or
  // victims were added.
  const bool known = searched_at_ == model_.edits;
  if (!known && !idle) found.after = unreported_events(book_now());
  found.entries = entries_to_look_at();
  const std::uint64_t revision = sequence_.revision();
  Undo undo(sequence_);
  if (!idle && (!known || !found.entries.empty() || any_space_lost()))
    tell_lost_limits(Look::before_step, moment(now), book_now());
  const std::shared_ptr<const ProjectedCluster> before = projection_;
  const RoomInCluster cluster(model_, sequence_.ledger(), [&](const Book& here, const BookEntry& entry) {
    return limits_allow_now(here, entry, before.get());
  });
  const std::uint64_t stays = sequence_.stays();
  const std::uint64_t left_behind = sequence_.left_behind();
  StepResult result = sequence_.step(now, events, found, &cluster);
  // An event may bring lost space back without a change of the cluster.
  if (sequence_.stays() != stays || any_space_lost() || any_unnamed_hold()) {
    tell_lost_space(model_);
    // A victim that stays uses its share of the limits again.
    if (sequence_.left_behind() != left_behind)
      tell_lost_limits(Look::in_step, moment(now), write_book(model_, sequence_.ledger()));
    // A requester that lost its space in this step is not told to start.
    std::erase_if(result.actions, [&](const Action& action) {
      return (action.kind == ActionKind::start || action.kind == ActionKind::claim_ready) &&
             !sequence_.ledger().owner_of(action.id);
    });
  }
  for (Action& action : result.actions) {
    if (action.kind == ActionKind::start) leave_out_running(model_, action);
  }
  const bool changed = sequence_.revision() != revision;
  Next prepared = changed || !looked_ ? look(model_, policies_.get()) : Next{};
  audit_change(model_, policies_.get());
  if (look_at) look_at(result);
  std::optional<NumbersOfLedger> numbers = numbers_without_ended();
  undo.keep();
  adopt(std::move(numbers));
  searched_at_ = model_.edits;
  if (prepared.looked) adopt(std::move(prepared));
  return result;
}

std::string Engine::audit() const {
  const std::string found = audit_fault(model_, sequence_, nullptr);
  return found.empty() ? audit_usage() : found;
}

std::string Engine::audit_usage() const {
  if (!policies_) return {};
  const std::shared_ptr<const ProjectedCluster> projected = projection();
  std::string found;
  projected->model->groups.for_each([&](GroupId group, const GroupRow& row) {
    const Policy* policy = policy_of(*projected->model, row, *policies_);
    if (!policy || !found.empty()) return;
    const std::shared_ptr<const GroupIndex> group_index =
        group_indexes_.of(projected->model, policies_, *policy, group, projected->in_flight, workers_.get());
    found = usage_fault(EffectiveSettings(*projected->model, *policies_, *policy), group, *group_index);
  });
  return found;
}

void Engine::audit_change(const Model& next, const PolicySet* policies) const {
  if (options_.audit == 0) return;
  if (const std::string fault = audit_fault(next, sequence_, policies); !fault.empty())
    throw std::logic_error("audit: " + fault);
}

std::string Engine::save_state() const {
  Sequence sequence = sequence_;
  for (const auto& [job, since] : below_since_) sequence.set_starving_since(job, since);
  for (const auto& [node, since] : overcommitted_since_) sequence.set_overcommitted_since(node, since);
  return save(sequence);
}

std::string Engine::metrics_text() const { return cede::metrics_text(sequence_.metrics()); }

bool Engine::restore_state(std::string_view bytes, Problems& problems) {
  std::optional<Sequence> saved = restore(bytes, problems);
  if (!saved) return false;
  Clocks clocks;
  saved->starving().for_each([&](const std::string& job, Time since) { clocks[job] = since; });
  for (const auto& [job, since] : clocks) saved->set_starving_since(job, kNoTime);
  Clocks overcommitted;
  saved->overcommitted().for_each([&](const std::string& node, Time since) { overcommitted[node] = since; });
  for (const auto& [node, since] : overcommitted) saved->set_overcommitted_since(node, kNoTime);
  if (policies_) saved->set_storm_window(policies_->limits.window);
  Engine next(*this);
  next.below_since_ = std::move(clocks);
  next.overcommitted_since_ = std::move(overcommitted);
  next.sequence_ = std::move(*saved);
  // Before the first load the model is empty; that does not mean that jobs and nodes are gone.
  if (model_.nodes.live() > 0) next.tell_sequence(next.model_, {});
  next.audit_change(next.model_, nullptr);
  next.ledger_names_.take_all(next.sequence_.ledger(), next.model_.job_names);
  model_.job_names = std::move(next.model_.job_names);
  ledger_names_ = std::move(next.ledger_names_);
  sequence_ = std::move(next.sequence_);
  searched_at_.reset();
  book_ = nullptr;
  projector_ = nullptr;
  projection_ = nullptr;
  below_since_.swap(next.below_since_);
  overcommitted_since_.swap(next.overcommitted_since_);
  looked_ = false;
  ++revision_;
  return true;
}

}  // namespace cede
