// SPDX-License-Identifier: MIT
#include "profile/shapes.h"

#include "profile/profile_maker.h"

namespace bench {

namespace {

constexpr std::size_t kTeams = 20;

// Nodes of eight GPUs, full with jobs of one GPU of 20 teams that are guaranteed 40 % of what they use.
Description full(const char* shape, const std::string& profile, int size, std::uint64_t seed,
                 std::int64_t amount, std::size_t tasks, std::size_t teams = kTeams) {
  ProfileMaker maker(shape, profile, size, seed, teams);
  maker.fill(size);
  maker.asks(amount, tasks);
  return maker.finish(0.4);
}

Description one_gpu(const std::string& profile, int size, std::uint64_t seed) {
  return full("one GPU", profile, size, seed, 1000, 1);
}
Description four_gpus(const std::string& profile, int size, std::uint64_t seed) {
  return full("4 GPUs", profile, size, seed, 4000, 1);
}
Description two_nodes(const std::string& profile, int size, std::uint64_t seed) {
  return full("gang 2x8", profile, size, seed, 8000, 2);
}
Description half_of_nodes(const std::string& profile, int size, std::uint64_t seed) {
  return full("gang of N/2", profile, size, seed, 8000, static_cast<std::size_t>(size) / 2);
}
// Under guarantee one in twenty choices of five nodes of ten leaves every team what it is guaranteed.
Description half_of_few_teams(const std::string& profile, int size, std::uint64_t seed) {
  return full("gang of N/2", profile, size, seed, 8000, static_cast<std::size_t>(size) / 2, 4);
}

Description unlike_gang(const std::string& profile, int size, std::uint64_t seed) {
  ProfileMaker maker("unlike gang", profile, size, seed, kTeams);
  maker.fill(size);
  Description::Job& job = maker.asks(8000, 8);
  job.tasks.resize(10, {0, 2000});
  return maker.finish(0.4);
}

// One queue runs jobs of 1, 2 and 4 GPUs on all nodes; its max is nine tenths of that and not a round figure.
// The size is the number of its jobs.
Description relief(const std::string& profile, int size, std::uint64_t seed) {
  ProfileMaker maker("relief of a queue", profile, size, seed, 1);
  std::int64_t left = 0;
  std::int64_t used = 0;
  for (int j = 0; j < size; ++j) {
    const std::int64_t amount = 1000 * (std::int64_t{1} << maker.make().below(3));
    if (left < amount) {
      maker.make().node(8000);
      left = 8000;
    }
    maker.runs(maker.out().nodes.size() - 1, amount);
    left -= amount;
    used += amount;
  }
  maker.out().asked.push_back("relief:queue:team0");
  Description out = maker.finish(0.4);
  out.queues[1].max = used / 10000 * 9000 + 1000;
  return out;
}

// As in KAI's own benchmark of that name: all GPUs are taken by jobs of one GPU and equal priority of a queue
// without a guarantee; another queue is guaranteed everything and asks for a gang of a tenth of the nodes.
// Elsewhere than in guarantee the gang has the higher priority.
Description kai_reclaim(const std::string& profile, int size, std::uint64_t seed) {
  ProfileMaker maker("kai-reclaim", profile, size, seed, 1);
  maker.fill(size);
  for (Description::Job& job : maker.out().jobs) job.priority = 1;
  maker.asks(8000, static_cast<std::size_t>(size) / 10).priority = profile == "guarantee" ? 1 : kRequester;
  return maker.finish(0, 8000 * size);
}

// As in KAI's: a gang of ten nodes, and what the other queue is guaranteed leaves one GPU too few. Where
// guarantees protect nobody, all nodes but nine have a job that may not be taken.
Description kai_no(const std::string& profile, int size, std::uint64_t seed) {
  ProfileMaker maker("kai-no", profile, size, seed, 1);
  maker.fill(size);
  for (std::size_t j = 0; j < maker.out().jobs.size(); ++j) {
    const bool stays = profile != "guarantee" && j % 8 == 0 && j / 8 >= 9;
    maker.out().jobs[j].priority = stays ? kUntouchable : 1;
  }
  maker.asks(8000, 10).priority = profile == "guarantee" ? 1 : kRequester;
  Description out = maker.finish(0);
  out.queues[1].guaranteed = 8000 * size - 80'000 + 1000;
  return out;
}

// Four racks; three have jobs that may go on 93 of 100 nodes, the last on none; a gang of a fifth of the
// nodes within one rack; 30 resources, of which one is short.
Description kueue_topology(const std::string& profile, int size, std::uint64_t seed) {
  ProfileMaker maker("kueue-topology", profile, size, seed, kTeams);
  Description& out = maker.out();
  out.levels = {"rack"};
  for (std::size_t r = 0; r < 29; ++r) out.further.emplace_back(numbered("res", r), 1000);
  const auto nodes = static_cast<std::size_t>(size);
  const std::size_t rack = nodes / 4;
  std::size_t low = nodes * 7 / 10;
  for (std::size_t n = 0; n < nodes; ++n) {
    maker.make().node(8000, rack);
    Description::Job& job = maker.runs(n, 8000);
    if (low == 0 || n % rack >= rack * 234 / 250) {
      job.priority = kUntouchable;
    } else {
      --low;
    }
  }
  maker.asks(8000, nodes / 5).require = R"({"network":[{"level":"rack"}]})";
  return maker.finish(0.4);
}

// Eight times as many jobs of one GPU wait as there are nodes; teams are guaranteed nothing.
Description batch(const std::string& profile, int size, std::uint64_t seed) {
  ProfileMaker maker("batch", profile, size, seed, kTeams);
  maker.fill(size);
  for (int j = 0; j < 8 * size; ++j) maker.asks(1000, 1);
  Description out = maker.finish(0, 8000 * size);
  if (profile == "fair-share") out.settings = R"("preemptive_scheduling_backoff":"0s")";
  return out;
}

const std::vector<std::string> kAll{"priority", "class-cost", "quota", "fair-share", "guarantee"};
// The victims of fair-share are on one node.
const std::vector<std::string> kGangs{"priority", "class-cost", "quota", "guarantee"};
// A queue's excess is no reason to preempt in class-cost.
const std::vector<std::string> kRelief{"priority", "quota", "fair-share", "guarantee"};

}  // namespace

const std::vector<ProfileShape>& profile_shapes() {
  static const std::vector<ProfileShape> all{
      {"commit/one GPU", Timed::cycle, {1000}, 12, kAll, "commit, verify <= 2 x plan", "preempt", one_gpu},
      {"commit/4 GPUs", Timed::cycle, {1000}, 12, kAll, "commit, verify <= 2 x plan", "preempt", four_gpus},
      {"commit/gang 2x8",
       Timed::cycle,
       {1000},
       12,
       kGangs,
       "commit, verify <= 2 x plan",
       "preempt",
       two_nodes},
      {"verify-gang",
       Timed::cycle,
       {1250, 2500, 5000},
       4,
       kGangs,
       "verify <= 50 ms, linear",
       "preempt",
       half_of_nodes},
      {"ask-4",
       Timed::cycle,
       {500, 2000, 10000},
       12,
       kAll,
       "<= 5 x quota, 0.02 ms unchanged",
       "preempt",
       four_gpus},
      {"gang-5x8/4 queues", Timed::cycle, {10}, 4, kGangs, "<= 5 ms, optimal", "preempt", half_of_few_teams},
      {"gang-5x8/20 queues", Timed::cycle, {10}, 4, kGangs, "<= 5 ms, optimal", "preempt", half_of_nodes},
      {"gang-2x8", Timed::cycle, {376, 1250}, 12, kGangs, "decided, <= 50 ms", "preempt", two_nodes},
      {"unlike-gang", Timed::cycle, {100, 500}, 30, kGangs, "decided, <= 50 ms", "preempt", unlike_gang},
      {"relief-queue",
       Timed::cycle,
       {3000, 9006, 20000},
       60,
       kRelief,
       "decided, <= 50 ms",
       "preempt",
       relief},
      {"kai-reclaim", Timed::cycle, {10, 100, 500}, 10, kGangs, "0.64 / 6.4 / 82 ms", "preempt", kai_reclaim},
      {"kai-no", Timed::cycle, {50, 100, 200}, 20, kGangs, "<= 5 ms with the reason", "wait", kai_no},
      {"kueue-topology",
       Timed::cycle,
       {500, 1000, 2000},
       40,
       kGangs,
       "3 ms at 500, 21 ms at 2000, optimal",
       "preempt",
       kueue_topology},
      {"batch", Timed::batch, {50, 100, 200, 400}, 5, kAll, "50 us per ask, linear", "preempt", batch},
      {"mixed/20 queues",
       Timed::cycle,
       {1000, 10000, 50000},
       300,
       kAll,
       "p50 2 / 10 / 30 ms, p99 20 / 100 / 300 ms, 95 % optimal, gap 5 %",
       "preempt",
       mixed_20,
       7},
      {"mixed/1000 queues",
       Timed::cycle,
       {10000, 50000},
       600,
       kAll,
       "p50 2 / 10 / 30 ms, p99 20 / 100 / 300 ms, 95 % optimal, gap 5 %",
       "preempt",
       mixed_1000,
       7},
      {"openb", Timed::cycle, {1213}, 200, kAll, "as mixed", "preempt", openb, 6},
      {"first-plan", Timed::first, {10000}, 12, kAll, "5 ms", "preempt", four_gpus},
  };
  return all;
}

}  // namespace bench
