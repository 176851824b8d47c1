// SPDX-License-Identifier: MIT
#include "console.h"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>

namespace cli {

namespace {

std::string_view environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

std::string_view escape_of(Style style) {
  switch (style) {
    case Style::bold: return "\033[1m";
    case Style::red: return "\033[31m";
    case Style::green: return "\033[32m";
    case Style::yellow: return "\033[33m";
  }
  return "";
}

}  // namespace

int write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

void secure_standard_streams() {
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  for (int descriptor = 0; descriptor <= 2; ++descriptor) {
    if (::fcntl(descriptor, F_GETFD) >= 0) continue;
    // The lowest free descriptor is this one. Opened the wrong way round, so that its use fails as it would
    // have; messages are lost either way.
    if (::open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY) < 0) continue;
  }
}

Console::Console()
    : out_terminal_(::isatty(STDOUT_FILENO) == 1),
      err_terminal_(::isatty(STDERR_FILENO) == 1),
      dumb_(environment("TERM").empty() || environment("TERM") == "dumb"),
      color_wanted_(environment("NO_COLOR").empty() && environment("TERM") != "dumb") {}

std::size_t Console::columns() const {
  constexpr std::size_t kWithoutTerminal = 100;
  winsize size{};
  if (!out_terminal_ || ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
    return kWithoutTerminal;
  return size.ws_col;
}

std::string Console::paint(bool terminal, Style style, std::string_view text) const {
  if (!colored(terminal) || text.empty()) return std::string(text);
  return std::string(escape_of(style)) + std::string(text) + "\033[0m";
}

void Console::flush() {
  if (out_errno_ == 0) out_errno_ = write_all(STDOUT_FILENO, kept_);
  kept_.clear();
}

void Console::out(std::string_view text) { kept_ += text; }

void Console::err_line(std::string_view text) {
  flush();
  // If this fails, there is nowhere to report it.
  write_all(STDERR_FILENO, std::string(text) + '\n');
}

int Console::fail(std::string_view text) {
  err_line(paint_err(Style::bold, "cede:") + ' ' + std::string(text));
  return kError;
}

int Console::finish(int status) {
  flush();
  if (out_errno_ == 0) return status;
  // The reader closed the pipe (`cede policy | head`), so the error cannot be reported.
  if (out_errno_ == EPIPE) return kError;
  return fail(std::string("cannot write standard output: ") + std::strerror(out_errno_));
}

}  // namespace cli
