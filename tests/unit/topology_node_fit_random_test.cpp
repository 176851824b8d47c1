// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <bit>
#include <random>

#include "node_fit_oracle.h"

namespace cede {
namespace {

constexpr int kFitCases = 100'000;

class Random {
 public:
  explicit Random(std::uint64_t seed) : random_(seed) {}
  std::uint64_t below(std::uint64_t n) { return random_() % n; }
  bool one_in(std::uint64_t n) { return below(n) == 0; }
  template <class Word>
  Word pick(std::initializer_list<Word> words) {
    return words.begin()[below(words.size())];
  }

 private:
  std::mt19937_64 random_;
};

std::vector<DeviceMask> random_partition(Random& random, std::size_t devices) {
  std::vector<DeviceMask> masks(random.one_in(6) ? 0 : 1 + random.below(3), 0);
  const bool complete = !random.one_in(4);
  for (std::size_t d = 0; d < devices && !masks.empty(); ++d) {
    if (complete || !random.one_in(4)) masks[random.below(masks.size())] |= DeviceMask{1} << d;
  }
  return masks;
}

NodeClass random_class(Random& random, std::size_t count) {
  NodeClass out;
  const DeviceMask all = (DeviceMask{1} << count) - 1;
  const bool mixed = random.one_in(3);
  for (std::size_t d = 0; d < count; ++d) {
    NodeClass::Device device;
    device.model =
        mixed ? random.pick<const char*>({"H100", "NVIDIA H100 80GB", "h100", "A100", ""}) : "H100";
    out.devices.push_back(device);
  }
  out.numa = random_partition(random, count);
  out.sockets = random_partition(random, count);
  out.pcie = random_partition(random, count);
  if (!random.one_in(4)) {
    for (std::size_t i = 0; i < out.numa.size(); ++i)
      out.cores.push_back(static_cast<std::uint32_t>(random.below(4)));
  }
  for (std::uint64_t i = random.below(5); i > 0; --i) {
    const LinkClass link = random.one_in(8) ? LinkClass::numa : LinkClass::nvl;
    out.links.push_back({link, random.one_in(5) ? all : random.below(all + 1), 0});
  }
  out.links_known = !random.one_in(3);
  for (std::uint64_t i = random.below(3); i > 0 && count > 1; --i) {
    const std::uint64_t a = random.below(count);
    const std::uint64_t b = (a + 1 + random.below(count - 1)) % count;
    out.degraded.push_back({static_cast<std::uint8_t>(a), static_cast<std::uint8_t>(b)});
  }
  for (std::uint64_t i = random.below(4); i > 0; --i) {
    NodeClass::Nic nic;
    nic.near = random.below(all + 1);
    nic.level = random.pick({LinkClass::pcie, LinkClass::pcie, LinkClass::numa, LinkClass::socket});
    out.nics.push_back(nic);
  }
  out.nics_known = !random.one_in(4);
  return out;
}

Requirement random_requirement(Random& random) {
  Requirement out;
  for (std::uint64_t i = random.below(4); i > 0; --i) {
    GpuRequirement need;
    need.scope = random.pick({GpuScope::task, GpuScope::task, GpuScope::node});
    need.level =
        random.pick({GpuLevel::nvl, GpuLevel::nvl, GpuLevel::pcie, GpuLevel::numa, GpuLevel::socket});
    need.mode = random.pick({GpuMode::clique, GpuMode::connected, GpuMode::same});
    need.strength = random.pick({Strength::hard, Strength::prefer});
    out.gpus.push_back(need);
  }
  out.nic.given = random.one_in(3);
  out.nic.level = random.pick({GpuLevel::pcie, GpuLevel::numa, GpuLevel::socket});
  out.nic.per_gpu = random.one_in(2);
  out.nic.strength = random.pick({Strength::hard, Strength::prefer});
  if (random.one_in(5)) out.gpu_models.emplace_back("h100");
  if (random.one_in(8)) out.gpu_models.emplace_back("A100");
  if (random.one_in(3)) out.uniform_model = random.pick({UniformModel::node, UniformModel::job});
  if (random.one_in(2)) {
    out.cpu_numa =
        random.pick({CpuNuma::best_effort, CpuNuma::restricted, CpuNuma::restricted, CpuNuma::single});
  }
  return out;
}

TaskTerms random_terms(Random& random, const Requirement& require) {
  TaskTerms out;
  out.devices = static_cast<std::uint32_t>(random.one_in(20) ? 0 : 1 + random.below(3));
  out.cpu = static_cast<Amount>(random.below(4));
  out.node_cpu = static_cast<Amount>(random.below(10));
  out.unknown = random.pick({Unknown::fails, Unknown::passes});
  if (require.uniform_model == UniformModel::job && random.one_in(2)) out.model = "h100";
  return out;
}

struct FitCase {
  NodeClass node_class;
  Requirement require;
  TaskTerms terms;
  DeviceMask free = 0;
  std::vector<Amount> cpu;

