// SPDX-License-Identifier: MIT
// A plan is byte-identical for equal inputs, and the order of a document's lists is no input.
#include <oneapi/tbb/global_control.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <random>

#include "engine_fixture.h"
#include "random_cluster.h"
#include "search/decide.h"
#include "support/cluster_builder.h"

namespace cede {
namespace {

constexpr int kClusters = 50;
constexpr int kRuns = 100;
constexpr int kOrders = 20;

// A cluster where nearly everything is equal but the names: what the rules do not decide, names must, and the
// order in which things were read shows at once where they do not. Names do not sort as they are numbered.
class EqualCluster {
 public:
  explicit EqualCluster(std::uint64_t seed) : random_(seed) {
    const std::uint64_t nodes = 2 + below(3);
    for (std::uint64_t q = 0; q < 3; ++q) cluster_.queue(name(q), "root");
    cluster_.queue("root");
    for (const char* group : {"g", "h"}) cluster_.group(group).put("policy", "default");
    for (std::uint64_t n = 0; n < nodes; ++n) add_node(n);
    const std::uint64_t waiting = 1 + below(2);
    for (std::uint64_t w = 0; w < waiting; ++w) add_waiting(w, nodes);
  }

  std::string document() const { return cluster_.text(); }
  void shuffle() {
    for (auto* list : {&cluster_.groups, &cluster_.queues, &cluster_.nodes, &cluster_.jobs}) {
      std::shuffle(list->begin(), list->end(), random_);
    }
  }
  const std::vector<std::string>& waiting() const { return waiting_; }

 private:
  std::uint64_t below(std::uint64_t n) { return random_() % n; }
  static std::string name(std::uint64_t number) {
    constexpr std::array<const char*, 10> kNames{"q", "zz", "Z", "b2", "b10", "a", "\xc3\xa4", "0", "b", "-"};
    return kNames[number % kNames.size()] + std::string(number / kNames.size(), 'x');
  }
  JsonObject& add_job(const std::string& id) { return cluster_.job(id, name(below(3))).put("group", "g"); }

  // A node of 4 devices, most of them taken by running jobs that differ in their names alone or in little
  // else.
  void add_node(std::uint64_t n) {
    const bool known = below(4) != 0;
    const std::string id = "n" + name(n);
    cluster_.node(id, {{"gpu", 4}, {"cpu", 8}}).put("group", "g");
    for (std::uint64_t used = 0; used < 4;) {
      const std::uint64_t gpus = std::min<std::uint64_t>(1 + below(2), 4 - used);
      JsonObject& job = add_job("j" + name(cluster_.jobs.size()));
      job.put("state", "running").put("started", 90000 + below(2)).put("priority", below(8) == 0 ? 2 : 1);
      JsonObject task{{"node", id}, {"resources", JsonObject{{"gpu", gpus}}}};
      if (known) task.put("gpus", number_list(used, gpus));
      job.put("tasks", JsonList{task});
      used += gpus;
      if (below(10) == 0) cluster_.jobs.pop_back();  // its devices stay free
    }
  }

  void add_waiting(std::uint64_t w, std::uint64_t nodes) {
    waiting_.push_back("w" + name(w));
    JsonObject& job = add_job(waiting_.back());
    job.put("priority", 50).put("submitted", 99000).put("gang", below(3) != 0);
    JsonObject task{{"id", "t"}, {"count", 1 + below(nodes)}};
    job.put("tasks", JsonList{task.put("resources", JsonObject{{"gpu", 1 + below(4)}})});
  }

