// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "sequence_script.h"

namespace cede {

// A resource manager with its jobs, as far as a sequence can tell: it does what it is asked, takes its time,
// and lives on when the host of the sequence dies. Doing an action twice is harmless here, as it must be.
class Site {
 public:
  static constexpr std::int64_t kNever = 1'000'000;

  struct Task {
    bool saved = false;
    bool gone = false;
  };
  struct Job {
    // How it behaves, in seconds after being asked.
    std::int64_t saves_after = kNever;
    std::int64_t save_fails_after = kNever;
    std::int64_t progress_every = kNever;
    std::int64_t defers = 0;
    std::int64_t stops_after = 2;
    std::int64_t obeys_int_after = kNever;
    std::int64_t obeys_term_after = 3;
    std::int64_t finishes_at = kNever;  // by itself
    int refuses = 0;                    // so many actions fail
    // What became of it.
    std::map<std::string, Task> tasks;
    std::map<ActionKind, Time> asked;
    std::map<Signal, Time> signalled;
    std::map<ActionId, Time> term_tried;
    bool said_failed = false;
    bool finished_itself = false;
    bool was_ended = false;
    int requeues = 0;
    bool resumes = false;
    std::string how;  // it left, as the last requeue or gone said
    bool gone() const {
      for (const auto& [label, task] : tasks) {
        if (!task.gone) return false;
      }
      return true;
    }
  };

  std::map<std::string, Job> jobs;
  std::int64_t starts_after = 2;
  int starts = 0;
  Time grace = 30 * kSecond;
  std::vector<std::string> faults;

  // Carries an action out; false where it cannot.
  bool perform(const Action& action, Time now) {
    if (action.kind == ActionKind::start) {
      if (start_asked_ == kNoTime) start_asked_ = now;
      return true;
    }
    if (action.kind == ActionKind::release_hold || action.kind == ActionKind::replan) return true;
    Job& job = jobs.at(action.job);
    if (action.kind == ActionKind::requeue) {
      if (!job.gone()) faults.push_back(action.job + " is requeued while it runs");
      const bool saved =
          std::all_of(job.tasks.begin(), job.tasks.end(), [](const auto& task) { return task.second.saved; });
      if (action.resume && !saved && !action.keep_local)
        faults.push_back(action.job + " is to resume from nothing");
      job.requeues = 1;
      job.resumes = action.resume;
      say_how(job, action);
      return true;
    }
    if (action.kind == ActionKind::gone) {
      if (!job.gone()) faults.push_back(action.job + " is said to be gone while it runs");
      say_how(job, action);
      return true;
    }
    if (action.signal == Signal::term) job.term_tried.emplace(action.id, now);
    if (job.refuses > 0 && refused_.insert(action.id).second) {
      --job.refuses;
      return false;
    }
    if (refused_.contains(action.id)) return false;
    if (action.kind == ActionKind::signal) {
      // A TERM that could not be sent has its grace too.
      if (action.signal == Signal::kill &&
          (job.term_tried.empty() || now < job.term_tried.begin()->second + grace)) {
        faults.push_back(action.job + " is killed before its grace");
      }
      job.signalled.emplace(action.signal, now);
    } else {
      job.asked.emplace(action.kind, now);
    }
    return true;
  }

  // What happened by now that was not told yet.
  std::vector<Event> advance(Time now) {
    std::vector<Event> events;
    for (auto& [name, job] : jobs) live(name, job, now, events);
    if (start_asked_ != kNoTime && now >= start_asked_ + starts_after * kSecond && starts == 0) {
      ++starts;
      for (const auto& [name, job] : jobs) {
        if (!job.gone()) faults.push_back("the requester starts while " + name + " is there");
      }
      events.push_back(started("p"));
    }
    return events;
  }

  // What a manager tells a host that has come back.
  std::vector<Event> present() const {
    std::vector<Event> events;
    for (const auto& [name, job] : jobs) {
      for (const auto& [label, task] : job.tasks) {
        if (task.saved && !job.gone()) events.push_back(done(name, label));
        if (task.gone && !job.gone()) events.push_back(released(name, label));
      }
      if (job.said_failed && !job.gone()) events.push_back(failed(name));
    }
    if (starts > 0) events.push_back(started("p"));
    return events;
  }
  std::vector<std::string> gone_jobs() const {
    std::vector<std::string> names;
    for (const auto& [name, job] : jobs) {
      if (job.gone()) names.push_back(name);
    }
    return names;
  }

 private:
  static bool passed(const std::map<ActionKind, Time>& times, ActionKind kind, std::int64_t after, Time now) {
    const auto found = times.find(kind);
    return found != times.end() && now >= found->second + after * kSecond;
  }
  static bool passed(const std::map<Signal, Time>& times, Signal kind, std::int64_t after, Time now) {
    const auto found = times.find(kind);
    return found != times.end() && now >= found->second + after * kSecond;
  }

  void live(const std::string& name, Job& job, Time now, std::vector<Event>& events) {
    if (job.gone()) return;
    const bool hinted = job.asked.contains(ActionKind::checkpoint_hint);
    if (now >= at(job.finishes_at)) {
      job.finished_itself = !was_asked_to_end(job);
      leave(job);
      events.push_back(exited(name));
      return;
    }
    if (hinted && !job.was_ended) {
      const Time since = job.asked.at(ActionKind::checkpoint_hint);
      const std::int64_t waited = (now - since) / kSecond;
      if (job.defers > 0) {
        events.push_back(defer(name, job.defers));
        job.defers = 0;
      }
      if (waited > 0 && waited % job.progress_every == 0) events.push_back(progress(name));
      if (waited >= job.save_fails_after && !job.said_failed) {
        job.said_failed = true;
        events.push_back(failed(name));
      }
      std::int64_t due = job.saves_after;
      for (auto& [label, task] : job.tasks) {
        if (!task.saved && waited >= due) {
          task.saved = true;
          events.push_back(done(name, label));
        }
        ++due;
      }
    }
    const bool ends = passed(job.asked, ActionKind::suspend, job.stops_after, now) ||
                      passed(job.signalled, Signal::interrupt, job.obeys_int_after, now) ||
                      passed(job.signalled, Signal::term, job.obeys_term_after, now) ||
                      passed(job.signalled, Signal::kill, 0, now) ||
                      passed(job.asked, ActionKind::terminate, 0, now);
    if (!ends) return;
    // One task a second, so that a crash can come in between.
    job.was_ended = true;
    for (auto& [label, task] : job.tasks) {
      if (task.gone) continue;
      task.gone = true;
      events.push_back(released(name, label));
      break;
    }
  }

  void say_how(Job& job, const Action& action) {
    const std::string how(to_word(action.how, kExitResults));
    if (!job.how.empty() && job.how != how) faults.push_back(action.job + " left in two ways");
    job.how = how;
  }

  static bool was_asked_to_end(const Job& job) {
    return !job.signalled.empty() || job.asked.contains(ActionKind::suspend) ||
           job.asked.contains(ActionKind::terminate);
  }
  static void leave(Job& job) {
    for (auto& [label, task] : job.tasks) task.gone = true;
  }

  Time start_asked_ = kNoTime;
  std::set<ActionId> refused_;
};

}  // namespace cede
