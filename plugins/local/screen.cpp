// SPDX-License-Identifier: MIT
#include "screen.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>

#include "cli/console.h"

namespace local {

Screen::Screen() { cli::write_all(STDOUT_FILENO, "\033[?1049h\033[?25l\033[?7l"); }

Screen::~Screen() { cli::write_all(STDOUT_FILENO, "\033[?7h\033[?25h\033[?1049l"); }

void Screen::size(std::size_t& columns, std::size_t& rows) {
  winsize size{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0) size = {};
  columns = size.ws_col > 0 ? size.ws_col : 80;
  rows = size.ws_row > 0 ? size.ws_row : 24;
}

void Screen::show(const std::vector<std::string>& lines) {
  std::string out = fresh_ ? "\033[2J" : "";
  fresh_ = false;
  const std::size_t count = std::max(lines.size(), shown_.size());
  for (std::size_t i = 0; i < count; ++i) {
    const std::string& line = i < lines.size() ? lines[i] : std::string();
    if (i < shown_.size() && shown_[i] == line) continue;
    out += "\033[" + std::to_string(i + 1) + ";1H\033[2K" + line;
  }
  shown_ = lines;
  if (!out.empty()) cli::write_all(STDOUT_FILENO, out);
}

}  // namespace local
