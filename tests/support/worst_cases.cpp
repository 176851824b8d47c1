// SPDX-License-Identifier: MIT
#include "support/worst_cases.h"

#include <functional>
#include <map>
#include <random>

#include "support/cluster_builder.h"

namespace cede_test {

using cede::ClusterBuilder;
using cede::JsonList;
using cede::JsonObject;
using cede::number_list;
using cede::policy_text;

namespace {

std::string number(std::uint64_t value) { return std::to_string(value); }

// Numbers that are the same on every machine.
class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  unsigned operator()() { return static_cast<unsigned>(engine_()); }

 private:
  std::mt19937 engine_;
};

// A cluster with one group and a root queue. Amounts and times are whatever makes the case hard.
class Builder {
 public:
  Builder() {
    cluster_.group();
    cluster_.queue("root");
  }
  JsonObject& queue(const std::string& name) { return cluster_.queue(name, "root"); }
  void topology(const std::string& name, const JsonObject& members) {
    cluster_.topology(name).put_all(members);
  }
  // Leaves `l0`, `l1` and so on.
  void leaves(unsigned count) {
    cluster_.levels = {"leaf"};
    for (unsigned i = 0; i < count; ++i) cluster_.domain("l" + number(i), "leaf");
  }
  void node(const std::string& name, const JsonObject& resources, const JsonObject& more = {}) {
    cluster_.node(name, resources).put_all(more);
  }
  void runs(const std::string& name, const JsonList& tasks, const JsonObject& more = {},
            const std::string& queue = "root") {
    JsonObject& job = cluster_.job(name, queue).put("state", "running");
    job.put("started", 1759990000 + jobs_count_++ % 977).put("tasks", tasks).put_all(more);
  }
  void waits(const std::string& name, const JsonList& tasks, const JsonObject& more = {},
             const std::string& queue = "root") {
    cluster_.job(name, queue).put("submitted", 1759999000).put("tasks", tasks).put_all(more);
  }
  std::string text() const { return cluster_.text(); }

