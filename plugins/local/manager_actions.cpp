// SPDX-License-Identifier: MIT
// Actions of the library: first recorded in the tables, then executed once the journal is written.
#include <unistd.h>

#include <algorithm>
#include <cmath>

#include "duration.h"
#include "file_io.h"
#include "manager.h"
#include "worker.h"

namespace local {

namespace {

std::string_view message_of(const cede_action& action) {
  switch (action.kind) {
    case CEDE_DO_CHECKPOINT_HINT:
    case CEDE_DO_MARK: return "hint";
    case CEDE_DO_SUSPEND: return "term";
    case CEDE_DO_TERMINATE: return "kill";
    case CEDE_DO_SIGNAL:
      return action.signal == CEDE_SIGNAL_KILL ? "kill" : action.signal == CEDE_SIGNAL_INT ? "int" : "term";
    default: return "";
  }
}

std::string_view event_word(const cede_action& action) {
  switch (action.kind) {
    case CEDE_DO_CHECKPOINT_HINT: return "hint";
    case CEDE_DO_MARK: return "mark";
    case CEDE_DO_SUSPEND: return "suspend";
    case CEDE_DO_CANCEL_HINT: return "go-on";
    default: return message_of(action);
  }
}

std::string places_text(const std::vector<Place>& places) {
  std::string out;
  for (const Place& place : places) {
    const std::string devices = device_ranges(place.devices);
    out += (out.empty() ? "" : " ") + place.node + (devices.empty() ? "" : '[' + devices + ']');
  }
  return out;
}

// Answers to a hint that was taken back must not count for the next hint.
void remove_answers(const Attempt& attempt) {
  for (const char* name : {"done", "failed", "defer", "progress"}) ::unlink(attempt.file(name).c_str());
}

}  // namespace

void Manager::accept(const EngineAction& action) {
  JobRun* job = find(action.job);
  switch (action.fields.kind) {
    case CEDE_DO_START:
      if (job && job->live()) return accept_start(action, *job);
      break;
    case CEDE_DO_REQUEUE:
      if (job && job->live()) return accept_requeue(action, *job);
      break;
    case CEDE_DO_GONE:
      if (job && job->live() && job->has(TaskState::left)) accept_gone(action, *job);
      break;
    case CEDE_DO_CHECKPOINT_HINT:
    case CEDE_DO_MARK:
    case CEDE_DO_SIGNAL:
    case CEDE_DO_SUSPEND:
    case CEDE_DO_TERMINATE:
    case CEDE_DO_CANCEL_HINT:
      if (job) return accept_victim_action(action, *job);
      break;
    case CEDE_DO_REPLAN: replan(action); break;
    case CEDE_DO_CLAIM_READY:
    case CEDE_DO_RELEASE_HOLD: accept_claim_action(action); break;
    default: break;  // nothing to do: this manager starts nothing on its own
  }
  engine_events_.push_back({.kind = CEDE_EVENT_ACTION_DONE, .action = action.fields.id});
}

void Manager::accept_start(const EngineAction& action, JobRun& job) {
  const bool was_running = job.has(TaskState::running);
  bool any = false;
  for (const Place& place : action.places) {
    std::size_t index = 0;
    TaskRun* task = job.task(place.task, index);
    if (!task || task->state != TaskState::waiting) continue;  // adopted, or listed twice
    const std::uint32_t attempt = task->attempt + 1;
    *task = TaskRun{.state = TaskState::running,
                    .attempt = attempt,
                    .place = place,
                    .started = now_,
                    .resume = task->resume};
    to_start_.emplace_back(index_of(job), index);
    any = true;
  }
  if (any) {
    ++job.starts;
    if (job.resume) ++job.resumes;
    if (!was_running) job.waited += now_ - job.waiting_since;
    job.checkpoint_nodes.clear();
    job.planned_places.clear();
    job.rule.clear();
    touch(index_of(job));
    log_event(job.resume ? "resume" : "start", job, places_text(action.places));
  }
  engine_events_.push_back({.kind = CEDE_EVENT_ACTION_DONE, .action = action.fields.id});
  engine_events_.push_back({.kind = CEDE_EVENT_STARTED, .job = action.job});
}

void Manager::accept_requeue(const EngineAction& action, JobRun& job) {
  bool any = false;
  // Other tasks of the job may have been queued again by another action of the same plan.
  const bool is_first = job.preempted_count != action.fields.preempted_count;
  if (is_first) job.checkpoint_nodes.clear();
  for (const std::string& id : action.tasks) {
    std::size_t index = 0;
    TaskRun* task = job.task(id, index);
    if (!task || task->state != TaskState::left || stopping_) continue;
    if (action.fields.keep_local != 0) job.checkpoint_nodes.push_back(task->place.node);
    task->state = TaskState::waiting;
    task->resume = action.fields.resume != 0;
    any = true;
  }
  if (any) {
    if (is_first) ++job.preemptions;
    job.submitted = action.fields.submitted;
    job.waiting_since = action.fields.waiting_since;
    job.preempted_count = action.fields.preempted_count;
    job.resume = std::any_of(job.tasks.begin(), job.tasks.end(), [](const TaskRun& task) {
      return task.state == TaskState::waiting && task.resume;
    });
    log_event("requeue", job,
              action.fields.resume == 0       ? "from the beginning"
              : action.fields.keep_local != 0 ? "to resume from what its nodes keep"
                                              : "to resume from its checkpoint");
    touch(index_of(job));
    if (action.fields.waits_for_owner != 0)
      end_job(index_of(job), JobEnd::preempted, "it waits for its owner, not in the queue");
  }
  engine_events_.push_back({.kind = CEDE_EVENT_ACTION_DONE, .action = action.fields.id});
}

// The tasks end, or their owner submits them again, once nothing of the job is on its way out any more.
void Manager::accept_gone(const EngineAction& action, JobRun& job) {
  job.left_as = action.fields.how;
  for (const std::string& id : action.tasks) {
    std::size_t index = 0;
    if (TaskRun* task = job.task(id, index)) task->resume = action.fields.how == CEDE_HOW_SAVED;
  }
}

void Manager::accept_victim_action(const EngineAction& action, JobRun& job) {
  PendingAction pending{action.fields.id, {}};
  const std::size_t job_index = index_of(job);
  const std::string_view text = message_of(action.fields);
  for (const std::string& id : action.tasks) {
    std::size_t index = 0;
    TaskRun* task = job.task(id, index);
    if (!task || task->state != TaskState::running) continue;
    task->deadline = std::max<std::int64_t>(0, action.fields.deadline);
    if (action.fields.kind == CEDE_DO_CANCEL_HINT) {
      task->hinted = task->marked = task->saved = false;
      pending.messages.push_back({job_index, index, {}});
      continue;
    }
    Message message{job_index, index, text};
    // A job that cannot save may not handle the signal, which would end it.
    if (action.fields.kind == CEDE_DO_MARK && job.spec->checkpoint.empty()) message.text = {};
    const bool asks = action.fields.kind == CEDE_DO_CHECKPOINT_HINT || action.fields.kind == CEDE_DO_MARK;
    if (asks) {
      message.first_hint = !task->hinted && !task->marked;
      task->hinted = task->hinted || action.fields.kind == CEDE_DO_CHECKPOINT_HINT;
      task->marked = task->marked || action.fields.kind == CEDE_DO_MARK;
      const bool ends = action.fields.deadline != CEDE_NOW_OF_CLUSTER;
      const std::string left =
          ends ? seconds(clock_->to_real(std::max<std::int64_t>(0, action.fields.deadline - now_))) : "never";
      message.hint = (action.fields.kind == CEDE_DO_MARK ? "evict " : "checkpoint ") + left + ' ' +
                     action.preemptor + '\n';
    } else {
      task->ending = true;
    }
    pending.messages.push_back(std::move(message));
  }
  std::string why = "for " + action.preemptor + ", " + action.cause;
  if (action.fields.deadline != CEDE_NOW_OF_CLUSTER && action.fields.deadline > now_)
    why += ", until " + shown_duration(action.fields.deadline - clock_->origin());
  log_event(event_word(action.fields), job, std::move(why));
  pending_actions_.push_back(std::move(pending));
}

void Manager::execute() {
  while (!to_start_.empty()) {
    if (const Fault fault = start(to_start_.front().first, to_start_.front().second)) return pause(fault);
    to_start_.pop_front();
  }
  send_messages();
}

Fault Manager::start(std::size_t job_index, std::size_t task_index) {
  JobRun& job = jobs_[job_index];
  const TaskRun& task = job.tasks[task_index];
  const RunSpec& run = job.spec->run;
  const Attempt attempt = launcher_.attempt(job_index, task_index, task.attempt);
  const std::string state = launcher_.state_folder(job_index, task_index);
  if (Fault fault = make_folder(state)) return fault;
  if (!task.resume) empty_folder(state);
  const std::int64_t duration = clock_->to_real(run.duration);
  Launch launch;
  launch.command = run.command;
  launch.signal = run.signal;
  launch.owner_file = launcher_.file("owner");
  launch.orphan_timeout = scenario_.orphan_timeout;
  if (launch.command.empty()) {
    WorkerOptions options;
    options.duration = std::chrono::milliseconds(duration);
    options.takes = std::chrono::milliseconds(clock_->to_real(run.takes));
    options.defers = std::chrono::milliseconds(clock_->to_real(run.defers));
    options.signal = run.signal;
    options.saves = run.saves;
    options.ignores_term = run.ignores_term;
    launch.command = {"/proc/self/exe", "run-worker"};
    for (std::string& argument : options.arguments()) launch.command.push_back(std::move(argument));
  }
  launch.environment = run.environment;
  const auto set = [&launch](const char* name, std::string value) {
    launch.environment.emplace_back(name, std::move(value));
  };
  set("CEDE_JOB", job.spec->id);
  set("CEDE_TASK", job.spec->tasks[task_index].id);
  set("CEDE_RANK", std::to_string(task_index));
  set("CEDE_TASKS", std::to_string(job.tasks.size()));
  set("CEDE_NODE", task.place.node);
  set("CEDE_RESUME", task.resume ? "1" : "0");
  set("CEDE_STATE", state);
  set("CEDE_REPORT", attempt.folder());
  set("CEDE_DURATION", seconds(duration));
  set("CUDA_VISIBLE_DEVICES", visible_devices(task.place.devices));
  return launcher_.start(attempt, launch);
}

// The supervisor may not have started yet, or may be gone; then collect() will see how it ended. A hint that
// cannot be written is tried again; the library knows how long an action may take.
bool Manager::send(Message& message) {
  const TaskRun& task = jobs_[message.job].tasks[message.task];
  if (task.state != TaskState::running) return true;
  const Attempt attempt = launcher_.attempt(message.job, message.task, task.attempt);
  if (message.text.empty() && message.hint.empty()) {
    ::unlink(attempt.file("hint").c_str());
    return true;
  }
  if (message.first_hint) remove_answers(attempt);
  message.first_hint = false;
  if (!message.hint.empty() && replace_file(attempt.file("hint"), message.hint, false)) return false;
  message.hint.clear();
  return message.text.empty() || Launcher::send(attempt, message.text.data());
}

// The operator of a site that only marks its victims: whoever has not left by itself some time after the mark
// is deleted. Not in the journal: after a crash the time begins again.
void Manager::delete_marked() {
  constexpr std::int64_t kDeleted = -1;
  for (std::size_t i = 0; i < jobs_.size(); ++i) {
    bool any = false;
    for (std::size_t t = 0; t < jobs_[i].tasks.size(); ++t) {
      TaskRun& task = jobs_[i].tasks[t];
      if (task.state != TaskState::running || !task.marked || stopping_) {
        marked_since_.erase({i, t});
        continue;
      }
      std::int64_t& since = marked_since_.try_emplace({i, t}, now_).first->second;
      if (since == kDeleted || now_ - since < scenario_.cleanup_delay) continue;
      since = kDeleted;
      task.ending = dirty_ = any = true;
      pending_actions_.push_back({0, {{i, t, "end"}}});
    }
    if (any) log_event("delete", jobs_[i], "by the operator, because it is marked");
  }
}

void Manager::send_messages() {
  for (PendingAction& pending : pending_actions_) {
    for (auto message = pending.messages.begin(); message != pending.messages.end();)
      message = send(*message) ? pending.messages.erase(message) : std::next(message);
    if (pending.messages.empty() && pending.action != 0)
      engine_events_.push_back({.kind = CEDE_EVENT_ACTION_DONE, .action = pending.action});
  }
  std::erase_if(pending_actions_, [](const PendingAction& pending) { return pending.messages.empty(); });
}

}  // namespace local
