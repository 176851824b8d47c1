// SPDX-License-Identifier: MIT
// What asking every node costs whether it can hold a task, beside a plain scan of the same nodes that only
// adds up a byte each. Both in turn in one run: only the ratio is a claim.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <random>
#include <vector>

#include "topology/fit/node_fit.h"

namespace {

using namespace cede;

constexpr std::size_t kNodes = 100'000;
constexpr std::size_t kLeafNodes = 40;

// Eight devices, four per NUMA node, two per PCIe switch, each switch with a NIC; `kind` tells how they are
// linked.
NodeClass make_class(int kind) {
  NodeClass box;
  box.devices.resize(8);
  for (NodeClass::Device& device : box.devices) device.model = "H100";
  box.numa = {0x0f, 0xf0};
  box.cores = {56, 56};
  box.pcie = {0x03, 0x0c, 0x30, 0xc0};
  box.links_known = box.nics_known = true;
  for (const DeviceMask pair : box.pcie) box.nics.push_back({"", pair, LinkClass::pcie});
  switch (kind) {
    case 0: box.links = {{LinkClass::nvl, 0xff, 18}}; break;
    case 1: box.links = {{LinkClass::nvl, 0x0f, 4}, {LinkClass::nvl, 0xf0, 4}}; break;
    case 2:
      box.links = {{LinkClass::nvl, 0x03, 4}, {LinkClass::nvl, 0x0c, 4}, {LinkClass::nvl, 0x30, 4}};
      break;
    case 3: box.links = {{LinkClass::nvl, 0xff, 18}}, box.degraded = {{1, 6}}; break;
    default: break;
  }
  return box;
}

NodeFit make_fit(int kind, std::uint32_t devices) {
  Requirement require;
  require.gpus = {GpuRequirement{GpuScope::task, GpuLevel::nvl, GpuMode::clique, Strength::hard}};
  TaskTerms terms;
  terms.devices = devices;
  return NodeFit(make_class(kind), require, terms);
}

struct Nodes {
  std::vector<std::uint8_t> kind;
  std::vector<DeviceMask> free;

  explicit Nodes(std::size_t count, int kinds) : kind(count), free(count) {
    std::mt19937_64 random(1);
    for (std::size_t i = 0; i < count; ++i) {
      kind[i] = static_cast<std::uint8_t>(random() % static_cast<unsigned>(kinds));
      free[i] = random() & 0xff;
    }
  }
};

struct Leaf {
  std::uint32_t nodes = 0;  // that hold at least one task
  std::uint32_t tasks = 0;
};

void count_leaves(const Nodes& nodes, const std::vector<NodeFit>& fits, std::vector<Leaf>& leaves) {
  for (std::size_t leaf = 0, node = 0; leaf < leaves.size(); ++leaf) {
    Leaf sum;
    for (const std::size_t end = std::min(node + kLeafNodes, nodes.free.size()); node < end; ++node) {
      const std::uint32_t tasks = fits[nodes.kind[node]].capacity(nodes.free[node]);
      sum.nodes += tasks > 0 ? 1 : 0;
      sum.tasks += tasks;
    }
    leaves[leaf] = sum;
  }
}

void sum_bytes(const Nodes& nodes, std::vector<Leaf>& leaves) {
  for (std::size_t leaf = 0, node = 0; leaf < leaves.size(); ++leaf) {
    std::uint32_t sum = 0;
    for (const std::size_t end = std::min(node + kLeafNodes, nodes.free.size()); node < end; ++node) {
      sum += nodes.kind[node];
    }
    leaves[leaf].tasks = sum;
  }
}

template <class Work>
double nanoseconds(Work work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start).count();
}

void scan_against_floor(benchmark::State& state) {
  const Nodes nodes(kNodes, 5);
  std::vector<NodeFit> fits;
  for (int kind = 0; kind < 5; ++kind)
    fits.push_back(make_fit(kind, static_cast<std::uint32_t>(state.range(0))));
  std::vector<Leaf> leaves((kNodes + kLeafNodes - 1) / kLeafNodes);
  double scan = 1e18;
  double floor = 1e18;
  for (auto _ : state) {
    floor = std::min(floor, nanoseconds([&] { sum_bytes(nodes, leaves); }));
    benchmark::DoNotOptimize(leaves.data());
    benchmark::ClobberMemory();
    scan = std::min(scan, nanoseconds([&] { count_leaves(nodes, fits, leaves); }));
    benchmark::DoNotOptimize(leaves.data());
    benchmark::ClobberMemory();
  }
  state.counters["scan_ms"] = scan / 1e6;
  state.counters["floor_ms"] = floor / 1e6;
  state.counters["ns_per_node"] = scan / static_cast<double>(kNodes);
  state.counters["ratio"] = scan / floor;
}
BENCHMARK(scan_against_floor)->Arg(1)->Arg(4)->Iterations(200)->Unit(benchmark::kMillisecond);

void look_up(benchmark::State& state) {
  const Nodes nodes(4096, 1);
  const NodeFit fit = make_fit(0, 4);
  for (auto _ : state) {
    std::uint32_t tasks = 0;
    for (const DeviceMask free : nodes.free) tasks += fit.capacity(free);
    benchmark::DoNotOptimize(tasks);
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(nodes.free.size()));
}
BENCHMARK(look_up);

// With `cpu.numa` each NUMA node is asked and its free cpu counted.
void look_up_with_cpu(benchmark::State& state) {
  const Nodes nodes(4096, 1);
  Requirement require;
  require.cpu_numa = CpuNuma::single;
  TaskTerms terms;
  terms.devices = 2;
  terms.cpu = 14 * kOne;
  terms.node_cpu = 112 * kOne;
  const NodeFit fit(make_class(0), require, terms);
  const std::vector<Amount> free_cpu{28 * kOne, 42 * kOne};
  for (auto _ : state) {
    std::uint32_t tasks = 0;
    for (const DeviceMask free : nodes.free) tasks += fit.capacity(free, free_cpu);
    benchmark::DoNotOptimize(tasks);
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(nodes.free.size()));
}
BENCHMARK(look_up_with_cpu);

void build_table(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(make_fit(0, static_cast<std::uint32_t>(state.range(0))));
}
BENCHMARK(build_table)->Arg(1)->Arg(4)->Unit(benchmark::kMicrosecond);

void assign_devices(benchmark::State& state) {
  const Nodes nodes(4096, 1);
  const NodeFit fit = make_fit(3, 2);
  std::vector<DeviceMask> out(8);
  std::size_t at = 0;
  for (auto _ : state) {
    const DeviceMask free = nodes.free[at++ % nodes.free.size()];
    benchmark::DoNotOptimize(fit.assign(free, fit.capacity(free), out));
  }
}
BENCHMARK(assign_devices);

}  // namespace

BENCHMARK_MAIN();
