// SPDX-License-Identifier: MIT
#include "support/cluster_text.h"

#include <random>

#include "support/cluster_builder.h"

using cede::ClusterBuilder;
using cede::JsonList;
using cede::JsonObject;
using cede::number_list;

std::string make_cluster_text(std::size_t nodes, std::size_t jobs, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto below = [&](std::uint64_t bound) { return random() % bound; };
  const auto numbered = [](const char* head, std::uint64_t number) { return head + std::to_string(number); };
  constexpr std::size_t kLeaf = 40;
  constexpr std::size_t kQueues = 64;
  const std::size_t leaves = (nodes + kLeaf - 1) / kLeaf;

  ClusterBuilder cluster(1760000000);
  cluster.topology("hgx").put_all(
      R"("gpus":8,"model":"H100","numa":[[0,1,2,3],[4,5,6,7]],"pcie":[[0,1],[2,3],[4,5],[6,7]],)"
      R"("links":{"nvl":[[0,1,2,3,4,5,6,7]]})");
  cluster.levels = {"leaf", "spine"};
  cluster.domain("spine0", "spine");
  for (std::size_t i = 0; i < leaves; ++i) cluster.domain(numbered("leaf", i), "leaf", "spine0");
  cluster.group("gpu");
  cluster.queue("root");
  for (std::size_t i = 0; i < kQueues; ++i) {
    cluster.queue(numbered("root.q", i), "root")
        .put("guaranteed", JsonObject{{"gpu", i % 7}})
        .put("max", JsonObject{{"gpu", nodes * 8 + 8}});
  }
  for (std::size_t i = 0; i < nodes; ++i) {
    cluster.node(numbered("node", 100000 + i), {{"cpu", 112}, {"mem", "2Ti"}, {"gpu", 8}})
        .put("group", "gpu")
        .put("topology", "hgx")
        .put("network", JsonList{numbered("leaf", i / kLeaf)})
        .put("fingerprint", JsonObject{{"driver", numbered("550.54.", i % 3)}, {"nicfw", "28.39"}})
        .put("fingerprint_at", 1759990000);
  }
  // Running jobs fill the devices from the front; the rest wait.
  std::size_t device = 0;
  for (std::size_t i = 0; i < jobs; ++i) {
    const std::size_t gpus = std::size_t{1} << below(3);
    const std::size_t free = 8 - device % 8;
    if (gpus > free) device += free;
    const bool runs = device + gpus <= nodes * 8;
    JsonObject& job = cluster.job(numbered("job-", 5000000 + i), numbered("root.q", below(kQueues)));
    job.put("group", "gpu")
        .put("user", numbered("user", below(400)))
        .put("project", numbered("p", below(60)));
    job.put("kind", "training").put("state", runs ? "running" : "pending");
    job.put("priority", below(10)).put("class", below(8)).put("submitted", 1759900000 + below(50000));
    if (runs) job.put("started", 1759950000 + below(50000));
    job.put("walltime", numbered("", 1 + below(24)) + "h");
    job.put("checkpoint",
            JsonObject{{"mode", "auto"}, {"last", 1759990000 + below(9000)}, {"estimate", "5m"}});
    JsonObject task{
        {"resources",
         JsonObject{{"cpu", gpus * 14}, {"mem", numbered("", gpus * 200) + "Gi"}, {"gpu", gpus}}}};
    if (runs) {
      task.put("node", numbered("node", 100000 + device / 8)).put("gpus", number_list(device % 8, gpus));
      device += gpus;
    }
    job.put("tasks", JsonList{task});
  }
  return cluster.text() + '\n';
}
