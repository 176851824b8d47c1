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
  left,     // made to leave; whether it waits again is the library's word
  done,     // ended for good
};

// Where one task is in its life.
struct TaskRun {
  TaskState state = TaskState::waiting;
  std::uint32_t attempt = 0;  // of how many starts
  Place place{};
  std::int64_t started = 0;
  bool hinted = false;
  bool marked = false;
  bool ending = false;          // something was sent that ends it
  bool saved = false;           // it said done
  std::int64_t deadline = 0;    // of what it was told last; 0: none
  std::string seen_progress{};  // stamps of what the job wrote last, see manager_reports.cpp
  std::string seen_deferral{};
  std::string seen_failure{};
};

enum class JobEnd : std::uint8_t { none, completed, failed, preempted, refused, impossible, stopped };

// One job on its way through the queue.
struct JobRun {
  explicit JobRun(const JobSpec& job) : spec(&job), tasks(job.tasks.size()) {}

  const JobSpec* spec;
  std::vector<TaskRun> tasks;
  bool arrived = false;
  JobEnd end = JobEnd::none;
  std::int64_t submitted = 0;
  std::int64_t waiting_since = 0;
  std::int32_t priority = 0;
  std::int32_t job_class = 0;
  std::uint32_t preempted_count = 0;
  bool resume = false;
  std::int64_t checkpoint = 0;                // when it last saved; 0: never
  std::vector<std::string> checkpoint_nodes;  // nodes that keep what it resumes from
  bool failing = false;                       // a task of it failed: the others are ended
  std::uint32_t losses = 0;                   // how often a process of it was lost with its supervisor
  std::vector<Place> planned_places;          // where it will start, while a plan for it is in flight
  std::string rule;                           // why it waits
  std::string reason;

  std::int64_t waited = 0;  // in all, without the present wait
  std::uint32_t starts = 0;
  std::uint32_t resumes = 0;
  std::uint32_t preemptions = 0;
  std::int64_t lost_work = 0;  // GPU-milliseconds

  bool live() const { return arrived && end == JobEnd::none; }
  bool has(TaskState state) const;
  bool waits() const { return live() && has(TaskState::waiting); }
  // Whether there is anything of it that the library should know.
  bool exists() const {
    return live() && (has(TaskState::running) || has(TaskState::waiting) || has(TaskState::left));
  }
  TaskRun* task(const std::string& id, std::size_t& index);

  // As a job of a cluster document; `submission`: with priority and class as they were asked for.
  std::string json(bool submission = false) const;
};

// `0,2-5`: of CUDA_VISIBLE_DEVICES each on its own, `0,2,3,4,5`.
std::string device_ranges(const cede_place& devices);
std::string visible_devices(const cede_place& devices);

std::string_view word_of(JobEnd end);

}  // namespace local
