// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "model/in_flight.h"
#include "search/query.h"

namespace cede {

// A random small cluster with a policy, earlier decisions and a question, in which every trigger, rule, cap
// and measure of a profile decides something now and then. Small enough to try every set.
class RuleCluster {
 public:
  RuleCluster(std::uint64_t seed, std::string profile) : random_(seed), profile_(std::move(profile)) {
    with_gpus_ = chance(40);
    with_licences_ = chance(20);
    overcommits_ = chance(30);
    two_groups_ = chance(10);
    const std::string queue_list = queues();
    const std::string node_list = nodes();
    cluster = R"({"format":"cede-cluster/1","now":100000,"groups":[{"id":"g")" +
              std::string(with_licences_ ? R"(,"resources":{"lic":3})" : "") + "}" +
              (two_groups_ ? R"(,{"id":"h"})" : "") + "],\"queues\":[" + queue_list + "],\"nodes\":[" +
              node_list + other_node() + "],\"jobs\":[" + running_jobs() + other_job() + waiting_jobs() +
              "]}";
    policy = R"({"format":"cede-policy/1")" + std::string(chance(1) ? R"(,"preemption":"off")" : "") +
             R"(,"policies":{"default":{"profile":")" + profile_ + R"(","settings":{)" + settings() +
             R"(}}},"limits":{)" + (chance(25) ? R"("cooldown":)" + num(100 + below(3000)) : "") + "}}";
  }

  std::string cluster;
  std::string policy;

