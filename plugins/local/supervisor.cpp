// SPDX-License-Identifier: MIT
// The process above a job. It outlives the manager: it passes on signals, reaps whatever the job leaves
// behind, writes down how the job ended, and ends the job when nobody has looked after it for too long.
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <vector>

#include "attempt.h"
#include "cli/command.h"
#include "file_io.h"
#include "output_log.h"

namespace local {

namespace {

using SteadyClock = std::chrono::steady_clock;
constexpr auto kLook = std::chrono::milliseconds(500);
constexpr auto kEndGrace = std::chrono::seconds(5);

class Supervisor {
 public:
  Supervisor(Attempt attempt, Launch launch)
      : attempt_(std::move(attempt)), launch_(std::move(launch)), output_(attempt_.file("output")) {}

  int run() {
    const std::optional<ProcessIdentity> own = identity_of(::getpid());
    if (!own) return cli::kError;
    ::prctl(PR_SET_CHILD_SUBREAPER, 1);
    sigset_t watched;
    sigemptyset(&watched);
    for (const int signal : {SIGCHLD, SIGTERM, SIGHUP, SIGINT}) sigaddset(&watched, signal);
    sigprocmask(SIG_BLOCK, &watched, nullptr);
    signals_ = ::signalfd(-1, &watched, SFD_NONBLOCK | SFD_CLOEXEC);
    // The control pipe comes before the claim: a manager that sees the claim may write at once.
    const bool begun = insist([this] { return open_control(); }) && insist([this, &own] {
                         return create_file(attempt_.file("supervisor"), own->text() + '\n');
                       });
    if (!begun) return cli::kError;
    start();
    while (!ended_) wait_and_see();
    output_.finish();
    const bool told = insist([this] { return replace_file(attempt_.file("exit"), exit_.text(), false); });
    return told ? 0 : cli::kError;
  }

 private:
  Fault open_control() {
    const std::string name = attempt_.file("control");
    if (::mkfifo(name.c_str(), 0600) != 0 && errno != EEXIST) return {errno};
    control_ = ::open(name.c_str(), O_RDWR | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC);
    return {control_ < 0 ? errno : 0};
  }

  // Does what the run cannot do without. On a full disk it is tried again and again. False if that is in
  // vain, or nobody wants it any more.
  template <typename Act>
  bool insist(const Act& act) {
    for (;;) {
      const Fault fault = act();
      if (!fault) return true;
      if (!fault.may_pass() || is_unwanted()) return false;
    }
  }

  // Waits a little. True if there is nobody to work for, or the manager or the system says that it is enough.
  bool is_unwanted() {
    pollfd polled[] = {{control_, POLLIN, 0}, {signals_, POLLIN, 0}};
    wait_for(polled, 2, kLook.count());
    signalfd_siginfo info{};
    while (::read(signals_, &info, sizeof info) == static_cast<ssize_t>(sizeof info)) {
      if (info.ssi_signo != SIGCHLD) return true;
    }
    for (const std::string& message : read_messages()) {
      if (message == "end" || message == "kill" || message == "abandon") return true;
    }
    return is_orphan();
  }

  // Like poll(), but never at once: what fails for good must not keep a processor busy.
  static void wait_for(pollfd* polled, nfds_t count, std::int64_t milliseconds) {
    if (::poll(polled, count, static_cast<int>(milliseconds)) < 0 && errno != EINTR)
      ::usleep(static_cast<useconds_t>(kLook.count() * 1000));
  }

  void start() {
    const pid_t self = ::getpid();
    const bool forked = insist([this] { return Fault{output_.open()}; }) && insist([this] {
                          child_ = ::fork();
                          return Fault{child_ < 0 ? errno : 0};
                        });
    if (forked && child_ == 0) become_job(self);
    output_.close_job_end();
    if (!forked) {
      exit_.code = 126;
      ended_ = true;
      return;
    }
    ::setpgid(child_, child_);
    if (const std::optional<ProcessIdentity> identity = identity_of(child_))
      replace_file(attempt_.file("process"), identity->text() + '\n', false);
  }

  [[noreturn]] void become_job(pid_t supervisor) {
    ::setpgid(0, 0);
    // A supervisor that is killed takes its job along, else nobody could end it.
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != supervisor) ::_exit(126);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    for (const int signal : {SIGPIPE, SIGXFSZ}) std::signal(signal, SIG_DFL);
    const int nothing = ::open("/dev/null", O_RDONLY);
    if (nothing < 0) ::_exit(126);
    ::dup2(nothing, STDIN_FILENO);
    ::dup2(output_.job_end(), STDOUT_FILENO);
    ::dup2(output_.job_end(), STDERR_FILENO);
    if (nothing > STDERR_FILENO) ::close(nothing);
    for (const auto& [name, value] : launch_.environment) ::setenv(name.c_str(), value.c_str(), 1);
    std::vector<char*> words;
    for (std::string& word : launch_.command) words.push_back(word.data());
    words.push_back(nullptr);
    ::execvp(words.front(), words.data());
    const std::string why = "cannot run '" + launch_.command.front() + "': " + std::strerror(errno) + '\n';
    cli::write_all(STDERR_FILENO, why);
    ::_exit(127);
  }

  void wait_and_see() {
    pollfd polled[] = {{control_, POLLIN, 0}, {signals_, POLLIN, 0}, {output_.readable(), POLLIN, 0}};
    wait_for(polled, 3, output_.timeout(static_cast<int>(kLook.count())));
    if (polled[2].revents != 0) output_.take();
    if (polled[1].revents != 0) take_signals();
    if (!ended_ && polled[0].revents != 0) {
      for (const std::string& message : read_messages()) obey(message);
    }
    if (!ended_ && is_orphan()) abandon_job();
    if (!ended_ && kill_at_ != SteadyClock::time_point{} && SteadyClock::now() >= kill_at_) kill_all();
  }

