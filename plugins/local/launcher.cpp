// SPDX-License-Identifier: MIT
#include "launcher.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "cli/console.h"
#include "file_io.h"

extern char** environ;

namespace local {

namespace {

constexpr const char* kProgram = "/proc/self/exe";

// In a session of its own, because signals that the terminal sends to the manager are not for the job.
Fault spawn(const std::string& folder, pid_t& pid) {
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_t files;
  posix_spawnattr_init(&attributes);
  posix_spawn_file_actions_init(&files);
  sigset_t none, defaults;
  sigemptyset(&none);
  sigemptyset(&defaults);
  for (const int signal : {SIGPIPE, SIGXFSZ}) sigaddset(&defaults, signal);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &defaults);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  for (int descriptor = 0; descriptor <= 2; ++descriptor)
    posix_spawn_file_actions_addopen(&files, descriptor, "/dev/null", O_RDWR, 0);
  std::string name = "cede", command = "run-supervisor", operand = folder;
  char* words[] = {name.data(), command.data(), operand.data(), nullptr};
  const int fault = ::posix_spawn(&pid, kProgram, &files, &attributes, words, environ);
  posix_spawn_file_actions_destroy(&files);
  posix_spawnattr_destroy(&attributes);
  if (fault == 0) return {};
  return {fault, std::string("cannot start a process: ") + std::strerror(fault)};
}

// Whatever of an attempt runs without its supervisor, known by the environment it was started with. True if
// there was anything: then somebody has to look again.
bool kill_unsupervised(const Attempt& attempt) {
  const std::string sign = "CEDE_REPORT=" + attempt.folder() + std::string(1, '\0');
  bool any = false;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", ignored)) {
    const pid_t pid = std::atoi(entry.path().filename().c_str());
    if (pid <= 0 || pid == ::getpid()) continue;
    std::string environment;
    read_proc(entry.path() / "environ", environment);
    if (environment.find(sign) == std::string::npos || !identity_of(pid)) continue;
    any = ::kill(pid, SIGKILL) == 0 || any;
  }
  return any;
}

}  // namespace

std::string Launcher::state_folder(std::size_t job, std::size_t task) const {
  return folder_ + "/state/" + std::to_string(job) + '-' + std::to_string(task);
}

Attempt Launcher::attempt(std::size_t job, std::size_t task, std::uint32_t number) const {
  return Attempt(folder_ + "/tasks/" + std::to_string(job) + '-' + std::to_string(task) + '-' +
                 std::to_string(number));
}

std::string Launcher::lock_folder() {
  lock_ = ::open(file("lock").c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (lock_ < 0) return "cannot write '" + file("lock") + "': " + std::strerror(errno);
  if (::flock(lock_, LOCK_EX | LOCK_NB) != 0) {
    const std::optional<ProcessIdentity> owner = read_identity(read_small(file("owner")).value_or(""));
    return "the folder '" + folder_ + "' is in use" +
           (owner ? " by process " + std::to_string(owner->pid) : std::string());
  }
  remove_unfinished(folder_);
  for (const char* name : {"tasks", "state"}) {
    if (Fault fault = make_folder(file(name))) return fault.text;
  }
  const std::optional<ProcessIdentity> own = identity_of(::getpid());
  return replace_file(file("owner"), own ? own->text() + '\n' : "", true).text;
}

Fault Launcher::start(const Attempt& attempt, const Launch& launch) {
  if (Fault fault = make_folder(attempt.folder())) return fault;
  if (Fault fault = replace_file(attempt.file("launch"), launch.text(), false)) return fault;
  pid_t pid = 0;
  Fault fault = spawn(attempt.folder(), pid);
  if (!fault) children_.emplace(pid, attempt.folder());
  return fault;
}

Fault Launcher::prevent_start(const Attempt& attempt) {
  if (Fault fault = make_folder(attempt.folder())) return fault;
  return create_file(attempt.file("supervisor"), "0 0 nobody\n");
}

bool Launcher::send(const Attempt& attempt, const char* message) {
  const int control = ::open(attempt.file("control").c_str(), O_WRONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC);
  if (control < 0) return false;
  struct stat status {};
  const bool is_pipe = ::fstat(control, &status) == 0 && S_ISFIFO(status.st_mode);
  const bool heard = is_pipe && cli::write_all(control, std::string(message) + '\n') == 0;
  ::close(control);
  return heard;
}

std::optional<Exit> Launcher::exit_of(const Attempt& attempt) {
  const std::optional<std::string> text = read_small(attempt.file("exit"));
  return text ? Exit::read(*text) : std::nullopt;
}

bool Launcher::has_supervisor(const Attempt& attempt) const {
  const bool is_ours = std::any_of(children_.begin(), children_.end(), [&attempt](const auto& child) {
    return child.second == attempt.folder();
  });
  if (is_ours) return true;
  const std::optional<std::string> claim = read_small(attempt.file("supervisor"));
  const std::optional<ProcessIdentity> supervisor = read_identity(claim.value_or(""));
  return supervisor && !has_ended(*supervisor);
}

std::optional<Exit> Launcher::lost_exit_of(const Attempt& attempt) const {
  if (has_supervisor(attempt)) return {};
  // From now on no process can claim an attempt that is unclaimed.
  if (const Fault fault = prevent_start(attempt);
      fault && (fault.number != EEXIST || has_supervisor(attempt)))
    return {};
  // The supervisor may have written this just before it ended.
  if (std::optional<Exit> told = exit_of(attempt)) return told;
  if (kill_unsupervised(attempt)) return {};
  return Exit{.by_signal = true, .code = SIGKILL, .orphaned = true, .lost = true};
}

void Launcher::terminate(const Attempt& attempt) const {
  for (const auto& [pid, folder] : children_) {
    if (folder == attempt.folder()) ::kill(pid, SIGTERM);
  }
}

void Launcher::reap() {
  for (auto child = children_.begin(); child != children_.end();) {
    const bool gone = ::waitpid(child->first, nullptr, WNOHANG) != 0;
    child = gone ? children_.erase(child) : std::next(child);
  }
}

}  // namespace local
