// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "sequence_engine_fixture.h"

// Every exit of every profile, with a checkpoint before it: from the plan to the last word about the
// victim, with a crash between any two steps.
namespace cede {
namespace {

using enum VictimAction;

// A cluster in which `v` gives way to `p`, and what the table of the profiles says about `v`.
struct Row {
  std::string name = {};
  std::string profile = {};
  std::string settings = {};
  std::string members = {};  // of the victim
  VictimAction saved = terminate;
  VictimAction unsaved = terminate;
  Requeue requeue = Requeue::never;
  bool keeps_local = false;
  bool waits_for_owner = false;
  Time after_saving = 30;  // seconds from the end of the hint to the latest end of the victim
  Time after_failure = 30;
};

std::vector<Row> rows() {
  return {
      {"priority", "priority", "", "", terminate, terminate},
      {"priority, always", "priority", R"("requeue":"always")", "", terminate, terminate, Requeue::always},
      {"priority, saved", "priority", R"("requeue":"saved")", "", terminate, terminate, Requeue::saved},
      {.name = "suspend",
       .profile = "priority",
       .settings = R"("preemption_mode":"suspend")",
       .saved = suspend,
       .unsaved = suspend,
       .requeue = Requeue::always,
       .after_saving = 60,
       .after_failure = 60},
      {.name = "suspend, saved",
       .profile = "priority",
       .settings = R"("preemption_mode":"suspend","requeue":"saved")",
       .saved = suspend,
       .unsaved = suspend,
       .requeue = Requeue::saved,
       .after_saving = 60,
       .after_failure = 60},
      {.name = "suspend, local",
       .profile = "priority",
       .settings = R"("preemption_mode":"suspend","suspend_keep":"local")",
       .members = R"("kind":"training")",
       .saved = suspend,
       .unsaved = suspend,
       .requeue = Requeue::always,
       .keeps_local = true,
       .after_saving = 60,
       .after_failure = 60},
      {.name = "session",
       .profile = "priority",
       .settings = R"("preemption_mode":"suspend")",
       .members = R"("kind":"interactive")",
       .saved = suspend,
       .unsaved = suspend,
       .requeue = Requeue::always,
       .waits_for_owner = true,
       .after_saving = 60,
       .after_failure = 60},
      {"inference", "priority", R"("preemption_mode":"suspend")", R"("kind":"inference")"},
      {.name = "class-cost",
       .profile = "class-cost",
       .saved = suspend,
       .requeue = Requeue::always,
       .after_saving = 60},
      {.name = "class-cost, saved",
       .profile = "class-cost",
       .settings = R"("requeue":"saved")",
       .saved = suspend,
       .requeue = Requeue::saved,
       .after_saving = 60},
      {"quota", "quota"},
      {.name = "quota, soft",
       .profile = "quota",
       .settings = R"("evict":"soft","soft_evict_timeout":"50s")",
       .saved = soft_evict,
       .unsaved = soft_evict,
       .after_saving = 80,
       .after_failure = 80},
      {"fair-share", "fair-share"},
      {.name = "fair-share, interruptible",
       .profile = "fair-share",
       .settings = R"("requeue":"always","allocation_preemption_timeout":"20s")",
       .members = R"("interruptible":true)",
       .unsaved = signal_first,
       .requeue = Requeue::always,
       .after_failure = 50},
      {"guarantee", "guarantee"},
      {"guarantee, always", "guarantee", R"("requeue":"always")", "", terminate, terminate, Requeue::always},
  };
}

constexpr std::string_view kAuto =
    R"("checkpoint":{"mode":"auto","estimate":"40s","timeout":"100s","via":"shmem"})";

Scene scene_of(const Row& row, std::string_view checkpoint, std::string_view more_settings = {}) {
  std::string settings = R"("max_deferral":"60s","timeout_extension":0.5)";
  for (const std::string_view part : {std::string_view(row.settings), more_settings})
    settings += (part.empty() ? "" : ",") + std::string(part);
  Scene scene(row.profile, settings);
  std::string victim(checkpoint);
  if (!row.members.empty()) victim += (victim.empty() ? "" : ",") + row.members;
  const auto with = [&](std::string_view more) {
    return std::string(more) + (victim.empty() ? "" : ",") + victim;
  };
  scene.node("n1", 4);
  if (row.profile == "fair-share") {
    scene.queue("root.a").queue("root.b");
    scene.job("v", with(R"("queue":"root.b","state":"running","started":900000)"),
              {scene.task("n1", 2, R"("id":"t0","started":900000)"),
               scene.task("n1", 2, R"("id":"t1","started":900001)")});
    return scene.waits("p", 2, R"("queue":"root.a","below_fair_share_since":900000)");
  }
  if (row.profile == "guarantee") {
    scene.queue("root.a", R"("guaranteed":{"cpu":4})").queue("root.b");
    scene.runs("v", "n1", 4, with(R"("queue":"root.b")"));
    return scene.waits("p", 4, R"("queue":"root.a")");
  }
  scene.runs("v", "n1", 4, with(row.profile == "class-cost" ? R"("class":2)" : R"("priority":1)"));
  return scene.waits("p", 4, row.profile == "class-cost" ? R"("class":8)" : R"("priority":50)");
}

// What the victim does. The times are seconds after the commit.
struct VictimScript {
  std::string name = {};
  std::map<Time, Event> events = {};
  Time exit_at = 0;  // when its exit begins after the hint; -1: never
  bool saves = false;
  ExitResult left_before = ExitResult::none;  // before that
  bool node_lost_on_the_way = false;
};

std::vector<VictimScript> victim_scripts() {
  const auto v = [](EventKind kind) { return about(kind, "v"); };
  Event defer = v(EventKind::defer);
  defer.length = 80 * kSecond;
  const Event lost{.kind = EventKind::node_down, .node = "n1"};
  return {
      {"saved", {{30, v(EventKind::checkpoint_done)}}, 30, true},
      {"failed", {{20, v(EventKind::checkpoint_failed)}}, 20},
      {"silent", {}, 100},
      {"progress", {{50, v(EventKind::checkpoint_progress)}}, 150},
      {"deferred", {{10, defer}, {140, v(EventKind::checkpoint_done)}}, 140, true},
      {"deferred and silent", {{10, defer}}, 160},  // at most max_deferral
      {"exits by itself", {{15, v(EventKind::exited)}}, -1, false, ExitResult::completed},
      {"cancelled by its owner", {{15, v(EventKind::cancelled)}}, -1, false, ExitResult::completed},
      {"node lost", {{15, lost}}, -1, false, ExitResult::lost},
      {"saved, then its node is lost",
       {{30, v(EventKind::checkpoint_done)}, {31, lost}},
       30,
       true,
       ExitResult::none,
       true},
  };
}

std::string first_word(VictimAction action) {
  switch (action) {
    case suspend: return "suspend";
    case soft_evict: return "mark";
    case signal_first: return "INT";
    default: return "TERM";
  }
}

// What the manager hears of the victim, in order and each action once.
struct VictimActions {
  std::vector<std::string> words;
  Time exit_at = -1;
  std::string last;  // word about the victim: `requeue saved to resume`
  bool keeps_local = false;
  bool waits_for_owner = false;
  bool over = false;
  std::uint64_t ignored = 0;
  int steps = 0;
};

class VictimRun {
 public:
  VictimRun(const Row& row, const Scene& scene, const VictimScript& script)
      : row_(row), scene_(scene), script_(script) {
    manager_.emplace(scene);
    EXPECT_EQ(manager_->commit(), "1");
  }

