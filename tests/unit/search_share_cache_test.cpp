// SPDX-License-Identifier: MIT
// Answers that depend on fair shares are reused as well, and equal those of a fresh engine; shares that are
// kept from change to change equal shares that are computed anew.
#include <cstdlib>
#include <random>
#include <set>

#include "answer_cache_check.h"
#include "policy/shares/starvation.h"
#include "verify/queue_usage.h"

namespace cede {
namespace {

// Nodes of four devices, nearly full with jobs of up to eight tasks. Some jobs wait for more, some of these
// starve; some are gangs.
class SharedCluster {
 public:
  explicit SharedCluster(std::uint64_t seed) : random_(seed), room_(kNodes, 4) {
    for (std::size_t n = 0; n < kNodes; ++n) {
      while (room_[n] > 0) jobs_.push_back(some_job(n));
    }
  }

  std::uint64_t below(std::uint64_t n) { return random_() % n; }

  std::string document() {
    ClusterBuilder cluster(100000);
    cluster.group();
    cluster.queue("root");
    cluster.queue("root.own", "root").put("weight", 5).put("guaranteed", JsonObject{{"gpu", 2 * kNodes}});
    cluster.queue("root.a", "root");
    for (std::size_t q = 0; q < kQueues; ++q) add_queue(cluster, q);
    for (std::size_t n = 0; n < kNodes; ++n) add_node(cluster, n, "up");
    for (const Job& job : jobs_) add_job(cluster, job);
    for (const auto& [name, gpus, count] :
         {std::tuple("small", 1, 1), {"three", 3, 1}, {"four", 4, 1}, {"backlog", 1, 300}}) {
      JsonObject& job = cluster.job(name, "root.own").put("submitted", 99000);
      job.put("below_fair_share_since", 99000);
      job.put("tasks", JsonList{JsonObject{{"count", count}, {"resources", JsonObject{{"gpu", gpus}}}}});
    }
    return cluster.text();
  }

  std::string change() {
    ClusterBuilder put;
    JsonList gone;
    std::set<std::size_t> chosen;
    for (std::uint64_t i = 0, n = below(4); i < n; ++i) chosen.insert(below(jobs_.size()));
    for (const std::size_t index : chosen) {
      Job& job = jobs_[index];
      if (below(3) == 0) {
        if (job.there) gone.add(name(job.number));
        job.there = false;
        job.number = numbers_++;
      }
      if (below(2) == 0) job.queue = below(kQueues);
      job.waits = below(3) == 0 ? below(10) : 0;
      for (Task& task : job.tasks) task.started -= below(3);
      if (below(10) == 0) continue;
      add_job(put, job);
      job.there = true;
    }
    if (below(5) == 0) add_queue(put, below(kQueues));
    if (below(6) == 0) add_node(put, below(kNodes), below(2) == 0 ? "drain" : "up");
    put.document.put("remove", JsonObject{{"jobs", gone}});
    return put.changes();
  }

  // One job whose oldest task starts earlier.
  std::string small_change() {
    ClusterBuilder put;
    Job& job = jobs_[below(jobs_.size())];
    job.tasks[0].started -= 1000;
    add_job(put, job);
    return put.changes();
  }
  std::size_t jobs() const { return jobs_.size(); }

  static constexpr std::size_t kNodes = 120;
  static constexpr std::size_t kMostTasks = 8;

 private:
  static constexpr std::size_t kQueues = 6;  // half of them below root.a
  struct Task {
    std::size_t node = 0;
    std::uint64_t gpus = 1;
    std::uint64_t started = 0;
  };
  struct Job {
    std::size_t number = 0;
    std::size_t queue = 0;
    std::vector<Task> tasks;
    std::uint64_t waits = 0;
    bool gang = false;
    bool there = true;
  };

