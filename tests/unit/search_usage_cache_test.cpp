// SPDX-License-Identifier: MIT
// Answers that depend on what queues use are reused as well, and equal those of a fresh engine.
#include <cstdlib>
#include <random>
#include <set>

#include "answer_cache_check.h"

namespace cede {
namespace {

// Nodes of four devices, full with jobs of one or two devices of some queues, each of which is guaranteed
// about as much as it uses. Little differs but the names.
class GuaranteedCluster {
 public:
  explicit GuaranteedCluster(std::uint64_t seed) : random_(seed) {
    for (std::size_t n = 0; n < kNodes; ++n) {
      for (std::uint64_t free = 4; free > 0;) {
        const std::uint64_t gpus = std::min<std::uint64_t>(free, 1 + below(2));
        jobs_.push_back(
            {numbers_++, n, gpus, some_queue(), below(4), 100000 - 60 * below(4), below(40) == 0});
        free -= gpus;
      }
    }
  }

  std::uint64_t below(std::uint64_t n) { return random_() % n; }

  std::string document() {
    ClusterBuilder cluster(100000);
    cluster.group();
    cluster.queue("root");
    cluster.queue("root.own", "root").put("guaranteed", JsonObject{{"gpu", 4 * kNodes}});
    cluster.queue("root.a", "root").put("guaranteed", JsonObject{{"gpu", some_guarantee(4)}});
    for (std::size_t q = 0; q < kQueues; ++q) add_queue(cluster, q);
    for (std::size_t n = 0; n < kNodes; ++n) add_node(cluster, n, "up");
    for (const Job& job : jobs_) add_job(cluster, job);
    for (const auto& [name, gpus] : {std::pair("small", 1), {"three", 3}, {"four", 4}}) {
      JsonObject& job = cluster.job(name, "root.own").put("priority", 50).put("submitted", 99000);
      job.put("tasks", JsonList{JsonObject{{"resources", JsonObject{{"gpu", gpus}}}}});
    }
    return cluster.text();
  }

  // Jobs that are put again, perhaps in another queue, or replaced, a queue with another guarantee, or a node
  // that drains or comes back.
  std::string change() {
    ClusterBuilder put;
    JsonList gone;
    std::set<std::size_t> chosen;
    for (std::uint64_t i = 0, n = below(5); i < n; ++i) chosen.insert(below(jobs_.size()));
    for (const std::size_t index : chosen) {
      Job& job = jobs_[index];
      if (below(3) == 0) {
        if (job.there) gone.add(name(job.number));
        job.there = false;
        job.number = numbers_++;
      }
      if (below(2) == 0) job.queue = some_queue();
      job.priority = below(4);
      job.started = 100000 - 60 * below(4);
      if (below(8) == 0) continue;
      add_job(put, job);
      job.there = true;
    }
    if (below(3) == 0) add_queue(put, below(kQueues));
    if (below(4) == 0) add_node(put, below(kNodes), below(2) == 0 ? "drain" : "up");
    put.document.put("remove", JsonObject{{"jobs", gone}});
    return put.changes();
  }

  // One job that starts at another time.
  std::string small_change() {
    ClusterBuilder put;
    Job& job = jobs_[below(jobs_.size())];
    job.started -= 1;
    job.there = true;
    add_job(put, job);
    return put.changes();
  }

  static constexpr std::size_t kNodes = 120;

 private:
  static constexpr std::size_t kQueues = 6;  // half of them below root.a
  struct Job {
    std::size_t number = 0;
    std::size_t node = 0;
    std::uint64_t gpus = 1;
    std::size_t queue = 0;
    std::uint64_t priority = 0;
    std::uint64_t started = 0;
    bool same_app = false;  // its application has the name of a waiting job
    bool there = true;
  };

  std::size_t some_queue() { return below(kQueues); }
  std::uint64_t some_guarantee(std::uint64_t queues) {
    const std::uint64_t even = 4 * kNodes / kQueues * queues;
    return even * 3 / 4 + below(even / 2);
  }
  static std::string queue_name(std::size_t q) {
    return (q < kQueues / 2 ? "root.a.q" : "root.q") + std::to_string(q);
  }
  static std::string name(std::size_t number) {
    return std::string(1, "qbxam"[number % 5]) + std::to_string(number);
  }
  void add_queue(ClusterBuilder& cluster, std::size_t q) {
    JsonObject& queue = cluster.queue(queue_name(q), q < kQueues / 2 ? "root.a" : "root");
    if (below(5) != 0) queue.put("guaranteed", JsonObject{{"gpu", some_guarantee(1)}});
  }
  static void add_node(ClusterBuilder& cluster, std::size_t n, const char* state) {
    cluster.node("n" + std::to_string(n), {{"gpu", 4}}).put("state", state);
  }
  static void add_job(ClusterBuilder& cluster, const Job& job) {
    JsonObject& out = cluster.job(name(job.number), queue_name(job.queue)).put("state", "running");
    out.put("started", job.started).put("priority", job.priority);
    if (job.same_app) out.put("app", "three");
    const JsonObject task{{"node", "n" + std::to_string(job.node)},
                          {"resources", JsonObject{{"gpu", job.gpus}}}};
    out.put("tasks", JsonList{task});
  }

  std::mt19937_64 random_;
  std::vector<Job> jobs_;
  std::size_t numbers_ = 0;
};

std::string usage_policy_of(std::uint64_t seed) {
  static constexpr const char* kSettings[] = {"", R"("max_victims":2)", R"("cost_model":"lost-work")",
                                              R"("intra_queue":true)", R"("cross_node":true)"};
  return policy_text("guarantee", kSettings[seed % std::size(kSettings)]);
}

TEST(UsageCache, SaysWhatAFreshEngineSays) {
  const bool many = std::getenv("CEDE_LONG") != nullptr;
  Count count;
  for (std::uint64_t seed = 0; seed < (many ? 400 : 10); ++seed) {
    GuaranteedCluster cluster(seed);
    ASSERT_NO_FATAL_FAILURE(ask_for_tasks(cluster, usage_policy_of(seed), many ? 60 : 16, count))
        << "seed " << seed;
  }
  EXPECT_GT(count.preempting * 3, count.asked);
  EXPECT_GT(count.proven * 10, count.preempting * 9);
  EXPECT_GT(count.in_flight, 5);
  EXPECT_GT(count.by_cache * 2, count.preempting);
}

// A change of one job makes the search look at its node again, not at all of them.
TEST(UsageCache, SearchesTheNodesThatChanged) {
  GuaranteedCluster cluster(1);
  Loaded loaded(cluster.document(), usage_policy_of(0));
  SearchedNodes searched(loaded.engine);
  std::uint64_t before = searched.after(loaded.plan("four"));
  EXPECT_GE(before, GuaranteedCluster::kNodes);
  for (int round = 0; round < 20; ++round) {
    Problems problems;
    ASSERT_TRUE(loaded.engine.apply(cluster.small_change(), problems)) << problems.all()[0].message();
    const std::uint64_t after = searched.after(loaded.plan("four"));
    EXPECT_LE(after - before, 4) << "round " << round;
    before = after;
  }
}

}  // namespace
}  // namespace cede
