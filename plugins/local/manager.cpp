// SPDX-License-Identifier: MIT
#include "manager.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <thread>

#include "cli/json_text.h"
#include "duration.h"
#include "file_io.h"

namespace local {

namespace {

constexpr int kMaxSteps = 16;
constexpr std::int64_t kFullCheckEvery = 1000;
constexpr std::int64_t kRetryEvery = 500;
constexpr std::int64_t kAbandonPatience = 10'000;

}  // namespace

Manager::Manager(const Scenario& scenario, Launcher& launcher, RunEventListener& listener)
    : scenario_(scenario), order_(scenario), launcher_(launcher), listener_(listener), cluster_(scenario) {
  for (const JobSpec& job : scenario.jobs) jobs_.emplace_back(job);
  for (const EventSpec& event : scenario.events) events_.emplace_back(event);
}

std::string Manager::cluster_document() const {
  std::string out =
      "{" + scenario_.cluster + ',' + cluster_.members() + ",\"now\":" + seconds(now_) + ",\"jobs\":[";
  std::string list;
  for (const JobRun& job : jobs_) {
    if (job.exists()) list += (list.empty() ? "\n" : ",\n") + job.json();
  }
  return out + list + "]}";
}

std::string Manager::changes_begin() const {
  return "{\"format\":\"cede-changes/1\",\"now\":" + seconds(now_) + ',';
}

std::string Manager::begin(double speed) {
  journal_.origin = scenario_.now > 0 ? scenario_.now : Timestamp::now().wall;
  journal_.speed = speed;
  clock_.emplace(journal_.origin, 0, speed);
  now_ = clock_->now();
  if (std::string fault = library_.open(scenario_.policy); !fault.empty()) return fault;
  if (std::string fault = library_.load(cluster_document()); !fault.empty()) return fault;
  // From here on there is a run that can be resumed.
  return write_journal(false).text;
}

std::string Manager::resume() {
  if (std::string fault = journal_.read(launcher_.file("journal"), jobs_, events_); !fault.empty())
    return fault;
  if (journal_.over) return "the run in '" + launcher_.folder() + "' has ended; there is nothing to resume";
  clock_.emplace(journal_.origin, journal_.passed + Timestamp::now().since(journal_.written), journal_.speed);
  now_ = clock_->now();
  cluster_.apply(events_, nullptr, jobs_);
  if (std::string fault = adopt(); !fault.empty()) return fault;
  if (std::string fault = library_.open(scenario_.policy); !fault.empty()) return fault;
  if (std::string fault = library_.restore(journal_.engine); !fault.empty()) return fault;
  for (const JobRun& job : jobs_) {
    if (job.exists()) in_model_.insert(job.spec->id);
  }
  last_change_ = now_;
  if (journal_.stopping) {
    warn("the run was being ended when its manager was gone; that goes on");
    stop();
  }
  return library_.load(cluster_document());
}

void Manager::log_event(std::string_view what, const std::string& subject, std::string text) {
  last_change_ = now_;
  listener_.on_event({now_ - clock_->origin(), what, subject, std::move(text)});
}

JobRun* Manager::find(const std::string& id) {
  const auto found =
      std::find_if(jobs_.begin(), jobs_.end(), [&id](const JobRun& job) { return job.spec->id == id; });
  return found == jobs_.end() ? nullptr : &*found;
}

void Manager::admit_arrivals() {
  if (stopping_) return;
  for (std::size_t i = 0; i < jobs_.size(); ++i) {
    JobRun& job = jobs_[i];
    if (job.arrived || clock_->origin() + job.spec->run.arrival > now_) continue;
    job.arrived = true;
    job.submitted = job.waiting_since = clock_->origin() + job.spec->run.arrival;
    dirty_ = changed_ = true;
    const std::string changes = "{\"format\":\"cede-changes/1\",\"put\":{\"jobs\":[" + job.json(true) + "]}}";
    std::string fault;
    const cli::Admission admission = library_.admit(job.spec->id, changes, fault);
    if (!admission || cede_admission_admitted(admission.get()) != 1) {
      end_job(i, JobEnd::refused, admission ? cede_admission_reason(admission.get()) : fault);
      continue;
    }
    cede_ruling ruling{};
    cede_admission_get(admission.get(), &ruling, sizeof ruling, nullptr);
    job.priority = ruling.priority;
    job.job_class = ruling.job_class;
    touch(i);
    log_event("arrive", job,
              "priority " + std::to_string(job.priority) + ", class " + std::to_string(job.job_class));
  }
}

void Manager::end_job(std::size_t index, JobEnd end, const std::string& text) {
  jobs_[index].end = end;
  touch(index);
  dirty_ = changed_ = true;
  log_event(end == JobEnd::completed ? "complete" : word_of(end), jobs_[index], text);
}

// The library gets changes of the cluster before the events about them.
void Manager::apply_changes() {
  if (touched_.empty() || !fault_.empty()) return;
  std::string put, removed;
  for (const std::size_t index : touched_) {
    const JobRun& job = jobs_[index];
    if (job.exists()) {
      put += (put.empty() ? "\n" : ",\n") + job.json();
      in_model_.insert(job.spec->id);
    } else if (in_model_.erase(job.spec->id) > 0) {
      removed += (removed.empty() ? "" : ",") + cli::json_quoted(job.spec->id);
    }
  }
  touched_.clear();
  if (put.empty() && removed.empty()) return;
  const std::string fault = library_.apply(changes_begin() + "\"put\":{\"jobs\":[" + put +
                                           "]},\"remove\":{\"jobs\":[" + removed + "]}}");
  if (!fault.empty()) fault_ = "the library refuses the present state: " + fault;
  changed_ = true;
}

Fault Manager::write_journal(bool over) {
  journal_.over = over;
  journal_.stopping = stopping_;
  journal_.passed = clock_->passed();
  journal_.written = Timestamp::now();
  if (std::string fault = library_.save(journal_.engine); !fault.empty()) return {EINVAL, std::move(fault)};
  return journal_.write(launcher_.file("journal"), jobs_, events_);
}

bool Manager::save(bool over) {
  const Fault fault = write_journal(over);
  if (fault) pause(fault);
  if (!fault) dirty_ = false;
  return !fault;
}

// The run waits if a later try may succeed; any other fault ends it.
void Manager::pause(const Fault& fault) {
  if (!fault.may_pass()) {
    fault_ = fault.text;
    return;
  }
  next_retry_ = Clock::ticks() + kRetryEvery;
  if (pause_reason_) return;
  pause_reason_ = fault;
  paused_since_ = Clock::ticks();
  clock_->pause();
  warn(fault.text + "; until that is possible nothing is started or ended");
}

// Tries again what failed. False while it still fails.
bool Manager::retry() {
  if (stopping_ || Clock::ticks() - paused_since_ > scenario_.patience) {
    fault_ = pause_reason_.text;
    return false;
  }
  if (Clock::ticks() < next_retry_) return false;
  if (dirty_ && !save()) return false;
  if (execute(); !fault_.empty() || !to_start_.empty()) return false;
  pause_reason_ = {};
  clock_->unpause();
  warn("the run goes on");
  return true;
}

void Manager::warn(std::string text) {
  listener_.on_event({now_ - clock_->origin(), kWarning, {}, std::move(text)});
}

// One step of the library: its actions are written to the journal, then executed. True if there were any.
bool Manager::step() {
  apply_changes();
  std::vector<EngineAction> actions;
  std::int64_t due = 0;
  const std::vector<EngineEvent> events = std::move(engine_events_);
  engine_events_.clear();
  if (std::string fault = library_.step(now_, events, actions, due); !fault.empty() && fault_.empty())
    fault_ = "the library refuses a step: " + fault;
  if (!fault_.empty()) return false;
  // These come first: a job that left and is not requeued has ended.
  const auto rest = std::stable_partition(actions.begin(), actions.end(), [](const EngineAction& action) {
    return action.fields.kind == CEDE_DO_REQUEUE || action.fields.kind == CEDE_DO_GONE;
  });
  std::for_each(actions.begin(), rest, [this](const EngineAction& action) { accept(action); });
  finish_jobs();
  std::for_each(rest, actions.end(), [this](const EngineAction& action) { accept(action); });
  if (!actions.empty()) dirty_ = changed_ = true;
  if (dirty_ && !save()) return false;
  apply_changes();
  execute();
  return !actions.empty();
}

void Manager::run_steps() {
  for (int i = 0; i < kMaxSteps && fault_.empty() && !pause_reason_; ++i) {
    if (!step() && engine_events_.empty()) return;
  }
}

namespace {

std::string end_text(std::int32_t how) {
  const std::string text = "the policy does not requeue it";
  if (how == CEDE_HOW_SAVED) return "its state is saved; " + text;
  return how == CEDE_HOW_FAILED ? "its checkpoint failed; " + text : text;
}

}  // namespace

// Handles tasks that left and that the library did not requeue.
void Manager::finish_left_tasks(JobRun& job, std::size_t index) {
  const bool on_their_way = std::any_of(job.tasks.begin(), job.tasks.end(), [](const TaskRun& task) {
    return task.state == TaskState::running && (task.hinted || task.ending || task.marked);
  });
  if (on_their_way || stopping_) return;
  const bool comes_again = job.spec->run.restart && !job.failing;
  bool resume = false;
  for (TaskRun& task : job.tasks) {
    if (task.state != TaskState::left) continue;
    task.state = comes_again ? TaskState::waiting : TaskState::done;
    task.resume = comes_again && task.resume && job.checkpoint > 0;
    resume = resume || task.resume;
  }
  ++job.preemptions;
  if (comes_again) {
    job.submitted = job.waiting_since = now_;
    job.resume = resume;
    log_event("restart", job,
              job.resume ? "its owner submits it again, to resume from its checkpoint"
                         : "its owner submits it again");
    job.left_as = 0;
  }
  touch(index);
  dirty_ = true;
}

void Manager::finish_jobs() {
  for (std::size_t i = 0; i < jobs_.size(); ++i) {
    JobRun& job = jobs_[i];
    if (!job.live()) continue;
    const bool left = job.has(TaskState::left);
    if (left) finish_left_tasks(job, i);
    if (job.has(TaskState::running) || (job.has(TaskState::waiting) && !job.failing)) continue;
    if (stopping_) {
      end_job(i, JobEnd::stopped, "the run ends");
    } else if (job.failing) {
      end_job(i, JobEnd::failed, job.reason);
    } else if (!job.has(TaskState::left)) {
      end_job(i, left ? JobEnd::preempted : JobEnd::completed, left ? end_text(job.left_as) : "");
    }
  }
}

bool Manager::is_over() {
  bool alive = false, waiting = false;
  for (const JobRun& job : jobs_) {
    alive = alive || (!job.arrived && !stopping_) || job.has(TaskState::running);
    waiting = waiting || job.live();
  }
  if (alive || !pending_actions_.empty()) return false;
  if (stopping_ || !waiting) return true;
  stuck_ = !waits_for_events() && now_ - last_change_ > scenario_.patience;
  return stuck_;
}

bool Manager::run_cycle() {
  launcher_.reap();
  if (!pause_reason_ || retry()) {
    now_ = std::max(now_, clock_->now());
    full_check_ = Clock::ticks() >= next_full_check_;
    if (full_check_) next_full_check_ = Clock::ticks() + kFullCheckEvery;
    collect();
    delete_marked();
    admit_arrivals();
    begin_events();
    run_steps();
    if (fault_.empty() && !pause_reason_ && !stopping_ && ask_for_plans()) run_steps();
  }
  if (!fault_.empty()) {
    abandon();
    return false;
  }
  if (pause_reason_) return true;
  over_ = is_over();
  // A run does not fail because its metrics cannot be written.
  if (full_check_ || over_) replace_file(launcher_.file("metrics"), library_.metrics(), false);
  if (!over_) return true;
  if (save(true)) return false;
  dirty_ = true;
  return fault_.empty();
}

// The run cannot continue, so all processes are ended. The journal is not changed: a resumed run starts these
// tasks again.
void Manager::abandon() {
  const std::int64_t enough = Clock::ticks() + kAbandonPatience;
  std::set<std::pair<std::size_t, std::size_t>> told;
  for (bool any = true; any && Clock::ticks() < enough;
       std::this_thread::sleep_for(std::chrono::milliseconds(20))) {
    any = false;
    for (std::size_t i = 0; i < jobs_.size(); ++i) {
      for (std::size_t t = 0; t < jobs_[i].tasks.size(); ++t) {
        TaskRun& task = jobs_[i].tasks[t];
        if (task.state != TaskState::running) continue;
        const Attempt attempt = launcher_.attempt(i, t, task.attempt);
        if (!launcher_.has_supervisor(attempt)) {
          launcher_.lost_exit_of(attempt);
          task.state = TaskState::left;
          continue;
        }
        any = true;
        if (told.contains({i, t})) continue;
        bool heard = Launcher::send(attempt, "abandon");
        if (!heard && !exists(attempt.folder())) {
          // The folder was removed, so no message can reach the supervisor.
          launcher_.terminate(attempt);
          heard = true;
        }
        if (heard) told.emplace(i, t);
      }
    }
    launcher_.reap();
  }
}

void Manager::stop() {
  killing_ = stopping_;
  stopping_ = true;
  for (std::size_t i = 0; i < jobs_.size(); ++i) {
    JobRun& job = jobs_[i];
    if (!job.live()) continue;
    for (std::size_t t = 0; t < job.tasks.size(); ++t) {
      TaskRun& task = job.tasks[t];
      if (task.state == TaskState::waiting) task.state = TaskState::done;
      if (task.state == TaskState::running)
        pending_actions_.push_back({0, {{i, t, killing_ ? "kill" : "end"}}});
    }
    touch(i);
  }
  dirty_ = true;
}

}  // namespace local
