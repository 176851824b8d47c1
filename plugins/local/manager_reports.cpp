// SPDX-License-Identifier: MIT
// What the jobs and their supervisors report.
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "duration.h"
#include "file_io.h"
#include "manager.h"

namespace local {

namespace {

constexpr std::uint32_t kMostLosses = 3;
constexpr std::size_t kLongestWord = 4096;  // that a job writes
constexpr double kLongestDeferral = 1e6;    // seconds

// Changes whenever the file is written; empty if there is no file.
std::string stamp_of(const std::string& file) {
  struct stat status {};
  if (::lstat(file.c_str(), &status) != 0) return {};
  return std::to_string(status.st_ino) + ' ' + std::to_string(status.st_mtim.tv_sec) + ' ' +
         std::to_string(status.st_mtim.tv_nsec);
}

// Whether the file was written since it was last read; updates `seen`. The file stays. The journal holds
// `seen` together with the effect of the report, so a report counts once even if the manager is killed.
bool has_changed(const std::string& file, std::string& seen) {
  std::string stamp = stamp_of(file);
  if (stamp.empty() || stamp == seen) return false;
  seen = std::move(stamp);
  return true;
}

std::string exit_text(const Exit& exit, bool with_node) {
  if (with_node) return "lost with its node";
  if (exit.orphaned) return "lost with its supervisor";
  if (exit.by_signal) return std::string("ended by signal ") + ::strsignal(exit.code);
  return "exit status " + std::to_string(exit.code);
}

}  // namespace

void Manager::collect() {
  for (std::size_t i = 0; i < jobs_.size(); ++i) {
    if (!jobs_[i].live()) continue;
    for (std::size_t t = 0; t < jobs_[i].tasks.size(); ++t) {
      const TaskRun& task = jobs_[i].tasks[t];
      if (task.state != TaskState::running || task.lost) continue;
      const Attempt attempt = launcher_.attempt(i, t, task.attempt);
      // In this order: what was reported before the end counts.
      std::optional<Exit> exit = Launcher::exit_of(attempt);
      if (!exit && full_check_) exit = launcher_.lost_exit_of(attempt);
      if (task.hinted) read_reports(i, t);
      if (exit) take_exit(i, t, *exit);
    }
  }
  collect_lost();
}

// The library hears that a node is down when the last task there has ended: then it may start them elsewhere.
void Manager::collect_lost() {
  struct Lost {
    std::size_t job;
    std::size_t task;
    Exit exit;
  };
  for (auto node = lost_nodes_.begin(); node != lost_nodes_.end();) {
    std::vector<Lost> ended;
    bool all = true;
    for (std::size_t i = 0; i < jobs_.size(); ++i) {
      for (std::size_t t = 0; t < jobs_[i].tasks.size(); ++t) {
        const TaskRun& task = jobs_[i].tasks[t];
        if (task.state != TaskState::running || !task.lost || task.place.node != *node) continue;
        const Attempt attempt = launcher_.attempt(i, t, task.attempt);
        std::optional<Exit> exit = Launcher::exit_of(attempt);
        if (!exit && full_check_) exit = launcher_.lost_exit_of(attempt);
        if (exit) ended.push_back({i, t, *exit});
        all = all && exit;
      }
    }
    if (!all) {
      ++node;
      continue;
    }
    for (const Lost& each : ended) take_exit(each.job, each.task, each.exit);
    if (cluster_.is_down(*node)) engine_events_.push_back({.kind = CEDE_EVENT_NODE_DOWN, .node = *node});
    node = lost_nodes_.erase(node);
  }
}

void Manager::read_reports(std::size_t index, std::size_t task_index) {
  JobRun& job = jobs_[index];
  TaskRun& task = job.tasks[task_index];
  const std::string& id = job.spec->tasks[task_index].id;
  const Attempt attempt = launcher_.attempt(index, task_index, task.attempt);
  const auto report = [&](std::int32_t kind, std::int64_t length = 0) {
    engine_events_.push_back({.kind = kind, .job = job.spec->id, .task = id, .length = length});
    dirty_ = true;
  };
  // An empty file is still being written.
  const std::string deferral = read_small(attempt.file("defer"), kLongestWord).value_or("");
  if (!deferral.empty() && has_changed(attempt.file("defer"), task.seen_deferral)) {
    const double real = std::clamp(std::strtod(deferral.c_str(), nullptr), 0.0, kLongestDeferral);
    const auto length = static_cast<std::int64_t>(real * 1000 * clock_->speed());
    report(CEDE_EVENT_DEFER, length);
    log_event("defer", job, "asks for " + shown_duration(length));
  }
  if (has_changed(attempt.file("progress"), task.seen_progress)) report(CEDE_EVENT_CHECKPOINT_PROGRESS);
  if (!task.saved && exists(attempt.file("done"))) {
    task.saved = true;
    report(CEDE_EVENT_CHECKPOINT_DONE);
    const bool all = std::all_of(job.tasks.begin(), job.tasks.end(), [](const TaskRun& other) {
      return other.state != TaskState::running || other.saved;
    });
    if (all) {
      job.checkpoint = now_;
      log_event("saved", job, "its checkpoint is done");
    }
  } else if (!task.saved && has_changed(attempt.file("failed"), task.seen_failure)) {
    report(CEDE_EVENT_CHECKPOINT_FAILED);
    log_event("unsaved", job, "its checkpoint failed");
  }
}

void Manager::take_exit(std::size_t index, std::size_t task_index, const Exit& exit) {
  JobRun& job = jobs_[index];
  TaskRun& task = job.tasks[task_index];
  const std::string& id = job.spec->tasks[task_index].id;
  // A task that exited well before any message reached it has completed its work.
  const bool by_itself = exit.good() && !exit.told;
  const bool made_to = ((task.ending || task.marked) && !by_itself) || task.saved;
  const bool by_hint = task.hinted && exit.by_signal && exit.code == job.spec->run.signal && !task.saved;
  if (by_hint)
    engine_events_.push_back({.kind = CEDE_EVENT_CHECKPOINT_FAILED, .job = job.spec->id, .task = id});
  const bool with_node = task.lost && !by_itself;
  if (made_to || by_hint || stopping_) {
    task.state = TaskState::left;
  } else if (with_node || (exit.orphaned && (!exit.lost || job.losses < kMostLosses))) {
    if (exit.lost && !with_node) ++job.losses;
    task.state = TaskState::waiting;
    job.resume = task.resume = job.checkpoint > 0;
    job.waiting_since = now_;
  } else {
    task.state = TaskState::done;
    if (!exit.good() && !job.failing) {
      job.failing = true;
      job.reason = "task " + id + ": " + exit_text(exit, false);
      end_others(index);
    }
  }
  if ((task.state == TaskState::left && !task.saved) || task.state == TaskState::waiting) {
    const std::int64_t since = std::max(task.started, job.checkpoint);
    job.lost_work +=
        static_cast<std::int64_t>(static_cast<double>(now_ - since) * job.spec->tasks[task_index].gpus);
  }
  if (task.state != TaskState::done) log_event("leave", job, id + ": " + exit_text(exit, with_node));
  if (task.lost && cluster_.is_down(task.place.node)) {
    // The library hears of the node. A task that no action made leave is not a victim of a preemption.
  } else if (task.state == TaskState::done && job.is_over()) {
    engine_events_.push_back({.kind = CEDE_EVENT_EXITED, .job = job.spec->id, .code = exit.code});
  } else if (task.hinted || task.ending || task.marked || by_hint) {
    engine_events_.push_back({.kind = CEDE_EVENT_RELEASED, .job = job.spec->id, .task = id});
  }
  touch(index);
  dirty_ = changed_ = true;
}

void Manager::end_others(std::size_t index) {
  const JobRun& job = jobs_[index];
  for (std::size_t t = 0; t < job.tasks.size(); ++t) {
    if (job.tasks[t].state == TaskState::running) pending_actions_.push_back({0, {{index, t, "end"}}});
  }
}

// After a crash: makes sure that every attempt in the journal either has a supervisor or never gets one.
// Empty, or why that failed.
std::string Manager::adopt() {
  for (std::size_t i = 0; i < jobs_.size(); ++i) {
    JobRun& job = jobs_[i];
    std::size_t found = 0, never_begun = 0;
    for (std::size_t t = 0; job.live() && t < job.tasks.size(); ++t) {
      TaskRun& task = job.tasks[t];
      if (task.state != TaskState::running) continue;
      const Fault fault = Launcher::prevent_start(launcher_.attempt(i, t, task.attempt));
      if (fault && fault.number != EEXIST) return fault.text;
      if (fault) {
        ++found;
        if (task.lost) lose_tasks(task.place.node);
        continue;
      }
      task.state = TaskState::waiting;
      if (++never_begun == 1) job.waited -= task.started - job.waiting_since;
    }
    // A start that is in the journal but was not executed does not count.
    if (found == 0 && never_begun > 0 && job.starts > 0) {
      --job.starts;
      if (job.resume && job.resumes > 0) --job.resumes;
    }
    if (found > 0) log_event("adopt", job, std::to_string(found) + (found == 1 ? " process" : " processes"));
    if (job.failing) end_others(i);
    job.losses = 0;
  }
  return {};
}

}  // namespace local