  Job some_job(std::size_t first) {
    Job job{numbers_++, below(kQueues), {}, below(10) == 0 ? 1 + below(20) : 0, below(12) == 0, true};
    const std::size_t tasks = 1 + below(kMostTasks);
    for (std::size_t n = first; n < kNodes && job.tasks.size() < tasks; n += 1 + below(3)) {
      if (room_[n] == 0) continue;
      const std::uint64_t gpus = std::min<std::uint64_t>(room_[n], 1 + below(2));
      room_[n] -= gpus;
      job.tasks.push_back({n, gpus, 100000 - 60 * below(8)});
    }
    return job;
  }
  static std::string queue_name(std::size_t q) {
    return (q < kQueues / 2 ? "root.a.q" : "root.q") + std::to_string(q);
  }
  static std::string name(std::size_t number) {
    return std::string(1, "qbxam"[number % 5]) + std::to_string(number);
  }
  void add_queue(ClusterBuilder& cluster, std::size_t q) {
    JsonObject& queue = cluster.queue(queue_name(q), q < kQueues / 2 ? "root.a" : "root");
    queue.put("weight", 1 + below(3));
    if (below(2) != 0) queue.put("guaranteed", JsonObject{{"gpu", below(kNodes / 2)}});
  }
  static void add_node(ClusterBuilder& cluster, std::size_t n, const char* state) {
    cluster.node("n" + std::to_string(n), {{"gpu", 4}}).put("state", state);
  }
  static void add_job(ClusterBuilder& cluster, const Job& job) {
    JsonObject& out = cluster.job(name(job.number), queue_name(job.queue)).put("state", "running");
    if (job.gang) out.put("gang", true);
    if (job.waits > 0) out.put("below_fair_share_since", 99500);
    JsonList tasks;
    for (const Task& task : job.tasks) {
      tasks.add(JsonObject{{"node", "n" + std::to_string(task.node)},
                           {"started", task.started},
                           {"resources", JsonObject{{"gpu", task.gpus}}}});
    }
    if (job.waits > 0 && !job.gang)
      tasks.add(JsonObject{{"count", job.waits}, {"resources", JsonObject{{"gpu", 1}}}});
    out.put("tasks", tasks);
  }