  std::mt19937_64 random_;
  ClusterBuilder cluster_{100000};
  std::vector<std::string> waiting_;
};

constexpr int kThreadClusters = 1000;
constexpr std::array<std::uint64_t, 4> kThreads{1, 2, 4, 16};

// Large enough that several threads take part: leaves of 25 nodes of 8 devices, full with jobs of one or two
// nodes, and requests for a node, a leaf, two leaves and whatever there is.
class LeafCluster {
 public:
  explicit LeafCluster(std::uint64_t seed) : random_(seed) {
    cluster_.group();
    cluster_.queue("root");
    cluster_.levels = {"leaf"};
    for (std::size_t leaf = 0; leaf < kLeaves; ++leaf) cluster_.domain(numbered("l", leaf), "leaf");
    for (std::size_t n = 0; n < kLeaves * 25; ++n) {
      cluster_.node(numbered("n", n), {{"gpu", 8}}).put("network", JsonList{numbered("l", n / 25)});
      for (std::uint64_t used = 0; used < 8; used += 2) add_running(n, used);
    }
    add_waiting("one", 1, 5, {});
    add_waiting("leaf", 12, 8, R"("require":{"network":[{"level":"leaf"}]})");
    add_waiting("two", 30, 8, R"("require":{"network":[{"level":"leaf","max_domains":2}]})");
    add_waiting("any", 40, 6, {});
  }
  std::string document() const { return cluster_.text(); }
  void shuffle() {
    for (auto* list : {&cluster_.domains, &cluster_.nodes, &cluster_.jobs})
      std::shuffle(list->begin(), list->end(), random_);
  }
  const std::vector<std::string>& waiting() const { return waiting_; }

