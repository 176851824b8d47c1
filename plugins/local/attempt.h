// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "process_identity.h"

namespace local {

// One start of one task: a folder in which a supervisor, the job and the manager meet.
//
//   launch      what to run: written by the manager before the supervisor exists
//   supervisor  whose attempt this is; the first to put it there, so nothing starts twice
//   process     the job's own process
//   control     a pipe into which the manager writes messages: hint, int, term, kill, end, abandon
//   hint        for the job: it is asked to save its state
//   progress, done, failed, defer   from the job
//   exit        how it ended; nothing of it runs any more
//   output      what it printed
class Attempt {
 public:
  explicit Attempt(std::string folder) : folder_(std::move(folder)) {}

  const std::string& folder() const { return folder_; }
  std::string file(const char* name) const { return folder_ + '/' + name; }

 private:
  std::string folder_;
};

// What the supervisor is told.
struct Launch {
  std::vector<std::string> command;
  std::vector<std::pair<std::string, std::string>> environment;
  int signal = 0;  // of a hint
  std::string owner_file;
  std::int64_t orphan_timeout = 60'000;

  std::string text() const;
  static std::optional<Launch> read(const std::string& text);
};

// How a task ended.
struct Exit {
  bool by_signal = false;
  int code = 0;           // or the signal
  bool told = true;       // something that ends it was sent while it ran
  bool orphaned = false;  // its supervisor ended it, for nobody looked after it any more
  bool lost = false;      // nobody wrote down how; never in a file

  bool good() const { return !by_signal && code == 0 && !orphaned; }
  std::string text() const;  // `exited 0 told`
  static std::optional<Exit> read(const std::string& text);
};

}  // namespace local