  // The host dies after step number `crash` and comes back with what it saved then.
  VictimActions until_end(int crash = -1) {
    for (Time second = 0; second <= 400; ++second) {
      const auto told = script_.events.find(second);
      if (told != script_.events.end() && !gone_) tell(told->second);
      if (leaves_at_ == second && !gone_) tell(about(EventKind::released, "v"));
      const Time due = manager_->engine.sequence().next_due();
      if (events_.empty() && (due == kNoTime || due > Scene::later(second))) continue;
      manager_->step(second, std::exchange(events_, {}));
      const std::string saved = manager_->engine.save_state();
      const bool dies = heard_.steps++ == crash;
      for (const Action& action : manager_->last.actions) act(action, second);
      if (!dies) continue;
      // What was done was not told.
      std::erase_if(events_, [](const Event& event) { return event.kind == EventKind::action_done; });
      restart(saved);
    }
    const Metrics metrics = manager_->engine.sequence().metrics();
    heard_.ignored = metrics.ignored_events;
    // A lost node may come back with the victim on it, so its entry may be remembered.
    heard_.over = true;
    for (const EntryId id : manager_->engine.sequence().ledger().ids())
      heard_.over = heard_.over && manager_->engine.sequence().ledger().find(id)->remembered;
    return heard_;
  }