 private:
  static constexpr std::size_t kLeaves = 100;
  std::uint64_t below(std::uint64_t n) { return random_() % n; }
  static std::string numbered(const char* head, std::size_t n) { return head + std::to_string(n); }
  void add_running(std::size_t n, std::uint64_t used) {
    JsonObject& job = cluster_.job(numbered("j", cluster_.jobs.size())).put("state", "running");
    job.put("started", 90000 + below(50)).put("class", below(3)).put("priority", below(3));
    const JsonObject task{
        {"node", numbered("n", n)}, {"resources", JsonObject{{"gpu", 2}}}, {"gpus", number_list(used, 2)}};
    job.put("tasks", JsonList{task});
  }
  void add_waiting(const std::string& name, int tasks, int gpus, const JsonObject& require) {
    waiting_.push_back(name);
    JsonObject& job = cluster_.job(name).put("priority", 50).put("class", 9).put("submitted", 99000);
    const JsonObject task{{"id", "t"}, {"count", tasks}, {"resources", JsonObject{{"gpu", gpus}}}};
    job.put_all(require).put("tasks", JsonList{task});
  }
  std::mt19937_64 random_;
  ClusterBuilder cluster_{100000};
  std::vector<std::string> waiting_;
};

std::string profile_policy(std::uint64_t seed, const JsonObject& limits) {
  return seed % 2 == 0 ? policy_text("class-cost", R"("max_victims":null)", limits)
                       : policy_text("priority", R"("front_only":false)", limits);
}

std::string order_policy(std::uint64_t seed) {
  static constexpr std::array<const char*, 4> kNames{"oldest", "newest", "fewest", "smallest"};
  return policy_text("priority", {{"preemption_order", kNames[seed % kNames.size()]}});
}

// What a fresh engine says about these jobs: the explained plan or, where there is none, why.
std::map<std::string, std::string> answers(const std::string& text, const std::string& policy,
                                           const std::vector<std::string>& jobs, std::uint64_t threads = 0) {
  Options options;
  options.threads = threads;
  Engine engine{options};
  Problems problems;
  EXPECT_TRUE(engine.set_policy(policy, problems)) << problems.all()[0].message();
  EXPECT_TRUE(engine.load(text, problems)) << problems.all()[0].message() << "\n" << text;
  std::map<std::string, std::string> out;
  for (const std::string& job : jobs) {
    Problems why;
    const std::optional<Plan> plan = engine.plan(job, kNoTime, {}, why);
    out[job] = plan ? plan_document(*plan, true) : why.all().at(0).message();
  }
  return out;
}

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

TEST(Determinism, OverRuns) {
  for (std::uint64_t seed = 1; seed <= kClusters; ++seed) {
    const EqualCluster cluster(seed);
    const auto first = answers(cluster.document(), order_policy(seed), cluster.waiting());
    for (int run = 1; run < kRuns; ++run) {
      ASSERT_EQ(answers(cluster.document(), order_policy(seed), cluster.waiting()), first)
          << "seed " << seed << ", run " << run << "\n"
          << cluster.document();
    }
  }
}

TEST(Determinism, OverTheOrderOfDocuments) {
  int preempting = 0;
  for (std::uint64_t seed = 1; seed <= kClusters; ++seed) {
    EqualCluster cluster(seed);
    const std::string text = cluster.document();
    const auto first = answers(text, order_policy(seed), cluster.waiting());
    for (const auto& [job, document] : first) preempting += has(document, R"("outcome":"preempt")") ? 1 : 0;
    for (int order = 0; order < kOrders; ++order) {
      cluster.shuffle();
      ASSERT_EQ(answers(cluster.document(), order_policy(seed), cluster.waiting()), first)
          << "seed " << seed << "\n"
          << text << "\n"
          << cluster.document();
    }
  }
  EXPECT_GT(preempting, kClusters / 2) << "plans without victims prove little";
}

// What a crew of so many threads says that works on every plan, however small.
std::map<std::string, std::string> answers_of_pool(const std::string& text, const std::string& policy,
                                                   const std::vector<std::string>& jobs,
                                                   WorkerPool& workers) {
  Engine engine{Options{}};
  Problems problems;
  EXPECT_TRUE(engine.set_policy(policy, problems)) << problems.all()[0].message();
  EXPECT_TRUE(engine.load(text, problems)) << problems.all()[0].message() << "\n" << text;
  const auto model = std::make_shared<const Model>(engine.model());
  const auto in_flight = std::make_shared<const InFlight>();
  GroupIndexCache group_indexes;
  std::map<std::string, std::string> out;
  for (const std::string& job : jobs) {
    Query query;
    query.job = model->find_job(job);
    query.now = model->now;
    out[job] =
        plan_document(decide({model, engine.policies(), in_flight, &group_indexes, &workers}, query), true);
  }
  return out;
}

// Neither are threads, nor what was planned before. A machine with fewer cores than threads must be allowed
// to make them all the same.
TEST(Determinism, OverThreads) {
  const tbb::global_control allow(tbb::global_control::max_allowed_parallelism, kThreads.back());
  std::vector<std::unique_ptr<WorkerPool>> worker_pools;
  for (const std::uint64_t threads : kThreads)
    worker_pools.push_back(std::make_unique<WorkerPool>(threads, 0));
  // Each waits for the others, so that a busy machine has the time to start enough of them.
  std::mutex mutex;
  std::condition_variable changed;
  int at_once = 0;
  bool enough = false;
  bool given_up = false;
  worker_pools.back()->each(kThreads.back(), [&](std::size_t) {
    std::unique_lock lock(mutex);
    if (++at_once > 4) enough = true;
    changed.notify_all();
    if (!given_up)
      given_up = !changed.wait_for(lock, std::chrono::minutes(5), [&] { return enough || given_up; });
    --at_once;
  });
  EXPECT_TRUE(enough) << "threads are not made";
  for (std::uint64_t seed = 1; seed <= kThreadClusters; ++seed) {
    EqualCluster cluster(seed);
    const std::string policy = profile_policy(seed, R"("exact_units":0,"search_work":20000)");
    const auto first = answers_of_pool(cluster.document(), policy, cluster.waiting(), *worker_pools.front());
    for (const auto& workers : worker_pools) {
      cluster.shuffle();
      ASSERT_EQ(answers_of_pool(cluster.document(), policy, cluster.waiting(), *workers), first)
          << "seed " << seed << "\n"
          << cluster.document();
    }
  }
}

TEST(Determinism, OverThreadsOnLargeClusters) {
  const tbb::global_control allow(tbb::global_control::max_allowed_parallelism, kThreads.back());
  for (std::uint64_t seed = 1; seed <= 2; ++seed) {
    LeafCluster cluster(seed);
    const std::string policy = profile_policy(seed, "");
    const auto first = answers(cluster.document(), policy, cluster.waiting(), 1);
    for (const auto& [job, document] : first)
      EXPECT_TRUE(has(document, R"("outcome":"preempt")")) << job << "\n" << document.substr(0, 500);
    for (const std::uint64_t threads : kThreads) {
      cluster.shuffle();
      ASSERT_TRUE(answers(cluster.document(), policy, cluster.waiting(), threads) == first)
          << "seed " << seed << ", " << threads << " threads";
    }
  }
}

// The way to a state is no input either: the same cluster through changes, with what was there before gone.
TEST(Determinism, OverTheWayThere) {
  for (std::uint64_t seed = 1; seed <= kClusters; ++seed) {
    EqualCluster cluster(seed);
    const auto first = answers(cluster.document(), order_policy(seed), cluster.waiting());
    Engine engine{Options{}};
    Problems problems;
    ASSERT_TRUE(engine.set_policy(order_policy(seed), problems));
    ASSERT_TRUE(engine.load(cluster_with(R"({"id":"gone","queue":"root","tasks":[{}]})", "",
                                         R"({"id":"nq","resources":{"mem":1}})", R"({"id":"root"})"),
                            problems));
    cluster.shuffle();
    std::string changes = cluster.document();
    changes.replace(0, std::string_view(R"({"format":"cede-cluster/1","now":100000,)").size(),
                    R"({"format":"cede-changes/1","now":100000,"remove":{"jobs":["gone"]},"put":{)");
    ASSERT_TRUE(engine.apply(changes + "}", problems)) << problems.all()[0].message();
    for (const std::string& job : cluster.waiting()) {
      const std::optional<Plan> plan = engine.plan(job, kNoTime, {}, problems);
      ASSERT_TRUE(plan);
      ASSERT_EQ(plan_document(*plan, true), first.at(job)) << "seed " << seed;
    }
  }
}

// A cluster where much lacks at once: several resources on nodes, queues, jobs and in guarantees, storm
// limits per queue and user. A reason names one of them, and which one must not depend on the order in which
// the document mentions them.
class ScarceCluster {
 public:
  ScarceCluster(std::uint64_t seed, std::string_view profile) : random_(seed), profile_(profile) {
    limits_ = below(2) == 0;
    for (std::uint64_t n = 0, count = 2 + below(3); n < count; ++n) nodes_.push_back({amounts(3, 5), {}});
    for (std::uint64_t q = 0, count = 2 + below(3); q < count; ++q) queues_.push_back(queue());
    for (std::uint64_t j = 0, count = 5 + below(6); j < count; ++j) jobs_.push_back(running());
    for (std::uint64_t w = 0; w < 3; ++w) jobs_.push_back(waiting());
    std::vector<std::string> names{"zz", "Z", "b10", "a", "0", "b2", "b", "-", "yy", "m", "k"};
    std::shuffle(names.begin(), names.end(), random_);
    for (std::size_t j = 0; j < jobs_.size(); ++j)
      jobs_[j].name = names[j % names.size()] + (j < 11 ? "" : "x");
  }

