// SPDX-License-Identifier: MIT
#include "support/worst_cases.h"

#include <functional>
#include <map>
#include <random>

namespace cede_test {

namespace {

std::string number(std::uint64_t value) { return std::to_string(value); }

std::string policy_of(const std::string& profile, const std::string& settings = {},
                      const std::string& limits = {}) {
  return R"({"format":"cede-policy/1","policies":{"default":{"profile":")" + profile + R"(","settings":{)" +
         settings + "}}}" + (limits.empty() ? "" : R"(,"limits":{)" + limits + "}") + "}";
}

// Numbers that are the same on every machine.
class Dice {
 public:
  explicit Dice(unsigned seed) : engine_(seed) {}
  unsigned operator()() { return static_cast<unsigned>(engine_()); }

 private:
  std::mt19937 engine_;
};

// A cluster document in the making. Amounts and times are whatever makes the case hard.
class Builder {
 public:
  Builder() { queue(R"({"id":"root"})"); }
  Builder& queue(const std::string& text) { return add(queues_, text); }
  Builder& topology(const std::string& name, const std::string& text) {
    return add(topologies_, '"' + name + "\":" + text);
  }
  Builder& level(const std::string& name) { return add(levels_, '"' + name + '"'); }
  Builder& domain(const std::string& text) { return add(domains_, text); }
  Builder& group_counts(const std::string& text) {
    group_ = R"(,"resources":)" + text;
    return *this;
  }
  Builder& node(const std::string& name, const std::string& resources, const std::string& more = {}) {
    return add(nodes_, R"({"id":")" + name + R"(","resources":)" + resources + tail(more) + "}");
  }
  // `tasks`: the list without its brackets.
  Builder& runs(const std::string& name, const std::string& tasks, const std::string& more = {}) {
    return add(jobs_, R"({"id":")" + name + R"(","queue":"root","state":"running","started":)" +
                          number(1759990000 + jobs_count_++ % 977) + R"(,"tasks":[)" + tasks + "]" +
                          tail(more) + "}");
  }
  Builder& runs_in(const std::string& queue, const std::string& name, const std::string& tasks,
                   const std::string& more = {}) {
    return add(jobs_, R"({"id":")" + name + R"(","queue":")" + queue + R"(","state":"running","started":)" +
                          number(1759990000 + jobs_count_++ % 977) + R"(,"tasks":[)" + tasks + "]" +
                          tail(more) + "}");
  }
  Builder& waits(const std::string& name, const std::string& tasks, const std::string& more = {},
                 const std::string& queue = "root") {
    return add(jobs_, R"({"id":")" + name + R"(","queue":")" + queue +
                          R"(","submitted":1759999000,"tasks":[)" + tasks + "]" + tail(more) + "}");
  }
  std::string text() const {
    std::string network;
    if (!levels_.empty())
      network = R"("network":{"levels":[)" + levels_ + R"(],"domains":[)" + domains_ + "]},";
    return R"({"format":"cede-cluster/1","now":1760000000,"topologies":{)" + topologies_ + "}," + network +
           R"("groups":[{"id":"g")" + group_ + R"(}],"queues":[)" + queues_ + R"(],"nodes":[)" + nodes_ +
           R"(],"jobs":[)" + jobs_ + "]}";
  }

 private:
  static std::string tail(const std::string& more) { return more.empty() ? more : "," + more; }
  Builder& add(std::string& list, const std::string& text) {
    if (!list.empty()) list += ',';
    list += text;
    return *this;
  }
  std::string group_, queues_, topologies_, levels_, domains_, nodes_, jobs_;
  unsigned jobs_count_ = 0;
};

std::string on(const std::string& node, const std::string& resources, const std::string& more = {}) {
  return R"({"node":")" + node + R"(","resources":)" + resources + (more.empty() ? "" : "," + more) + "}";
}

std::string node_name(std::uint64_t i) { return "n" + number(i); }
std::string gpus(std::uint64_t count) { return R"({"gpu":)" + number(count) + "}"; }
std::string waiting(std::uint64_t count, std::uint64_t gpus_each) {
  return R"({"count":)" + number(count) + R"(,"resources":)" + gpus(gpus_each) + "}";
}