  void take_signals() {
    signalfd_siginfo info{};
    while (::read(signals_, &info, sizeof info) == static_cast<ssize_t>(sizeof info)) {
      if (info.ssi_signo != SIGCHLD) end_job();
    }
    for (;;) {
      int status = 0;
      const pid_t pid = ::waitpid(-1, &status, WNOHANG);
      if (pid <= 0) return;
      if (pid != child_) continue;
      exit_.by_signal = WIFSIGNALED(status);
      exit_.code = exit_.by_signal ? WTERMSIG(status) : WEXITSTATUS(status);
      clear_leftovers();
      ended_ = true;
      return;
    }
  }

  std::vector<std::string> read_messages() {
    std::vector<std::string> out;
    char buffer[256];
    const ssize_t got = ::read(control_, buffer, sizeof buffer);
    if (got > 0) unread_.append(buffer, static_cast<std::size_t>(got));
    for (std::size_t end = unread_.find('\n'); end != std::string::npos; end = unread_.find('\n')) {
      out.push_back(unread_.substr(0, end));
      unread_.erase(0, end + 1);
    }
    return out;
  }

  void obey(const std::string& message) {
    // A hint is for the job's own process: its children may not know what to do with the signal.
    if (message == "hint") ::kill(child_, launch_.signal);
    // A process that has already ended was not ended by the manager.
    if (message == "hint" || has_exited()) return;
    exit_.told = true;
    if (message == "int") ::kill(-child_, SIGINT);
    if (message == "term") ::kill(-child_, SIGTERM);
    if (message == "kill") kill_all();
    if (message == "end") end_job();
    if (message == "abandon") abandon_job();
  }

  bool has_exited() const {
    siginfo_t info{};
    return ::waitid(P_PID, static_cast<id_t>(child_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
           info.si_pid == child_;
  }

  // Whether nobody has looked after the run for too long.
  bool is_orphan() {
    if (SteadyClock::now() < next_look_) return false;
    next_look_ = SteadyClock::now() + kLook;
    switch (look_at_owner()) {
      case Owner::unknown: return false;
      case Owner::lives: orphan_since_ = {}; return false;
      case Owner::gone: break;
    }
    if (orphan_since_ == SteadyClock::time_point{}) orphan_since_ = SteadyClock::now();
    return SteadyClock::now() - orphan_since_ >= std::chrono::milliseconds(launch_.orphan_timeout);
  }

  // It ends; the manager that resumes the run starts it again.
  void abandon_job() {
    exit_.told = exit_.orphaned = true;
    end_job();
  }

  enum class Owner { lives, gone, unknown };

  // A run whose folder is gone has no owner any more. That the file cannot be read for another reason says
  // nothing about the owner.
  Owner look_at_owner() const {
    std::string text;
    const int fault = read_whole(launch_.owner_file, text);
    if (fault != 0) return fault == ENOENT || fault == ENOTDIR ? Owner::gone : Owner::unknown;
    const std::optional<ProcessIdentity> owner = read_identity(text);
    return owner && !has_ended(*owner) ? Owner::lives : Owner::gone;
  }

  void end_job() {
    if (kill_at_ != SteadyClock::time_point{}) return;
    ::kill(-child_, SIGTERM);
    ::kill(-child_, SIGCONT);
    kill_at_ = SteadyClock::now() + kEndGrace;
  }

  void kill_all() {
    ::kill(-child_, SIGKILL);
    kill_children();
  }

  // Those that left the job's process group are this process's children once their parents are gone.
  static void kill_children() {
    const pid_t own = ::getpid();
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator("/proc", ignored)) {
      const pid_t pid = std::atoi(entry.path().filename().c_str());
      std::string stat;
      if (pid > 0) read_proc(entry.path() / "stat", stat);
      const std::size_t behind_name = stat.rfind(')');
      int parent = 0;
      if (behind_name == std::string::npos ||
          std::sscanf(stat.c_str() + behind_name + 1, " %*c %d", &parent) != 1)
        continue;
      if (parent == own) ::kill(pid, SIGKILL);
    }
  }

  void clear_leftovers() {
    ::kill(-child_, SIGKILL);
    for (;;) {
      const pid_t pid = ::waitpid(-1, nullptr, WNOHANG);
      if (pid < 0) return;
      if (pid > 0) continue;
      kill_children();
      ::usleep(2000);
    }
  }

  Attempt attempt_;
  Launch launch_;
  Exit exit_{.told = false};
  OutputLog output_;
  int control_ = -1;
  int signals_ = -1;
  pid_t child_ = 0;
  bool ended_ = false;
  std::string unread_;
  SteadyClock::time_point kill_at_{};
  SteadyClock::time_point next_look_{};
  SteadyClock::time_point orphan_since_{};
};

int run_supervisor(const cli::Arguments& arguments, cli::Console& console) {
  if (arguments.operands().size() != 1) return console.fail("this command is for 'cede run' alone");
  const Attempt attempt(arguments.operands().front());
  std::optional<Launch> launch = Launch::read(read_small(attempt.file("launch")).value_or(""));
  if (!launch) return console.fail("'" + attempt.file("launch") + "' is missing or damaged");
  return Supervisor(attempt, std::move(*launch)).run();
}

}  // namespace

}  // namespace local

namespace cli {

extern constinit const Command supervisor_command{
    .name = "run-supervisor",
    .summary = "look after one process of 'cede run'",
    .synopsis = "run-supervisor FOLDER",
    .operand = "FOLDER",
    .options = {},
    .description = "Started by 'cede run', never by people.\n",
    .examples = "",
    .run = local::run_supervisor,
};

}  // namespace cli
