// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "clock.h"
#include "file_io.h"
#include "job_run.h"

namespace local {

// All that a run would not find again in its folder: what the library knows, and where each job is.
struct Journal {
  std::int64_t origin = 0;  // of the clock
  double speed = 1;
  std::int64_t passed = 0;  // real milliseconds of the run when this was written
  Timestamp written{};
  bool over = false;      // the run has ended in order
  bool stopping = false;  // it is being ended
  std::string engine;     // as the library saved it

  // Written whole and lasting before anything is done.
  Fault write(const std::string& file, const std::vector<JobRun>& jobs) const;
  // Empty, or what is wrong with it. The jobs are those of the scenario.
  std::string read(const std::string& file, std::vector<JobRun>& jobs);
};

}  // namespace local
