// SPDX-License-Identifier: MIT
// The way from a plan to a started job: the ledger beside the model.
#include "sequence/sequence.h"

#include <algorithm>
#include <set>

#include "base/text.h"
#include "engine/allowance.h"
#include "engine/commit_order.h"
#include "engine/engine.h"
#include "engine/loans.h"
#include "engine/spare_room.h"
#include "engine/transfer.h"
#include "report/metrics_text.h"
#include "search/decide.h"
#include "search/verify.h"
#include "sequence/save.h"
#include "sequence/sequence_undo.h"

namespace cede {

namespace {

constexpr std::size_t kManyNames = 4096;  // beyond that, names no model knows are looked for

// Whether the job still waits for what an entry was made for, or runs there already.
bool is_as_planned(const Model& model, JobId job, const Entry& entry) {
  for (const Place& place : entry.placement()) {
    const Model::FoundTask found = model.find_task(job, place.task);
    if (!found.row) return false;
    const TaskCore& task = model.tasks.core(found.row);
    if (task.node && model.name(model.nodes[task.node].name) != place.node) return false;
    // None is listed twice, so that it is enough to find each of them.
    const ResourceView asked = model.shape(task.resources);
    if (asked.size() != place.resources.size()) return false;
    for (const ResourceAmount& each : asked) {
      const auto is_it = [&](const auto& planned) {
        return planned.second == each.amount && planned.first == model.resource_name(each.resource);
      };
      if (std::none_of(place.resources.begin(), place.resources.end(), is_it)) return false;
    }
  }
  return true;
}

Question question_of(const Plan& plan, Time now) {
  const Subject& subject = plan.subject;
  Question question;
  question.purpose = subject.purpose;
  question.job = subject.job;
  question.node = subject.node;
  question.queue = subject.queue;
  question.group = subject.group;
  question.claimed = subject.claimed;
  question.partial = plan.partial;
  question.now = now;
  question.triggers_only = true;
  return question;
}

}  // namespace

Time Engine::moment(Time now) const { return std::max({now, model_.now, sequence_.now()}); }

// What a new model means to the ledger. A requester that is not what was planned for any more needs its entry
// no longer.
void Engine::tell_sequence(const Model& next) {
  Sequence& sequence = sequence_;
  std::set<std::string> jobs;
  std::set<std::string> nodes;
  std::vector<EntryId> changed;
  for (const EntryId id : sequence.ledger().ids()) {
    const Entry& entry = *sequence.ledger().find(id);
    for (const Victim& victim : entry.victims) {
      const VictimOrder& order = entry.order_of(victim);
      if (victim.state.finished()) continue;
      if (!next.find_job(order.job)) jobs.insert(order.job);
      for (const Place& place : order.tasks) {
        if (!next.find_node(place.node)) nodes.insert(place.node);
      }
    }
    if (!is_live(entry.clock.state)) continue;
    for (const Place& place : entry.placement()) {
      if (!next.find_node(place.node)) nodes.insert(place.node);
    }
    if (entry.requester().kind != RequesterKind::job) continue;
    const JobId job = next.find_job(entry.requester().name);
    if (!job) {
      jobs.insert(entry.requester().name);
    } else if (!is_as_planned(next, job, entry)) {
      changed.push_back(id);
    }
  }
  const std::vector<std::string> gone_jobs(jobs.begin(), jobs.end());
  const std::vector<std::string> gone_nodes(nodes.begin(), nodes.end());
  sequence.jobs_gone(gone_jobs);
  sequence.nodes_gone(gone_nodes);
  std::string why;
  for (const EntryId id : changed) sequence.cancel(id, moment(next.now), why);
  if (sequence.known_names() > kManyNames + 2 * next.jobs.live())
    sequence.forget_jobs([&](std::string_view job) { return !next.find_job(job); });
}

std::optional<std::vector<EntryId>> Engine::entries_before(const Plan& plan, EntryId own,
                                                           std::string& why) const {
  std::vector<EntryId> entries;
  const Entry* extended = sequence_.ledger().find(own);
  const std::vector<Loan> known = extended ? extended->loans : std::vector<Loan>{};
  for (const JobId job : plan.after) {
    const std::string name(plan.model().job_name(job));
    EntryId entry = sequence_.live_entry(name);
    // An entry planned anew may still wait for victims of one that has ended.
    for (const Loan& loan : known) {
      const Entry* lender = entry == kNoEntry ? sequence_.ledger().find(loan.from) : nullptr;
      if (lender && lender->requester().name == name) entry = loan.from;
    }
    if (entry == kNoEntry) {
      why = "it counts on the victims of " + quote(name) + ", for which nothing is in progress";
      return std::nullopt;
    }
    entries.push_back(entry);
  }
  return entries;
}

// The plan as an order, if it still holds: made on what is now, or sound and wanted on it.
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
    return fail("there is nothing to relieve: nobody has to give way", Status::invalid);
  CommitOrder order;
  if (is_of_now(plan) && &made_under == policies_.get()) {
    order = commit_order(plan, made_under);
    order.loans = loans_of(plan, sequence_.ledger());
  } else {
    std::string why;
    const std::optional<std::vector<EntryId>> before = entries_before(plan, own, why);
    if (!before) return fail("the plan is stale: " + why, Status::stale);
    auto ahead = outlook();
    if (own != kNoEntry) {
      auto other = std::make_shared<Outlook>(look_ahead(model_, sequence_, policies_.get(), own));
      other->in_flight.below_fair_share = ahead->in_flight.below_fair_share;
      ahead = other;
    }
    ahead = with_spare_room(ahead, sequence_, *before);
    if (!policies_) return fail("the engine has no policy any more", Status::stale);
    std::optional<Plan> moved = transfer(plan, ahead, why);
    if (!moved) return fail("the plan is stale: " + why, Status::stale);
    moved->now = now;
    const Question question = completed(question_of(*moved, now));
    moved->allowance = question.allowance;
    const Policy* policy = policy_of(moved->model(), moved->model().groups[moved->subject.group], *policies_);
    if (!policy || policy->name != plan.policy)
      return fail("the plan is stale: its group has another policy", Status::stale);
    const Plan asked =
        decide(moved->snapshot, *policies_, moved->in_flight, question, {policies_, &grounds_, crew_.get()});
    if (asked.outcome != plan.outcome) {
      return fail("the plan is stale: now the answer is " + quote(to_word(asked.outcome, kOutcomes)) + ": " +
                      asked.reason,
                  Status::stale);
    }
    why = verify_soundness(*moved, *policies_);
    if (!why.empty()) return fail("the plan is stale: " + why, Status::stale);
    order = commit_order(*moved, *policies_);
    order.loans = loans_of(*moved, sequence_.ledger());
  }
  order.plan_micros = plan_micros;
  return order;
}

