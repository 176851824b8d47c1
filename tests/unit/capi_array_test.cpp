// SPDX-License-Identifier: MIT
// Both doors lead to one model: what a document says, said again in arrays, is exported alike and planned
// alike, byte for byte.
#include "array_feed.h"
#include "capi/handles.h"
#include "document/document.h"
#include "profile_cluster.h"
#include "random_cluster.h"
#include "topology_cluster.h"

namespace cede {
namespace {

constexpr std::array<std::string_view, 5> kNames{"priority", "class-cost", "quota", "fair-share",
                                                 "guarantee"};

struct Handle {
  explicit Handle(const std::string& policy) {
    cede_error error;
    const char* text = policy.empty() ? nullptr : policy.data();
    const std::int32_t made =
        cede_engine_create(text, policy.size(), nullptr, 0, CEDE_VERSION, &engine, &error);
    EXPECT_GE(made, CEDE_OK) << error.text;  // some settings are drawn that the check warns about
  }
  ~Handle() { cede_engine_destroy(engine); }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;

  bool load(const std::string& text) {
    return cede_engine_load(engine, text.data(), text.size(), nullptr) >= 0;
  }
  const Model& model() const { return engine->engine.model(); }
  std::string plan(std::string_view job) const {
    cede_plan* plan = nullptr;
    cede_text* text = nullptr;
    cede_error error;
    const std::string name(job);
    if (cede_plan_create(engine, name.c_str(), CEDE_NOW_OF_CLUSTER, nullptr, 0, &plan, &error) < 0)
      return error.text;
    EXPECT_EQ(cede_plan_explain(plan, &text, &error), CEDE_OK) << error.text;
    std::string out = cede_text_data(text);
    cede_text_destroy(text);
    cede_plan_destroy(plan);
    return out;
  }

  cede_engine* engine = nullptr;
};

// The `x-` fields that arrays do not carry. Requirements and topologies come as JSON and keep theirs.
Model without_site(Model model) {
  const auto strip = [](auto& table) {
    for (std::size_t i = 0; i < table.id_bound(); ++i) {
      const decltype(table.find(0)) id{i};
      if (table.is_live(id)) table.edit(id).site = kNoBlob;
    }
  };
  strip(model.groups);
  strip(model.domains);
  strip(model.reservations);
  strip(model.queues);
  strip(model.nodes);
  for (std::size_t i = 0; i < model.jobs.id_bound(); ++i) {
    JobExtras extras = model.job_extras[i];
    extras.site = kNoBlob;
    model.job_extras.set(i, extras);
  }
  for (std::size_t i = 0; i < model.tasks.id_bound(); ++i) {
    TaskExtras extras = model.tasks.extras(TaskId{i});
    extras.site = kNoBlob;
    model.tasks.set_extras(TaskId{i}, extras);
  }
  model.site = model.network_site = kNoBlob;
  return model;
}

// Loads the text into one engine, tells another the same in arrays and compares. How many plans were; none
// where the policy does not agree with the text.
int same_through_both_doors(const std::string& text, const std::string& policy, std::size_t at_once) {
  Handle document(policy);
  Handle arrays(policy);
  if (!document.load(text)) return 0;
  ArrayFeed(document.model(), arrays.engine).put(at_once);
  EXPECT_EQ(write_cluster(without_site(document.model())), write_cluster(arrays.model())) << text;
  int plans = 0;
  document.model().jobs.for_each([&](JobId id, const JobCore& core) {
    if (core.state != JobState::pending) return;
    const std::string job(document.model().job_name(id));
    EXPECT_EQ(document.plan(job), arrays.plan(job)) << text;
    ++plans;
  });
  return plans;
}

TEST(CapiArray, SaysAllThatARandomClusterHas) {
  int plans = 0;
  for (std::uint64_t seed = 1; seed <= 300 && !HasFailure(); ++seed) {
    const std::string text = RandomCluster(seed).document(seed % 2 == 0);
    same_through_both_doors(text, {}, 1 + seed % 5);
    plans += same_through_both_doors(text, policy_text("fair-share"), 100);
    plans += same_through_both_doors(text, policy_text("priority"), 100);
  }
  EXPECT_GT(plans, 300);
}

TEST(CapiArray, PlansAlikeUnderEveryProfile) {
  int plans = 0;
  for (std::uint64_t seed = 1; seed <= 500 && !HasFailure(); ++seed) {
    ProfileCluster random(seed);
    const std::string text = random.document();
    const std::string profile(kNames[seed % kNames.size()]);
    plans += same_through_both_doors(text, policy_text(profile, random.settings(profile)), 1 + seed % 7);
  }
  EXPECT_GT(plans, 300);
}

TEST(CapiArray, PlansAlikeWhateverTheTopology) {
  for (std::uint64_t seed = 1; seed <= 200 && !HasFailure(); ++seed) {
    EXPECT_GT(same_through_both_doors(TopologyCluster(seed).text(), policy_text(kNames[seed % 3]), 3), 0);
  }
}

// What was taken away leaves nothing behind, and another cluster takes its place.
TEST(CapiArray, RemovesAllOfIt) {
  for (std::uint64_t seed = 1; seed <= 60 && !HasFailure(); ++seed) {
    Handle before({});
    Handle after({});
    Handle arrays({});
    ASSERT_TRUE(before.load(RandomCluster(seed).document()));
    ASSERT_TRUE(after.load(RandomCluster(seed + 1000).document()));
    ArrayFeed(before.model(), arrays.engine).put(100);
    ArrayFeed(before.model(), arrays.engine).remove();
    const Model& empty = arrays.model();
    EXPECT_EQ(empty.jobs.live() + empty.nodes.live() + empty.queues.live() + empty.groups.live(), 0u);
    // Names stay the caller's until it gives their numbers back.
    EXPECT_GT(empty.job_names.live(), 0u);
    std::vector<std::uint32_t> numbers;
    const auto is_position = [&](std::string_view name) {
      for (std::uint32_t k = 0; k < empty.position_names; ++k) {
        if (name == "t" + std::to_string(k)) return true;
      }
      return false;
    };
    for (std::uint32_t id = 1; id < empty.job_names.id_bound(); ++id) {
      const std::uint32_t engine_owns = is_position(empty.job_names.view(id)) ? 1 : 0;
      if (empty.job_names.owners(id) == engine_owns) continue;
      EXPECT_EQ(empty.job_names.owners(id), engine_owns + 1);
      numbers.push_back(id);
    }
    EXPECT_EQ(cede_engine_forget(arrays.engine, numbers.data(), numbers.size(), nullptr), CEDE_OK);
    EXPECT_EQ(arrays.model().job_names.live(), empty.position_names);
    EXPECT_EQ(empty.shapes.live(), 0u);
    EXPECT_EQ(empty.requirement_keys.live(), 0u);
    EXPECT_EQ(empty.tasks.live(), 0u);
    ArrayFeed(after.model(), arrays.engine).put(2, false);
    EXPECT_EQ(write_cluster(without_site(after.model())), write_cluster(arrays.model()));
  }
}

}  // namespace
}  // namespace cede
