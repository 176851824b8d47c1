// SPDX-License-Identifier: MIT
#include "limited_child.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <exception>

#include "console.h"

namespace cli {

namespace {

constexpr rlim_t kSeconds = 10;
constexpr rlim_t kMemory = rlim_t{2} << 30;

void limit(decltype(RLIMIT_CPU) resource, rlim_t most) {
  const rlimit both{most, most};
  ::setrlimit(resource, &both);
}

// In the child: one piece after the other, each announced by a byte so that the parent knows which was the
// last.
[[noreturn]] void work_through(std::size_t pieces, const std::function<void(std::size_t)>& work,
                               int announce) {
  const int nowhere = ::open("/dev/null", O_WRONLY);
  if (nowhere >= 0) ::dup2(nowhere, STDERR_FILENO);
  limit(RLIMIT_CORE, 0);
#if !defined(__SANITIZE_ADDRESS__)
  limit(RLIMIT_AS, kMemory);
#endif
  limit(RLIMIT_CPU, kSeconds + pieces);
  try {
    for (std::size_t piece = 0; piece < pieces; ++piece) {
      if (write_all(announce, "x") != 0) ::_exit(1);
      work(piece);
    }
  } catch (const std::exception&) {
    ::_exit(1);
  }
  ::_exit(0);
}

std::size_t count_bytes(int descriptor) {
  std::size_t count = 0;
  char buffer[256];
  for (;;) {
    const ssize_t got = ::read(descriptor, buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return count;
    count += static_cast<std::size_t>(got);
  }
}

}  // namespace

std::optional<ChildEnd> run_limited(std::size_t pieces, const std::function<void(std::size_t)>& work) {
  if (pieces == 0) return {};
  int ends[2];
  const auto failed = [](const char* what) {
    return ChildEnd{true, 0, std::string(what) + ": " + std::strerror(errno)};
  };
  if (::pipe2(ends, O_CLOEXEC) != 0) return failed("cannot make a pipe");
  const pid_t child = ::fork();
  if (child < 0) {
    const ChildEnd end = failed("cannot start a process");
    ::close(ends[0]);
    ::close(ends[1]);
    return end;
  }
  if (child == 0) work_through(pieces, work, ends[1]);
  ::close(ends[1]);
  const std::size_t begun = count_bytes(ends[0]);
  ::close(ends[0]);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) return failed("cannot wait for a process");
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return {};
  ChildEnd end{false, begun > 0 ? begun - 1 : 0, "cannot be parsed: the attempt ended early"};
  if (WIFSIGNALED(status))
    end.why = std::string("parsing this XML ended with: ") + ::strsignal(WTERMSIG(status));
  return end;
}

}  // namespace cli
