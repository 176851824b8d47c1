// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "process_identity.h"

namespace local {

// One start of one task: a folder through which the supervisor, the job and the manager communicate.
//
//   launch      what to run: written by the manager before the supervisor exists
//   supervisor  which process supervises it; only one can create this file, so nothing starts twice
//   process     the job's own process
//   control     a pipe into which the manager writes messages: hint, int, term, kill, end, abandon
//   hint        for the job: it is asked to save its state
//   progress, done, failed, defer   from the job
//   exit        how it ended; written once no process of it is left
//   output      what it printed
class Attempt {
 public:
  explicit Attempt(std::string folder) : folder_(std::move(folder)) {}

  const std::string& folder() const { return folder_; }
  std::string file(const char* name) const { return folder_ + '/' + name; }

 private:
  std::string folder_;
};

// What the supervisor is to start.
struct Launch {
  std::vector<std::string> command;
  std::vector<std::pair<std::string, std::string>> environment;
  int signal = 0;  // sent to the job with a hint
  std::string owner_file;
  std::int64_t orphan_timeout = 60'000;

  std::string text() const;
  static std::optional<Launch> read(const std::string& text);
};

// How a task ended.
struct Exit {
  bool by_signal = false;
  int code = 0;           // the exit code or the signal
  bool told = true;       // it was told to end while it ran
  bool orphaned = false;  // its supervisor ended it because there was no manager any more
  bool lost = false;      // how it ended is not known; never in a file

  bool good() const { return !by_signal && code == 0 && !orphaned; }
  std::string text() const;  // `exited 0 told`
  static std::optional<Exit> read(const std::string& text);
};

}  // namespace local
