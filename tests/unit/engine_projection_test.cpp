// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <random>

#include "engine/plan.h"
#include "engine/project_cluster.h"
#include "sequence_engine_fixture.h"

namespace cede {
namespace {

// Nodes of eight, each full with small jobs, and jobs of several sizes that wait.
Scene crowd(std::mt19937& random, int nodes, int waiting, std::string_view profile = "priority") {
  const auto number = [&](int least, int most) {
    return least + static_cast<int>(random() % static_cast<unsigned>(most - least + 1));
  };
  Scene scene(std::string(profile), profile == "priority" ? R"("front_only":false)" : "",
              number(0, 1) == 0 ? "cpu" : "gpu");
  for (int n = 0; n < nodes; ++n) {
    const std::string node = "n" + std::to_string(n);
    scene.node(node, 8);
    int left = 8 - number(0, 1);
    for (int v = 0; left > 0; ++v) {
      const int size = std::min(left, number(1, 5));
      scene.runs("v" + std::to_string(n) + "-" + std::to_string(v), node, size,
                 R"("class":1,"priority":)" + std::to_string(number(1, 9)));
      left -= size;
    }
  }
  for (int w = 0; w < waiting; ++w) {
    scene.waits(
        "w" + std::to_string(w), number(1, 6),
        R"("class":)" + std::to_string(number(4, 9)) + R"(,"priority":)" + std::to_string(number(50, 90)));
  }
  return scene;
}

// Asks the projector that has followed everything so far, and a new one.
class Follower {
 public:
  explicit Follower(const Engine& engine) : engine_(engine) {}

  std::string fault() {
    const Ledger& ledger = engine_.sequence().ledger();
    const std::uint32_t edits = engine_.model().edits;
    if (projector_ && edits == edits_ && projector_->follow(ledger)) {
      ++followed;
    } else {
      projector_ = std::make_unique<ClusterProjector>(engine_.model(), ledger);
      edits_ = edits;
    }
    const PolicySet* policies = engine_.policies().get();
    return projection_fault(projector_->cluster(engine_.sequence(), policies),
                            project_cluster(engine_.model(), engine_.sequence(), policies));
  }

  int followed = 0;

 private:
  const Engine& engine_;
  std::unique_ptr<ClusterProjector> projector_;
  std::uint32_t edits_ = 0;
};

std::vector<std::string> some_waiting(std::mt19937& random, int waiting) {
  std::vector<std::string> jobs;
  for (int w = 0; w < waiting; ++w) {
    if (random() % 2 == 0) jobs.push_back("w" + std::to_string(w));
  }
  std::shuffle(jobs.begin(), jobs.end(), random);
  return jobs;
}

TEST(Projection, FollowedEqualsFresh) {
  int followed = 0;
  for (std::uint32_t seed = 0; seed < 300; ++seed) {
    std::mt19937 random(seed);
    Manager run(crowd(random, 1 + static_cast<int>(seed % 4), 8, seed % 3 == 0 ? "class-cost" : "priority"));
    Follower follower(run.engine);
    Time now = 0;
    for (int round = 0; round < 6; ++round) {
      if (random() % 3 != 0) {
        Problems problems;
        const auto plans =
            plan_batch(run.engine, some_waiting(random, 8), Scene::later(now), {}, problems).value();
        for (const Plan& plan : plans) {
          if (plan.outcome != Outcome::fits && plan.outcome != Outcome::preempt) continue;
          if (random() % 8 != 0) run.commit(plan, now);  // later parts that count on it are stale
          ASSERT_EQ(follower.fault(), "") << "seed " << seed;
        }
      } else {
        run.step(now += 40, run.done());
        ASSERT_EQ(follower.fault(), "") << "seed " << seed;
      }
    }
    followed += follower.followed;
  }
  EXPECT_GT(followed, 1000);
}

// The number of looks at entries while `asked` jobs are planned as a batch and committed.
std::uint64_t looks_per_commit(int nodes) {
  std::mt19937 random(1);
  const int waiting = 8 * nodes;
  Scene scene("priority", R"("front_only":false)", "gpu");
  std::vector<std::string> jobs;
  for (int n = 0; n < nodes; ++n) {
    const std::string node = "n" + std::to_string(n);
    scene.node(node, 8);
    for (int v = 0; v < 8; ++v) scene.runs("v" + std::to_string(8 * n + v), node, 1, R"("priority":1)");
  }
  for (int w = 0; w < waiting; ++w) {
    jobs.push_back("w" + std::to_string(w));
    scene.waits(jobs.back(), 1, R"("priority":50)");
  }
  Manager run(scene);
  Problems problems;
  const auto plans = plan_batch(run.engine, jobs, Scene::later(0), {}, problems).value();
  run.commit(plans[0]);
  ClusterProjector projector(run.engine.model(), run.engine.sequence().ledger());
  const std::uint64_t before = projector.looks();
  for (std::size_t i = 1; i < plans.size(); ++i) {
    run.commit(plans[i]);
    EXPECT_TRUE(projector.follow(run.engine.sequence().ledger()));
  }
  return (projector.looks() - before) / (plans.size() - 1);
}

TEST(Projection, ACommitLooksOnlyAtItsNodes) {
  EXPECT_LE(looks_per_commit(4), 10U);
  EXPECT_LE(looks_per_commit(16), 10U) << "it must not grow with the ledger";
}

TEST(Projection, AWrittenEntryIsNotFollowed) {
  std::mt19937 random(7);
  Manager run(crowd(random, 2, 4));
  ASSERT_EQ(run.commit("w0"), "1");
  ClusterProjector projector(run.engine.model(), run.engine.sequence().ledger());
  EXPECT_TRUE(projector.follow(run.engine.sequence().ledger()));
  run.step(1);  // the victims are told
  EXPECT_FALSE(projector.follow(run.engine.sequence().ledger()));
}

// Restoring stores entries like a commit does, but later writes to them are changes.
TEST(Projection, ARestoredEntryIsNotFollowedOnceItIsWritten) {
  std::mt19937 random(7);
  Manager run(crowd(random, 2, 4));
  ASSERT_EQ(run.commit("w0"), "1");
  run.step(1);
  Problems problems;
  ASSERT_TRUE(run.engine.restore_state(run.engine.save_state(), problems));
  ClusterProjector projector(run.engine.model(), run.engine.sequence().ledger());
  EXPECT_TRUE(projector.follow(run.engine.sequence().ledger()));
  ASSERT_NE(run.step(500), "") << "the grace is over";
  EXPECT_FALSE(projector.follow(run.engine.sequence().ledger()));
}

}  // namespace
}  // namespace cede