 private:
  ClusterBuilder cluster_{1760000000};
  unsigned jobs_count_ = 0;
};

JsonObject on(const std::string& node, const JsonObject& resources, const JsonObject& more = {}) {
  return JsonObject{{"node", node}, {"resources", resources}}.put_all(more);
}

std::string node_name(std::uint64_t i) { return "n" + number(i); }
JsonList waiting(std::uint64_t count, std::uint64_t gpus_each) {
  return {JsonObject{{"count", count}, {"resources", JsonObject{{"gpu", gpus_each}}}}};
}

// Nodes of 8 GPUs in leaves of 16, full of jobs of differing size, priority, class and start.
void fill_mixed(Builder& to, unsigned nodes, unsigned queues, unsigned seed) {
  Random random(seed);
  to.leaves((nodes + 15) / 16);
  unsigned job = 0;
  for (unsigned n = 0; n < nodes; ++n) {
    to.node(node_name(n), {{"gpu", 8}, {"cpu", 64}}, {{"network", JsonList{"l" + number(n / 16)}}});
    for (unsigned left = 8; left > 0;) {
      const unsigned take = std::min<unsigned>(left, 1 + random() % 4);
      const std::string queue = queues == 0 ? "root" : "q" + number(random() % queues);
      const JsonObject resources{{"gpu", take}, {"cpu", 1 + random() % 8}};
      const JsonObject more{{"priority", random() % 5},
                            {"class", random() % 4},
                            {"gang", true},
                            {"walltime", 20000 + random() % 90000}};
      to.runs("r" + number(job++), {on(node_name(n), resources)}, more, queue);
      left -= take;
    }
  }
}

void add_queues(Builder& to, unsigned queues, unsigned guaranteed, unsigned own) {
  for (unsigned q = 0; q < queues; ++q)
    to.queue("q" + number(q)).put("guaranteed", JsonObject{{"gpu", guaranteed}});
  to.queue("own").put("guaranteed", JsonObject{{"gpu", own}});
}

constexpr std::string_view kStrong = R"("priority":50,"class":9,"gang":true,"waiting_since":1759990000)";

JsonObject strong(const JsonObject& more) { return JsonObject(kStrong).put_all(more); }

JsonObject settings_for(const std::string& profile) {
  if (profile == "priority") return R"("preemptible_priority":40,"front_only":false)";
  if (profile == "class-cost") return R"("max_victims":100000)";
  if (profile == "guarantee") return R"("cross_node":true)";
  return {};
}

WorstCase mixed(const std::string& profile, const JsonList& tasks, const JsonObject& more, unsigned nodes) {
  Builder to;
  if (profile == "guarantee" || profile == "quota") add_queues(to, 20, nodes / 10, 8 * nodes);
  const bool queues = profile == "guarantee" || profile == "quota";
  fill_mixed(to, nodes, queues ? 20 : 0, 7);
  to.waits("asks", tasks, strong(more), queues ? "own" : "root");
  return {{}, policy_text(profile, settings_for(profile)), to.text(), "asks"};
}

// Tasks that all differ: no two have the same shape.
JsonList unlike_tasks(unsigned count, unsigned seed) {
  Random random(seed);
  JsonList out;
  for (unsigned i = 0; i < count; ++i)
    out.add(JsonObject{{"resources", JsonObject{{"gpu", 1 + random() % 7}, {"cpu", 1 + i}}}});
  return out;
}

WorstCase unlike_gang(const JsonObject& more, unsigned nodes, unsigned tasks) {
  Builder to;
  for (unsigned n = 0; n < nodes; ++n) {
    to.node(node_name(n), {{"gpu", 8}, {"cpu", 64}});
    for (unsigned j = 0; j < 2; ++j)
      to.runs("r" + number(2 * n + j), {on(node_name(n), {{"gpu", 4}, {"cpu", 30}})},
              {{"class", (n + j) % 4}});
  }
  to.waits("asks", unlike_tasks(tasks, 3), strong(more));
  return {{}, policy_text("class-cost", {{"max_victims", 1000}}), to.text(), "asks"};
}

// One class of 64 devices with random links, so that no two devices are alike.
JsonObject random_box(unsigned devices, unsigned links, unsigned seed, unsigned numa = 0) {
  Random random(seed);
  JsonList list;
  for (unsigned i = 0; i < links; ++i) {
    const unsigned a = random() % devices;
    const unsigned b = (a + 1 + random() % (devices - 1)) % devices;
    list.add(JsonList{std::min(a, b), std::max(a, b)});
  }
  JsonObject out{{"gpus", devices}, {"links", JsonObject{{"nvl", list}}}};
  if (numa == 0) return out;
  JsonList places;
  JsonList cores;
  for (unsigned n = 0; n < numa; ++n) {
    JsonList own;
    for (unsigned d = n; d < devices; d += numa) own.add(d);
    places.add(own);
    cores.add(8);
  }
  return out.put("numa", places).put("cores", cores);
}

WorstCase linked(unsigned devices, unsigned links, unsigned tasks, unsigned each, const JsonObject& require,
                 unsigned nodes, unsigned numa = 0) {
  Builder to;
  to.topology("box", random_box(devices, links, 5, numa));
  for (unsigned n = 0; n < nodes; ++n) {
    to.node(node_name(n), {{"cpu", 128}, {"gpu", devices}}, {{"topology", "box"}});
    for (unsigned d = 0; d < devices; d += 2) {
      to.runs("r" + number(n) + "x" + number(d),
              {on(node_name(n), {{"gpu", 2}, {"cpu", 3}}, {{"gpus", number_list(d, 2)}})},
              {{"class", d % 4}});
    }
  }
  const JsonObject task{{"count", tasks}, {"resources", JsonObject{{"cpu", 5}, {"gpu", each}}}};
  to.waits("asks", {task}, strong({{"require", require}}));
  return {{}, policy_text("class-cost", {{"max_victims", 1000}}), to.text(), "asks"};
}

using Make = std::function<WorstCase(unsigned size)>;

const std::map<std::string, Make>& all_cases() {
  static const std::map<std::string, Make> cases{
      // Arranging unlike tasks.
      {"unlike-gang", [](unsigned) { return unlike_gang({}, 24, 40); }},
      {"unlike-gang-many-nodes", [](unsigned size) { return unlike_gang({}, 200 * size, 60); }},
      {"unlike-gang-preferences",
       [](unsigned) {
         return unlike_gang(
             R"("require":{"gpus":[{"level":"nvl","strength":"prefer"},{"level":"pcie","strength":"prefer"},)"
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
           to.node(node_name(n), {{"gpu", 16}}, {{"topology", "box"}});
           for (unsigned j = 0; j < 8; ++j)
             to.runs("r" + number(8 * n + j), {on(node_name(n), {{"gpu", 1 + j % 2}})}, {{"class", j % 4}});
         }
         to.waits("asks", waiting(10, 4), strong(R"("require":{"gpus":[{"level":"nvl"}]})"));
         return WorstCase{{}, policy_text("class-cost", {{"max_victims", 1000}}), to.text(), "asks"};
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
         to.queue("a");
         to.queue("b");
         for (unsigned n = 0; n < 1000 * size; ++n) {
           JsonObject more{{"fingerprint", "f" + number(n)}};
           if (n % 2 == 0) more.put("home", "b");
           to.node(node_name(n), {{"gpu", 8}}, more);
         }
         to.waits("asks", waiting(900 * size, 8), R"("class":5,"checkpoint":{"mode":"auto"})", "a");
         return WorstCase{{}, policy_text("class-cost"), to.text(), "asks"};
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
         Random random(11);
         to.node("n0", {{"gpu", 64}, {"cpu", 1000}});
         for (unsigned j = 0; j < 60; ++j)
           to.runs("r" + number(j), {on("n0", {{"gpu", 1}, {"cpu", 1 + random() % 16}})}, {},
                   "q" + number(j % 6));
         to.waits("asks", {JsonObject(R"("resources":{"gpu":24,"cpu":700})")}, kStrong, "own");
         return WorstCase{{}, policy_text("guarantee"), to.text(), "asks"};
       }},
      {"max-victims",
       [](unsigned size) {
         WorstCase out = mixed("class-cost", waiting(3, 8), {}, 1000 * size);
         out.policy = policy_text("class-cost", R"("max_victims":5)");
         return out;
       }},
      {"value",
       [](unsigned size) { return mixed("class-cost", waiting(20, 8), R"("value":1)", 1000 * size); }},
      {"storm-budget",
       [](unsigned size) {
         WorstCase out = mixed("quota", waiting(8, 8), {}, 1000 * size);
         out.policy = policy_text("quota", {}, R"("max_preemptions_per_window":{"queue":2},"window":"10m")");
         return out;
       }},
      {"many-guarantees", [](unsigned size) { return mixed("guarantee", waiting(16, 8), {}, 1000 * size); }},
      {"guarantee-unlike",
       [](unsigned size) {
         return mixed("guarantee",
                      {JsonObject(R"("count":8,"resources":{"gpu":8})"),
                       JsonObject(R"("count":2,"resources":{"gpu":2})")},
                      {}, 500 * size);
       }},
      {"no-gain",
       [](unsigned size) {
         Builder to;
         Random random(3);
         for (unsigned n = 0; n < 500 * size; ++n) to.node(node_name(n), {{"gpu", 8}});
         for (unsigned j = 0; j < 100; ++j) {
           JsonList tasks;
           for (unsigned k = 0; k < 40 * size; ++k)
             tasks.add(on(node_name((j * 40 * size + k) / 8), {{"gpu", 1}}));
           to.runs("r" + number(j), tasks);
         }
         to.waits("asks", waiting(1, 6), R"("waiting_since":1700000000,"below_fair_share_since":1700000000)");
         return WorstCase{
             {}, policy_text("fair-share", R"("enable_aggressive_starvation":true)"), to.text(), "asks"};
       }},
      // Units over several nodes, elastic jobs, jobs that want to be alone.
      {"spanning-gangs",
       [](unsigned size) {
         Builder to;
         Random random(5);
         const unsigned nodes = 200 * size;
         for (unsigned n = 0; n < nodes; ++n) to.node(node_name(n), {{"gpu", 8}});
         for (unsigned j = 0; j < nodes; ++j) {
           JsonList tasks;
           for (unsigned k = 0; k < 4; ++k)
             tasks.add(on(node_name((j + k * (7 + j % 5)) % nodes), {{"gpu", 2}}));
           to.runs("r" + number(j), tasks, {{"class", random() % 4}, {"walltime", 20000 + random() % 50000}});
         }
         to.waits("asks", waiting(nodes / 4, 8), kStrong);
         return WorstCase{{}, policy_text("class-cost", R"("max_victims":100000)"), to.text(), "asks"};
       }},
      {"elastic",
       [](unsigned size) {
         Builder to;
         const unsigned nodes = 100 * size;
         for (unsigned n = 0; n < nodes; ++n) to.node(node_name(n), {{"gpu", 8}});
         for (unsigned j = 0; j < nodes; ++j) {
           JsonList tasks;
           for (unsigned k = 0; k < 8; ++k) tasks.add(on(node_name((j + k) % nodes), {{"gpu", 1}}));
           to.runs("r" + number(j), tasks, {{"min_tasks", 1 + j % 6}, {"priority", j % 4}});
         }
         to.waits("asks", waiting(nodes / 5, 7), kStrong);
         return WorstCase{{}, policy_text("priority", settings_for("priority")), to.text(), "asks"};
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
         WorstCase out = mixed("priority", waiting(12, 7), {}, 1000 * size);
         out.policy = policy_text(
             "priority", R"("preemptible_priority":40,"front_only":false,"preemption_order":"smallest")");
         return out;
       }},
      // Triggers.
      {"served-first",
       [](unsigned size) {
         Builder to;
         to.topology("box", random_box(16, 30, 5));
         for (unsigned n = 0; n < 500; ++n) to.node(node_name(n), {{"gpu", 16}}, {{"topology", "box"}});
         for (unsigned j = 0; j < 400 * size; ++j)
           to.waits("before" + number(j), waiting(2 + j % 7, 9),
                    R"("priority":60,"require":{"gpus":[{"level":"nvl"}],"nodes":{"max":1}})");
         to.runs("r", {on("n0", {{"gpu", 16}})}, {{"priority", 1}});
         to.waits("asks", waiting(500, 16), R"("priority":50)");
         return WorstCase{{}, policy_text("priority"), to.text(), "asks"};
       }},
      {"worth-waiting",
       [](unsigned size) {
         WorstCase out = mixed("class-cost", waiting(40, 8), {}, 1000 * size);
         out.policy = policy_text("class-cost", R"("wait_horizon":"10000h","max_victims":1000)");
         return out;
       }},
      // Relief.
      {"relief-queue",
       [](unsigned size) {
         Builder to;
         to.queue("a").put("max", JsonObject{{"gpu", 1777 * size}, {"cpu", 3001}});
         Random random(9);
         for (unsigned n = 0; n < 1000 * size; ++n) {
           to.node(node_name(n), {{"gpu", 8}, {"cpu", 64}});
           for (unsigned j = 0; j < 4; ++j)
             to.runs("r" + number(4 * n + j), {on(node_name(n), {{"gpu", 2}, {"cpu", 1 + random() % 16}})},
                     {{"priority", random() % 50}}, "a");
         }
         return WorstCase{{}, policy_text("quota"), to.text(), "relief:queue:a"};
       }},
      {"relief-job",
       [](unsigned size) {
         Builder to;
         JsonList tasks;
         for (unsigned n = 0; n < 500 * size; ++n) {
           to.node(node_name(n), {{"gpu", 8}, {"cpu", 64}});
           for (unsigned k = 0; k < 8; ++k)
             tasks.add(on(node_name(n), {{"gpu", 1}, {"cpu", 1 + (n + k) % 5}}));
         }
         to.runs("r", tasks, R"("max":{"gpu":1001,"cpu":2003})");
         return WorstCase{{}, policy_text("guarantee"), to.text(), "relief:job:r"};
       }},
      {"relief-node",
       [](unsigned size) {
         Builder to;
         Random random(9);
         to.node("n0", {{"gpu", 8}, {"cpu", 1000}, {"mem", 100000}});
         for (unsigned j = 0; j < 300 * size; ++j) {
           const JsonObject resources{{"cpu", 3 + random() % 9}, {"mem", 400 + random() % 900}};
           to.runs("r" + number(j), {on("n0", resources)}, {{"class", random() % 5}});
         }
         return WorstCase{{}, policy_text("class-cost"), to.text(), "relief:node:n0"};
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
      {"mixed-quota", [](unsigned size) { return mixed("quota", waiting(32, 5), {}, 2000 * size); }},
      {"mixed-guarantee", [](unsigned size) { return mixed("guarantee", waiting(1, 4), {}, 2000 * size); }},
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
