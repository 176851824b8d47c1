// SPDX-License-Identifier: MIT
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "profile/profile_maker.h"
#include "profile/shapes.h"

namespace bench {

namespace {

// The columns of a table, a line after its head each.
std::vector<std::vector<std::string>> lines(const std::string& file) {
  std::vector<std::vector<std::string>> out;
  std::ifstream in(file);
  std::string line;
  std::getline(in, line);
  while (std::getline(in, line)) {
    std::vector<std::string>& columns = out.emplace_back();
    std::istringstream from(line);
    for (std::string column; std::getline(from, column, ',');) columns.push_back(std::move(column));
  }
  return out;
}

struct Pod {
  std::int64_t amount = 0;
  bool best_effort = false;
};

}  // namespace

// Nodes and pods are the trace's; when they come is not: pods are placed in random order where the least is
// left over until no GPU is free. Best-effort pods may be taken by all, others by what has more priority. A
// pod with a part of a GPU holds it whole.
Description openb(const std::string& profile, int size, std::uint64_t seed) {
  ProfileMaker maker("openb", profile, size, seed, 20);
  Maker& make = maker.make();
  const char* data = std::getenv("CEDE_DATA");
  if (data == nullptr) return std::move(maker.out());
  const std::string folder = std::string(data) + "/traces/openb_v2023/";
  std::vector<std::size_t> with_room[9];
  for (const std::vector<std::string>& node : lines(folder + "openb_node_list_gpu_node.csv")) {
    const std::size_t gpus = node.size() > 3 ? std::strtoul(node[3].c_str(), nullptr, 10) : 0;
    if (gpus == 0 || gpus > 8 || maker.out().nodes.size() == static_cast<std::size_t>(size)) continue;
    with_room[gpus].push_back(maker.out().nodes.size());
    make.node(static_cast<std::int64_t>(gpus) * 1000);
  }
  std::vector<Pod> pods;
  for (const std::vector<std::string>& pod : lines(folder + "openb_pod_list_default.csv")) {
    const std::int64_t gpus = pod.size() > 6 ? std::atoi(pod[3].c_str()) : 0;
    if (gpus > 0) pods.push_back({gpus * 1000, pod[6] == "BE"});
  }
  if (pods.empty()) return std::move(maker.out());
  for (std::size_t misses = 0; misses < 1000;) {
    const Pod& pod = pods[make.below(pods.size())];
    auto room = static_cast<std::size_t>(pod.amount / 1000);
    while (room <= 8 && with_room[room].empty()) ++room;
    if (room > 8) {
      ++misses;
      continue;
    }
    std::swap(with_room[room][make.below(with_room[room].size())], with_room[room].back());
    const std::size_t node = with_room[room].back();
    with_room[room].pop_back();
    with_room[room - static_cast<std::size_t>(pod.amount / 1000)].push_back(node);
    maker.runs(node, pod.amount).priority =
        static_cast<std::int32_t>(pod.best_effort ? 0 : 1 + make.below(4));
  }
  for (std::size_t round = 0; round < 10; ++round) {
    for (const std::int64_t amount : {1000, 2000, 4000, 8000}) maker.asks(amount, 1);
    if (maker.fair_share()) continue;
    maker.asks(8000, 4);
    maker.asks(1000, 16);
  }
  return maker.finish(0.4);
}

}  // namespace bench