EntryId Engine::commit(const Plan& plan, const PolicySet& made_under, Time now, std::int64_t plan_micros,
                       Problems& problems) {
  now = moment(now);
  std::optional<CommitOrder> order = order_of(plan, made_under, kNoEntry, now, plan_micros, problems);
  if (!order) return kNoEntry;
  SequenceUndo undo(sequence_);
  std::string why;
  const EntryId entry = sequence_.commit(std::move(*order), now, why);
  if (entry == kNoEntry) {
    problems.error({}, "the plan is stale: " + why, Status::stale);
    return kNoEntry;
  }
  const std::string line = log_ ? "entry " + std::to_string(entry) + ": " + plan.reason : std::string();
  undo.keep();
  searched_at_.reset();
  adopt({});
  say(LogLevel::info, line);
  return entry;
}

bool Engine::extend(EntryId entry, const Plan& plan, const PolicySet& made_under, Time now,
                    std::int64_t plan_micros, Problems& problems) {
  now = moment(now);
  std::optional<CommitOrder> order = order_of(plan, made_under, entry, now, plan_micros, problems);
  if (!order) return false;
  SequenceUndo undo(sequence_);
  std::string why;
  if (!sequence_.extend(entry, std::move(*order), now, why)) {
    problems.error({}, why, Status::invalid);
    return false;
  }
  undo.keep();
  searched_at_.reset();
  adopt({});
  return true;
}

bool Engine::cancel(EntryId entry, Time now, Problems& problems) {
  SequenceUndo undo(sequence_);
  std::string why;
  if (!sequence_.cancel(entry, moment(now), why)) {
    problems.error({}, why, sequence_.ledger().find(entry) ? Status::invalid : Status::unknown);
    return false;
  }
  undo.keep();
  adopt({});
  return true;
}

bool Engine::give_up(EntryId entry, Time now, Problems& problems) {
  SequenceUndo undo(sequence_);
  std::string why;
  if (!sequence_.give_up(entry, moment(now), why)) {
    problems.error({}, why, sequence_.ledger().find(entry) ? Status::invalid : Status::unknown);
    return false;
  }
  undo.keep();
  adopt({});
  return true;
}