  FitCase(Random& random, std::size_t devices)
      : node_class(random_class(random, devices)),
        require(random_requirement(random)),
        terms(random_terms(random, require)),
        free(random.one_in(3) ? ~DeviceMask{0} >> (kMaxDevices - node_class.devices.size())
                              : random.below(std::uint64_t{1} << node_class.devices.size())) {
    for (std::size_t i = 0; i < node_class.numa.size(); ++i)
      cpu.push_back(static_cast<Amount>(random.below(6)));
  }
};

struct FitTally {
  int fitting = 0;
  int not_fitting = 0;
  int missing = 0;  // preferences, though everything fits
};

// All that both ways of answering, with a table and by search, say about one question.
void check(const NodeFit& fit, const NodeFitOracle& oracle, const FitCase& c, std::size_t tasks,
           std::span<const Amount> cpu, FitTally& tally) {
  const std::optional<NodeFitOracle::Best> best = oracle.best(c.free, tasks, cpu);
  ++(best ? tally.fitting : tally.not_fitting);
  if (best && best->missed != 0) ++tally.missing;
  ASSERT_EQ(fit.fits(c.free, static_cast<std::uint32_t>(tasks), cpu), best ? Fit::yes : Fit::no);
  std::vector<DeviceMask> out(tasks);
  EntrySet missed = 0;
  ASSERT_EQ(fit.assign(c.free, static_cast<std::uint32_t>(tasks), out, &missed, cpu),
            best ? Fit::yes : Fit::no);
  if (!best) return;
  ASSERT_EQ(out, best->tasks);
  ASSERT_EQ(missed, best->missed);
  ASSERT_EQ(unmet_entries(DeviceSets(c.node_class), c.require, out, fit.numa_terms(cpu), c.terms.unknown,
                          c.terms.model),
            oracle.unmet(out, cpu));
}

TEST(NodeFitRandom, agrees_with_trying_every_assignment) {
  FitTally tally;
  for (int seed = 0; seed < kFitCases && !HasFatalFailure(); ++seed) {
    SCOPED_TRACE(seed);
    Random random(static_cast<std::uint64_t>(seed));
    const FitCase c(random, 1 + random.below(6));
    const NodeFitOracle oracle(c.node_class, c.require, c.terms);
    const std::uint32_t table_devices = random.one_in(2) ? 0 : FitTable::kMaxTableDevices;
    const NodeFit fit(c.node_class, c.require, c.terms, table_devices);
    if (c.require.cpu_numa != CpuNuma::none) {
      ASSERT_EQ(fit.numa_terms({}).limit, oracle.limit());
    }
    std::uint8_t most = 0;
    std::uint8_t most_with_cpu = 0;
    for (std::uint8_t tasks = 1; tasks <= 3; ++tasks) {
      check(fit, oracle, c, tasks, {}, tally);
      check(fit, oracle, c, tasks, c.cpu, tally);
      if (fit.fits(c.free, tasks) == Fit::yes) most = tasks;
      if (fit.fits(c.free, tasks, c.cpu) == Fit::yes) most_with_cpu = tasks;
    }
    if (c.terms.devices < 2) continue;  // more than three may fit
    ASSERT_EQ(fit.capacity(c.free), most);
    ASSERT_EQ(fit.capacity(c.free, c.cpu), most_with_cpu);
  }
  // A generator that makes everything fit, or nothing, checks nothing.
  EXPECT_GT(tally.fitting, kFitCases / 2);
  EXPECT_GT(tally.not_fitting, kFitCases / 2);
  EXPECT_GT(tally.missing, kFitCases / 20);
}

// What a search remembers of its failures matters only where it goes deep.
TEST(NodeFitRandom, agrees_on_eight_devices_without_a_table) {
  FitTally tally;
  for (int seed = 0; seed < kFitCases / 50 && !HasFatalFailure(); ++seed) {
    SCOPED_TRACE(seed);
    Random random(static_cast<std::uint64_t>(seed) + 2 * kFitCases);
    FitCase c(random, 8);
    c.terms.devices = static_cast<std::uint32_t>(1 + random.below(2));
    const NodeFitOracle oracle(c.node_class, c.require, c.terms);
    const NodeFit fit(c.node_class, c.require, c.terms, 0);
    for (const std::size_t tasks : {2, 3, 4}) {
      check(fit, oracle, c, tasks, random.one_in(2) ? c.cpu : std::vector<Amount>{}, tally);
    }
  }
  EXPECT_GT(tally.missing, kFitCases / 400);
}

// Tasks that may use two of four NUMA nodes, on which the cpu is tight.
TEST(NodeFitRandom, agrees_where_cpu_is_split_over_numa_nodes) {
  FitTally tally;
  for (int seed = 0; seed < kFitCases / 200 && !HasFatalFailure(); ++seed) {
    SCOPED_TRACE(seed);
    Random random(static_cast<std::uint64_t>(seed) + 3 * kFitCases);
    FitCase c(random, 8);
    c.node_class.numa.assign(4, 0);
    for (std::size_t d = 0; d < 8; ++d) c.node_class.numa[random.below(4)] |= DeviceMask{1} << d;
    c.node_class.cores = {1, 1, 1, 1};
    c.require = {};
    c.require.cpu_numa = random.pick({CpuNuma::restricted, CpuNuma::best_effort});
    c.terms = {static_cast<std::uint32_t>(2 + random.below(2)), 3, 8, Unknown::fails, {}};  // 2 per NUMA node
    c.cpu.clear();
    for (int i = 0; i < 4; ++i) c.cpu.push_back(static_cast<Amount>(random.below(4)));
    const NodeFitOracle oracle(c.node_class, c.require, c.terms);
    const NodeFit fit(c.node_class, c.require, c.terms, random.one_in(2) ? 0 : 8);
    ASSERT_EQ(fit.numa_terms({}).limit, oracle.limit());
    for (std::size_t tasks = 1; tasks <= 8 / c.terms.devices; ++tasks)
      check(fit, oracle, c, tasks, c.cpu, tally);
  }
  EXPECT_GT(tally.fitting, kFitCases / 1000);
  EXPECT_GT(tally.not_fitting, kFitCases / 1000);
}

TEST(NodeFitRandom, never_loses_by_more_free_devices) {
  for (int seed = 0; seed < kFitCases / 10 && !HasFatalFailure(); ++seed) {
    SCOPED_TRACE(seed);
    Random random(static_cast<std::uint64_t>(seed) + kFitCases);
    const FitCase c(random, 1 + random.below(6));
    const NodeFit fit(c.node_class, c.require, c.terms);
    const NodeFit hopeful(c.node_class, c.require, [&] {
      TaskTerms terms = c.terms;
      terms.unknown = Unknown::passes;
      return terms;
    }());
    const DeviceMask all = (DeviceMask{1} << c.node_class.devices.size()) - 1;
    for (DeviceMask mask = 0; mask <= all; ++mask) {
      const DeviceMask more = mask | (DeviceMask{1} << random.below(c.node_class.devices.size()));
      for (std::uint32_t tasks = 1; tasks <= 3; ++tasks) {
        if (fit.fits(mask, tasks) != Fit::yes) continue;
        ASSERT_EQ(fit.fits(more, tasks), Fit::yes);
        ASSERT_EQ(hopeful.fits(mask, tasks), Fit::yes);
        if (fit.is_hereditary()) {
          ASSERT_EQ(fit.fits(mask, tasks - 1), Fit::yes);
        }
      }
      ASSERT_LE(fit.capacity(mask), fit.capacity(more));
    }
  }
}

}  // namespace
}  // namespace cede
