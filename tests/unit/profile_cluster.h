// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "support/cluster_builder.h"

namespace cede {

// A random small cluster with a tree of queues, in which every profile has something to decide: job `p` waits
// in a leaf, others run. Small enough for the enumerator.
class ProfileCluster {
 public:
  explicit ProfileCluster(std::uint64_t seed) : random_(seed) {}

  std::string document() {
    ClusterBuilder cluster(100000);
    JsonObject& group = cluster.group();
    if (chance(15)) group.put("resources", JsonObject{{"lic", 3}});
    add_queues(cluster);
    add_nodes(cluster);
    add_jobs(cluster);
    return cluster.text();
  }

  JsonObject settings(const std::string& profile) {
    JsonObject all;
    const auto maybe = [&](unsigned percent, std::string_view key, const Json& value) {
      if (chance(percent)) all.put(key, value);
    };
    maybe(15, "max_victims", 1 + below(2));
    maybe(15, "cost_model", "lost-work");
    if (profile == "class-cost") {
      maybe(20, "class_rule", "banded");
      maybe(20, "class_first", true);
      maybe(20, "protect_home", false);
      maybe(20, "avoid_borrowed", false);
      maybe(15, "reclaim", "claims");
      maybe(25, "borrowed_discount", Json::raw(one_of({"0.5", "0.333", "1"})));
      maybe(10, "victim_overhead", 0);
      maybe(20, "value_per_gpu_hour", 5);
    } else if (profile == "quota") {
      maybe(20, "check_parent_quota", false);
      maybe(20, "disable_default_preemptible", true);
      maybe(20, "evict", "soft");
    } else if (profile == "fair-share") {
      maybe(50, "enable_aggressive_starvation", true);
      maybe(20, "allow_preemption_from_starving", true);
      maybe(20, "allow_aggressive_preemption", false);
      maybe(20, "preemption_satisfaction_threshold", Json::raw("0.6"));
      maybe(20, "tasks_per_plan", 2);
    } else if (profile == "guarantee") {
      maybe(20, "strict_opt_out", true);
      maybe(20, "within_guarantee", true);
      maybe(20, "cross_node", true);
      maybe(25, "intra_queue", true);
      maybe(20, "tasks_per_plan", 2);
    } else {
      maybe(50, "front_only", false);
      maybe(50, "preemption_order", "fewest");
    }
    return all;
  }

 private:
  std::uint64_t below(std::uint64_t n) { return random_() % n; }
  bool chance(unsigned percent) { return below(100) < percent; }
  static std::string numbered(const char* head, std::uint64_t n) { return head + std::to_string(n); }
  std::string one_of(std::vector<std::string> words) { return words[below(words.size())]; }

  void add_queues(ClusterBuilder& cluster) {
    cluster.queue("root");
    for (const auto& [id, parent] :
         {std::pair{"a", "root"}, {"b", "root"}, {"a.x", "a"}, {"a.y", "a"}, {"b.x", "b"}}) {
      JsonObject& queue = cluster.queue(id, parent);
      const std::uint64_t least = below(5);
      if (chance(60)) queue.put("guaranteed", JsonObject{{"cpu", least}});
      if (chance(25)) queue.put("max", JsonObject{{"cpu", least + 2 + below(6)}});
      if (chance(20)) queue.put("weight", 2);
      if (chance(15)) queue.put("priority_offset", below(2) == 0 ? -2 : 3);
      if (chance(15))
        queue.put("preemption", JsonObject{{"policy", one_of({"fence", "disabled", "default"})}});
      if (chance(10)) queue.put("kind", one_of({"training", "service"}));
    }
  }

  void add_nodes(ClusterBuilder& cluster) {
    node_count_ = 1 + below(3);
    for (std::uint64_t i = 0; i < node_count_; ++i) {
      room_.push_back(3 + below(3));
      JsonObject& node = cluster.node(numbered("n", i), {{"cpu", room_.back()}});
      if (chance(30)) node.put("home", one_of({"a", "b", "a.x"}));
    }
  }

  void put_traits(JsonObject& job) {
    job.put("priority", below(8)).put("class", below(9));
    if (chance(40)) job.put("app", numbered("app", below(3)));
    if (chance(30)) job.put("user", numbered("u", below(2)));
    if (chance(60)) {
      job.put("checkpoint",
              Json::raw(one_of({R"({"mode":"auto","estimate":120})", R"({"mode":"manual","timeout":60})",
                                R"({"mode":"none","last":99000})"})));
    }
    if (chance(60)) job.put("walltime", 2000 + below(12000));
    if (chance(20)) job.put("preemptible", Json::raw(one_of({"false", "\"last-resort\"", "true"})));
    if (chance(10)) job.put("kind", one_of({"service", "sensitive", "interactive"}));
  }

  void add_jobs(ClusterBuilder& cluster) {
    const std::uint64_t count = 2 + below(5);
    for (std::uint64_t i = 0; i < count; ++i) {
      JsonList tasks;
      const std::uint64_t wanted = 1 + below(3);
      for (std::uint64_t t = 0; t < wanted; ++t) {
        const std::uint64_t node = below(node_count_);
        const std::uint64_t size = 1 + below(2);
        if (room_[node] < size) continue;
        room_[node] -= size;
        JsonObject task{{"node", numbered("n", node)}, {"started", 90000 + below(9000)}};
        task.put("resources", resources(size));
        if (chance(10)) task.put("originator", true);
        tasks.add(task);
      }
      if (tasks.empty()) continue;
      JsonObject& job = cluster.job(numbered("v", i), one_of({"a.x", "a.y", "b.x", "b.x"}));
      job.put("state", "running").put("started", 90000 + below(9000));
      put_traits(job);
      if (chance(20)) job.put("gang", below(2) == 0);
      job.put("tasks", tasks);
    }
    JsonObject& job = cluster.job("p", one_of({"a.x", "a.y", "b.x"}));
    job.put("submitted", 95000).put("below_fair_share_since", 99000 + below(1000));
    put_traits(job);
    if (chance(30)) job.put("value", 1 + below(200));
    JsonList tasks{JsonObject{{"id", "w"}, {"count", 1 + below(2)}, {"resources", resources(1 + below(3))}}};
    // A task with a priority or a permission of its own.
    if (chance(25)) {
      JsonObject task{{"id", "x"}, {"resources", JsonObject{{"cpu", 1 + below(3)}}}};
      if (chance(50)) task.put("priority", below(8));
      if (chance(40)) task.put("may_preempt", below(2) == 0);
      tasks.add(task);
    }
    job.put("tasks", tasks);
  }

  JsonObject resources(std::uint64_t cpu) {
    JsonObject out{{"cpu", cpu}};
    if (chance(10)) out.put("lic", 1);
    return out;
  }

  std::mt19937_64 random_;
  std::uint64_t node_count_ = 0;
  std::vector<std::uint64_t> room_;
};

}  // namespace cede
