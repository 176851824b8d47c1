// SPDX-License-Identifier: MIT
#include "process_identity.h"

#include <cerrno>
#include <cstdio>

#include "file_io.h"

namespace local {

namespace {

// 0 and the identity, ESRCH if the process has ended, or the errno if that cannot be read.
int look_at(pid_t pid, ProcessIdentity& identity) {
  std::string stat;
  const int fault = read_proc("/proc/" + std::to_string(pid) + "/stat", stat);
  if (fault != 0) return fault == ENOENT ? ESRCH : fault;
  // The name may contain anything, even brackets; what follows the last bracket may not.
  const std::size_t behind_name = stat.rfind(')');
  if (behind_name == std::string::npos) return EINVAL;
  char state = 0;
  unsigned long long started = 0;
  const int got = std::sscanf(
      stat.c_str() + behind_name + 1,
      " %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d %llu", &state, &started);
  if (got != 2) return EINVAL;
  if (state == 'Z' || state == 'X') return ESRCH;
  identity = {pid, started};
  return 0;
}

}  // namespace

std::optional<ProcessIdentity> identity_of(pid_t pid) {
  ProcessIdentity identity;
  return look_at(pid, identity) == 0 ? std::optional(identity) : std::nullopt;
}

bool has_ended(const ProcessIdentity& identity) {
  ProcessIdentity present;
  const int fault = look_at(identity.pid, present);
  return fault == ESRCH || (fault == 0 && !(present == identity));
}

std::optional<ProcessIdentity> read_identity(std::string_view text) {
  long pid = 0;
  unsigned long long started = 0;
  if (std::sscanf(std::string(text.substr(0, 64)).c_str(), "%ld %llu", &pid, &started) != 2 || pid <= 0)
    return {};
  return ProcessIdentity{static_cast<pid_t>(pid), started};
}

}  // namespace local