  // Decisions that are not finished: somebody on the way out, space held for somebody, nodes preempted on a
  // short while ago.
  InFlight in_flight(const Model& model) {
    InFlight out;
    const auto tasks_of = [&](JobId job) {
      std::vector<TaskId> tasks;
      for (std::uint32_t k = 0; k < model.jobs[job].task_rows; ++k) {
        const TaskId task{model.jobs[job].first_task.value + k};
        if (model.tasks.core(task).node) tasks.push_back(task);
      }
      return tasks;
    };
    const JobId leaves = any_victim(model);
    if (leaves && chance(20)) out.leaving = tasks_of(leaves);
    const JobId holds = any_victim(model);
    if (holds && holds != leaves && chance(20)) {
      InFlight::Hold hold{7, holds, tasks_of(holds), chance(40), {}, kNoTime, chance(50)};
      if (chance(70)) hold.latest_start = 99'500'000 + static_cast<Time>(below(1'000'000));
      if (leaves && chance(70))
        hold.awaited.push_back({leaves, 99'900'000, chance(30) ? Time{100'020'000} : kNoTime});
      out.add(std::move(hold));
    }
    for (const std::string& node : node_names_) {
      if (chance(30)) out.node_commits.edit(node) = 100'000'000 - static_cast<Time>(below(10'000));
    }
    if (chance(2)) out.requesters.push_back(model.find_job("p"));
    if (chance(10)) {
      for (const TaskId task : tasks_of(model.find_job("p"))) out.leaving.push_back(task);
      std::sort(out.leaving.begin(), out.leaving.end());
    }
    if (chance(4)) out.relief.emplace_back("node:n0", model.find_group("g"));
    return out;
  }

  Query query(const Model& model) {
    Query out;
    out.now = 100'000'000;
    out.group = model.find_group("g");
    const std::uint64_t kind = below(20);
    if (kind < 14) {
      out.job = model.find_job("p");
    } else if (kind < 17) {
      out.purpose = Purpose::relief_node;
      out.node = model.find_node(any_of(node_names_));
    } else if (kind == 17) {
      out.purpose = Purpose::relief_queue;
      out.queue = model.find_queue(any_of(queue_names_));
    } else if (kind == 18 && any_victim(model)) {
      out.purpose = Purpose::relief_job;
      out.job = any_victim(model);
    } else if (profile_ == "class-cost") {
      out.purpose = chance(50) ? Purpose::reclaim : Purpose::sensitive_claim;
      out.queue = model.find_queue(any_of(queue_names_));
      out.claimed.push_back(model.find_node("n0"));
    } else {
      out.job = model.find_job("p");
    }
    if (chance(15) && any_victim(model)) out.protect.push_back(any_victim(model));
    if (chance(10)) out.avoid.avoid.push_back(model.find_node(any_of(node_names_)));
    if (chance(25)) out.allowance = allowance(model);
    out.partial = chance(30);
    return out;
  }

 private:
  std::uint64_t below(std::uint64_t n) { return random_() % n; }
  bool chance(unsigned percent) { return below(100) < percent; }
  static std::string num(std::uint64_t n) { return std::to_string(n); }
  std::string one_of(std::vector<std::string> words) { return words[below(words.size())]; }
  const std::string& any_of(const std::vector<std::string>& words) { return words[below(words.size())]; }
  JobId any_victim(const Model& model) {
    return victims_.empty() ? JobId{} : model.find_job(any_of(victims_));
  }
  static std::string joined(const std::vector<std::string>& list) {
    std::string out;
    for (const std::string& each : list) out += (out.empty() ? "" : ",") + each;
    return out;
  }

  Allowance allowance(const Model& model) {
    Allowance out;
    if (chance(50)) out.last_attempt = 100'000'000 - static_cast<Time>(below(30'000));
    out.bounds_queues = chance(40);
    out.per_queue = static_cast<std::int64_t>(below(3));
    out.bounds_users = chance(40);
    out.per_user = static_cast<std::int64_t>(below(3));
    if (out.bounds_queues && chance(50))
      out.queues.push_back({model.find_queue("b.x"), {static_cast<std::int64_t>(below(2)), kNoTime}});
    out.bounds_lost_work = chance(30);
    out.lost_work.left = chance(30) ? 0 : static_cast<std::int64_t>(below(400'000));
    return out;
  }

  // Settings that may stand on any queue as well.
  std::vector<std::string> shared_settings(unsigned percent) {
    std::vector<std::string> all;
    const auto maybe = [&](std::string text) {
      if (chance(percent)) all.push_back(std::move(text));
    };
    maybe(R"("min_runtime":)" + num(500 + below(5000)));
    maybe(R"("max_preempted_count":)" + num(1 + below(2)));
    if (chance(percent / 8)) all.emplace_back(R"("preemption":"off")");
    if (profile_ == "priority") {
      maybe(R"("preemptible_priority":)" + num(1 + below(6)));
      maybe(R"("preemption_mode":"suspend")");
    } else if (profile_ == "class-cost") {
      maybe(R"("protect_home":false)");
      maybe(R"("near_completion_threshold":)" + num(500 + below(4000)));
      maybe(R"("victim_overhead":)" + num(below(9)));
      maybe(R"("checkpoint_weight":)" + num(1 + below(3)));
    } else if (profile_ == "fair-share") {
      maybe(R"("allow_preemption_from_starving":true)");
      maybe(R"("allow_aggressive_preemption":false)");
    }
    return all;
  }

  std::string settings() {
    std::vector<std::string> all = shared_settings(20);
    const auto maybe = [&](unsigned percent, std::string text) {
      if (chance(percent)) all.push_back(std::move(text));
    };
    maybe(20, R"("max_victims":)" + num(1 + below(2)));
    maybe(15, R"("cost_model":"lost-work")");
    maybe(10, R"("wait_horizon":)" + num(below(6000)));
    maybe(15, R"("overcommit_grace":)" + num(below(2000)));
    if (profile_ == "priority") {
      maybe(50, R"("front_only":false)");
      maybe(70, R"("preemption_order":")" + one_of({"oldest", "newest", "fewest", "smallest"}) + '"');
      maybe(35, R"("victim_scope":")" + one_of({"user", "project", "tenant"}) + '"');
    } else if (profile_ == "class-cost") {
      maybe(30, R"("class_rule":"banded")");
      maybe(25, R"("class_first":true)");
      maybe(20, R"("avoid_borrowed":false)");
      maybe(15, R"("reclaim":"claims")");
      maybe(25, R"("borrowed_discount":)" + one_of({"0.5", "0.25", "1"}));
      maybe(20, R"("value_per_gpu_hour":)" + num(1 + below(60)));
    } else if (profile_ == "quota") {
      maybe(30, R"("check_parent_quota":false)");
      maybe(20, R"("disable_default_preemptible":true)");
      maybe(6, R"("disable_default_trigger_preemption":true)");
      maybe(20, R"("evict":"soft")");
    } else if (profile_ == "fair-share") {
      maybe(60, R"("enable_aggressive_starvation":true)");
      maybe(20, R"("preemption_satisfaction_threshold":0.6)");
      maybe(20, R"("tasks_per_plan":2)");
    } else {
      maybe(20, R"("strict_opt_out":true)");
      maybe(20, R"("within_guarantee":true)");
      maybe(30, R"("cross_node":true)");
      maybe(25, R"("intra_queue":true)");
      maybe(20, R"("tasks_per_plan":2)");
    }
    return joined(all);
  }

  std::string queues() {
    std::string out = R"({"id":"root"})";
    queue_names_ = {"root", "a", "b", "a.x", "a.y", "b.x"};
    for (const auto& [id, parent] :
         {std::pair{"a", "root"}, {"b", "root"}, {"a.x", "a"}, {"a.y", "a"}, {"b.x", "b"}}) {
      out += std::string(R"(,{"id":")") + id + R"(","parent":")" + parent + '"';
      const std::uint64_t least = below(5);
      if (chance(60)) out += R"(,"guaranteed":{"cpu":)" + num(least) + "}";
      if (chance(14)) out += R"(,"max":{"cpu":)" + num(least + 2 + below(6)) + "}";
      if (chance(20)) out += R"(,"weight":2)";
      if (chance(15)) out += R"(,"priority_offset":)" + one_of({"-2", "3"});
      if (chance(20))
        out += R"(,"preemption":{"policy":")" + one_of({"fence", "disabled", "default"}) + R"(","delay":)" +
               num(1 + below(6000)) + "}";
      if (chance(10)) out += R"(,"kind":")" + one_of({"training", "service"}) + '"';
      const std::string own = joined(shared_settings(8));
      if (!own.empty()) out += R"(,"settings":{)" + own + "}";
      out += '}';
    }
    return out;
  }

  std::string nodes() {
    std::string out;
    const std::uint64_t count = 1 + below(3);
    for (std::uint64_t i = 0; i < count; ++i) {
      node_names_.push_back("n" + num(i));
      room_.push_back(3 + below(3));
      gpus_.push_back(with_gpus_ ? 2 : 0);
      out += (i > 0 ? "," : "") + std::string(R"({"id":"n)") + num(i) +
             R"(","group":"g","resources":{"cpu":)" + num(room_.back()) + (with_gpus_ ? R"(,"gpu":2)" : "") +
             "}";
      if (chance(5)) out += R"(,"state":")" + one_of({"drain", "down"}) + '"';
      if (chance(35)) out += R"(,"home":")" + one_of({"a", "b", "a.x", "b.x"}) + '"';
      if (chance(20)) out += R"(,"overcommit_since":)" + num(98'000 + below(2'500));
      out += '}';
      if (overcommits_) room_.back() += 2;
    }
    return out;
  }

  // A node and a job of another group, which nothing can be asked of.
  std::string other_node() const {
    return two_groups_ ? R"(,{"id":"o","group":"h","resources":{"cpu":4}})" : "";
  }
  std::string other_job() {
    if (!two_groups_) return {};
    return R"({"id":"other","group":"h","queue":"b.x","state":"running","started":90000)" + traits() +
           R"(,"tasks":[{"node":"o","resources":{"cpu":2}}]},)";
  }

  // `higher`: by how much priority and class are above those of the others.
  std::string traits(std::uint64_t higher = 0) {
    std::string out = R"(,"priority":)" + num(higher + below(8)) + R"(,"class":)" +
                      num(std::min<std::uint64_t>(higher + below(8), chance(10) ? 10 : 9));
    if (chance(40)) out += R"(,"app":"app)" + num(below(3)) + '"';
    for (const char* owner : {"user", "project", "tenant"}) {
      if (chance(60)) out += std::string(",\"") + owner + R"(":"o)" + num(below(2)) + '"';
    }
    if (chance(60))
      out += R"(,"checkpoint":)" +
             one_of({R"({"mode":"auto","estimate":120})", R"({"mode":"auto","restart":60})",
                     R"({"mode":"manual","timeout":60})", R"({"mode":"none","last":99000})"});
    if (chance(60)) out += R"(,"walltime":)" + num(2000 + below(12000));
    if (chance(14)) out += R"(,"preemptible":)" + one_of({"false", "\"last-resort\"", "true"});
    if (chance(12))
      out += R"(,"kind":")" + one_of({"service", "sensitive", "interactive", "inference"}) + '"';
    return out;
  }