void Engine::note(const Plan& plan, Time now, std::int64_t plan_micros) {
  PlanNote note;
  if (plan.subject.purpose == Purpose::job) note.requester = plan.model().job_name(plan.subject.job);
  note.profile = plan.profile;
  note.outcome = plan.outcome;
  note.plan_micros = plan_micros;
  SequenceUndo undo(sequence_);
  sequence_.note(note, moment(now));
  undo.keep();
}

// The hold of a claim ends when a job of its queue starts there.
std::vector<Event> Engine::claims_done() const {
  std::vector<Event> events;
  for (const EntryId id : sequence_.ledger().ids()) {
    const Entry& entry = *sequence_.ledger().find(id);
    if (entry.requester().kind != RequesterKind::claim || entry.clock.state != EntryState::ready) continue;
    const QueueId queue = model_.find_queue(entry.requester().name);
    bool begun = false;
    for (const Place& place : entry.placement()) {
      const NodeId node = model_.find_node(place.node);
      for (TaskId t = node ? model_.nodes[node].first_task : TaskId{}; t;
           t = model_.tasks.core(t).next_on_node) {
        const JobId job = model_.tasks.core(t).job;
        Time started = model_.tasks.extras(t).started;
        if (started == kNoTime) started = model_.job_times[job.value].started;
        begun = begun || (started > entry.committed && model_.is_below(model_.jobs[job].queue, queue));
      }
    }
    if (begun) events.push_back({.kind = EventKind::claim_done, .entry = id});
  }
  return events;
}

// Victims that run no longer where they ran, though nobody has said so: the last word may have been lost
// with the host.
std::vector<Event> Engine::silent_releases() const {
  std::vector<Event> events;
  if (model_.nodes.live() == 0) return events;
  for (const EntryId id : sequence_.ledger().ids()) {
    const Entry& entry = *sequence_.ledger().find(id);
    for (const Victim& victim : entry.victims) {
      const VictimOrder& order = entry.order_of(victim);
      const JobId job = victim.state.finished() ? JobId{} : model_.find_job(order.job);
      for (std::size_t i = 0; job && i < order.tasks.size(); ++i) {
        if (is_gone(entry.tasks[victim.first_task + i])) continue;
        const Place& place = order.tasks[i];
        const Model::FoundTask found = model_.find_task(job, place.task);
        if (!found.row || !runs_since(model_, found.row, place, entry.committed))
          events.push_back({.kind = EventKind::released, .job = order.job, .task = place.task});
      }
    }
  }
  return events;
}

StepResult Engine::step(Time now, std::span<const Event> events) {
  const std::vector<Event> before = claims_done();
  // The last step has missed whoever was to be missed, unless the cluster is another or victims are new.
  const bool known = searched_at_ == model_.edits;
  const std::vector<Event> after = known ? std::vector<Event>{} : silent_releases();
  const std::uint64_t revision = sequence_.revision();
  SequenceUndo undo(sequence_);
  StepResult result = sequence_.step(now, before, events, after);
  const bool changed = sequence_.revision() != revision;
  Next ahead = changed ? look(model_, policies_.get(), Clock::look) : Next{};
  undo.keep();
  searched_at_ = model_.edits;
  if (changed) adopt(std::move(ahead));
  return result;
}

std::string Engine::save_state() const {
  Sequence sequence = sequence_;
  for (const auto& [job, since] : below_since_) sequence.set_starving_since(job, since);
  return save(sequence);
}

std::string Engine::metrics_text() const { return cede::metrics_text(sequence_.metrics()); }

bool Engine::restore_state(std::string_view bytes, Problems& problems) {
  std::optional<Sequence> saved = restore(bytes, problems);
  if (!saved) return false;
  Clocks clocks;
  saved->starving().for_each([&](const std::string& job, Time since) { clocks[job] = since; });
  for (const auto& [job, since] : clocks) saved->set_starving_since(job, kNoTime);
  if (policies_) saved->set_storm_window(policies_->limits.window);
  Engine next(*this);
  next.below_since_ = std::move(clocks);
  next.sequence_ = std::move(*saved);
  // Before the first load nothing is known, least of all that everything is gone.
  if (model_.nodes.live() > 0) next.tell_sequence(next.model_);
  sequence_ = std::move(next.sequence_);
  searched_at_.reset();
  outlook_ = nullptr;
  below_since_.swap(next.below_since_);
  ++revision_;
  return true;
}

}  // namespace cede
