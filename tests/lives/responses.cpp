// SPDX-License-Identifier: MIT
// The simulated resource manager: what it does about actions, and which events come of it.
#include <algorithm>
#include <bit>

#include "life.h"

namespace lives {

// Sooner or later, sometimes never. An orderly manager tells it with the next step.
void Life::event_later(EventOut event, int within) {
  if (orderly_) {
    events_.push_back(std::move(event));
    return;
  }
  if (random_.chance(8)) return;
  Happening happening;
  happening.due = step_ + (random_.chance(60) ? 0 : static_cast<int>(random_.between(0, within)));
  happening.kind = Happening::tell_event;
  happening.event = std::move(event);
  happenings_.push_back(std::move(happening));
}

// Whether it would say that something is gone which is there. Such events are sent only by sloppy managers,
// and nothing is concluded from what follows.
bool Life::is_lie(const EventOut& event) const {
  if (event.kind == CEDE_EVENT_NODE_DOWN) {
    const Node* node = real_.node(event.node);
    return node && node->state != "down";
  }
  const bool leaves = event.kind == CEDE_EVENT_RELEASED || event.kind == CEDE_EVENT_EXITED ||
                      event.kind == CEDE_EVENT_CANCELLED;
  const Job* job = leaves ? real_.job(event.job) : nullptr;
  if (!job) return false;
  if (event.task.empty()) return job->runs();
  const Task* task = job->find(event.task);
  return task && task->placed;
}

void Life::leave_later(const std::string& job, const std::vector<std::string>& tasks, int within) {
  Happening happening;
  happening.due = step_ + static_cast<int>(random_.between(0, within));
  happening.kind = Happening::leave;
  happening.job = job;
  const Job* real = real_.job(job);
  for (const std::string& name : tasks) {
    const Task* task = real ? real->find(name) : nullptr;
    if (task && task->placed) happening.runs.push_back(task->run);
  }
  if (!happening.runs.empty()) happenings_.push_back(std::move(happening));
}

// The runs end, if they are still those: a job may have been restarted in between.
void Life::leave(Happening& happening) {
  Job* job = real_.job(happening.job);
  if (!job) return;
  const bool was_running = job->runs();
  std::vector<std::string> left;
  for (Task& task : job->tasks) {
    const bool meant =
        std::find(happening.runs.begin(), happening.runs.end(), task.run) != happening.runs.end();
    if (!task.placed || !meant) continue;
    end_run(*job, task);
    left.push_back(task.id);
  }
  if (left.empty()) return;
  if (!job->runs() && was_running && random_.chance(40)) {
    event_later({random_.chance(50) ? CEDE_EVENT_EXITED : CEDE_EVENT_RELEASED, job->id, {}, {}, 0, 0, 0}, 5);
  } else {
    for (const std::string& task : left) event_later({CEDE_EVENT_RELEASED, job->id, task, {}, 0, 0, 0}, 5);
  }
  if (!job->runs()) job_left(job->id);
}

// All of a job's runs have ended: it waits again, or is gone a little later.
void Life::job_left(const std::string& id) {
  Job& job = real_.jobs.at(id);
  job.started = 0;
  if (random_.chance(50)) return;
  Happening happening;
  happening.due = step_ + static_cast<int>(random_.between(0, 3));
  happening.kind = Happening::vanish;
  happening.job = id;
  happenings_.push_back(std::move(happening));
}

void Life::handle(const ActionView& action) {
  book_.issued[action.facts.id] = action;
  book_.issued[action.facts.id].given = book_.now;
  book_.open[action.facts.id] = book_.issued[action.facts.id];
  const int kind = action.facts.kind;
  const bool failed = !orderly_ && random_.chance(12);
  const bool silent = !orderly_ && !failed && random_.chance(8);
  if (!silent) {
    EventOut answer;
    answer.kind = failed ? CEDE_EVENT_ACTION_FAILED : CEDE_EVENT_ACTION_DONE;
    answer.action = action.facts.id;
    if (kind != CEDE_DO_START && kind != CEDE_DO_REPLAN) event_later(answer, 3);
  }
  Happening happening;
  happening.due = step_ + (orderly_ ? 0 : static_cast<int>(random_.between(0, 3)));
  happening.action = action;
  switch (kind) {
    case CEDE_DO_CHECKPOINT_HINT:
      if (failed) break;
      if (random_.chance(30)) event_later({CEDE_EVENT_CHECKPOINT_PROGRESS, action.job, {}, {}, 0, 0, 0}, 3);
      if (random_.chance(15))
        event_later({CEDE_EVENT_DEFER, action.job, {}, {}, 0, 0, random_.between(1, 30) * 1000}, 3);
      if (random_.chance(60)) {
        for (const std::string& task : action.tasks)
          event_later({CEDE_EVENT_CHECKPOINT_DONE, action.job, task, {}, 0, 0, 0}, 4);
      } else if (random_.chance(40)) {
        event_later({CEDE_EVENT_CHECKPOINT_FAILED, action.job, {}, {}, 0, 0, 0}, 4);
      }
      break;
    case CEDE_DO_SIGNAL: {
      const int leaves = action.facts.signal == CEDE_SIGNAL_INT    ? 40
                         : action.facts.signal == CEDE_SIGNAL_TERM ? 60
                                                                   : 90;
      if (!failed && random_.chance(leaves)) leave_later(action.job, action.tasks, orderly_ ? 0 : 4);
      break;
    }
    case CEDE_DO_SUSPEND:
    case CEDE_DO_TERMINATE:
      if (!failed && random_.chance(90)) leave_later(action.job, action.tasks, orderly_ ? 0 : 4);
      break;
    case CEDE_DO_MARK:
      if (!failed && random_.chance(50)) leave_later(action.job, action.tasks, 8);
      break;
    case CEDE_DO_REQUEUE: {
      Job* job = real_.job(action.job);
      if (!job || job->runs()) break;
      std::erase_if(happenings_, [&](const Happening& each) {
        return each.kind == Happening::vanish && each.job == action.job;
      });
      job->preempted = static_cast<int>(action.facts.preempted_count);
      job->resume = action.facts.resume != 0;
      break;
    }
    case CEDE_DO_START:
      happening.kind = Happening::start;
      if (failed) {
        event_later({CEDE_EVENT_ACTION_FAILED, {}, {}, {}, 0, action.facts.id, 0}, 3);
      } else if (!silent) {
        happenings_.push_back(std::move(happening));
      }
      break;
    case CEDE_DO_REPLAN:
      happening.kind = Happening::replan;
      if (!silent) happenings_.push_back(std::move(happening));
      break;
    case CEDE_DO_CLAIM_READY:
      happening.kind = Happening::fill_claim;
      happenings_.push_back(std::move(happening));
      break;
    default: break;
  }
}

// Starts the requester where it was told to, unless that is not possible any more. An answer that comes late
// finds the entry ended; then nothing is started.
void Life::start(const ActionView& action) {
  const auto known = book_.entries.find(action.facts.entry);
  if (known == book_.entries.end() || known->second.state != CEDE_ENTRY_READY) return;
  if (!book_.open.contains(action.facts.id)) return;
  Job* job = real_.job(action.job);
  bool possible = job != nullptr;
  std::vector<std::pair<Task*, Place>> places;
  std::map<std::string, std::uint64_t> taken;
  for (const PlaceView& view : action.places) {
    Task* task = job ? job->find(view.task) : nullptr;
    const Node* node = real_.node(view.place.node);
    if (!task || task->placed || !node || node->state != "up" || node->group != job->group) {
      possible = false;
      break;
    }
    Place place = view.place;
    if (!place.devices_known && !choose_devices(*task, *node, place)) possible = false;
    std::vector<Place> used;
    for (const Running& each : running_on(real_, node->id)) used.push_back(each.task->place);
    if (!has_room(place, used)) possible = false;
    const auto gpus = task->resources.find("gpu");
    const std::int64_t named = std::popcount(place.gpus) * 1000 + static_cast<std::int64_t>(place.share);
    const std::uint32_t devices = node->devices();
    if (devices < 64 && place.gpus >> devices != 0) possible = false;
    if (place.share > 0 && place.share_device >= devices) possible = false;
    if (gpus != task->resources.end() && devices > 0 && named != gpus->second) possible = false;
    const Job* told = told_.job(action.job);
    const Task* planned = told ? told->find(view.task) : nullptr;
    if (!planned || planned->resources != task->resources)
      possible = false;  // it asks for something else now
    if (!fits_amounts(*job, *task, *node)) possible = false;
    if (!possible) break;
    place.devices_known = true;
    // Tasks placed one after the other see each other.
    task->placed = true;
    task->place = place;
    task->run = ++next_run_;
    task->started = started_now();
    task->tells_devices = !random_.chance(silent_);
    places.emplace_back(task, place);
  }
  if (!possible) {
    say("    " + action.job + " cannot be started");
    for (auto& [task, place] : places) {
      task->placed = false;
      task->place = {};
      task->run = 0;
      task->started = 0;
      task->tells_devices = true;
    }
    event_later({CEDE_EVENT_ACTION_FAILED, {}, {}, {}, 0, action.facts.id, 0}, 3);
    return;
  }
  if (!orderly_ && random_.chance(6) && action.places.size() == 1) {  // it comes to run elsewhere
    Task* task = places.front().first;
    end_run(*job, *task);
    place_somewhere(*job, *task, random_.chance(50) ? places.front().second.node : std::string());
  }
  job->started = clock_;
  for (const Task& task : job->tasks) {
    if (task.placed) job->started = std::min(job->started, task.started);
  }
  say("    " + action.job + " is started");
  event_later({CEDE_EVENT_ACTION_DONE, {}, {}, {}, 0, action.facts.id, 0}, 3);
  event_later({CEDE_EVENT_STARTED, action.job, {}, {}, 0, 0, 0}, 4);
}

void Life::replan(const ActionView& action) {
  const auto known = book_.entries.find(action.facts.entry);
  if (known == book_.entries.end() || known->second.state != CEDE_ENTRY_SHORT) return;
  Entry& entry = known->second;
  event_later({CEDE_EVENT_ACTION_DONE, {}, {}, {}, 0, action.facts.id, 0}, 3);
  PlanView plan;
  const std::vector<std::string> terms =
      entry.kind == RequesterKind::job ? random_terms(entry.group, true) : std::vector<std::string>{};
  int32_t status = CEDE_E_INVALID;
  if (entry.kind == RequesterKind::job && !random_.chance(10))
    status = engine_->plan(entry.requester, ask_time(), terms, plan);
  if (status >= 0) {
    say("    plan anew for " + entry.requester + ": " + plan.reason + plan_text(plan));
    check_plan(plan, terms, entry.requester, false);
    if (plan.can_be_committed() && extend(entry, plan)) return;
  }
  if (random_.chance(70)) return;  // tries again when it is told once more, or never
  say("    give up " + std::to_string(entry.id));
  time_is_told();
  if (entry.state == CEDE_ENTRY_SHORT)
    changing("give up", [&] { return engine_->give_up(entry.id, clock_); });
}

// A job of the queue comes to the claimed node, or the queue says that it has what it wanted.
void Life::fill_claim(const ActionView& action) {
  const auto known = book_.entries.find(action.facts.entry);
  if (known == book_.entries.end() || known->second.state != CEDE_ENTRY_READY) return;
  const Entry& entry = known->second;
  if (random_.chance(50)) {
    for (auto& [id, job] : real_.jobs) {
      if (job.runs() || job.tasks.size() > 1 || !real_.is_below(job.queue, entry.requester)) continue;
      if (job.group != entry.group || book_.live_entry_of(id)) continue;
      if (!place_somewhere(job, job.tasks.front(), random_.pick(entry.claimed))) continue;
      job.started = job.tasks.front().started;
      say("    " + id + " comes to the claimed node");
      return;
    }
  }
  event_later({CEDE_EVENT_CLAIM_DONE, {}, {}, {}, entry.id, 0, 0}, 4);
}

void Life::happen() {
  const auto first = std::stable_partition(happenings_.begin(), happenings_.end(),
                                           [&](const Happening& each) { return each.due > step_; });
  std::vector<Happening> due(first, happenings_.end());
  happenings_.erase(first, happenings_.end());
  for (Happening& each : due) {
    switch (each.kind) {
      case Happening::leave: leave(each); break;
      case Happening::tell_event: events_.push_back(each.event); break;
      case Happening::start: start(each.action); break;
      case Happening::replan: replan(each.action); break;
      case Happening::fill_claim: fill_claim(each.action); break;
      case Happening::vanish: {
        const Job* job = real_.job(each.job);
        if (job && !job->runs() && !book_.live_entry_of(each.job)) real_.jobs.erase(each.job);
        break;
      }
    }
  }
}

}  // namespace lives