  // Everything in another order each time.
  std::string document() {
    ClusterBuilder cluster(100000);
    cluster.group();
    cluster.queue("root");
    for (std::size_t q = 0; q < queues_.size(); ++q) {
      JsonObject& queue = cluster.queue(queue_name(q), "root");
      if (!queues_[q].least.empty()) queue.put("guaranteed", object(queues_[q].least));
      if (!queues_[q].most.empty()) queue.put("max", object(queues_[q].most));
    }
    for (std::size_t n = 0; n < nodes_.size(); ++n) cluster.node(node_name(n), object(nodes_[n].size));
    for (const Job& job : jobs_) {
      JsonObject& out = cluster.job(job.name, queue_name(job.queue)).put_all(job.members);
      if (!job.most.empty()) out.put("max", object(job.most));
      JsonObject task{{"id", "t"}, {"resources", object(job.task)}};
      task.put_all(job.node < nodes_.size() ? JsonObject{{"node", node_name(job.node)}}
                                            : JsonObject{{"count", job.count}});
      out.put("tasks", JsonList{task});
    }
    for (auto* list : {&cluster.queues, &cluster.nodes, &cluster.jobs})
      std::shuffle(list->begin(), list->end(), random_);
    return cluster.text();
  }

  std::string policy() const {
    const std::string settings = profile_ == "priority" ? R"("front_only":false,"preemptible_priority":100)"
                                 : profile_ == "fair-share" ? R"("fair_share_starvation_timeout":0)"
                                                            : "";
    const std::string limits = limits_ ? R"("max_preemptions_per_window":{"queue":1,"user":1})" : "";
    return policy_text(profile_, settings, limits);
  }

