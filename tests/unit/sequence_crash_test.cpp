// SPDX-License-Identifier: MIT
#include <random>

#include "sequence_invariants.h"
#include "sequence_site.h"

// The host is killed between any two steps, comes back with its last save and is told the present state.
namespace cede {
namespace {

struct Scenario {
  Site site;
  CommitOrder order;
};

Scenario scenario(std::uint32_t seed) {
  std::mt19937 random(seed);
  const auto pick = [&](std::initializer_list<std::int64_t> values) {
    return *(values.begin() + random() % values.size());
  };
  Scenario scenario;
  std::vector<VictimOrder> victims;
  for (const std::string name : {"a", "b", "c"}) {
    if (name == "c" && random() % 2 == 0) break;
    std::vector<std::string> labels{"t0"};
    if (random() % 2 == 0) labels.push_back("t1");
    VictimOrder order = victim(name, static_cast<VictimAction>(random() % 3 == 0 ? random() % 5 : 0), labels);
    order.terms.then = static_cast<VictimAction>(1 + random() % 4);
    order.terms.unsaved = static_cast<VictimAction>(1 + random() % 4);
    order.terms.keep_local = random() % 3 == 0;
    order.terms.checkpoint_timeout = 60 * kSecond;
    order.terms.soft_evict_timeout = 40 * kSecond;
    order.terms.max_deferral = 20 * kSecond;
    order.terms.requeue = static_cast<Requeue>(random() % 3);
    Site::Job job;
    for (const std::string& label : labels) job.tasks[label] = {};
    job.saves_after = pick({5, 40, 58, 70, Site::kNever});
    job.save_fails_after = pick({30, Site::kNever, Site::kNever});
    job.progress_every = pick({7, Site::kNever});
    job.defers = pick({0, 0, 15, 50});
    job.stops_after = pick({1, 10, Site::kNever});
    job.obeys_int_after = pick({5, Site::kNever});
    job.obeys_term_after = pick({2, 20, Site::kNever});
    job.finishes_at = pick({25, 65, Site::kNever, Site::kNever});
    job.refuses = static_cast<int>(pick({0, 0, 1, 2}));
    scenario.site.jobs[name] = job;
    victims.push_back(order);
  }
  scenario.order = order_for("p", victims);
  scenario.order.action_timeout = 20 * kSecond;
  return scenario;
}

// What a run came to.
struct End {
  std::map<std::string, std::string> outcomes;
  int starts = 0;
  bool over = false;
  std::vector<std::string> faults;
  int steps = 0;  // at which something was listed or told
};

struct Crash {
  int step = -1;          // after this step, counted as End does
  double done_part = 0;   // of its actions
  std::int64_t down = 0;  // seconds
};

// The adapter's loop: step, save, act, answer with the next step.
End run(std::uint32_t seed, Crash crash = {}) {
  Scenario world = scenario(seed);
  End end;
  Sequence sequence;
  std::string why;
  EXPECT_NE(sequence.commit(world.order, at(0), why), kNoEntry) << why;
  StepInvariants invariants;
  std::vector<Event> told;
  std::string saved;
  for (std::int64_t second = 0; second < 900; ++second) {
    for (const Event& event : world.site.advance(at(second))) told.push_back(event);
    const Time due = sequence.next_due();
    if (told.empty() && (due == kNoTime || due > at(second))) continue;
    const StepResult result = sequence.step(at(second), std::exchange(told, {}));
    invariants.step(sequence, result);
    saved = save(sequence);
    const bool dies = end.steps++ == crash.step;
    const auto part =
        static_cast<std::size_t>(static_cast<double>(result.actions.size()) * crash.done_part + 0.5);
    for (std::size_t i = 0; i < (dies ? part : result.actions.size()); ++i) {
      const bool good = world.site.perform(result.actions[i], at(second));
      told.push_back(answer(good ? EventKind::action_done : EventKind::action_failed, result.actions[i].id));
    }
    if (!dies) continue;
    // The engine is down for a while, and events are lost.
    told.clear();
    for (std::int64_t until = second + crash.down; second < until; ++second)
      world.site.advance(at(second + 1));
    Problems problems;
    std::optional<Sequence> restored = restore(saved, problems);
    EXPECT_TRUE(restored.has_value());
    if (!restored) return end;
    sequence = std::move(*restored);
    invariants.restarted();
    sequence.jobs_gone(world.site.gone_jobs());
    told = world.site.present();
  }
  end.over = sequence.ledger().size() == 0 && sequence.next_due() == kNoTime;
  end.starts = world.site.starts;
  end.faults = world.site.faults;
  for (const auto& [name, job] : world.site.jobs) {
    std::string& outcome = end.outcomes[name];
    outcome = job.finished_itself ? "finished" : job.gone() ? "ended" : "runs";
    if (job.requeues > 0) outcome += job.resumes ? ", waits to resume" : ", waits";
    if (job.gone() && job.how.empty()) end.faults.push_back(name + " left without a word how");
    // The reverse does not hold: an end that could not be asked for counts as asked for.
    if (job.how == "completed" && !job.finished_itself) end.faults.push_back(name + " was made to leave");
  }
  return end;
}

TEST(SequenceCrash, ARunWithoutACrashIsWhole) {
  std::map<std::string, int> outcomes;
  for (std::uint32_t seed = 1; seed <= 200; ++seed) {
    const End end = run(seed);
    EXPECT_TRUE(end.over) << seed;
    EXPECT_EQ(end.faults, std::vector<std::string>{}) << seed;
    EXPECT_EQ(end.starts, 1) << seed;
    for (const auto& [name, outcome] : end.outcomes) ++outcomes[outcome];
  }
  for (const std::string outcome : {"finished", "ended", "ended, waits", "ended, waits to resume"}) {
    EXPECT_GE(outcomes[outcome], 10) << outcome << ": the scenarios do not show it";
  }
}

TEST(SequenceCrash, RestartedAtOnceTheRunEndsAsItWouldHave) {
  const std::uint32_t seeds = long_tier() ? 5000 : 150;
  for (std::uint32_t seed = 1; seed <= seeds; ++seed) {
    const End whole = run(seed);
    for (int step = 0; step < whole.steps; ++step) {
      for (const double part : {0.0, 0.5, 1.0}) {
        const End crashed = run(seed, {step, part, 0});
        ASSERT_EQ(crashed.outcomes, whole.outcomes)
            << "seed " << seed << ", step " << step << ", part " << part;
        ASSERT_EQ(crashed.starts, 1) << "seed " << seed << ", step " << step << ", part " << part;
        ASSERT_EQ(crashed.faults, std::vector<std::string>{}) << "seed " << seed << ", step " << step;
        ASSERT_TRUE(crashed.over) << "seed " << seed << ", step " << step;
      }
    }
  }
}

TEST(SequenceCrash, AfterManyCrashesNoJobIsLostKilledEarlyOrStartedTwice) {
  const std::uint32_t seeds = long_tier() ? 5000 : 150;
  for (std::uint32_t seed = 1; seed <= seeds; ++seed) {
    const int steps = run(seed).steps;
    for (int step = 0; step < steps; ++step) {
      for (const std::int64_t down : {3, 45, 300}) {
        const End crashed = run(seed, {step, 1.0, down});
        ASSERT_EQ(crashed.starts, 1) << "seed " << seed << ", step " << step << ", down " << down;
        ASSERT_EQ(crashed.faults, std::vector<std::string>{}) << "seed " << seed << ", step " << step;
        ASSERT_TRUE(crashed.over) << "seed " << seed << ", step " << step << ", down " << down;
        const CommitOrder order = scenario(seed).order;
        for (const VictimOrder& victim : order.victims) {
          const std::string& outcome = crashed.outcomes.at(victim.job);
          const bool waits = outcome.find("waits") != std::string::npos;
          ASSERT_NE(outcome, "runs");
          ASSERT_FALSE(outcome == "ended" && victim.terms.requeue == Requeue::always)
              << "lost: " << victim.job;
          ASSERT_FALSE(waits && victim.terms.requeue == Requeue::never) << victim.job;
        }
      }
    }
  }
}

}  // namespace
}  // namespace cede
