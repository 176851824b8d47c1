// SPDX-License-Identifier: MIT
#include "sequence/ledger.h"

#include "sequence_script.h"

// What planning asks of the ledger and of what is counted beside it.
namespace cede {
namespace {

class Planning : public testing::Test, public Script {};

TEST_F(Planning, HoldsHaveThePlacementAndWhatWasFreed) {
  const EntryId id = commit(order_for("p", {victim("a", kTerminate, {"t0", "t1"})}));
  ASSERT_EQ(sequence.holds().size(), 1U);
  EXPECT_EQ(sequence.holds()[0].placement[0].node, "n-p");
  EXPECT_TRUE(sequence.holds()[0].freed.empty());
  step(0);
  step(1, {released("a", "t1")});
  ASSERT_EQ(sequence.holds()[0].freed.size(), 1U);
  EXPECT_EQ(sequence.holds()[0].freed[0]->node, "n-a1");
  step(2, {released("a", "t0")});
  EXPECT_EQ(sequence.holds()[0].freed.size(), 2U);
  EXPECT_EQ(sequence.holds()[0].state, EntryState::ready);
  EXPECT_EQ(sequence.live_entry("p"), id);
  step(3, {started("p")});
  EXPECT_TRUE(sequence.holds().empty());
}

TEST_F(Planning, VictimsAreHeldUntilReleased) {
  commit(order_for("p", {victim("a", kTerminate, {"t0"})}));
  EXPECT_TRUE(sequence.is_held("a", "t0"));
  EXPECT_FALSE(sequence.is_held("a", "t1"));
  EXPECT_FALSE(sequence.is_held("b", "t0"));
  EXPECT_EQ(sequence.metrics().in_flight, 1U);
  step(0);
  step(1, {released("a")});
  EXPECT_FALSE(sequence.is_held("a", "t0"));
  EXPECT_EQ(sequence.metrics().in_flight, 0U);
}

TEST_F(Planning, CommitsCountForBudgetsIntervalsAndBackoff) {
  sequence.set_storm_window(60 * kSecond);
  CommitOrder order = order_for("p", {victim("a", kTerminate), victim("b", kTerminate)});
  order.victims[1].units = 3;
  commit(order, 10);
  const StormWindow& storm = sequence.storm();
  EXPECT_EQ(storm.taken(StormScope::queue, "root.low", at(10), 60 * kSecond), 4);
  EXPECT_EQ(storm.taken(StormScope::user, "u-b", at(10), 60 * kSecond), 3);
  EXPECT_EQ(storm.taken(StormScope::group, "g", at(10), 60 * kSecond), 3000);
  EXPECT_EQ(storm.free_at(StormScope::queue, "root.low", at(11), 60 * kSecond, 4), at(70));
  EXPECT_EQ(time_of(sequence.node_commits(), "n-a"), at(10));
  EXPECT_EQ(time_of(sequence.node_commits(), "n-p"), at(10));
  EXPECT_EQ(time_of(sequence.node_commits(), "n-x"), kNoTime);
  EXPECT_EQ(sequence.last_attempt_of("p"), at(10));
  EXPECT_EQ(sequence.last_attempt_of("q"), kNoTime);
  commit(order_for("f"), 11);
  EXPECT_EQ(time_of(sequence.node_commits(), "n-f"), kNoTime) << "no job was preempted there";
  EXPECT_EQ(sequence.last_attempt_of("f"), at(11));
  sequence.jobs_gone(std::vector<std::string>{"f"});
  EXPECT_EQ(sequence.last_attempt_of("f"), kNoTime);
}

TEST_F(Planning, ANoteCountsAsAnAttemptAndAPlan) {
  sequence.note({.requester = "p", .profile = "guarantee", .outcome = Outcome::wait, .plan_micros = 1500},
                at(3));
  EXPECT_EQ(sequence.last_attempt_of("p"), at(3));
  EXPECT_EQ(sequence.metrics().plans.at({"guarantee", "wait"}), 1U);
  EXPECT_EQ(sequence.metrics().plan_seconds.sum, 1500);
  commit(order_for("q", {victim("a", kTerminate)}), 4);
  EXPECT_EQ(sequence.metrics().plans.at({"class-cost", "preempt"}), 1U);
  EXPECT_EQ(sequence.metrics().plan_seconds.count(), 1U) << "that one was not measured";
}

TEST_F(Planning, LostWorkAndPreemptionsCountAtTheRelease) {
  CommitOrder order = order_for("p", {victim("a", kTerminate)});
  order.victims[0].units = 2;
  commit(order);
  step(0);
  EXPECT_TRUE(sequence.metrics().preemptions.empty());
  step(1, {released("a")});
  EXPECT_EQ(sequence.metrics().preemptions.at({"root.low", "priority"}), 2U);
  EXPECT_EQ(sequence.metrics().lost_work.at("root.low"), 1500);
}

TEST_F(Planning, CheckpointsAreTimedFromTheHint) {
  commit(order_for("p", {victim("a", kCheckpoint)}));
  step(10);
  step(55, {done("a")});
  EXPECT_EQ(sequence.metrics().checkpoint_seconds.sum, 45'000);
  EXPECT_EQ(sequence.metrics().checkpoint_seconds.count(), 1U);
}

TEST_F(Planning, StarvationClocksAreKeptByName) {
  EXPECT_EQ(time_of(sequence.starving(), "j"), kNoTime);
  sequence.set_starving_since("j", at(5));
  EXPECT_EQ(time_of(sequence.starving(), "j"), at(5));
  sequence.set_starving_since("j", kNoTime);
  EXPECT_EQ(time_of(sequence.starving(), "j"), kNoTime);
}

TEST_F(Planning, TheRevisionMovesWithEveryChangeOnly) {
  std::uint64_t before = sequence.revision();
  const auto moved = [&] { return std::exchange(before, sequence.revision()) != sequence.revision(); };
  commit(order_for("p", {victim("a", kTerminate)}));
  EXPECT_TRUE(moved());
  step(0);
  EXPECT_TRUE(moved());
  step(1);
  EXPECT_FALSE(moved());
  step(1, {exited("x")});
  EXPECT_FALSE(moved());
  step(2, {released("a")});
  EXPECT_TRUE(moved());
}

TEST_F(Planning, AFinishedEntryLeavesNothingBehind) {
  commit(order_for("p", {victim("a", kCheckpoint, {"t0", "t1"}), victim("b", kTerminate)}));
  step(0);
  step(1, {done("a"), released("b")});
  step(2, {released("a")});
  step(3, {started("p")});
  const Ledger& ledger = sequence.ledger();
  EXPECT_EQ(ledger.size(), 0U);
  EXPECT_TRUE(ledger.on_node("n-a").empty());
  EXPECT_TRUE(ledger.on_node("n-p").empty());
  EXPECT_TRUE(ledger.victims_of("a").empty());
  EXPECT_FALSE(ledger.first_due().has_value());
  for (ActionId id = 0; id < 20; ++id) EXPECT_FALSE(ledger.owner_of(id).has_value());
  EXPECT_EQ(sequence.next_due(), kNoTime);
}

}  // namespace
}  // namespace cede