  // What is asked: every waiting job, and the relief of every node and queue.
  std::vector<std::string> jobs() const {
    std::vector<std::string> out;
    for (const Job& job : jobs_) {
      if (job.node >= nodes_.size()) out.push_back(job.name);
    }
    return out;
  }
  std::vector<std::string> targets() const {
    std::vector<std::string> out;
    for (std::size_t n = 0; n < nodes_.size(); ++n) out.push_back("node:" + node_name(n));
    for (std::size_t q = 0; q < queues_.size(); ++q) out.push_back("queue:" + queue_name(q));
    return out;
  }

 private:
  using Amounts = std::map<std::string, std::uint64_t>;
  struct Node {
    Amounts size, used;
  };
  struct Queue {
    Amounts least, most;
  };
  struct Job {
    std::string name;
    std::size_t queue = 0;
    std::size_t node = SIZE_MAX;  // none: it waits
    std::uint64_t count = 1;
    Amounts task, most;
    JsonObject members;
  };

  std::uint64_t below(std::uint64_t n) { return random_() % n; }
  static std::string node_name(std::size_t n) {
    return std::string(n % 2 == 0 ? "n" : "N") + std::to_string(9 - n);
  }
  static std::string queue_name(std::size_t q) {
    return std::string(q % 2 == 0 ? "q" : "Q") + std::to_string(9 - q);
  }

  // Of at most so many resources, up to so much of each.
  Amounts amounts(std::uint64_t kinds, std::uint64_t most) {
    static constexpr std::array<const char*, 4> kResources{"mem", "gpu", "Z", "cpu"};
    Amounts out;
    for (std::uint64_t i = 0; i < kinds; ++i) out[kResources[below(4)]] = 1 + below(most);
    return out;
  }
  JsonObject object(const Amounts& amounts) {
    std::vector<std::pair<std::string, std::uint64_t>> list(amounts.begin(), amounts.end());
    std::shuffle(list.begin(), list.end(), random_);
    JsonObject out;
    for (const auto& [resource, amount] : list) out.put(resource, amount);
    return out;
  }

  Queue queue() {
    Queue out;
    if (below(2) == 0) out.least = amounts(3, 3);
    if (below(3) == 0) out.most = amounts(3, 6);
    for (const auto& [resource, amount] : out.least) {
      if (out.most.contains(resource)) out.most[resource] = std::max(out.most[resource], amount);
    }
    return out;
  }
  Job common() {
    Job out;
    out.queue = below(queues_.size());
    if (below(4) == 0) out.most = amounts(3, 4);
    out.members.put("gang", profile_ == "quota" || below(3) != 0);
    if (below(2) == 0) out.members.put("user", "u" + std::to_string(below(2)));
    return out;
  }
  Job running() {
    Job out = common();
    out.node = below(nodes_.size());
    Node& node = nodes_[out.node];
    for (const auto& [resource, amount] : node.size) {
      const std::uint64_t left = amount - std::min(amount, node.used[resource]);
      if (left == 0 || below(5) == 0) continue;
      out.task[resource] = 1 + below(left + (resource == "gpu" || below(6) != 0 ? 0 : amount - left));
      node.used[resource] += out.task[resource];
    }
    if (out.task.empty()) out.task["mem"] = 0;
    out.most.clear();
    out.members.put("state", "running").put("started", 90000 + below(3)).put("priority", below(3));
    return out;
  }
  Job waiting() {
    Job out = common();
    const Amounts& whole = nodes_[below(nodes_.size())].size;
    for (const auto& [resource, amount] : below(4) == 0 ? amounts(4, 4) : whole)
      out.task[resource] = 1 + below(amount);
    out.count = 1 + below(2);
    out.members.put("submitted", 95000).put("priority", below(6)).put("class", 5 + below(5));
    if (profile_ == "fair-share") out.members.put("below_fair_share_since", 95000);
    return out;
  }