  std::mt19937_64 random_;
  std::vector<std::uint64_t> room_;
  std::vector<Job> jobs_;
  std::size_t numbers_ = 0;
};

std::string share_policy_of(std::uint64_t seed) {
  static constexpr const char* kSettings[] = {
      "",
      R"("preemptive_scheduling_backoff":"0s")",
      R"("enable_aggressive_starvation":true)",
      R"("preemption_satisfaction_threshold":0.4,"aggressive_preemption_satisfaction_threshold":0.1)",
      R"("cost_model":"lost-work","enable_aggressive_starvation":true)",
      R"("allow_preemption_from_starving":true,"max_victims":2)",
  };
  return policy_text("fair-share", kSettings[seed % std::size(kSettings)]);
}

TEST(ShareCache, SaysWhatAFreshEngineSays) {
  const bool many = std::getenv("CEDE_LONG") != nullptr;
  Count count;
  const auto lead = [&](std::uint64_t seed, int changes) {
    SharedCluster cluster(seed);
    ASSERT_NO_FATAL_FAILURE(ask_for_tasks(cluster, share_policy_of(seed), changes, count)) << "seed " << seed;
  };
  for (std::uint64_t seed = 0; seed < (many ? 400 : 12); ++seed)
    ASSERT_NO_FATAL_FAILURE(lead(seed, many ? 60 : 16));
  // A victim that is no longer leaving has not changed otherwise.
  ASSERT_NO_FATAL_FAILURE(lead(37, 60));
  EXPECT_GT(count.preempting * 3, count.asked);
  EXPECT_GT(count.proven * 10, count.preempting * 9);
  EXPECT_GT(count.in_flight, 5);
  EXPECT_GT(count.by_cache * 2, count.preempting);
}

// A change of one job makes the search look at its nodes again, not at all of them, and leaves the shares and
// the other jobs' tiers as they are.
TEST(ShareCache, SearchesTheNodesThatChanged) {
  SharedCluster cluster(1);
  Loaded loaded(cluster.document(), share_policy_of(0));
  SearchedNodes searched(loaded.engine);
  std::uint64_t before = searched.after(loaded.plan("small"));
  EXPECT_GE(before, SharedCluster::kNodes);
  const FairShareIndex* shares = searched.index_of(loaded.plan("small"))->fair_shares();
  ASSERT_TRUE(shares);
  const std::uint64_t computed = shares->computed();
  for (std::uint64_t round = 0; round < 20; ++round) {
    const std::uint64_t split = shares->split();
    Problems problems;
    ASSERT_TRUE(loaded.engine.apply(cluster.small_change(), problems)) << problems.all()[0].message();
    const Plan plan = loaded.plan("small");
    const std::uint64_t after = searched.after(plan);
    EXPECT_LE(after - before, SharedCluster::kMostTasks + 3) << "round " << round;
    before = after;
    ASSERT_EQ(searched.index_of(plan)->fair_shares(), shares);
    EXPECT_EQ(shares->computed(), computed);
    EXPECT_EQ(shares->split(), split + 1);
  }
}

// A commit moves tasks between what their jobs hold and what they wait for. No share depends on that.
TEST(ShareCache, ACommitComputesNoShares) {
  int committed = 0;
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    SharedCluster cluster(seed);
    Loaded loaded(cluster.document(), share_policy_of(seed));
    SearchedNodes searched(loaded.engine);
    std::uint64_t computed = 0;
    {
      const Plan plan = loaded.plan("small");
      computed = searched.index_of(plan)->fair_shares()->computed();
      if (plan.outcome != Outcome::preempt) continue;
      Problems problems;
      ASSERT_NE(loaded.engine.commit(plan, *loaded.engine.policies(), plan.now, -1, problems), kNoEntry)
          << problems.all()[0].message();
      ++committed;
    }
    const Plan plan = loaded.plan("small");
    const std::shared_ptr<const GroupIndex> index = searched.index_of(plan);
    EXPECT_EQ(index->fair_shares()->computed(), computed) << "seed " << seed;
    const Model& model = *plan.snapshot;
    const GroupId group = model.jobs[plan.subject.job].group;
    const std::shared_ptr<const PolicySet> policies = loaded.engine.policies();
    const EffectiveSettings effective(model, *policies, *policy_of(model, model.groups[group], *policies));
    const FairFacts anew(effective, group, *plan.in_flight, plan.now, nullptr);
    const FairFacts kept(effective, group, *plan.in_flight, plan.now, index->fair_shares());
    EXPECT_EQ(anew.difference(kept), "") << "seed " << seed;
  }
  EXPECT_GT(committed, 0);
}

TEST(FairShareIndex, EqualsSharesComputedAnew) {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    SharedCluster cluster(seed);
    Loaded loaded(cluster.document(), share_policy_of(seed));
    SearchedNodes asked(loaded.engine);
    for (int round = 0; round < 40; ++round) {
      Problems problems;
      ASSERT_TRUE(loaded.engine.apply(cluster.change(), problems)) << problems.all()[0].message();
      const Plan plan = loaded.plan("small");
      const std::shared_ptr<const GroupIndex> index = asked.index_of(plan);
      const Model& model = *plan.snapshot;
      const GroupId group = model.jobs[plan.subject.job].group;
      const std::shared_ptr<const PolicySet> policies = loaded.engine.policies();
      const EffectiveSettings effective(model, *policies, *policy_of(model, model.groups[group], *policies));
      const FairShareStatus anew(effective, group, *plan.in_flight, plan.now);
      const FairShareStatus kept(effective, group, *plan.in_flight, plan.now, index->fair_shares());
      model.jobs.for_each([&](JobId job, const JobCore&) {
        const JobShares a = anew.of(job);
        const JobShares b = kept.of(job);
        ASSERT_TRUE(std::ranges::equal(a.usage, b.usage) && std::ranges::equal(a.fair, b.fair) &&
                    std::ranges::equal(a.demand, b.demand))
            << "seed " << seed << ", round " << round << ", " << model.job_name(job);
      });
      for (const Unit* unit : index->units()) {
        ASSERT_EQ(anew.tier(*unit), kept.tier(*unit))
            << "seed " << seed << ", round " << round << ", " << model.job_name(unit->job);
      }
    }
  }
}

}  // namespace
}  // namespace cede
