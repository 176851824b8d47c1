// SPDX-License-Identifier: MIT
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "attempt.h"
#include "file_io.h"

namespace local {

// Starts the supervisors of a run and talks to them. The run's folder holds:
//
//   scenario.json  what is run         journal  what was decided
//   owner          which process runs it; lock  held by it
//   metrics        of the library, once a second
//   tasks/J-T-A    attempt A of task T of job J, see Attempt
//   state/J-T      what the task saved, kept from one attempt to the next
class Launcher {
 public:
  explicit Launcher(std::string folder) : folder_(std::move(folder)) {}

  const std::string& folder() const { return folder_; }
  std::string file(const char* name) const { return folder_ + '/' + name; }
  std::string state_folder(std::size_t job, std::size_t task) const;
  Attempt attempt(std::size_t job, std::size_t task, std::uint32_t number) const;

  // Locks the folder for this process. Empty, or why that failed.
  std::string lock_folder();

  // Starts a supervisor. After a fault the caller may try again.
  Fault start(const Attempt& attempt, const Launch& launch);
  // Makes sure that an attempt that has not begun never begins. EEXIST if it has begun.
  static Fault prevent_start(const Attempt& attempt);
  // False if there is no supervisor to read the message.
  static bool send(const Attempt& attempt, const char* message);

  // How the task ended, empty while it runs.
  static std::optional<Exit> exit_of(const Attempt& attempt);
  // The same if the supervisor died without writing it. A killed supervisor takes its job along; one that
  // ended before it claimed the attempt has no job.
  std::optional<Exit> lost_exit_of(const Attempt& attempt) const;
  // Whether a process may still begin or end this attempt.
  bool has_supervisor(const Attempt& attempt) const;
  // Ends a supervisor that this process started and that no message can reach.
  void terminate(const Attempt& attempt) const;
  // Reaps supervisors that have ended.
  void reap();

 private:
  std::string folder_;
  int lock_ = -1;
  std::map<pid_t, std::string> children_;  // supervisors by process, with the folders of their attempts
};

}  // namespace local
