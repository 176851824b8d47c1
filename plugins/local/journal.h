// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "clock.h"
#include "cluster_run.h"
#include "file_io.h"
#include "job_run.h"

namespace local {

// What a run needs to be resumed: the library's state and the state of each job, event and relief.
struct Journal {
  std::int64_t origin = 0;  // of the clock
  double speed = 1;
  std::int64_t passed = 0;  // real milliseconds of the run when this was written
  Timestamp written{};
  bool over = false;      // the run has ended normally
  bool stopping = false;  // it is being ended
  std::string engine;     // as the library saved it
  std::vector<ReliefRun> relief;

  // Replaces the file atomically and durably. Called before any action is executed.
  Fault write(const std::string& file, const std::vector<JobRun>& jobs,
              const std::vector<EventRun>& events) const;
  // Empty, or what is wrong with the file. `jobs` and `events` are those of the scenario.
  std::string read(const std::string& file, std::vector<JobRun>& jobs, std::vector<EventRun>& events);
};

}  // namespace local
