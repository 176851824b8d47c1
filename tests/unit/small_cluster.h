// SPDX-License-Identifier: MIT
#pragma once

#include <random>
#include <string>
#include <vector>

namespace cede {

// A cluster small enough to try every set of victims on, as random as the rules allow: gangs, elastic jobs,
// single tasks, devices known and unknown, queue limits, group licences, reservations, drained nodes.
inline std::string small_cluster(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto below = [&](std::uint64_t n) { return random() % n; };
  const auto num = [](std::uint64_t n) { return std::to_string(n); };
  const std::uint64_t nodes = 1 + below(3);
  const std::uint64_t gpus = 2 + below(3);
  const bool devices = below(3) != 0;  // whether running tasks say which devices they hold
  std::string out = R"({"format":"cede-cluster/1","now":100000,"groups":[{"id":"g","resources":{"lic":)" +
                    num(2 + below(4)) + R"(}}],"queues":[{"id":"root"})";
  for (std::uint64_t q = 0; q < 2; ++q) {
    out += R"(,{"id":"q)" + num(q) + R"(","parent":"root")";
    if (below(3) == 0) out += R"(,"max":{"gpu":)" + num(1 + below(nodes * gpus)) + "}";
    out += "}";
  }
  out += R"(],"nodes":[)";
  for (std::uint64_t n = 0; n < nodes; ++n) {
    out += (n == 0 ? "" : ",") + std::string(R"({"id":"n)") + num(n) + R"(","resources":{"cpu":8,"gpu":)" +
           num(gpus) + "}";
    if (below(12) == 0) out += R"(,"state":"drain")";
    out += "}";
  }
  out += "]";
  if (below(8) == 0)
    out += R"(,"reservations":[{"id":"r","nodes":["n0"],"from":)" + num(99000 + below(3000)) + "}]";
  out += R"(,"jobs":[)";
  std::vector<std::uint64_t> used(nodes, 0);
  std::vector<std::uint64_t> cpu(nodes, 0);
  const std::uint64_t jobs = 1 + below(6);
  for (std::uint64_t j = 0; j < jobs; ++j) {
    std::string tasks;
    for (std::uint64_t t = 0, count = 1 + below(3); t < count; ++t) {
      const std::uint64_t node = below(nodes);
      const std::uint64_t want = below(3);
      const std::uint64_t cores = 1 + below(3);
      if (used[node] + want > gpus || cpu[node] + cores > 8) continue;
      tasks += (tasks.empty() ? "" : ",") + std::string(R"({"node":"n)") + num(node) + R"(","started":)" +
               num(90000 + below(5) * 1000) + R"(,"resources":{"cpu":)" + num(cores) + R"(,"gpu":)" +
               num(want) + (below(5) == 0 ? R"(,"lic":1)" : "") + "}";
      if (devices && want > 0) {
        tasks += R"(,"gpus":[)" + num(used[node]) + (want == 2 ? "," + num(used[node] + 1) : "") + "]";
      }
      if (below(10) == 0) tasks += R"(,"originator":true)";
      tasks += "}";
      used[node] += want;
      cpu[node] += cores;
    }
    if (tasks.empty()) continue;
    out += (out.back() == '[' ? "" : ",") + std::string(R"({"id":"v)") + num(j) + R"(","queue":"q)" +
           num(below(2)) + R"(","state":"running","started":)" + num(90000 + below(4) * 1000) +
           R"(,"priority":)" + num(below(8));
    if (below(2) == 0)
      out += R"(,"gang":false)";
    else if (below(3) == 0)
      out += R"(,"gang":true,"min_tasks":1)";
    if (below(6) == 0) out += R"(,"preemptible":"last-resort")";
    if (below(12) == 0) out += R"(,"preemptible":false)";
    std::string job = out;
    // A repeated key would be refused; keep the last wish only.
    const std::size_t first = job.rfind(R"(,"preemptible":"last-resort","preemptible":false)");
    if (first != std::string::npos) job.replace(first, std::string::npos, R"(,"preemptible":false)");
    out = job + R"(,"tasks":[)" + tasks + "]}";
  }
  if (out.back() != '[') out += ",";
  out += R"({"id":"p","queue":"q)" + num(below(2)) + R"(","priority":)" + num(3 + below(7)) +
         R"(,"submitted":99000)";
  if (below(4) == 0) out += R"(,"gang":false)";
  if (below(4) == 0) out += R"(,"walltime":)" + num(100 + below(3000));
  if (below(5) == 0) out += R"(,"require":{"nodes":{"max":)" + num(1 + below(2)) + "}}";
  out += R"(,"tasks":[{"id":"w","count":)" + num(1 + below(3)) + R"(,"resources":{"cpu":)" +
         num(1 + below(3)) + R"(,"gpu":)" + num(below(3)) + (below(6) == 0 ? R"(,"lic":1)" : "") + "}}";
  if (below(4) == 0) out += R"(,{"resources":{"cpu":)" + num(1 + below(4)) + "}}";
  return out + "]}]}";
}

}  // namespace cede