 private:
  // The change of the cluster comes first, then the event.
  void tell(const Event& event) {
    const bool leaves = event.kind == EventKind::released || event.kind == EventKind::exited ||
                        event.kind == EventKind::cancelled;
    if (leaves) change(*manager_);
    if (event.kind == EventKind::node_down) manager_->apply(kNodeDown);
    node_down_ = node_down_ || event.kind == EventKind::node_down;
    gone_ = gone_ || leaves || node_down_;
    events_.push_back(event);
  }
  // What is left of the victim's job.
  void change(Manager& manager) const {
    if (row_.profile != "fair-share") return manager.remove_job("v");
    manager.put_job(R"({"id":"v","queue":"root.b","state":"running","started":900000,)" + std::string(kAuto) +
                    R"(,"tasks":[{"id":"t0","node":"n1","resources":{"cpu":2}}]})");
  }

  void act(const Action& action, Time second) {
    if (action.kind == ActionKind::start || action.kind == ActionKind::release_hold ||
        action.kind == ActionKind::replan) {
      events_.push_back({.kind = EventKind::action_done, .action = action.id});
      // The requester gives up, so that the entry ends.
      if (action.kind != ActionKind::release_hold) events_.push_back(about(EventKind::cancelled, "p"));
      return;
    }
    if (known_.insert(action.id).second) hear(action, second);
    events_.push_back({.kind = EventKind::action_done, .action = action.id});
  }

  void hear(const Action& action, Time second) {
    EXPECT_EQ(action.job, "v");
    const bool last = action.kind == ActionKind::requeue || action.kind == ActionKind::gone;
    std::string word(action.signal != Signal::none ? to_word(action.signal, kSignals)
                                                   : to_word(action.kind, kActionKinds));
    if (action.kind == ActionKind::checkpoint_hint) {
      EXPECT_EQ(action.via, CheckpointVia::shmem);
    }
    if (last) {
      EXPECT_TRUE(gone_);
      EXPECT_EQ(heard_.last, "") << "the last word about it comes once";
      heard_.last = word + ' ' + std::string(to_word(action.how, kExitResults));
      if (action.resume) heard_.last += " to resume";
      heard_.keeps_local = action.kind == ActionKind::requeue && action.keep_local;
      heard_.waits_for_owner = action.waits_for_owner;
    } else if (action.kind != ActionKind::checkpoint_hint) {
      if (heard_.exit_at < 0) heard_.exit_at = second;
      if (leaves_at_ < 0 && !script_.node_lost_on_the_way) leaves_at_ = second + 2;
    }
    heard_.words.push_back(std::move(word));
  }

  void restart(const std::string& saved) {
    manager_.emplace(scene_);
    if (gone_ && !node_down_) change(*manager_);
    if (node_down_) manager_->apply(kNodeDown);
    Problems problems;
    EXPECT_TRUE(manager_->engine.restore_state(saved, problems)) << problems.all()[0].message();
  }