// Nodes of 8 GPUs in leaves of 16, full of jobs of differing size, priority, class and start.
void fill_mixed(Builder& to, unsigned nodes, unsigned queues, unsigned seed) {
  Dice random(seed);
  to.level("leaf");
  for (unsigned i = 0; i < (nodes + 15) / 16; ++i)
    to.domain(R"({"id":"l)" + number(i) + R"(","level":"leaf"})");
  unsigned job = 0;
  for (unsigned n = 0; n < nodes; ++n) {
    to.node(node_name(n), R"({"gpu":8,"cpu":64})", R"("network":["l)" + number(n / 16) + "\"]");
    for (unsigned left = 8; left > 0;) {
      const unsigned take = std::min<unsigned>(left, 1 + random() % 4);
      const std::string queue = queues == 0 ? "root" : "q" + number(random() % queues);
      to.runs_in(
          queue, "r" + number(job++),
          on(node_name(n), R"({"gpu":)" + number(take) + R"(,"cpu":)" + number(1 + random() % 8) + "}"),
          R"("priority":)" + number(random() % 5) + R"(,"class":)" + number(random() % 4) +
              R"(,"gang":true,"walltime":)" + number(20000 + random() % 90000));
      left -= take;
    }
  }
}

void add_queues(Builder& to, unsigned queues, unsigned guaranteed, unsigned own) {
  for (unsigned q = 0; q < queues; ++q)
    to.queue(R"({"id":"q)" + number(q) + R"(","parent":"root","guaranteed":{"gpu":)" + number(guaranteed) +
             "}}");
  to.queue(R"({"id":"own","parent":"root","guaranteed":{"gpu":)" + number(own) + "}}");
}

constexpr const char* kStrong = R"("priority":50,"class":9,"gang":true,"waiting_since":1759990000)";

std::string settings_for(const std::string& profile) {
  if (profile == "priority") return R"("preemptible_priority":40,"front_only":false)";
  if (profile == "class-cost") return R"("max_victims":100000)";
  if (profile == "guarantee") return R"("cross_node":true)";
  return {};
}

WorstCase mixed(const std::string& profile, const std::string& tasks, const std::string& more,
                unsigned nodes) {
  Builder to;
  if (profile == "guarantee" || profile == "quota") add_queues(to, 20, nodes / 10, 8 * nodes);
  const bool queues = profile == "guarantee" || profile == "quota";
  fill_mixed(to, nodes, queues ? 20 : 0, 7);
  to.waits("asks", tasks, std::string(kStrong) + (more.empty() ? "" : "," + more), queues ? "own" : "root");
  return {{}, policy_of(profile, settings_for(profile)), to.text(), "asks"};
}

// Tasks that all differ: no two have the same shape.
std::string unlike_tasks(unsigned count, unsigned seed) {
  Dice random(seed);
  std::string out;
  for (unsigned i = 0; i < count; ++i)
    out += (i == 0 ? "" : ",") + std::string(R"({"resources":{"gpu":)") + number(1 + random() % 7) +
           R"(,"cpu":)" + number(1 + i) + "}}";
  return out;
}

WorstCase unlike_gang(const std::string& more, unsigned nodes, unsigned tasks) {
  Builder to;
  for (unsigned n = 0; n < nodes; ++n) {
    to.node(node_name(n), R"({"gpu":8,"cpu":64})");
    for (unsigned j = 0; j < 2; ++j)
      to.runs("r" + number(2 * n + j), on(node_name(n), R"({"gpu":4,"cpu":30})"),
              R"("class":)" + number((n + j) % 4));
  }
  to.waits("asks", unlike_tasks(tasks, 3), std::string(kStrong) + more);
  return {{}, policy_of("class-cost", R"("max_victims":1000)"), to.text(), "asks"};
}

// One class of 64 devices with random links, so that no two devices are alike.
std::string random_box(unsigned devices, unsigned links, unsigned seed, unsigned numa = 0) {
  Dice random(seed);
  std::string list;
  for (unsigned i = 0; i < links; ++i) {
    const unsigned a = random() % devices;
    const unsigned b = (a + 1 + random() % (devices - 1)) % devices;
    list += (i == 0 ? "[" : ",[") + number(std::min(a, b)) + "," + number(std::max(a, b)) + "]";
  }
  std::string out = R"({"gpus":)" + number(devices) + R"(,"links":{"nvl":[)" + list + "]}";
  if (numa > 0) {
    std::string places;
    std::string cores;
    for (unsigned n = 0; n < numa; ++n) {
      std::string own;
      for (unsigned d = n; d < devices; d += numa) own += (own.empty() ? "" : ",") + number(d);
      places += (n == 0 ? "[" : ",[") + own + "]";
      cores += (n == 0 ? "" : ",") + number(8);
    }
    out += R"(,"numa":[)" + places + R"(],"cores":[)" + cores + "]";
  }
  return out + "}";
}

