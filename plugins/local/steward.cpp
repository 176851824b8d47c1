// SPDX-License-Identifier: MIT
#include "steward.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <thread>

#include "cli/json_text.h"
#include "duration.h"
#include "small_file.h"

namespace local {

namespace {

constexpr int kMostTurns = 16;
constexpr std::int64_t kThoroughEvery = 1000;
constexpr std::int64_t kTryEvery = 500;
constexpr std::int64_t kAbandonPatience = 10'000;

}  // namespace

Steward::Steward(const Scenario& scenario, Flock& flock, Listener& listener)
    : scenario_(scenario), flock_(flock), listener_(listener) {
  for (const JobSpec& job : scenario.jobs) jobs_.emplace_back(job);
}

std::string Steward::cluster_document() const {
  std::string out = "{" + scenario_.cluster + ",\"now\":" + seconds(now_) + ",\"jobs\":[";
  std::string list;
  for (const JobRun& job : jobs_) {
    if (job.exists()) list += (list.empty() ? "\n" : ",\n") + job.json();
  }
  return out + list + "]}";
}

std::string Steward::changes_begin() const {
  return "{\"format\":\"cede-changes/1\",\"now\":" + seconds(now_) + ',';
}

std::string Steward::begin(double speed) {
  journal_.origin = scenario_.now > 0 ? scenario_.now : Moment::now().wall;
  journal_.speed = speed;
  clock_.emplace(journal_.origin, 0, speed);
  now_ = clock_->now();
  if (std::string fault = library_.open(scenario_.policy); !fault.empty()) return fault;
  if (std::string fault = library_.load(cluster_document()); !fault.empty()) return fault;
  // From here on there is a run that can be resumed.
  return write_journal(false).text;
}

std::string Steward::resume() {
  if (std::string fault = journal_.read(flock_.file("journal"), jobs_); !fault.empty()) return fault;
  if (journal_.over) return "the run in '" + flock_.folder() + "' has ended; there is nothing to resume";
  clock_.emplace(journal_.origin, journal_.passed + Moment::now().since(journal_.written), journal_.speed);
  now_ = clock_->now();
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

void Steward::tell(std::string_view what, const JobRun& job, std::string text) {
  last_change_ = now_;
  listener_.hear({now_ - clock_->origin(), what, job.spec->id, std::move(text)});
}

JobRun* Steward::find(const std::string& id) {
  const auto found =
      std::find_if(jobs_.begin(), jobs_.end(), [&id](const JobRun& job) { return job.spec->id == id; });
  return found == jobs_.end() ? nullptr : &*found;
}

void Steward::arrive() {
  if (stopping_) return;
  for (std::size_t i = 0; i < jobs_.size(); ++i) {
    JobRun& job = jobs_[i];
    if (job.arrived || clock_->origin() + job.spec->conduct.arrival > now_) continue;
    job.arrived = true;
    job.submitted = job.waiting_since = clock_->origin() + job.spec->conduct.arrival;
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
    tell("arrive", job,
         "priority " + std::to_string(job.priority) + ", class " + std::to_string(job.job_class));
  }
}

void Steward::end_job(std::size_t index, JobEnd end, const std::string& text) {
  jobs_[index].end = end;
  touch(index);
  dirty_ = changed_ = true;
  tell(end == JobEnd::completed ? "complete" : word_of(end), jobs_[index], text);
}

// The library hears of changes before it hears of what they mean.
void Steward::flush() {
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

Fault Steward::write_journal(bool over) {
  journal_.over = over;
  journal_.stopping = stopping_;
  journal_.passed = clock_->passed();
  journal_.written = Moment::now();
  if (std::string fault = library_.save(journal_.engine); !fault.empty()) return {EINVAL, std::move(fault)};
  return journal_.write(flock_.file("journal"), jobs_);
}

bool Steward::save(bool over) {
  const Fault fault = write_journal(over);
  if (fault) hold(fault);
  if (!fault) dirty_ = false;
  return !fault;
}

// The run waits for what may pass, and ends for anything else.
void Steward::hold(const Fault& fault) {
  if (!fault.may_pass()) {
    fault_ = fault.text;
    return;
  }
  next_try_ = Clock::ticks() + kTryEvery;
  if (held_) return;
  held_ = fault;
  held_since_ = Clock::ticks();
  clock_->hold();
  warn(fault.text + "; until that is possible nothing is started or ended");
}

// Tries again what could not be done. False while it still cannot.
bool Steward::go_on() {
  if (stopping_ || Clock::ticks() - held_since_ > scenario_.patience) {
    fault_ = held_.text;
    return false;
  }
  if (Clock::ticks() < next_try_) return false;
  if (dirty_ && !save()) return false;
  if (perform(); !fault_.empty() || !to_start_.empty()) return false;
  held_ = {};
  clock_->release();
  warn("the run goes on");
  return true;
}

void Steward::warn(std::string text) {
  listener_.hear({now_ - clock_->origin(), kWarning, {}, std::move(text)});
}

// One step of the library and what it asks for: first written down, then done. True if there was anything.
bool Steward::turn() {
  flush();
  std::vector<Order> orders;
  std::int64_t due = 0;
  const std::vector<News> news = std::move(news_);
  news_.clear();
  if (std::string fault = library_.step(now_, news, orders, due); !fault.empty() && fault_.empty())
    fault_ = "the library refuses a step: " + fault;
  if (!fault_.empty()) return false;
  // Who waits again is settled first: what left and does not is at its end.
  const auto rest = std::stable_partition(
      orders.begin(), orders.end(), [](const Order& order) { return order.action.kind == CEDE_DO_REQUEUE; });
  std::for_each(orders.begin(), rest, [this](const Order& order) { take(order); });
  settle();
  std::for_each(rest, orders.end(), [this](const Order& order) { take(order); });
  if (!orders.empty()) dirty_ = changed_ = true;
  if (dirty_ && !save()) return false;
  flush();
  perform();
  return !orders.empty();
}

void Steward::take_turns() {
  for (int i = 0; i < kMostTurns && fault_.empty() && !held_; ++i) {
    if (!turn() && news_.empty()) return;
  }
}

// Tasks that left and that the library did not send back to the queue.
void Steward::settle_left(JobRun& job, std::size_t index) {
  const bool on_their_way = std::any_of(job.tasks.begin(), job.tasks.end(), [](const TaskRun& task) {
    return task.state == TaskState::running && (task.hinted || task.ending || task.marked);
  });
  if (on_their_way || stopping_) return;
  const bool comes_again = job.spec->conduct.restart && !job.failing;
  for (TaskRun& task : job.tasks) {
    if (task.state == TaskState::left) task.state = comes_again ? TaskState::waiting : TaskState::done;
  }
  ++job.preemptions;
  if (comes_again) {
    job.submitted = job.waiting_since = now_;
    job.resume = false;
    tell("restart", job, "its owner submits it again");
  }
  touch(index);
  dirty_ = true;
}

void Steward::settle() {
  for (std::size_t i = 0; i < jobs_.size(); ++i) {
    JobRun& job = jobs_[i];
    if (!job.live()) continue;
    const bool left = job.has(TaskState::left);
    if (left) settle_left(job, i);
    if (job.has(TaskState::running) || (job.has(TaskState::waiting) && !job.failing)) continue;
    if (stopping_) {
      end_job(i, JobEnd::stopped, "the run ends");
    } else if (job.failing) {
      end_job(i, JobEnd::failed, job.reason);
    } else if (!job.has(TaskState::left)) {
      end_job(i, left ? JobEnd::preempted : JobEnd::completed, left ? "the policy does not requeue it" : "");
    }
  }
}

bool Steward::is_over() {
  bool alive = false, waiting = false;
  for (const JobRun& job : jobs_) {
    alive = alive || (!job.arrived && !stopping_) || job.has(TaskState::running);
    waiting = waiting || job.live();
  }
  if (alive || !errands_.empty()) return false;
  if (stopping_ || !waiting) return true;
  const bool in_flight = !library_.in_flight().empty();
  stuck_ = !in_flight && now_ - last_change_ > scenario_.patience;
  return stuck_;
}

bool Steward::round() {
  flock_.reap();
  if (!held_ || go_on()) {
    now_ = std::max(now_, clock_->now());
    thorough_ = Clock::ticks() >= next_thorough_;
    if (thorough_) next_thorough_ = Clock::ticks() + kThoroughEvery;
    collect();
    arrive();
    take_turns();
    if (fault_.empty() && !held_ && !stopping_ && ask_for_plans()) take_turns();
  }
  if (!fault_.empty()) {
    abandon();
    return false;
  }
  if (held_) return true;
  over_ = is_over();
  // For whoever collects them; a run does not fail because nobody can.
  if (thorough_ || over_) put_file(flock_.file("metrics"), library_.metrics(), false);
  if (!over_) return true;
  if (save(true)) return false;
  dirty_ = true;
  return fault_.empty();
}

// The run cannot go on: no process is left behind. The journal is as it was, so whoever resumes the run
// starts again what is ended here.
void Steward::abandon() {
  const std::int64_t enough = Clock::ticks() + kAbandonPatience;
  std::set<std::pair<std::size_t, std::size_t>> told;
  for (bool any = true; any && Clock::ticks() < enough;
       std::this_thread::sleep_for(std::chrono::milliseconds(20))) {
    any = false;
    for (std::size_t i = 0; i < jobs_.size(); ++i) {
      for (std::size_t t = 0; t < jobs_[i].tasks.size(); ++t) {
        TaskRun& task = jobs_[i].tasks[t];
        if (task.state != TaskState::running) continue;
        const Attempt attempt = flock_.attempt(i, t, task.attempt);
        if (!flock_.is_looked_after(attempt)) {
          flock_.lost_exit_of(attempt);
          task.state = TaskState::left;
          continue;
        }
        any = true;
        if (told.contains({i, t})) continue;
        bool heard = Flock::tell(attempt, "abandon");
        if (!heard && !exists(attempt.folder())) {
          // Somebody removed it; no word reaches anybody any more.
          flock_.terminate(attempt);
          heard = true;
        }
        if (heard) told.emplace(i, t);
      }
    }
    flock_.reap();
  }
}

void Steward::stop() {
  killing_ = stopping_;
  stopping_ = true;
  for (std::size_t i = 0; i < jobs_.size(); ++i) {
    JobRun& job = jobs_[i];
    if (!job.live()) continue;
    for (std::size_t t = 0; t < job.tasks.size(); ++t) {
      TaskRun& task = job.tasks[t];
      if (task.state == TaskState::waiting) task.state = TaskState::done;
      if (task.state == TaskState::running) errands_.push_back({0, {{i, t, killing_ ? "kill" : "end"}}});
    }
    touch(i);
  }
  dirty_ = true;
}

}  // namespace local
