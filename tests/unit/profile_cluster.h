// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace cede {

// A random small cluster with a tree of queues, in which every profile has something to decide: job `p` waits
// in a leaf, others run. Small enough for the enumerator.
class ProfileCluster {
 public:
  explicit ProfileCluster(std::uint64_t seed) : random_(seed) {}

  std::string document() {
    std::string text = R"({"format":"cede-cluster/1","now":100000,"groups":[{"id":"g")";
    if (chance(15)) text += R"(,"resources":{"lic":3})";
    text += "}],\"queues\":[" + queues();
    text += "],\"nodes\":[" + nodes();
    text += "],\"jobs\":[" + jobs();
    return text + "]}";
  }

  std::string settings(const std::string& profile) {
    std::vector<std::string> all;
    const auto maybe = [&](unsigned percent, std::string text) {
      if (chance(percent)) all.push_back(std::move(text));
    };
    maybe(15, R"("max_victims":)" + num(1 + below(2)));
    maybe(15, R"("cost_model":"lost-work")");
    if (profile == "class-cost") {
      maybe(20, R"("class_rule":"banded")");
      maybe(20, R"("class_first":true)");
      maybe(20, R"("protect_home":false)");
      maybe(20, R"("avoid_borrowed":false)");
      maybe(15, R"("reclaim":"claims")");
      maybe(25, R"("borrowed_discount":)" + one_of({"0.5", "0.333", "1"}));
      maybe(10, R"("victim_overhead":0)");
      maybe(20, R"("value_per_gpu_hour":5)");
    } else if (profile == "quota") {
      maybe(20, R"("check_parent_quota":false)");
      maybe(20, R"("disable_default_preemptible":true)");
      maybe(20, R"("evict":"soft")");
    } else if (profile == "fair-share") {
      maybe(50, R"("enable_aggressive_starvation":true)");
      maybe(20, R"("allow_preemption_from_starving":true)");
      maybe(20, R"("allow_aggressive_preemption":false)");
      maybe(20, R"("preemption_satisfaction_threshold":0.6)");
      maybe(20, R"("tasks_per_plan":2)");
    } else if (profile == "guarantee") {
      maybe(20, R"("strict_opt_out":true)");
      maybe(20, R"("within_guarantee":true)");
      maybe(20, R"("cross_node":true)");
      maybe(25, R"("intra_queue":true)");
      maybe(20, R"("tasks_per_plan":2)");
    } else {
      maybe(50, R"("front_only":false)");
      maybe(50, R"("preemption_order":"fewest")");
    }
    std::string out;
    for (const std::string& each : all) out += (out.empty() ? "" : ",") + each;
    return out;
  }

 private:
  std::uint64_t below(std::uint64_t n) { return random_() % n; }
  bool chance(unsigned percent) { return below(100) < percent; }
  static std::string num(std::uint64_t n) { return std::to_string(n); }
  std::string one_of(std::vector<std::string> words) { return words[below(words.size())]; }

  std::string queues() {
    std::string out = R"({"id":"root"})";
    for (const auto& [id, parent] :
         {std::pair{"a", "root"}, {"b", "root"}, {"a.x", "a"}, {"a.y", "a"}, {"b.x", "b"}}) {
      out += std::string(R"(,{"id":")") + id + R"(","parent":")" + parent + '"';
      const std::uint64_t least = below(5);
      if (chance(60)) out += R"(,"guaranteed":{"cpu":)" + num(least) + "}";
      if (chance(25)) out += R"(,"max":{"cpu":)" + num(least + 2 + below(6)) + "}";
      if (chance(20)) out += R"(,"weight":2)";
      if (chance(15)) out += R"(,"priority_offset":)" + one_of({"-2", "3"});
      if (chance(15))
        out += R"(,"preemption":{"policy":")" + one_of({"fence", "disabled", "default"}) + R"("})";
      if (chance(10)) out += R"(,"kind":")" + one_of({"training", "service"}) + '"';
      out += '}';
    }
    return out;
  }

  std::string nodes() {
    std::string out;
    node_count_ = 1 + below(3);
    for (std::uint64_t i = 0; i < node_count_; ++i) {
      room_.push_back(3 + below(3));
      out += (i > 0 ? "," : "") + std::string(R"({"id":"n)") + num(i) + R"(","resources":{"cpu":)" +
             num(room_.back()) + "}";
      if (chance(30)) out += R"(,"home":")" + one_of({"a", "b", "a.x"}) + '"';
      out += '}';
    }
    return out;
  }

  std::string traits() {
    std::string out = R"(,"priority":)" + num(below(8)) + R"(,"class":)" + num(below(9));
    if (chance(40)) out += R"(,"app":"app)" + num(below(3)) + '"';
    if (chance(30)) out += R"(,"user":"u)" + num(below(2)) + '"';
    if (chance(60))
      out += R"(,"checkpoint":)" +
             one_of({R"({"mode":"auto","estimate":120})", R"({"mode":"manual","timeout":60})",
                     R"({"mode":"none","last":99000})"});
    if (chance(60)) out += R"(,"walltime":)" + num(2000 + below(12000));
    if (chance(20)) out += R"(,"preemptible":)" + one_of({"false", "\"last-resort\"", "true"});
    if (chance(10)) out += R"(,"kind":")" + one_of({"service", "sensitive", "interactive"}) + '"';
    return out;
  }

  std::string jobs() {
    std::string out;
    const std::uint64_t count = 2 + below(5);
    for (std::uint64_t i = 0; i < count; ++i) {
      std::string tasks;
      const std::uint64_t wanted = 1 + below(3);
      for (std::uint64_t t = 0; t < wanted; ++t) {
        const std::uint64_t node = below(node_count_);
        const std::uint64_t size = 1 + below(2);
        if (room_[node] < size) continue;
        room_[node] -= size;
        tasks += (tasks.empty() ? "" : ",") + std::string(R"({"node":"n)") + num(node) + R"(","started":)" +
                 num(90000 + below(9000)) + R"(,"resources":{"cpu":)" + num(size) +
                 (chance(10) ? R"(,"lic":1)" : "") + "}";
        if (chance(10)) tasks += R"(,"originator":true)";
        tasks += '}';
      }
      if (tasks.empty()) continue;
      out += R"({"id":"v)" + num(i) + R"(","queue":")" + one_of({"a.x", "a.y", "b.x", "b.x"}) +
             R"(","state":"running","started":)" + num(90000 + below(9000)) + traits();
      if (chance(20)) out += R"(,"gang":)" + one_of({"true", "false"});
      out += R"(,"tasks":[)" + tasks + "]},";
    }
    out += R"({"id":"p","queue":")" + one_of({"a.x", "a.y", "b.x"}) +
           R"(","submitted":95000,"below_fair_share_since":)" + num(99000 + below(1000)) + traits();
    if (chance(30)) out += R"(,"value":)" + num(1 + below(200));
    out += R"(,"tasks":[{"id":"w","count":)" + num(1 + below(2)) + R"(,"resources":{"cpu":)" +
           num(1 + below(3)) + (chance(10) ? R"(,"lic":1)" : "") + "}}";
    // A task with a priority or a permission of its own.
    if (chance(25)) {
      out += R"(,{"id":"x","resources":{"cpu":)" + num(1 + below(3)) + "}";
      if (chance(50)) out += R"(,"priority":)" + num(below(8));
      if (chance(40)) out += R"(,"may_preempt":)" + one_of({"true", "false"});
      out += '}';
    }
    return out + "]}";
  }

  std::mt19937_64 random_;
  std::uint64_t node_count_ = 0;
  std::vector<std::uint64_t> room_;
};

}  // namespace cede
