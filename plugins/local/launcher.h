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

// The supervisors of a run, and the folder in which all of it lies.
//
//   scenario.json  what is run         journal  what is decided
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

  // Takes the folder for this process. Empty, or why not.
  std::string lock_folder();

  // Starts a supervisor. After a fault it may be tried again.
  Fault start(const Attempt& attempt, const Launch& launch);
  // Makes sure that an attempt nobody has begun is never begun. EEXIST if somebody has.
  static Fault prevent_start(const Attempt& attempt);
  // False if there is no supervisor to hear it.
  static bool send(const Attempt& attempt, const char* message);

  // How the task ended, empty while it runs.
  static std::optional<Exit> exit_of(const Attempt& attempt);
  // The same where the supervisor did not live to tell: one that was killed took its job along, and one that
  // ended before it claimed the attempt has no job.
  std::optional<Exit> lost_exit_of(const Attempt& attempt) const;
  // Whether a process may still begin or end this attempt.
  bool has_supervisor(const Attempt& attempt) const;
  // Ends a supervisor of this process's own, where messages do not reach it.
  void terminate(const Attempt& attempt) const;
  // Puts an end to what this process started and has ended.
  void reap();

 private:
  std::string folder_;
  int lock_ = -1;
  std::map<pid_t, std::string> children_;  // supervisors, and the folders of their attempts
};

}  // namespace local
