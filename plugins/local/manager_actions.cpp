// SPDX-License-Identifier: MIT
// What the library asks for: first noted in the tables, then, once these are written down, done.
#include <unistd.h>

#include <algorithm>
#include <cmath>

#include "duration.h"
#include "manager.h"
#include "small_file.h"
#include "worker.h"

namespace local {

namespace {

std::string_view word_of(const cede_action& action) {
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

std::string_view happening_of(const cede_action& action) {
  switch (action.kind) {
    case CEDE_DO_CHECKPOINT_HINT: return "hint";
    case CEDE_DO_MARK: return "mark";
    case CEDE_DO_SUSPEND: return "suspend";
    case CEDE_DO_CANCEL_HINT: return "go-on";
    default: return word_of(action);
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

// What a job said to a hint that was taken back is no answer to the next.
void forget_answers(const Attempt& attempt) {
  for (const char* name : {"done", "failed", "defer", "progress"}) ::unlink(attempt.file(name).c_str());
}

}  // namespace

void Manager::take(const Order& order) {
  JobRun* job = find(order.job);
  switch (order.action.kind) {
    case CEDE_DO_START:
      if (job && job->live()) return take_start(order, *job);
      break;
    case CEDE_DO_REQUEUE:
      if (job && job->live()) return take_requeue(order, *job);
      break;
    case CEDE_DO_CHECKPOINT_HINT:
    case CEDE_DO_MARK:
    case CEDE_DO_SIGNAL:
    case CEDE_DO_SUSPEND:
    case CEDE_DO_TERMINATE:
    case CEDE_DO_CANCEL_HINT:
      if (job) return take_words(order, *job);
      break;
    case CEDE_DO_REPLAN: replan(order); break;
    default: break;  // nothing of ours keeps others out of a hold
  }
  news_.push_back({.kind = CEDE_EVENT_ACTION_DONE, .action = order.action.id});
}

void Manager::take_start(const Order& order, JobRun& job) {
  const bool was_running = job.has(TaskState::running);
  bool any = false;
  for (const Place& place : order.places) {
    std::size_t index = 0;
    TaskRun* task = job.task(place.task, index);
    if (!task || task->state != TaskState::waiting) continue;  // adopted, or told twice
    const std::uint32_t attempt = task->attempt + 1;
    *task = TaskRun{.state = TaskState::running, .attempt = attempt, .place = place, .started = now_};
    to_start_.emplace_back(index_of(job), index);
    any = true;
  }
  if (any) {
    ++job.starts;
    if (job.resume) ++job.resumes;
    if (!was_running) job.waited += now_ - job.waiting_since;
    job.bound.clear();
    job.kept.clear();
    job.rule.clear();
    touch(index_of(job));
    log_event(job.resume ? "resume" : "start", job, places_text(order.places));
  }
  news_.push_back({.kind = CEDE_EVENT_ACTION_DONE, .action = order.action.id});
  news_.push_back({.kind = CEDE_EVENT_STARTED, .job = order.job});
}

void Manager::take_requeue(const Order& order, JobRun& job) {
  bool any = false;
  job.bound.clear();
  for (TaskRun& task : job.tasks) {
    if (task.state != TaskState::left || stopping_) continue;
    if (order.action.keep_local != 0) job.bound.push_back(task.place.node);
    task.state = TaskState::waiting;
    any = true;
  }
  if (any) {
    ++job.preemptions;
    job.submitted = order.action.submitted;
    job.waiting_since = order.action.waiting_since;
    job.preempted_count = order.action.preempted_count;
    job.resume = order.action.resume != 0;
    log_event("requeue", job, job.resume ? "to resume from its checkpoint" : "from the beginning");
    touch(index_of(job));
    if (order.action.waits_for_owner != 0)
      end_job(index_of(job), JobEnd::preempted, "it waits for its owner, not in the queue");
  }
  news_.push_back({.kind = CEDE_EVENT_ACTION_DONE, .action = order.action.id});
}

void Manager::take_words(const Order& order, JobRun& job) {
  Errand errand{order.action.id, {}};
  const std::size_t job_index = index_of(job);
  const std::string_view word = word_of(order.action);
  for (const std::string& id : order.tasks) {
    std::size_t index = 0;
    TaskRun* task = job.task(id, index);
    if (!task || task->state != TaskState::running) continue;
    task->deadline = std::max<std::int64_t>(0, order.action.deadline);
    if (order.action.kind == CEDE_DO_CANCEL_HINT) {
      task->hinted = task->marked = task->saved = false;
      errand.words.push_back({job_index, index, {}});
      continue;
    }
    Word said{job_index, index, word};
    const bool asks = order.action.kind == CEDE_DO_CHECKPOINT_HINT || order.action.kind == CEDE_DO_MARK;
    if (asks) {
      said.first_hint = !task->hinted && !task->marked;
      task->hinted = task->hinted || order.action.kind == CEDE_DO_CHECKPOINT_HINT;
      task->marked = task->marked || order.action.kind == CEDE_DO_MARK;
      const bool ends = order.action.deadline != CEDE_NOW_OF_CLUSTER;
      const std::string left =
          ends ? seconds(clock_->to_real(std::max<std::int64_t>(0, order.action.deadline - now_))) : "never";
      said.hint = (order.action.kind == CEDE_DO_MARK ? "evict " : "checkpoint ") + left + ' ' +
                  order.preemptor + '\n';
    } else {
      task->ending = true;
    }
    errand.words.push_back(std::move(said));
  }
  std::string text = "for " + order.preemptor + ", " + order.cause;
  if (order.action.deadline != CEDE_NOW_OF_CLUSTER && order.action.deadline > now_)
    text += ", until " + shown_duration(order.action.deadline - clock_->origin());
  log_event(happening_of(order.action), job, std::move(text));
  errands_.push_back(std::move(errand));
}

void Manager::execute() {
  while (!to_start_.empty()) {
    if (const Fault fault = start(to_start_.front().first, to_start_.front().second)) return pause(fault);
    to_start_.pop_front();
  }
  deliver();
}

Fault Manager::start(std::size_t job_index, std::size_t task_index) {
  JobRun& job = jobs_[job_index];
  const TaskRun& task = job.tasks[task_index];
  const Conduct& conduct = job.spec->conduct;
  const Attempt attempt = launcher_.attempt(job_index, task_index, task.attempt);
  const std::string state = launcher_.state_folder(job_index, task_index);
  if (Fault fault = make_folder(state)) return fault;
  if (!job.resume) empty_folder(state);
  const std::int64_t duration = clock_->to_real(conduct.duration);
  Launch launch;
  launch.command = conduct.command;
  launch.signal = conduct.signal;
  launch.owner_file = launcher_.file("owner");
  launch.orphan_timeout = scenario_.orphan_timeout;
  if (launch.command.empty()) {
    WorkerTerms terms;
    terms.duration = std::chrono::milliseconds(duration);
    terms.takes = std::chrono::milliseconds(clock_->to_real(conduct.takes));
    terms.defers = std::chrono::milliseconds(clock_->to_real(conduct.defers));
    terms.signal = conduct.signal;
    terms.saves = conduct.saves;
    terms.ignores_term = conduct.ignores_term;
    launch.command = {"/proc/self/exe", "run-worker"};
    for (std::string& word : terms.words()) launch.command.push_back(std::move(word));
  }
  launch.environment = conduct.environment;
  const auto set = [&launch](const char* name, std::string value) {
    launch.environment.emplace_back(name, std::move(value));
  };
  set("CEDE_JOB", job.spec->id);
  set("CEDE_TASK", job.spec->tasks[task_index].id);
  set("CEDE_RANK", std::to_string(task_index));
  set("CEDE_TASKS", std::to_string(job.tasks.size()));
  set("CEDE_NODE", task.place.node);
  set("CEDE_RESUME", job.resume ? "1" : "0");
  set("CEDE_STATE", state);
  set("CEDE_REPORT", attempt.folder());
  set("CEDE_DURATION", seconds(duration));
  set("CUDA_VISIBLE_DEVICES", visible_devices(task.place.devices));
  return launcher_.start(attempt, launch);
}

// A supervisor may not be up yet, or be gone already; then collect() will see how it ended. A hint that
// cannot be written is tried again; the library knows how long an order may take.
bool Manager::deliver(Word& word) {
  const TaskRun& task = jobs_[word.job].tasks[word.task];
  if (task.state != TaskState::running) return true;
  const Attempt attempt = launcher_.attempt(word.job, word.task, task.attempt);
  if (word.word.empty()) {
    ::unlink(attempt.file("hint").c_str());
    return true;
  }
  if (word.first_hint) forget_answers(attempt);
  word.first_hint = false;
  if (!word.hint.empty() && put_file(attempt.file("hint"), word.hint, false)) return false;
  word.hint.clear();
  return Launcher::send(attempt, word.word.data());
}

void Manager::deliver() {
  for (Errand& errand : errands_) {
    for (auto word = errand.words.begin(); word != errand.words.end();)
      word = deliver(*word) ? errand.words.erase(word) : std::next(word);
    if (errand.words.empty() && errand.action != 0)
      news_.push_back({.kind = CEDE_EVENT_ACTION_DONE, .action = errand.action});
  }
  std::erase_if(errands_, [](const Errand& errand) { return errand.words.empty(); });
}

}  // namespace local