WorstCase linked(unsigned devices, unsigned links, unsigned tasks, unsigned each, const std::string& require,
                 unsigned nodes, unsigned numa = 0) {
  Builder to;
  to.topology("box", random_box(devices, links, 5, numa));
  for (unsigned n = 0; n < nodes; ++n) {
    to.node(node_name(n), R"({"cpu":128,"gpu":)" + number(devices) + "}", R"("topology":"box")");
    for (unsigned d = 0; d < devices; d += 2) {
      to.runs("r" + number(n) + "x" + number(d),
              on(node_name(n), R"({"gpu":2,"cpu":3})", R"("gpus":[)" + number(d) + "," + number(d + 1) + "]"),
              R"("class":)" + number(d % 4));
    }
  }
  to.waits("asks", R"({"count":)" + number(tasks) + R"(,"resources":{"cpu":5,"gpu":)" + number(each) + "}}",
           std::string(kStrong) + R"(,"require":{)" + require + "}");
  return {{}, policy_of("class-cost", R"("max_victims":1000)"), to.text(), "asks"};
}

using Make = std::function<WorstCase(unsigned size)>;

const std::map<std::string, Make>& all_cases() {
  static const std::map<std::string, Make> cases{
      // Arranging unlike tasks.
      {"unlike-gang", [](unsigned) { return unlike_gang("", 24, 40); }},
      {"unlike-gang-many-nodes", [](unsigned size) { return unlike_gang("", 200 * size, 60); }},
      {"unlike-gang-preferences",
       [](unsigned) {
         return unlike_gang(
             R"(,"require":{"gpus":[{"level":"nvl","strength":"prefer"},{"level":"pcie","strength":"prefer"},)"
             R"({"level":"numa","strength":"prefer"},{"level":"socket","strength":"prefer"}],"tasks_per_node":{"max":3}})",
             24, 40);
       }},
      // Devices.
      {"random-links", [](unsigned) { return linked(64, 700, 12, 4, R"("gpus":[{"level":"nvl"}])", 1); }},
      {"random-links-many-nodes",
       [](unsigned size) { return linked(64, 900, 40, 4, R"("gpus":[{"level":"nvl"}])", 20 * size); }},
      {"connected-node",
       [](unsigned) {
         return linked(64, 200, 9, 5, R"("gpus":[{"level":"nvl","scope":"node","mode":"connected"}])", 2);
       }},
      {"numa-restricted",
       [](unsigned) { return linked(64, 300, 12, 5, R"("cpu":{"numa":"restricted"})", 2, 16); }},
      {"tables", [](unsigned) { return linked(16, 60, 3, 4, R"("gpus":[{"level":"nvl"}])", 60); }},
      {"unknown-devices",
       [](unsigned) {
         Builder to;
         to.topology("box", random_box(16, 90, 5));
         for (unsigned n = 0; n < 40; ++n) {
           to.node(node_name(n), R"({"gpu":16})", R"("topology":"box")");
           for (unsigned j = 0; j < 8; ++j)
             to.runs("r" + number(8 * n + j), on(node_name(n), gpus(1 + j % 2)),
                     R"("class":)" + number(j % 4));
         }
         to.waits("asks", waiting(10, 4), std::string(kStrong) + R"(,"require":{"gpus":[{"level":"nvl"}]})");
         return WorstCase{{}, policy_of("class-cost", R"("max_victims":1000)"), to.text(), "asks"};
       }},
      // Choosing nodes: a few of many domains, fingerprints of their own, borrowed nodes.
      {"few-of-many-leaves",
       [](unsigned size) {
         return mixed("class-cost", waiting(70, 8),
                      R"("require":{"network":[{"level":"leaf","max_domains":5}]})", 2000 * size);
       }},
      {"leaves-not-enough",
       [](unsigned size) {
         return mixed("class-cost", waiting(81, 8),
                      R"("require":{"network":[{"level":"leaf","max_domains":5}]})", 2000 * size);
       }},
      {"own-fingerprints",
       [](unsigned size) {
         Builder to;
         to.queue(R"({"id":"a","parent":"root"})").queue(R"({"id":"b","parent":"root"})");
         for (unsigned n = 0; n < 1000 * size; ++n)
           to.node(node_name(n), R"({"gpu":8})",
                   R"("fingerprint":"f)" + number(n) + "\"" + (n % 2 == 0 ? R"(,"home":"b")" : ""));
         to.waits("asks", waiting(900 * size, 8), R"("class":5,"checkpoint":{"mode":"auto"})", "a");
         return WorstCase{{}, policy_of("class-cost"), to.text(), "asks"};
       }},
      {"segments",
       [](unsigned size) {
         return mixed("quota", waiting(96, 8),
                      R"("require":{"nodes":{"min":96,"max":96},"network":[{"level":"leaf","segment":12}]})",
                      1000 * size);
       }},
      // Caps.
      {"one-node-guarantee",
       [](unsigned) {
         Builder to;
         add_queues(to, 6, 5, 60);
         Dice random(11);
         to.node("n0", R"({"gpu":64,"cpu":1000})");
         for (unsigned j = 0; j < 60; ++j)
           to.runs_in("q" + number(j % 6), "r" + number(j),
                      on("n0", R"({"gpu":1,"cpu":)" + number(1 + random() % 16) + "}"));
         to.waits("asks", R"({"resources":{"gpu":24,"cpu":700}})", kStrong, "own");
         return WorstCase{{}, policy_of("guarantee"), to.text(), "asks"};
       }},
      {"max-victims",
       [](unsigned size) {
         WorstCase out = mixed("class-cost", waiting(3, 8), "", 1000 * size);
         out.policy = policy_of("class-cost", R"("max_victims":5)");
         return out;
       }},
      {"value",
       [](unsigned size) { return mixed("class-cost", waiting(20, 8), R"("value":1)", 1000 * size); }},
      {"storm-budget",
       [](unsigned size) {
         WorstCase out = mixed("quota", waiting(8, 8), "", 1000 * size);
         out.policy = policy_of("quota", "", R"("max_preemptions_per_window":{"queue":2},"window":"10m")");
         return out;
       }},
      {"many-guarantees", [](unsigned size) { return mixed("guarantee", waiting(16, 8), "", 1000 * size); }},
      {"guarantee-unlike",
       [](unsigned size) {
         return mixed("guarantee", R"({"count":8,"resources":{"gpu":8}},{"count":2,"resources":{"gpu":2}})",
                      "", 500 * size);
       }},
      {"no-gain",
       [](unsigned size) {
         Builder to;
         Dice random(3);
         for (unsigned n = 0; n < 500 * size; ++n) to.node(node_name(n), R"({"gpu":8})");
         for (unsigned j = 0; j < 100; ++j) {
           std::string tasks;
           for (unsigned k = 0; k < 40 * size; ++k)
             tasks += (k == 0 ? "" : ",") + on(node_name((j * 40 * size + k) / 8), gpus(1));
           to.runs("r" + number(j), tasks);
         }
         to.waits("asks", waiting(1, 6), R"("waiting_since":1700000000,"below_fair_share_since":1700000000)");
         return WorstCase{
             {}, policy_of("fair-share", R"("enable_aggressive_starvation":true)"), to.text(), "asks"};
       }},
      // Units over several nodes, elastic jobs, jobs that want to be alone.
      {"spanning-gangs",
       [](unsigned size) {
         Builder to;
         Dice random(5);
         const unsigned nodes = 200 * size;
         for (unsigned n = 0; n < nodes; ++n) to.node(node_name(n), R"({"gpu":8})");
         for (unsigned j = 0; j < nodes; ++j) {
           std::string tasks;
           for (unsigned k = 0; k < 4; ++k)
             tasks += (k == 0 ? "" : ",") + on(node_name((j + k * (7 + j % 5)) % nodes), gpus(2));
           to.runs(
               "r" + number(j), tasks,
               R"("class":)" + number(random() % 4) + R"(,"walltime":)" + number(20000 + random() % 50000));
         }
         to.waits("asks", waiting(nodes / 4, 8), kStrong);
         return WorstCase{{}, policy_of("class-cost", R"("max_victims":100000)"), to.text(), "asks"};
       }},
      {"elastic",
       [](unsigned size) {
         Builder to;
         const unsigned nodes = 100 * size;
         for (unsigned n = 0; n < nodes; ++n) to.node(node_name(n), R"({"gpu":8})");
         for (unsigned j = 0; j < nodes; ++j) {
           std::string tasks;
           for (unsigned k = 0; k < 8; ++k)
             tasks += (k == 0 ? "" : ",") + on(node_name((j + k) % nodes), gpus(1));
           to.runs("r" + number(j), tasks,
                   R"("min_tasks":)" + number(1 + j % 6) + R"(,"priority":)" + number(j % 4));
         }
         to.waits("asks", waiting(nodes / 5, 7), kStrong);
         return WorstCase{{}, policy_of("priority", settings_for("priority")), to.text(), "asks"};
       }},
      {"exclusive-domains",
       [](unsigned size) {
         return mixed("class-cost", waiting(12, 8), R"("require":{"exclusive":"domain:leaf"})", 500 * size);
       }},
      {"exclusive-nodes",
       [](unsigned size) {
         return mixed("class-cost", waiting(12, 5), R"("require":{"exclusive":"node"})", 1000 * size);
       }},
      {"highest-priority",
       [](unsigned size) {
         WorstCase out = mixed("priority", waiting(12, 7), "", 1000 * size);
         out.policy = policy_of(
             "priority", R"("preemptible_priority":40,"front_only":false,"preemption_order":"smallest")");
         return out;
       }},
      // Triggers.
      {"served-first",
       [](unsigned size) {
         Builder to;
         to.topology("box", random_box(16, 30, 5));
         for (unsigned n = 0; n < 500; ++n) to.node(node_name(n), R"({"gpu":16})", R"("topology":"box")");
         for (unsigned j = 0; j < 400 * size; ++j)
           to.waits("before" + number(j), waiting(2 + j % 7, 9),
                    R"("priority":60,"require":{"gpus":[{"level":"nvl"}],"nodes":{"max":1}})");
         to.runs("r", on("n0", gpus(16)), R"("priority":1)");
         to.waits("asks", waiting(500, 16), R"("priority":50)");
         return WorstCase{{}, policy_of("priority"), to.text(), "asks"};
       }},
      {"worth-waiting",
       [](unsigned size) {
         WorstCase out = mixed("class-cost", waiting(40, 8), "", 1000 * size);
         out.policy = policy_of("class-cost", R"("wait_horizon":"10000h","max_victims":1000)");
         return out;
       }},
      // Relief.
      {"relief-queue",
       [](unsigned size) {
         Builder to;
         to.queue(R"({"id":"a","parent":"root","max":{"gpu":)" + number(1777 * size) + R"(,"cpu":3001}})");
         Dice random(9);
         for (unsigned n = 0; n < 1000 * size; ++n) {
           to.node(node_name(n), R"({"gpu":8,"cpu":64})");
           for (unsigned j = 0; j < 4; ++j)
             to.runs_in("a", "r" + number(4 * n + j),
                        on(node_name(n), R"({"gpu":2,"cpu":)" + number(1 + random() % 16) + "}"),
                        R"("priority":)" + number(random() % 50));
         }
         return WorstCase{{}, policy_of("quota"), to.text(), "relief:queue:a"};
       }},
      {"relief-job",
       [](unsigned size) {
         Builder to;
         std::string tasks;
         for (unsigned n = 0; n < 500 * size; ++n) {
           to.node(node_name(n), R"({"gpu":8,"cpu":64})");
           for (unsigned k = 0; k < 8; ++k)
             tasks += (tasks.empty() ? "" : ",") +
                      on(node_name(n), R"({"gpu":1,"cpu":)" + number(1 + (n + k) % 5) + "}");
         }
         to.runs("r", tasks, R"("max":{"gpu":1001,"cpu":2003})");
         return WorstCase{{}, policy_of("guarantee"), to.text(), "relief:job:r"};
       }},
      {"relief-node",
       [](unsigned size) {
         Builder to;
         Dice random(9);
         to.node("n0", R"({"gpu":8,"cpu":1000,"mem":100000})");
         for (unsigned j = 0; j < 300 * size; ++j)
           to.runs("r" + number(j),
                   on("n0", R"({"cpu":)" + number(3 + random() % 9) + R"(,"mem":)" +
                                number(400 + random() % 900) + "}"),
                   R"("class":)" + number(random() % 5));
         return WorstCase{{}, policy_of("class-cost"), to.text(), "relief:node:n0"};
       }},
      // The same for every profile.
      {"mixed-priority",
       [](unsigned size) {
         return mixed("priority", waiting(16, 8), R"("require":{"network":[{"level":"leaf"}]})", 2000 * size);
       }},
      {"mixed-class-cost",
       [](unsigned size) {
         return mixed("class-cost", waiting(16, 8), R"("require":{"network":[{"level":"leaf"}]})",
                      2000 * size);
       }},
      {"mixed-quota", [](unsigned size) { return mixed("quota", waiting(32, 5), "", 2000 * size); }},
      {"mixed-guarantee", [](unsigned size) { return mixed("guarantee", waiting(1, 4), "", 2000 * size); }},
      {"mixed-fair-share",
       [](unsigned size) {
         return mixed("fair-share", waiting(1, 7), R"("below_fair_share_since":1700000000)", 2000 * size);
       }},
  };
  return cases;
}

}  // namespace

std::vector<std::string> worst_case_names() {
  std::vector<std::string> names;
  for (const auto& [name, make] : all_cases()) names.push_back(name);
  return names;
}

WorstCase worst_case(const std::string& name, unsigned size) {
  WorstCase out = all_cases().at(name)(size);
  out.name = name;
  return out;
}

}  // namespace cede_test
