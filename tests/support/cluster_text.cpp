// SPDX-License-Identifier: MIT
#include "support/cluster_text.h"

#include <random>

namespace {

void append(std::string& out, std::initializer_list<std::string> parts) {
  for (const std::string& part : parts) out += part;
}

}  // namespace

std::string make_cluster_text(std::size_t nodes, std::size_t jobs, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto below = [&](std::uint64_t bound) { return random() % bound; };
  const auto text = [](std::uint64_t number) { return std::to_string(number); };
  constexpr std::size_t kLeaf = 40;
  constexpr std::size_t kQueues = 64;
  const std::size_t leaves = (nodes + kLeaf - 1) / kLeaf;

  std::string out = R"({"format":"cede-cluster/1","now":1760000000,)";
  out +=
      "\n\"topologies\":{\"hgx\":{\"gpus\":8,\"model\":\"H100\",\"numa\":[[0,1,2,3],[4,5,6,7]],"
      "\"pcie\":[[0,1],[2,3],[4,5],[6,7]],\"links\":{\"nvl\":[[0,1,2,3,4,5,6,7]]}}},";
  out +=
      "\n\"network\":{\"levels\":[\"leaf\",\"spine\"],\"domains\":[{\"id\":\"spine0\",\"level\":\"spine\"}";
  for (std::size_t i = 0; i < leaves; ++i) {
    append(out, {",\n{\"id\":\"leaf", text(i), "\",\"level\":\"leaf\",\"parent\":\"spine0\"}"});
  }
  out += "]},\n\"groups\":[{\"id\":\"gpu\"}],\n\"queues\":[{\"id\":\"root\"}";
  for (std::size_t i = 0; i < kQueues; ++i) {
    append(out, {",\n{\"id\":\"root.q", text(i), "\",\"parent\":\"root\",\"guaranteed\":{\"gpu\":",
                 text(i % 7), "},\"max\":{\"gpu\":", text(nodes * 8 + 8), "}}"});
  }
  out += "],\n\"nodes\":[";
  for (std::size_t i = 0; i < nodes; ++i) {
    append(
        out,
        {i == 0 ? "\n" : ",\n", "{\"id\":\"node", text(100000 + i),
         "\",\"group\":\"gpu\",\"resources\":{\"cpu\":112,\"mem\":\"2Ti\",\"gpu\":8},\"topology\":\"hgx\",",
         "\"network\":[\"leaf", text(i / kLeaf), "\"],\"fingerprint\":{\"driver\":\"550.54.", text(i % 3),
         "\",\"nicfw\":\"28.39\"},\"fingerprint_at\":1759990000}"});
  }
  out += "],\n\"jobs\":[";
  // Running jobs fill the devices from the front; the rest wait.
  std::size_t device = 0;
  for (std::size_t i = 0; i < jobs; ++i) {
    const std::size_t gpus = std::size_t{1} << below(3);
    const std::size_t free = 8 - device % 8;
    if (gpus > free) device += free;
    const bool runs = device + gpus <= nodes * 8;
    append(out, {i == 0 ? "\n" : ",\n", "{\"id\":\"job-", text(5000000 + i), "\",\"queue\":\"root.q",
                 text(below(kQueues)), "\",\"group\":\"gpu\",\"user\":\"user", text(below(400)),
                 "\",\"project\":\"p", text(below(60)), "\",\"kind\":\"training\",\"state\":\"",
                 runs ? "running" : "pending", "\",\"priority\":", text(below(10)),
                 ",\"class\":", text(below(8)), ",\"submitted\":", text(1759900000 + below(50000))});
    if (runs) append(out, {",\"started\":", text(1759950000 + below(50000))});
    append(out, {",\"walltime\":\"", text(1 + below(24)),
                 "h\",\"checkpoint\":{\"mode\":\"auto\",\"last\":", text(1759990000 + below(9000)),
                 ",\"estimate\":\"5m\"},\"tasks\":[{\"resources\":{\"cpu\":", text(gpus * 14), ",\"mem\":\"",
                 text(gpus * 200), "Gi\",\"gpu\":", text(gpus), "}"});
    if (runs) {
      append(out, {",\"node\":\"node", text(100000 + device / 8), "\",\"gpus\":["});
      for (std::size_t k = 0; k < gpus; ++k) append(out, {k == 0 ? "" : ",", text(device % 8 + k)});
      out += ']';
      device += gpus;
    }
    out += "}]}";
  }
  out += "]}\n";
  return out;
}
