// SPDX-License-Identifier: MIT
#include "decide/shapes.h"

#include "decide/maker.h"

namespace bench {

namespace {

// Every node 4 CPU, four low jobs of 0.9 whose priority and start differ, as many requests as nodes.
Description k8s_basic(int size, std::uint64_t seed, bool mixed) {
  Maker make(mixed ? "k8s-basic/mixed" : "k8s-basic/same", size, seed);
  make.out().settings = R"("front_only":false,"preemptible_priority":49)";
  for (int n = 0; n < size; ++n) {
    make.node(4000);
    for (int j = 0; j < 4; ++j)
      make.runs(static_cast<std::size_t>(n), 900, static_cast<std::int32_t>(make.below(20)));
  }
  for (int n = 0; n < size; ++n)
    make.asks(mixed ? 500 + 75 * static_cast<std::int64_t>(make.below(41)) : 3000, 1, 50);
  return std::move(make.out());
}
Description k8s_basic_same(int size, std::uint64_t seed) { return k8s_basic(size, seed, false); }
Description k8s_basic_mixed(int size, std::uint64_t seed) { return k8s_basic(size, seed, true); }

// Every node 4 CPU, ten low jobs, one gang of as many tasks of 3 CPU as there are nodes.
Description k8s_gang(int size, std::uint64_t seed, bool mixed) {
  Maker make(mixed ? "k8s-gang/mixed" : "k8s-gang/same", size, seed);
  make.out().settings = R"("preemptible_priority":49)";
  for (int n = 0; n < size; ++n) {
    make.node(4000);
    for (int j = 0; j < 10; ++j) {
      const std::int64_t amount = mixed ? 200 + 10 * static_cast<std::int64_t>(make.below(20)) : 350;
      make.runs(static_cast<std::size_t>(n), amount, static_cast<std::int32_t>(mixed ? make.below(20) : 5));
    }
  }
  make.asks(3000, static_cast<std::size_t>(size), 50);
  return std::move(make.out());
}
Description k8s_gang_same(int size, std::uint64_t seed) { return k8s_gang(size, seed, false); }
Description k8s_gang_mixed(int size, std::uint64_t seed) { return k8s_gang(size, seed, true); }

// Nodes of 8 GPUs, all taken by jobs of one GPU.
void fill_gpus(Maker& make, int size, std::size_t per_leaf = 0) {
  make.out().resource = "gpu";
  for (int n = 0; n < size; ++n) {
    make.node(8000, per_leaf);
    for (int j = 0; j < 8; ++j)
      make.runs(static_cast<std::size_t>(n), 1000, static_cast<std::int32_t>(make.below(10)));
  }
}

// And eight times as many jobs of one GPU waiting.
Description kai_many(int size, std::uint64_t seed) {
  Maker make("kai-many", size, seed);
  make.out().settings = R"("front_only":false,"preemptible_priority":49)";
  fill_gpus(make, size);
  for (int j = 0; j < 8 * size; ++j) make.asks(1000, 1, 50);
  return std::move(make.out());
}

// One job of half as many, or as many, whole nodes; and one that needs a node more than there are.
Description kai_large(const char* shape, int size, std::uint64_t seed, int tasks) {
  Maker make(shape, size, seed);
  make.out().settings = R"("preemptible_priority":49)";
  fill_gpus(make, size);
  make.asks(8000, static_cast<std::size_t>(tasks), 50);
  return std::move(make.out());
}
Description kai_half(int size, std::uint64_t seed) {
  return kai_large("kai-large/half", size, seed, size / 2);
}
Description kai_all(int size, std::uint64_t seed) { return kai_large("kai-large/all", size, seed, size); }
Description kai_no(int size, std::uint64_t seed) { return kai_large("kai-no", size, seed, size + 1); }

constexpr const char* kOneLeaf = R"({"network":[{"level":"leaf"}]})";

// Enough GPUs everywhere, and no leaf that could hold the gang: every leaf has a job that may not be taken.
Description no_topology(int size, std::uint64_t seed) {
  Maker make("no-topology", size, seed);
  make.out().settings = R"("preemptible_priority":49)";
  make.out().levels = {"leaf"};
  fill_gpus(make, size, 40);
  for (std::size_t n = 0; n < static_cast<std::size_t>(size); n += 40) make.out().jobs[n * 8].priority = 90;
  make.asks(8000, 40, 50).require = kOneLeaf;
  return std::move(make.out());
}

// Racks of 250, 700 jobs that may be taken, a gang of 200 within one rack, 30 resources of which 5 are asked.
Description kueue_topology(int size, std::uint64_t seed) {
  Maker make("kueue-topology", size, seed);
  make.out().settings = R"("preemptible_priority":49)";
  make.out().levels = {"rack"};
  make.out().resource = "gpu";
  for (int r = 0; r < 29; ++r)
    make.out().further.emplace_back(numbered("res", static_cast<std::size_t>(r)), 1000);
  for (int n = 0; n < size; ++n) make.node(8000, 250);
  std::size_t low = static_cast<std::size_t>(size) * 700 / 2000;
  for (std::size_t n = 0; n < static_cast<std::size_t>(size); ++n) {
    const bool may_go = n % 250 < 234 && low > 0;
    if (may_go) --low;
    make.runs(n, 8000, may_go ? static_cast<std::int32_t>(make.below(20)) : 90);
  }
  make.asks(8000, 200, 50).require = R"({"network":[{"level":"rack"}]})";
  return std::move(make.out());
}

// 100,000 nodes of 8 GPUs in leaves of 40, four running jobs per node, one in twenty a gang over 2 to 4
// leaves; what a job costs depends on the time.
Description huge(const char* shape, int size, std::uint64_t seed, int nodes) {
  Maker make(shape, size, seed);
  Description& out = make.out();
  out.resource = "gpu";
  out.levels = {"leaf"};
  out.profile = "class-cost";
  out.settings = R"("max_victims":1000)";
  std::vector<int> taken(static_cast<std::size_t>(size), 0);  // of the four places of two GPUs
  for (int n = 0; n < size; ++n) make.node(8000, 40);
  for (std::size_t n = 0; n < taken.size(); ++n) {
    for (bool first = true; taken[n] < 4; ++taken[n], first = false) {
      Description::Job& job = make.runs(n, 2000, static_cast<std::int32_t>(make.below(5)));
      job.checkpoints = make.below(2) == 0;
      if (!first || make.below(5) != 0) continue;
      for (std::size_t leaf = 1, more = 1 + make.below(3); leaf <= more; ++leaf) {
        const std::size_t other = n + 40 * leaf;
        if (other >= taken.size() || taken[other] >= 4) break;
        ++taken[other];
        job.tasks.push_back({static_cast<std::uint32_t>(other), 2000});
      }
    }
  }
  if (nodes == 0) {
    make.asks(1000, 1, 8);
  } else {
    make.asks(8000, static_cast<std::size_t>(nodes), 8).require =
        R"({"network":[{"level":"leaf","max_domains":2}]})";
  }
  return std::move(make.out());
}
Description huge_64(int size, std::uint64_t seed) { return huge("huge/64 nodes", size, seed, 64); }
Description huge_one(int size, std::uint64_t seed) { return huge("huge/1 GPU", size, seed, 0); }
Description huge_update(int size, std::uint64_t seed) { return huge("update", size, seed, 0); }
Description huge_what_if(int size, std::uint64_t seed) { return huge("what-if", size, seed, 0); }

// Every node has four tasks of two GPUs, described as a site describes them: whose they are, how long they
// may run, what they hold down to the devices. A job is one task, or a gang of up to 16 on as many nodes,
// five on average as in public traces of HPC and AI clusters.
Description doors(const char* shape, int size, std::uint64_t seed, bool gangs) {
  Maker make(shape, size, seed);
  Description& out = make.out();
  out.resource = "gpu";
  out.further = {{"cpu", 14'000}, {"mem", 200'000}};
  out.levels = {"leaf"};
  out.profile = "class-cost";
  const auto nodes = static_cast<std::size_t>(size);
  for (std::size_t n = 0; n < nodes; ++n) make.node(8000, 40);
  for (unsigned pair = 0; pair < 4; ++pair) {
    for (std::size_t n = 0; n < nodes;) {
      Description::Job& job = make.runs(n, 2000, static_cast<std::int32_t>(make.below(5)));
      job.checkpoints = make.below(2) == 0;
      job.owner = static_cast<std::uint32_t>(1 + make.below(400));
      job.walltime = kMinute * static_cast<std::int64_t>(60 * (1 + make.below(24)));
      const std::uint64_t kind = make.below(20);
      const std::size_t tasks = !gangs || kind < 8 ? 1 : std::size_t{2} << (kind - 8) / 3;
      job.tasks.front().devices = std::uint64_t{3} << 2 * pair;
      for (++n; job.tasks.size() < tasks && n < nodes; ++n) {
        job.tasks.push_back(job.tasks.front());
        job.tasks.back().node = static_cast<std::uint32_t>(n);
      }
    }
  }
  make.asks(1000, 1, 8);
  return std::move(out);
}
Description doors_one(int size, std::uint64_t seed) { return doors("two doors/one task", size, seed, false); }
Description doors_gangs(int size, std::uint64_t seed) { return doors("two doors/gangs", size, seed, true); }

}  // namespace

const std::vector<Shape>& shapes() {
  static const std::vector<Shape> all{
      {"k8s-basic/same", Query::many, {1000, 5000}, "50,000/s", 1000, k8s_basic_same},
      {"k8s-basic/mixed", Query::many, {1000, 5000}, "5,000/s; 1,500/s", 1000, k8s_basic_mixed},
      {"k8s-gang/same", Query::one, {100, 1000, 5000}, "100 ms at 5000", 100, k8s_gang_same},
      {"k8s-gang/mixed", Query::one, {100, 1000, 5000}, "300 ms at 5000", 100, k8s_gang_mixed},
      {"kai-many", Query::many, {200, 500, 2000}, "0.3 s at 500, 3 s at 2000", 500, kai_many},
      {"kai-large/half", Query::one, {5000, 10000}, "20 ms", 1000, kai_half},
      {"kai-large/all", Query::one, {5000, 10000}, "20 ms", 1000, kai_all},
      {"kai-no", Query::one, {5000, 10000}, "0.2 ms", 0, kai_no},
      {"no-topology", Query::one, {5000, 10000}, "2 ms", 0, no_topology},
      {"kueue-topology", Query::one, {1000, 2000}, "10 ms", 1000, kueue_topology},
      {"huge/64 nodes", Query::one, {50000, 100000}, "50 ms", 0, huge_64},
      {"huge/1 GPU", Query::one, {50000, 100000}, "10 ms", 5000, huge_one},
      {"update", Query::update, {50000, 100000}, "typed 2 ms, JSON 10 ms", 0, huge_update},
      {"what-if", Query::what_if, {50000, 100000}, "microseconds beyond the plan", 0, huge_what_if},
      {"two doors/one task", Query::doors, {12500, 25000}, "typed 5 times as fast", 0, doors_one},
      {"two doors/gangs", Query::doors, {30625, 122500}, "typed 5 times as fast", 0, doors_gangs},
  };
  return all;
}

}  // namespace bench
