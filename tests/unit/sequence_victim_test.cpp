// SPDX-License-Identifier: MIT
#include "sequence/victim.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

namespace cede {
namespace {

VictimTerms random_terms(std::mt19937& random) {
  const auto seconds = [&](std::uint64_t most) {
    return static_cast<Duration>(random() % (most + 1)) * kSecond;
  };
  VictimTerms terms;
  terms.action = static_cast<VictimAction>(random() % 5);
  terms.then = static_cast<VictimAction>(1 + random() % 4);
  terms.unsaved = static_cast<VictimAction>(1 + random() % 4);
  terms.keep_local = random() % 2 == 0;
  terms.checkpoint_timeout = seconds(20);
  terms.timeout_extension = static_cast<std::int64_t>(random() % 4) * 500;
  terms.max_deferral = seconds(15);
  terms.grace = seconds(8);
  terms.soft_evict_timeout = random() % 2 == 0 ? kNoDuration : seconds(20);
  terms.signal_timeout = seconds(10);
  terms.action_timeout = kSecond + seconds(10);
  terms.max_action_retries = static_cast<std::uint32_t>(random() % 4);
  return terms;
}

VictimStep random_input(std::mt19937& random, const VictimTerms& terms, VictimState& victim, Time now) {
  switch (random() % 10) {
    case 0: made_progress(victim); return VictimStep::none;
    case 1:
      asked_to_defer(terms, victim, now, static_cast<Duration>(random() % 20) * kSecond);
      return VictimStep::none;
    case 2:
      return victim.done + victim.gone < victim.tasks ? said_done(terms, victim, now, 1) : VictimStep::none;
    case 3: return random() % 5 == 0 ? failed_to_save(terms, victim, now) : VictimStep::none;
    case 4: action_done(victim); return VictimStep::none;
    case 5: return victim.answered ? VictimStep::none : action_failed(terms, victim, now);
    case 6: sent_again(terms, victim, now); return VictimStep::none;
    case 7:
      if (random() % 4 != 0 || victim.done + victim.gone_unsaved >= victim.tasks) return VictimStep::none;
      return left(terms, victim, now, static_cast<ExitCause>(random() % 4), 1, 1);
    default: return VictimStep::none;
  }
}

// Whatever comes in, the machine goes forwards, keeps its bounds and owes nothing once its clocks have run.
TEST(Victim, GoesForwardsOnly) {
  std::mt19937 random(23);
  for (int life = 0; life < 20'000; ++life) {
    const VictimTerms terms = random_terms(random);
    VictimState victim;
    victim.tasks = static_cast<std::uint32_t>(1 + random() % 3);
    Time now = 1000;
    begin(terms, victim, now);
    while (tick(terms, victim, now) != VictimStep::none) continue;
    for (int i = 0; i < 60 && !victim.finished(); ++i) {
      now += static_cast<Duration>(random() % 4) * kSecond;
      const VictimState before = victim;
      random_input(random, terms, victim, now);
      while (tick(terms, victim, now) != VictimStep::none) continue;
      const Time due = next_due(terms, victim);
      ASSERT_TRUE(due == kNoTime || due > now) << "a clock that is due has run";
      ASSERT_GE(victim.phase, before.phase);
      ASSERT_GE(victim.ending, before.ending);
      ASSERT_GE(victim.saved, before.saved);
      ASSERT_GE(victim.failures, before.failures);
      ASSERT_LE(victim.deferred, terms.max_deferral);
      ASSERT_LE(victim.failures, terms.max_action_retries + 1);
      ASSERT_EQ(victim.phase == VictimPhase::stuck,
                victim.failures > terms.max_action_retries && !victim.finished());
      ASSERT_FALSE(victim.saved && victim.checkpoint_failed);
      ASSERT_EQ(victim.finished(), victim.exit_result != ExitResult::none);
    }
  }
}

// From the step on to KILL. A suspension that has to be forced takes a second grace.
Duration longest(const VictimTerms& terms, VictimAction step) {
  switch (step) {
    case VictimAction::suspend: return 2 * terms.grace;
    case VictimAction::signal_first: return terms.signal_timeout + terms.grace;
    case VictimAction::soft_evict: return terms.soft_evict_timeout + terms.grace;
    default: return terms.grace;
  }
}

// The plan promises the latest start: timeout × (1 + extension) + max_deferral for a checkpoint, and what the
// exit takes after it.
TEST(Victim, IsKilledNoLaterThanThePlanPromises) {
  std::mt19937 random(29);
  std::map<std::pair<VictimAction, VictimAction>, Duration> longest_over;
  for (int life = 0; life < 60'000; ++life) {
    const VictimTerms terms = random_terms(random);
    if (terms.may_stay()) continue;
    VictimState victim;
    victim.tasks = 2;
    Time now = 0;
    begin(terms, victim, now);
    action_done(victim);
    const Duration saving = terms.checkpoint_timeout +
                            terms.checkpoint_timeout * terms.timeout_extension / 1000 + terms.max_deferral;
    const Duration promised =
        terms.action == VictimAction::checkpoint
            ? saving + std::max(longest(terms, terms.then), longest(terms, terms.unsaved))
            : longest(terms, terms.action);
    bool killed = false;
    while (!killed && now <= promised + kMinute) {
      for (VictimStep step = tick(terms, victim, now); step != VictimStep::none;
           step = tick(terms, victim, now)) {
        killed = killed || step == VictimStep::kill;
        action_done(victim);
      }
      if (killed) break;
      now += kSecond / 2;  // every deadline is a multiple of that
      switch (random() % 4) {
        case 0: made_progress(victim); break;
        case 1: asked_to_defer(terms, victim, now, 4 * kSecond); break;
        case 2:
          if (random() % 8 == 0 && victim.done < 2) said_done(terms, victim, now, 1);
          break;
        default: break;
      }
      action_done(victim);
    }
    ASSERT_TRUE(killed);
    ASSERT_LE(now, promised) << to_word(terms.action, kVictimActions) << ", then "
                             << to_word(terms.then, kVictimActions);
    const auto [at, added] = longest_over.try_emplace({terms.action, terms.unsaved}, now - promised);
    if (!added) at->second = std::max(at->second, now - promised);
  }
  for (const auto& [action, over] : longest_over)
    EXPECT_EQ(over, 0) << "the bound is reached, so it means something";
}

TEST(Victim, OnlyWhatKeepsSomethingResumes) {
  const auto stopped = [](bool local, bool checkpoint_before) {
    VictimTerms terms;
    terms.action = VictimAction::suspend;
    terms.keep_local = local;
    terms.has_checkpoint = checkpoint_before;
    VictimState victim;
    victim.tasks = 1;
    begin(terms, victim, 0);
    left(terms, victim, 1, ExitCause::released, 1, 1);
    return std::pair(victim.exit_result, resumes(terms, victim));
  };
  EXPECT_EQ(stopped(false, false), std::pair(ExitResult::terminated, false));
  EXPECT_EQ(stopped(true, false), std::pair(ExitResult::saved, true));
  EXPECT_EQ(stopped(false, true), std::pair(ExitResult::terminated, true)) << "it has its earlier checkpoint";
  VictimTerms terms;
  terms.action = VictimAction::checkpoint;
  VictimState victim;
  victim.tasks = 1;
  begin(terms, victim, 0);
  said_done(terms, victim, 1, 1);
  EXPECT_TRUE(resumes(terms, victim));
}

}  // namespace
}  // namespace cede
