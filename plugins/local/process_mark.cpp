// SPDX-License-Identifier: MIT
#include "process_mark.h"

#include <cstdio>

#include "small_file.h"

namespace local {

std::optional<ProcessMark> mark_of(pid_t pid) {
  std::optional<std::string> stat = read_small("/proc/" + std::to_string(pid) + "/stat");
  if (!stat) return {};
  // The name may hold anything, brackets too; what follows the last one may not.
  const std::size_t behind_name = stat->rfind(')');
  if (behind_name == std::string::npos) return {};
  char state = 0;
  unsigned long long started = 0;
  const int got = std::sscanf(
      stat->c_str() + behind_name + 1,
      " %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d %llu", &state, &started);
  if (got != 2 || state == 'Z' || state == 'X') return {};
  return ProcessMark{pid, started};
}

std::optional<ProcessMark> read_mark(std::string_view text) {
  long pid = 0;
  unsigned long long started = 0;
  if (std::sscanf(std::string(text.substr(0, 64)).c_str(), "%ld %llu", &pid, &started) != 2 || pid <= 0)
    return {};
  return ProcessMark{static_cast<pid_t>(pid), started};
}

}  // namespace local
