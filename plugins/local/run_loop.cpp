// SPDX-License-Identifier: MIT
#include "run_loop.h"

#include <poll.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <csignal>
#include <optional>

#include "cli/message_text.h"
#include "screen.h"
#include "summary.h"
#include "view.h"

namespace local {

namespace {

constexpr int kCycleEvery = 20;  // real milliseconds
constexpr std::int64_t kFrameEvery = 100;

// INT, TERM and HUP as something to read, because a handler could do nothing useful.
class Signals {
 public:
  Signals() {
    sigemptyset(&watched_);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGCHLD, SIGWINCH}) sigaddset(&watched_, signal);
    sigprocmask(SIG_BLOCK, &watched_, &before_);
    descriptor_ = ::signalfd(-1, &watched_, SFD_NONBLOCK | SFD_CLOEXEC);
  }
  ~Signals() {
    ::close(descriptor_);
    sigprocmask(SIG_SETMASK, &before_, nullptr);
  }
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;

  // Waits for one or for the time to pass; how often the user asked to end, and whether the terminal has
  // another size.
  int wait(int milliseconds, bool& resized) const {
    pollfd polled{descriptor_, POLLIN, 0};
    ::poll(&polled, 1, milliseconds);
    int ends = 0;
    signalfd_siginfo info{};
    while (::read(descriptor_, &info, sizeof info) == static_cast<ssize_t>(sizeof info)) {
      if (info.ssi_signo == SIGWINCH) resized = true;
      if (info.ssi_signo != SIGCHLD && info.ssi_signo != SIGWINCH) ++ends;
    }
    return ends;
  }

 private:
  sigset_t watched_{};
  sigset_t before_{};
  int descriptor_ = -1;
};

}  // namespace

RunLoop::RunLoop(cli::Console& console, Output output)
    : console_(console), output_(output), draws_(output == Output::automatic && console.can_draw()) {}

void RunLoop::on_event(const RunEvent& event) {
  events_.push_back(event);
  if (draws_) return;
  if (event.what == kWarning) return console_.err_line("cede: warning: " + cli::one_line(event.text));
  if (output_ == Output::json) return;
  console_.out(shown(event) + '\n');
  console_.flush();
}

void RunLoop::follow(Manager& manager) {
  const Signals signals;
  std::optional<Screen> screen;
  if (draws_) screen.emplace();
  View view(console_.has_color());
  std::int64_t next_frame = 0;
  while (manager.run_cycle()) {
    bool resized = false;
    if (screen && Clock::ticks() >= next_frame) {
      next_frame = Clock::ticks() + kFrameEvery;
      std::size_t columns = 0, rows = 0;
      Screen::size(columns, rows);
      screen->show(view.frame(manager, events_, columns, rows));
    }
    for (int ends = signals.wait(kCycleEvery, resized); ends > 0; --ends) manager.stop();
    if (screen && resized) screen->invalidate();
  }
}

void RunLoop::run(Manager& manager, const std::string& folder) {
  if (output_ != Output::json && !draws_) {
    console_.out("run folder " + cli::one_line(folder) + '\n');
    console_.flush();
  }
  follow(manager);
  if (draws_) print_last_events();
  if (!manager.fault().empty() && !manager.over()) return;
  if (output_ == Output::json) {
    console_.out(run_document(manager, events_));
  } else {
    print_summary(manager, console_);
  }
}

// The screen is gone; what was decided last is worth keeping.
void RunLoop::print_last_events() {
  constexpr std::size_t kKept = 40;
  const std::size_t first = events_.size() > kKept ? events_.size() - kKept : 0;
  if (first > 0) console_.out("  ... " + std::to_string(first) + " events before\n");
  for (std::size_t i = first; i < events_.size(); ++i) console_.out(shown(events_[i]) + '\n');
}

}  // namespace local