  std::string running_jobs() {
    std::string out;
    const std::uint64_t count = 3 + below(4);
    for (std::uint64_t i = 0; i < count; ++i) {
      std::string tasks;
      const std::uint64_t wanted = 1 + below(3);
      std::uint64_t placed = 0;
      for (std::uint64_t t = 0; t < wanted; ++t) {
        const std::uint64_t node = below(node_names_.size());
        const std::uint64_t size = 1 + below(2);
        if (room_[node] < size) continue;
        room_[node] -= size;
        const bool gpu = gpus_[node] > 0 && chance(40);
        gpus_[node] -= gpu ? 1 : 0;
        tasks += (tasks.empty() ? "" : ",") + std::string(R"({"node":"n)") + num(node) + R"(","started":)" +
                 num(90000 + below(9900)) + R"(,"resources":{"cpu":)" + num(size) +
                 (gpu ? R"(,"gpu":1)" : "") + (with_licences_ && chance(30) ? R"(,"lic":1)" : "") + "}";
        if (chance(10)) tasks += R"(,"originator":true)";
        if (profile_ == "guarantee" && chance(15)) tasks += R"(,"required_node":"n)" + num(node) + '"';
        tasks += '}';
        ++placed;
      }
      if (tasks.empty()) continue;
      victims_.push_back("v" + num(i));
      out += R"({"id":"v)" + num(i) + R"(","group":"g","queue":")" + one_of({"a.x", "a.y", "b.x", "b.x"}) +
             R"(","state":")" +
             (chance(92) ? "running" : one_of({"checkpointing", "preempting", "suspended"})) +
             R"(","started":)" + num(90000 + below(9900)) + traits();
      if (chance(20)) out += R"(,"resumed":)" + num(95000 + below(4900));
      if (chance(20)) out += R"(,"preempted_count":)" + num(1 + below(2));
      if (chance(profile_ == "fair-share" ? 30 : 5))
        out += R"(,"below_fair_share_since":)" + num(99000 + below(900));
      if (chance(15)) out += R"(,"interruptible":true)";
      if (chance(25)) out += R"(,"max":{"cpu":)" + num(1 + below(2)) + "}";
      if (chance(15) && placed > 1) {
        out += R"(,"gang":true,"min_tasks":1)";
      } else if (chance(20)) {
        out += R"(,"gang":)" + one_of({"true", "false"});
      }
      // A job that has all it asks for never starves.
      if (profile_ == "fair-share" && chance(35))
        tasks += R"(,{"id":"more","count":)" + num(1 + below(3)) + R"(,"resources":{"cpu":2}})";
      out += R"(,"tasks":[)" + tasks + "]},";
    }
    return out;
  }

  // `p` asks; `w` may be served before it.
  std::string waiting_jobs() {
    std::string out;
    if (chance(30)) {
      out += R"({"id":"w","group":"g","queue":"b.x","priority":)" + num(below(8)) + R"(,"submitted":)" +
             num(94000 + below(2000)) + (chance(20) ? R"(,"may_preempt":false)" : "") +
             R"(,"tasks":[{"resources":{"cpu":)" + num(1 + below(6)) + "}" + of_waiting_task(20) + "}]},";
    }
    out += R"({"id":"p","group":"g","queue":")" + one_of({"a.x", "a.y", "b.x"}) +
           R"(","submitted":95000,"below_fair_share_since":)" + num(99000 + below(1000)) + traits(3);
    if (chance(30)) out += R"(,"value":)" + num(1 + below(200));
    if (chance(3)) out += R"(,"may_preempt":false)";
    if (chance(8)) out += R"(,"max":{"cpu":)" + num(1 + below(5)) + "}";
    if (chance(25)) out += R"(,"waiting_since":)" + num(94000 + below(5900));
    std::string placed;
    const std::uint64_t node = below(node_names_.size());
    if (chance(15) && room_[node] > 0) {
      out += R"(,"state":"running","started":)" + num(95500 + below(4000));
      placed = R"({"id":"r","node":"n)" + num(node) + R"(","resources":{"cpu":1})" +
               (chance(50) ? R"(,"priority":0)" : "") + "},";
    }
    out += R"(,"tasks":[)" + placed + R"({"id":"w","count":)" + num(1 + below(2)) +
           R"(,"resources":{"cpu":)" + num(1 + below(3)) + (with_gpus_ && chance(30) ? R"(,"gpu":1)" : "") +
           (with_licences_ && chance(30) ? R"(,"lic":1)" : "") + "}";
    if (chance(12)) out += R"(,"required_node":")" + any_of(node_names_) + '"';
    out += of_waiting_task(8) + "}";
    if (chance(30)) {
      out += R"(,{"id":"x","resources":{"cpu":)" + num(1 + below(3)) + "}" + of_waiting_task(60);
      if (chance(12)) out += R"(,"required_node":")" + any_of(node_names_) + '"';
      out += "}";
    }
    return out + "]}";
  }

  std::string of_waiting_task(unsigned percent) {
    std::string out;
    if (chance(percent)) out += R"(,"priority":)" + num(below(11));
    if (chance(percent / 2)) out += R"(,"may_preempt":)" + one_of({"true", "false", "false"});
    return out;
  }

  std::mt19937_64 random_;
  std::string profile_;
  bool with_gpus_ = false;
  bool with_licences_ = false;
  bool overcommits_ = false;
  bool two_groups_ = false;
  std::vector<std::string> queue_names_;
  std::vector<std::string> node_names_;
  std::vector<std::string> victims_;
  std::vector<std::uint64_t> room_;
  std::vector<std::uint64_t> gpus_;
};

}  // namespace cede
