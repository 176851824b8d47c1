// SPDX-License-Identifier: MIT
#include <cede/cede.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "console.h"
#include "topology_files.h"

namespace cli {

namespace {

constexpr rlim_t kSeconds = 10;
constexpr rlim_t kMemory = rlim_t{2} << 30;

void limit(decltype(RLIMIT_CPU) resource, rlim_t most) {
  const rlimit both{most, most};
  ::setrlimit(resource, &both);
}

// In the child: one topology after the other, each announced by a byte so that the parent knows which was the
// last.
[[noreturn]] void parse_all(const std::vector<TopologyXml>& topologies, int announce) {
  const int nowhere = ::open("/dev/null", O_WRONLY);
  if (nowhere >= 0) ::dup2(nowhere, STDERR_FILENO);
  limit(RLIMIT_CORE, 0);
#if !defined(__SANITIZE_ADDRESS__)
  limit(RLIMIT_AS, kMemory);
#endif
  limit(RLIMIT_CPU, kSeconds + topologies.size());
  for (const TopologyXml& topology : topologies) {
    if (write_all(announce, "x") != 0) ::_exit(1);
    const std::string document = "{\"format\":\"cede-cluster/1\",\"topologies\":{\"t\":{\"" +
                                 topology.member + "\":" + topology.token + "}}}";
    cede_engine* engine = nullptr;
    cede_report* report = nullptr;
    if (cede_engine_create(nullptr, 0, nullptr, 0, CEDE_VERSION, &engine, nullptr) < 0) ::_exit(1);
    // What is wrong with an XML that can be parsed is told when the document is checked.
    cede_engine_check(engine, document.data(), document.size(), &report, nullptr);
    cede_report_destroy(report);
    cede_engine_destroy(engine);
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

std::vector<Finding> try_topologies(const std::vector<TopologyXml>& topologies) {
  if (topologies.empty()) return {};
  int ends[2];
  const auto failed = [](const char* what) {
    return std::vector<Finding>{{.by_system = true, .text = std::string(what) + ": " + std::strerror(errno)}};
  };
  if (::pipe2(ends, O_CLOEXEC) != 0) return failed("cannot make a pipe");
  const pid_t child = ::fork();
  if (child < 0) {
    ::close(ends[0]);
    ::close(ends[1]);
    return failed("cannot start a process");
  }
  if (child == 0) parse_all(topologies, ends[1]);
  ::close(ends[1]);
  const std::size_t begun = count_bytes(ends[0]);
  ::close(ends[0]);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) return failed("cannot wait for a process");
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return {};
  std::string why = "cannot be parsed: the attempt ended early";
  if (WIFSIGNALED(status)) why = std::string("parsing this XML ended with: ") + ::strsignal(WTERMSIG(status));
  return {{.path = topologies[begun > 0 ? begun - 1 : 0].path, .text = why}};
}

}  // namespace cli
