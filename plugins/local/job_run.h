// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "attempt.h"
#include "library.h"
#include "scenario.h"

namespace local {

enum class TaskState : std::uint8_t {
  waiting,
  running,  // or about to: its attempt is written down
  left,     // made to leave; the library decides whether it is queued again
  done,     // ended for good
};

// The state of one task.
struct TaskRun {
  TaskState state = TaskState::waiting;
  std::uint32_t attempt = 0;  // number of its last start
  Place place{};
  std::int64_t started = 0;
  bool hinted = false;
  bool marked = false;
  bool ending = false;          // it was told to end
  bool saved = false;           // it said done
  bool lost = false;            // its node went down
  bool resume = false;          // its next start continues from what was saved
  std::int64_t deadline = 0;    // of the last action; 0: none
  std::string seen_progress{};  // stamps of the job's files as last read, see manager_reports.cpp
  std::string seen_deferral{};
  std::string seen_failure{};
};

enum class JobEnd : std::uint8_t { none, completed, failed, preempted, refused, impossible, stopped };

// The state of one job.
struct JobRun {
  explicit JobRun(const JobSpec& job) : spec(&job), tasks(job.tasks.size()), max(job.max) {
    for (const TaskSpec& task : job.tasks) uses.push_back(task.resources);
  }

  const JobSpec* spec;
  std::vector<TaskRun> tasks;
  Amounts max;                // as events have changed it
  std::vector<Amounts> uses;  // likewise, of each task
  bool arrived = false;
  JobEnd end = JobEnd::none;
  std::int64_t submitted = 0;
  std::int64_t waiting_since = 0;
  std::int32_t priority = 0;
  std::int32_t job_class = 0;
  std::uint32_t preempted_count = 0;
  bool resume = false;                        // so does a task of it that waits
  std::int64_t checkpoint = 0;                // when it last saved; 0: never
  std::vector<std::string> checkpoint_nodes;  // nodes that keep the state it resumes from
  std::int32_t left_as = 0;                   // CEDE_HOW_... of tasks that left and are not queued again
  bool failing = false;                       // one of its tasks failed, so the others are ended
  std::uint32_t losses = 0;                   // how often a task was lost with its supervisor
  std::vector<Place> planned_places;          // where it will start, while a plan for it is in flight
  std::string rule;                           // why it waits
  std::string reason;

  std::int64_t waited = 0;  // in total, without the present wait
  std::uint32_t starts = 0;
  std::uint32_t resumes = 0;
  std::uint32_t preemptions = 0;
  std::int64_t lost_work = 0;  // GPU-milliseconds

  bool live() const { return arrived && end == JobEnd::none; }
  bool has(TaskState state) const;
  bool waits() const { return live() && has(TaskState::waiting); }
  // Whether the last of its tasks has ended by itself.
  bool is_over() const {
    return !has(TaskState::running) && !has(TaskState::left) && (failing || !has(TaskState::waiting));
  }
  // Whether the library should know the job.
  bool exists() const {
    return live() && (has(TaskState::running) || has(TaskState::waiting) || has(TaskState::left));
  }
  TaskRun* task(const std::string& id, std::size_t& index);

  // The job for a cluster document; `submission`: with priority and class as submitted.
  std::string json(bool submission = false) const;
};

// `0,2-5`; for CUDA_VISIBLE_DEVICES each device on its own: `0,2,3,4,5`.
std::string device_ranges(const cede_place& devices);
std::string visible_devices(const cede_place& devices);

std::string_view word_of(JobEnd end);

}  // namespace local
