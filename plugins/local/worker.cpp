// SPDX-License-Identifier: MIT
// The built-in job: it works for a given time, saves how far it is when it is asked to, and goes on from
// there. It speaks the same files as anybody's script does.
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <string>

#include "cli/command.h"
#include "file_io.h"
#include "worker.h"

namespace local {

namespace {

using SteadyClock = std::chrono::steady_clock;
using Milliseconds = std::chrono::milliseconds;

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

class Worker {
 public:
  explicit Worker(const WorkerOptions& options)
      : options_(options), state_(variable("CEDE_STATE") + "/progress"), report_(variable("CEDE_REPORT")) {
    sigemptyset(&heard_);
    for (const int signal : {options.signal, SIGTERM, SIGINT}) sigaddset(&heard_, signal);
    sigprocmask(SIG_BLOCK, &heard_, nullptr);
    if (variable("CEDE_RESUME") == "1")
      worked_ = Milliseconds(std::atoll(read_small(state_).value_or("0").c_str()));
  }

  int run() {
    while (worked_ < options_.duration) {
      if (work(options_.duration - worked_)) answer_hint();
    }
    return 0;
  }

 private:
  // Passes time; true if a hint came. Does not return if the job is to end.
  bool listen(Milliseconds length) {
    const SteadyClock::time_point end = SteadyClock::now() + length;
    for (;;) {
      const auto left =
          std::max<SteadyClock::duration>(end - SteadyClock::now(), SteadyClock::duration::zero());
      const auto whole = std::chrono::duration_cast<std::chrono::seconds>(left);
      const timespec patience{whole.count(), std::chrono::nanoseconds(left - whole).count()};
      const int signal = ::sigtimedwait(&heard_, nullptr, &patience);
      if (signal < 0 && errno == EINTR) continue;
      if (signal < 0) return false;
      if (signal == SIGTERM && options_.ignores_term && options_.signal != SIGTERM) continue;
      if (signal == options_.signal) {
        if (options_.saves) return true;
        continue;
      }
      end_by(signal);
    }
  }

  bool work(Milliseconds length) {
    const SteadyClock::time_point begun = SteadyClock::now();
    const bool hinted = listen(length);
    worked_ += std::chrono::duration_cast<Milliseconds>(SteadyClock::now() - begun);
    return hinted;
  }

  void answer_hint() {
    if (options_.defers > Milliseconds(0) && !deferred_) {
      deferred_ = true;
      replace_file(report_ + "/defer",
                   std::to_string(static_cast<double>(options_.defers.count()) / 1000) + '\n', false);
      work(std::min(options_.defers, options_.duration - worked_));
      if (worked_ >= options_.duration) return;
    }
    const Milliseconds half = options_.takes / 2;
    replace_file(report_ + "/progress", "0\n", false);
    listen(half);
    replace_file(report_ + "/progress", "50\n", false);
    listen(options_.takes - half);
    if (replace_file(state_, std::to_string(worked_.count()) + '\n', true)) {
      replace_file(report_ + "/failed", "", false);
      return;
    }
    replace_file(report_ + "/done", "", false);
    // What is done now would be done again; it waits for the end, or for the hint to be taken back.
    while (exists(report_ + "/hint")) listen(Milliseconds(50));
  }

  [[noreturn]] void end_by(int signal) {
    std::signal(signal, SIG_DFL);
    sigset_t only;
    sigemptyset(&only);
    sigaddset(&only, signal);
    ::raise(signal);
    sigprocmask(SIG_UNBLOCK, &only, nullptr);
    ::_exit(128 + signal);
  }

  WorkerOptions options_;
  std::string state_;
  std::string report_;
  sigset_t heard_{};
  Milliseconds worked_{0};
  bool deferred_ = false;
};

int run_worker(const cli::Arguments& arguments, cli::Console& console) {
  const std::optional<WorkerOptions> options = WorkerOptions::read(arguments.operands());
  if (!options) return console.fail("this command is for 'cede run' alone");
  return Worker(*options).run();
}

}  // namespace

std::vector<std::string> WorkerOptions::arguments() const {
  return {std::to_string(duration.count()), std::to_string(takes.count()),
          std::to_string(defers.count()),   std::to_string(signal),
          std::to_string(saves ? 1 : 0),    std::to_string(ignores_term ? 1 : 0)};
}

std::optional<WorkerOptions> WorkerOptions::read(const std::vector<std::string>& arguments) {
  if (arguments.size() != 6) return {};
  const auto number = [&arguments](std::size_t i) { return std::atoll(arguments[i].c_str()); };
  WorkerOptions out;
  out.duration = Milliseconds(number(0));
  out.takes = Milliseconds(number(1));
  out.defers = Milliseconds(number(2));
  out.signal = static_cast<int>(number(3));
  out.saves = number(4) != 0;
  out.ignores_term = number(5) != 0;
  return out;
}

}  // namespace local

namespace cli {

extern constinit const Command worker_command{
    .name = "run-worker",
    .summary = "be a job of 'cede run'",
    .synopsis = "run-worker DURATION TAKES DEFERS SIGNAL SAVES IGNORES",
    .operand = "NUMBER",
    .options = {},
    .description = "Started by 'cede run', never by people.\n",
    .examples = "",
    .run = local::run_worker,
};

}  // namespace cli
