// SPDX-License-Identifier: MIT
#include "run_event.h"

#include "cli/message_text.h"
#include "duration.h"

namespace local {

namespace {

std::string padded(std::string text, std::size_t columns, bool right) {
  const std::size_t size = cli::width(text);
  const std::string gap(size < columns ? columns - size : 0, ' ');
  return right ? gap + text : text + gap;
}

}  // namespace

std::string shown(const RunEvent& event) {
  std::string out = padded(shown_duration(event.time), 8, true) + "  " +
                    padded(std::string(event.what), 10, false) + ' ' +
                    padded(cli::one_line(event.job), 12, false) + ' ' + cli::one_line(event.text);
  out.erase(out.find_last_not_of(' ') + 1);
  return out;
}

}  // namespace local
