// SPDX-License-Identifier: MIT
// A plan is byte-identical for equal inputs, and the order of a document's lists is no input.
#include <algorithm>
#include <array>
#include <map>
#include <random>

#include "engine_fixture.h"
#include "random_cluster.h"

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
    for (std::uint64_t q = 0; q < 3; ++q) {
      queues_.push_back(R"({"id":")" + name(q) + R"(","parent":"root"})");
    }
    queues_.push_back(R"({"id":"root"})");
    groups_ = {R"({"id":"g","policy":"default"})", R"({"id":"h","policy":"default"})"};
    for (std::uint64_t n = 0; n < nodes; ++n) add_node(n);
    const std::uint64_t waiting = 1 + below(2);
    for (std::uint64_t w = 0; w < waiting; ++w) add_waiting(w, nodes);
  }

  std::string document() const {
    return R"({"format":"cede-cluster/1","now":100000,"groups":[)" + joined(groups_) + R"(],"queues":[)" +
           joined(queues_) + R"(],"nodes":[)" + joined(nodes_) + R"(],"jobs":[)" + joined(jobs_) + "]}";
  }
  void shuffle() {
    for (auto* list : {&groups_, &queues_, &nodes_, &jobs_}) {
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
  static std::string joined(const std::vector<std::string>& list) {
    std::string out;
    for (const std::string& item : list) out += (out.empty() ? "" : ",") + item;
    return out;
  }
  std::string member_of_queue() { return R"("group":"g","queue":")" + name(below(3)) + "\""; }

  // A node of 4 devices, most of them taken by running jobs that differ in their names alone or in little
  // else.
  void add_node(std::uint64_t n) {
    const bool known = below(4) != 0;
    nodes_.push_back(R"({"id":"n)" + name(n) + R"(","group":"g","resources":{"gpu":4,"cpu":8}})");
    for (std::uint64_t used = 0; used < 4;) {
      const std::uint64_t gpus = std::min<std::uint64_t>(1 + below(2), 4 - used);
      std::string job = R"({"id":"j)" + name(jobs_.size()) + R"(",)" + member_of_queue() +
                        R"(,"state":"running","started":)" + std::to_string(90000 + below(2)) +
                        R"(,"priority":)" + std::to_string(below(8) == 0 ? 2 : 1) +
                        R"(,"tasks":[{"node":"n)" + name(n) + R"(","resources":{"gpu":)" +
                        std::to_string(gpus) + "}";
      if (known)
        job +=
            R"(,"gpus":[)" + std::to_string(used) + (gpus == 2 ? "," + std::to_string(used + 1) : "") + "]";
      used += gpus;
      if (below(10) == 0) continue;  // its devices stay free
      jobs_.push_back(job + "}]}");
    }
  }

  void add_waiting(std::uint64_t w, std::uint64_t nodes) {
    waiting_.push_back("w" + name(w));
    jobs_.push_back(R"({"id":")" + waiting_.back() + R"(",)" + member_of_queue() +
                    R"(,"priority":50,"submitted":99000,"gang":)" + (below(3) == 0 ? "false" : "true") +
                    R"(,"tasks":[{"id":"t","count":)" + std::to_string(1 + below(nodes)) +
                    R"(,"resources":{"gpu":)" + std::to_string(1 + below(4)) + "}}]}");
  }

  std::mt19937_64 random_;
  std::vector<std::string> groups_, queues_, nodes_, jobs_, waiting_;
};

std::string order_policy(std::uint64_t seed) {
  static constexpr std::array<const char*, 4> kNames{"oldest", "newest", "fewest", "smallest"};
  return R"({"format":"cede-policy/1","policies":{"default":{"profile":"priority","settings":{"preemption_order":")" +
         std::string(kNames[seed % kNames.size()]) + R"("}}}})";
}

// What a fresh engine says about these jobs: the explained plan or, where there is none, why.
std::map<std::string, std::string> answers(const std::string& text, const std::string& policy,
                                           const std::vector<std::string>& jobs) {
  Engine engine{Options{}};
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