  static constexpr const char* kNodeDown =
      R"("put":{"nodes":[{"id":"n1","resources":{"cpu":4},"state":"down"}]})";
  const Row& row_;
  const Scene& scene_;
  const VictimScript& script_;
  std::optional<Manager> manager_;
  std::vector<Event> events_;
  std::set<ActionId> known_;
  Time leaves_at_ = -1;
  bool gone_ = false;
  bool node_down_ = false;
  VictimActions heard_;
};

// What the table says the manager hears last.
std::string expected_last(const Row& row, const VictimScript& script) {
  ExitResult how = script.left_before;
  if (how == ExitResult::none) {
    const bool kept = row.keeps_local && !script.node_lost_on_the_way;
    how = script.saves || kept ? ExitResult::saved : ExitResult::failed;
  }
  const bool preempted = how == ExitResult::saved || how == ExitResult::failed;
  const bool back = preempted && (row.requeue == Requeue::always ||
                                  (row.requeue == Requeue::saved && how == ExitResult::saved));
  return (back ? "requeue " : "gone ") + std::string(to_word(how, kExitResults)) +
         (back && how == ExitResult::saved ? " to resume" : "");
}

TEST(CheckpointFirst, EveryExitOfEveryProfileBeginsWithTheHint) {
  for (const Row& row : rows()) {
    const Scene scene = scene_of(row, kAuto);
    for (const VictimScript& script : victim_scripts()) {
      SCOPED_TRACE(row.name + ": " + script.name);
      const VictimActions heard = VictimRun(row, scene, script).until_end();
      ASSERT_FALSE(heard.words.empty());
      EXPECT_EQ(heard.words.front(), "checkpoint-hint");
      EXPECT_EQ(heard.exit_at, script.exit_at);
      if (script.exit_at >= 0 && heard.words.size() > 1) {
        EXPECT_EQ(heard.words[1], first_word(script.saves ? row.saved : row.unsaved));
      }
      EXPECT_EQ(heard.last, expected_last(row, script));
      EXPECT_EQ(heard.keeps_local, row.keeps_local && !script.node_lost_on_the_way && script.exit_at >= 0);
      EXPECT_EQ(heard.waits_for_owner, row.waits_for_owner && heard.last.starts_with("requeue"));
      EXPECT_EQ(heard.ignored, 0u) << "nothing was told in the wrong order";
      EXPECT_TRUE(heard.over);
    }
  }
}

TEST(CheckpointFirst, ACrashBetweenAnyTwoStepsChangesNothing) {
  for (const Row& row : rows()) {
    const Scene scene = scene_of(row, kAuto);
    for (const VictimScript& script : victim_scripts()) {
      const VictimActions whole = VictimRun(row, scene, script).until_end();
      for (int crash = 0; crash < whole.steps; ++crash) {
        SCOPED_TRACE(row.name + ": " + script.name + ", crash after step " + std::to_string(crash));
        const VictimActions heard = VictimRun(row, scene, script).until_end(crash);
        EXPECT_EQ(heard.words, whole.words);
        EXPECT_EQ(heard.last, whole.last);
        EXPECT_EQ(heard.keeps_local, whole.keeps_local);
        EXPECT_TRUE(heard.over);
      }
    }
  }
}

TEST(CheckpointFirst, WithoutACheckpointTheExitBeginsAtOnce) {
  const VictimScript script;
  for (const Row& row : rows()) {
    for (const bool none : {true, false}) {
      SCOPED_TRACE(row.name + (none ? ", no checkpoint" : ", checkpoint_first is false"));
      const Scene scene = none ? scene_of(row, "") : scene_of(row, kAuto, R"("checkpoint_first":false)");
      const Plan plan = scene.plan();
      ASSERT_EQ(plan.victims.size(), 1u);
      EXPECT_EQ(plan.victims[0].action, row.unsaved);
      const VictimActions heard = VictimRun(row, scene, script).until_end();
      ASSERT_FALSE(heard.words.empty());
      EXPECT_EQ(heard.words.front(), first_word(row.unsaved));
      EXPECT_EQ(heard.exit_at, 0);
      const bool back = row.requeue == Requeue::always || (row.requeue == Requeue::saved && row.keeps_local);
      EXPECT_EQ(heard.last, std::string(back ? "requeue " : "gone ") +
                                (row.keeps_local ? "saved" : "terminated") +
                                (back && row.keeps_local ? " to resume" : ""));
    }
  }
}

TEST(CheckpointFirst, ThePlanSaysWhatFollowsAndWhen) {
  for (const Row& row : rows()) {
    SCOPED_TRACE(row.name);
    const Plan plan = scene_of(row, kAuto).plan();
    ASSERT_EQ(plan.victims.size(), 1u);
    EXPECT_EQ(plan.victims[0].action, checkpoint);
    EXPECT_EQ(plan.victims[0].then, row.saved);
    EXPECT_EQ(plan.victims[0].unsaved, row.unsaved);
    EXPECT_EQ(plan.victims[0].requeue, row.requeue != Requeue::never && !row.waits_for_owner);
    EXPECT_NE(
        write_plan(plan, false)
            .find(R"("action":"checkpoint","then":")" + std::string(to_word(row.saved, kVictimActions))),
        std::string::npos);
    EXPECT_EQ(plan.expected_start, Scene::later(40 + 30));
    EXPECT_EQ(plan.latest_start, Scene::later(100 + 50 + 60 + std::max(row.after_saving, row.after_failure)));
  }
  Row endless = rows()[0];
  endless.profile = "quota";
  endless.settings = R"("evict":"soft")";
  EXPECT_EQ(scene_of(endless, kAuto).plan().latest_start, kNoTime);
}

// A manual checkpoint is expected to take its timeout, an automatic one without an estimate the setting.
TEST(CheckpointFirst, TheEstimateIsASettingOfEveryProfile) {
  for (const Row& row : rows()) {
    SCOPED_TRACE(row.name);
    const auto expected = [&](std::string_view checkpoint, std::string_view settings = {}) {
      return scene_of(row, checkpoint, settings).plan().expected_start;
    };
    EXPECT_EQ(expected(R"("checkpoint":{"mode":"auto"})"), Scene::later(300 + 30));
    EXPECT_EQ(expected(R"("checkpoint":{"mode":"auto"})", R"("checkpoint_estimate":"70s")"),
              Scene::later(70 + 30));
    EXPECT_EQ(expected(R"("checkpoint":{"mode":"manual","timeout":"90s"})"), Scene::later(90 + 30));
  }
}

// Lost work: what the checkpoint takes; without one what was done since the last, unless the nodes keep it.
TEST(CheckpointFirst, WhatIsLostIsPricedSo) {
  for (const Row& row : rows()) {
    SCOPED_TRACE(row.name);
    const bool fair = row.profile == "fair-share";
    const auto lost = [&](std::string_view checkpoint, std::string_view more = {}) {
      const std::string settings =
          R"("cost_model":"lost-work")" + std::string(more.empty() ? "" : ",") + std::string(more);
      return scene_of(row, checkpoint, settings).plan().cost;
    };
    const std::int64_t all = (Scene::kNow - (fair ? 900'001 : 900'000)) * 1000 / 60;
    const auto about = [](std::int64_t a, std::int64_t b) { return std::abs(a - b) <= 1; };
    EXPECT_EQ(lost(kAuto), 667);
    EXPECT_TRUE(about(lost(""), row.keeps_local ? 0 : all)) << lost("");
    EXPECT_TRUE(about(lost(kAuto, R"("checkpoint_first":false)"), row.keeps_local ? 0 : all));
    EXPECT_EQ(lost(R"("checkpoint":{"mode":"none","last":999400})"), row.keeps_local ? 0 : 10'000);
  }
}

// A class-cost victim that is not asked to save costs what it has to compute again.
TEST(CheckpointFirst, TheClassPriceCountsACheckpointOnlyIfOneIsAskedFor) {
  Row row = rows()[8];
  ASSERT_EQ(row.profile, "class-cost");
  const auto parts = [&](std::string_view settings) {
    const Plan plan = scene_of(row, kAuto, settings).plan();
    return std::pair(plan.victims[0].cost_parts[0].value, plan.victims[0].cost_parts[1].value);
  };
  EXPECT_EQ(parts(""), std::pair(std::int64_t{667}, std::int64_t{0}));
  EXPECT_EQ(parts(R"("checkpoint_first":false)"), std::pair(std::int64_t{0}, std::int64_t{1'666'667}));
}

// The capacity does not exist, so nobody waits for more than the timeout.
TEST(CheckpointFirst, ReliefOfANodeGrantsNoDeferralAndNoExtension) {
  Scene scene("priority", R"("max_deferral":"60s")");
  scene.node("n1", 4)
      .runs("a", "n1", 4, R"("priority":3)")
      .runs("v", "n1", 4, R"("priority":1,)" + std::string(kAuto));
  const Plan plan = scene.relief("node:n1");
  ASSERT_EQ(victims_of(plan), "v");
  EXPECT_EQ(plan.latest_start, Scene::later(100 + 30));
  Manager run(scene);
  ASSERT_EQ(run.commit(plan), "1");
  EXPECT_EQ(run.step(0), "checkpoint-hint v");
  Event defer = about(EventKind::defer, "v");
  defer.length = 60 * kSecond;
  EXPECT_EQ(run.step(10, {defer, about(EventKind::checkpoint_progress, "v")}), "");
  EXPECT_EQ(run.step(99), "");
  EXPECT_EQ(run.step(100), "TERM v");
}

// A job that has a checkpoint from before resumes from that one, however it leaves.
TEST(CheckpointFirst, AnEarlierCheckpointIsSomethingToResumeFrom) {
  Manager run(Scene("class-cost")
                  .node("n1", 4)
                  .runs("v", "n1", 4, R"("class":2,"checkpoint":{"mode":"auto","last":990000})")
                  .waits("p", 4, R"("class":8)"));
  ASSERT_EQ(run.commit(), "1");
  EXPECT_EQ(run.step(0), "checkpoint-hint v");
  EXPECT_EQ(run.step(1, {about(EventKind::checkpoint_failed, "v")}), "TERM v");
  EXPECT_EQ(run.step(2, {about(EventKind::released, "v")}), "requeue v, start p");
  EXPECT_EQ(run.last.actions[0].how, ExitResult::failed);
  EXPECT_TRUE(run.last.actions[0].resume);
}

// A manager tells the change of the cluster first. What the job said before it went still counts.
TEST(CheckpointFirst, WhatAJobSaidBeforeItWasRemovedCounts) {
  const Scene scene = scene_of(rows()[8], kAuto);
  {
    Manager run(scene);
    ASSERT_EQ(run.commit(), "1");
    run.step(0);
    run.remove_job("v");
    EXPECT_EQ(run.step(5, {about(EventKind::checkpoint_done, "v"), about(EventKind::released, "v")}),
              "requeue v, start p");
    EXPECT_EQ(run.last.actions[0].how, ExitResult::saved);
    EXPECT_EQ(run.engine.sequence().metrics().ignored_events, 0u);
  }
  {
    Manager run(scene_of(rows()[8], ""));
    ASSERT_EQ(run.commit(), "1");
    EXPECT_EQ(run.step(0), "TERM v");
    run.remove_job("v");
    EXPECT_EQ(run.step(5, {about(EventKind::cancelled, "v")}), "gone v, start p");
    EXPECT_EQ(run.last.actions[0].how, ExitResult::completed) << "its owner does not want it any more";
  }
}

// An event that comes after the cluster showed it is not counted as ignored. An event about something unknown
// is.
TEST(CheckpointFirst, EventsInTheDocumentedOrderAreNotIgnored) {
  Manager run(Scene("priority")
                  .node("n1", 4)
                  .node("n2", 4)
                  .runs("v", "n1", 4, R"("priority":1)")
                  .runs("w", "n2", 4, R"("priority":2)")
                  .waits("p", 4, R"("priority":50)"));
  const auto ignored = [&] { return run.engine.sequence().metrics().ignored_events; };
  const auto node = [](EventKind kind, std::string name) {
    return Event{.kind = kind, .node = std::move(name)};
  };
  run.put_job(R"({"id":"w","queue":"root","priority":2,"tasks":[{"resources":{"cpu":4}}]})");
  run.step(0, {about(EventKind::released, "w"), about(EventKind::exited, "w")});
  run.apply(R"("put":{"nodes":[{"id":"n2","resources":{"cpu":4},"state":"down"}]})");
  run.step(1, {node(EventKind::node_down, "n2")});
  ASSERT_EQ(run.commit("p", 1), "1");
  EXPECT_EQ(run.step(2), "TERM v");
  const ActionId term = run.last.actions[0].id;
  run.apply(R"("put":{"nodes":[{"id":"n2","resources":{"cpu":4}}]})");
  run.remove_job("v");
  // The answer comes last, when the victim is already gone; and the victim is told to be gone twice.
  EXPECT_EQ(run.step(3, {node(EventKind::node_up, "n2"),
                         about(EventKind::released, "v"),
                         about(EventKind::exited, "v"),
                         {.kind = EventKind::action_done, .action = term}}),
            "gone v, start p");
  run.put_job(R"({"id":"p","queue":"root","priority":50,"state":"running","started":1000003,)"
              R"("tasks":[{"id":"t0#0","node":"n1","resources":{"cpu":4}}]})");
  run.step(4, {about(EventKind::started, "p")});
  EXPECT_EQ(ignored(), 0u);
  run.step(5, {about(EventKind::exited, "p"),
               about(EventKind::started, "w"),
               about(EventKind::exited, "nobody"),
               node(EventKind::node_down, "n1"),
               {.kind = EventKind::action_done, .action = 99}});
  EXPECT_EQ(ignored(), 5u) << "nothing of this is so";
}

}  // namespace
}  // namespace cede
