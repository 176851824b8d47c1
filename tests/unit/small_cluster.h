// SPDX-License-Identifier: MIT
#pragma once

#include <random>
#include <string>
#include <vector>

#include "support/cluster_builder.h"

namespace cede {

// A cluster small enough to try every set of victims on, as random as the rules allow: gangs, elastic jobs,
// single tasks, devices known and unknown, queue limits, group licences, reservations, drained nodes.
inline std::string small_cluster(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto below = [&](std::uint64_t n) { return random() % n; };
  const auto numbered = [](const char* head, std::uint64_t n) { return head + std::to_string(n); };
  const std::uint64_t nodes = 1 + below(3);
  const std::uint64_t gpus = 2 + below(3);
  const bool devices = below(3) != 0;  // whether running tasks say which devices they hold
  ClusterBuilder cluster(100000);
  cluster.group().put("resources", JsonObject{{"lic", 2 + below(4)}});
  cluster.queue("root");
  for (std::uint64_t q = 0; q < 2; ++q) {
    JsonObject& queue = cluster.queue(numbered("q", q), "root");
    if (below(3) == 0) queue.put("max", JsonObject{{"gpu", 1 + below(nodes * gpus)}});
  }
  for (std::uint64_t n = 0; n < nodes; ++n) {
    JsonObject& node = cluster.node(numbered("n", n), {{"cpu", 8}, {"gpu", gpus}});
    if (below(12) == 0) node.put("state", "drain");
  }
  if (below(8) == 0) {
    cluster.reservation("r").put("nodes", JsonList{"n0"}).put("from", 99000 + below(3000));
  }
  std::vector<std::uint64_t> used(nodes, 0);
  std::vector<std::uint64_t> cpu(nodes, 0);
  const std::uint64_t jobs = 1 + below(6);
  for (std::uint64_t j = 0; j < jobs; ++j) {
    JsonList tasks;
    for (std::uint64_t t = 0, count = 1 + below(3); t < count; ++t) {
      const std::uint64_t node = below(nodes);
      const std::uint64_t want = below(3);
      const std::uint64_t cores = 1 + below(3);
      if (used[node] + want > gpus || cpu[node] + cores > 8) continue;
      JsonObject task{{"node", numbered("n", node)}, {"started", 90000 + below(5) * 1000}};
      JsonObject resources{{"cpu", cores}, {"gpu", want}};
      if (below(5) == 0) resources.put("lic", 1);
      task.put("resources", resources);
      if (devices && want > 0) task.put("gpus", number_list(used[node], want));
      if (below(10) == 0) task.put("originator", true);
      tasks.add(task);
      used[node] += want;
      cpu[node] += cores;
    }
    if (tasks.empty()) continue;
    JsonObject& job = cluster.job(numbered("v", j), numbered("q", below(2)));
    job.put("state", "running").put("started", 90000 + below(4) * 1000).put("priority", below(8));
    if (below(2) == 0) {
      job.put("gang", false);
    } else if (below(3) == 0) {
      job.put("gang", true).put("min_tasks", 1);
    }
    const bool last_resort = below(6) == 0;
    if (below(12) == 0) {
      job.put("preemptible", false);
    } else if (last_resort) {
      job.put("preemptible", "last-resort");
    }
    job.put("tasks", tasks);
  }
  JsonObject& job = cluster.job("p", numbered("q", below(2)));
  job.put("priority", 3 + below(7)).put("submitted", 99000);
  if (below(4) == 0) job.put("gang", false);
  if (below(4) == 0) job.put("walltime", 100 + below(3000));
  if (below(5) == 0) job.put("require", JsonObject{{"nodes", JsonObject{{"max", 1 + below(2)}}}});
  JsonObject task{{"id", "w"}, {"count", 1 + below(3)}};
  JsonObject resources{{"cpu", 1 + below(3)}, {"gpu", below(3)}};
  if (below(6) == 0) resources.put("lic", 1);
  JsonList tasks{task.put("resources", resources)};
  if (below(4) == 0) tasks.add(JsonObject{{"resources", JsonObject{{"cpu", 1 + below(4)}}}});
  job.put("tasks", tasks);
  return cluster.text();
}

}  // namespace cede