  std::mt19937_64 random_;
  const std::string profile_;
  bool limits_ = false;
  std::vector<Node> nodes_;
  std::vector<Queue> queues_;
  std::vector<Job> jobs_;
};

TEST(Determinism, OfReasonsOverTheOrderOfDocuments) {
  std::map<std::string, int> said;  // by profile, and rule or outcome
  const auto note = [&](std::string_view profile, const Plan& plan) {
    const std::string_view outcome = to_word(plan.outcome, kOutcomes);
    ++said[std::string(profile) + ' ' + std::string(plan.rule.empty() ? outcome : plan.rule)];
  };
  for (const std::string_view profile : {"priority", "class-cost", "quota", "fair-share", "guarantee"}) {
    for (std::uint64_t seed = 1; seed <= 4 * kClusters; ++seed) {
      ScarceCluster cluster(seed, profile);
      std::map<std::string, std::string> first;
      for (int order = 0; order < kOrders / 2; ++order) {
        const std::string text = cluster.document();
        std::map<std::string, std::string> all = answers(text, cluster.policy(), cluster.jobs());
        Engine engine{Options{}};
        Problems problems;
        ASSERT_TRUE(engine.set_policy(cluster.policy(), problems));
        ASSERT_TRUE(engine.load(text, problems));
        for (const std::string& target : cluster.targets()) {
          const std::optional<Plan> plan = engine.plan_relief(target, {}, kNoTime, {}, problems);
          ASSERT_TRUE(plan);
          all[target] = plan_document(*plan, true);
          if (order == 0) note(profile, *plan);
        }
        if (order == 0) {
          first = std::move(all);
          for (const std::string& job : cluster.jobs()) {
            const std::optional<Plan> plan = engine.plan(job, kNoTime, {}, problems);
            ASSERT_TRUE(plan);
            note(profile, *plan);
          }
          continue;
        }
        ASSERT_EQ(all, first) << profile << " seed " << seed << "\n" << text;
      }
    }
    for (const char* rule : {" preempt", " fits", " impossible", " no-set"})
      EXPECT_GT(said[std::string(profile) + rule], 0) << profile << rule;
  }
  std::string found;
  for (const auto& [rule, times] : said) found += rule + " " + std::to_string(times) + ", ";
  RecordProperty("said", found);
}

// Documents that use every field, as far as profile `priority` takes them.
TEST(Determinism, OverEveryField) {
  int taken = 0;
  int planned = 0;
  for (std::uint64_t seed = 1; taken < kClusters && seed < 100 * kClusters; ++seed) {
    RandomCluster cluster(seed);
    const std::string text = cluster.document();
    if (!load_fault(text, kPriorityPolicy).empty()) continue;
    ++taken;
    const std::string policy(kPriorityPolicy);
    const auto first = answers(text, policy, cluster.job_names);
    for (const auto& [job, document] : first) planned += has(document, "cede-plan/1") ? 1 : 0;
    for (int order = 0; order < kOrders; ++order) {
      ASSERT_EQ(answers(cluster.document(true), policy, cluster.job_names), first) << "seed " << seed << "\n"
                                                                                   << text;
    }
  }
  EXPECT_EQ(taken, kClusters);
  EXPECT_GT(planned, kClusters);
}

}  // namespace
}  // namespace cede
