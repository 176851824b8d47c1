// SPDX-License-Identifier: MIT
#include "sequence/step_run.h"

#include "sequence_script.h"

// What follows when the manager cannot do what it was asked, or does not say.
namespace cede {
namespace {

// ---- actions that fail ----------------------------------------------------------------------------------

class Failures : public testing::Test, public Script {
 protected:
  Failures() { acknowledge = false; }
  EntryId begin(VictimOrder order) { return commit(order_for("p", {std::move(order)})); }
  EntryId begin(VictimAction action) { return begin(victim("a", action)); }
};

TEST_F(Failures, AHintThatFailsIsFollowedByTerm) {
  begin(kCheckpoint);
  step(0);
  EXPECT_EQ(step(1, {fails("checkpoint-hint a until 600")}), Words{"TERM a until 31"});
  EXPECT_EQ(sequence.metrics().failed_checkpoints, 1U);
}

TEST_F(Failures, AHintWithoutAnAnswerHasFailed) {
  begin(kCheckpoint);
  step(0);
  EXPECT_EQ(step(59), Words{});
  EXPECT_EQ(step(60), Words{"TERM a until 90"});
}

TEST_F(Failures, WordFromTheJobIsAnAnswerToTheHint) {
  for (const Event& word : {progress("a"), defer("a", 1), done("a", "t1")}) {
    Script script;
    script.acknowledge = false;
    script.commit(order_for("p", {victim("a", kCheckpoint, {"t0", "t1"})}));
    script.step(0);
    const Event late = script.succeeds("checkpoint-hint a until 600");
    script.step(10, {word});
    EXPECT_EQ(script.step(60), Words{});
    EXPECT_EQ(script.phase("a"), "checkpointing");
    script.step(61, {late});
    EXPECT_EQ(script.answers[0], EventAnswer::taken) << "a late answer is no mistake";
  }
}

TEST_F(Failures, GentleStepsAreFollowedByTerm) {
  const std::vector<std::pair<VictimAction, std::string>> gentle{
      {kSuspend, "suspend a until 30"}, {kSoftEvict, "mark a"}, {kSignalFirst, "INT a until 30"}};
  for (const auto& [action, text] : gentle) {
    Script script;
    script.acknowledge = false;
    script.commit(order_for("p", {victim("a", action)}));
    EXPECT_EQ(script.step(0), Words{text});
    EXPECT_EQ(script.step(2, {script.fails(text)}), Words{"TERM a until 32"});
    EXPECT_EQ(script.find("a")->state.failures, 1U);
  }
}

TEST_F(Failures, NoKillBeforeGraceEvenWhenTermCouldNotBeSent) {
  begin(kTerminate);
  step(0);
  EXPECT_EQ(step(1, {fails("TERM a until 30")}), Words{});
  EXPECT_EQ(step(29), Words{});
  EXPECT_EQ(step(30), Words{"KILL a until 90"});
  EXPECT_EQ(find("a")->state.failures, 1U);
}

TEST_F(Failures, ATermWithoutAnAnswerCountsOnceWhereGraceIsLonger) {
  VictimOrder a = victim("a", kTerminate);
  a.terms.grace = 200 * kSecond;
  begin(a);
  step(0);
  EXPECT_EQ(step(60), Words{});
  EXPECT_EQ(step(120), Words{});
  EXPECT_EQ(find("a")->state.failures, 1U);
  EXPECT_EQ(step(200), Words{"KILL a until 260"});
}

TEST_F(Failures, EachRetryIsHarsherAndThenTheEntryIsShort) {
  const EntryId id = begin(kSuspend);
  step(0);
  EXPECT_EQ(step(1, {fails("suspend a until 30")}), Words{"TERM a until 31"});
  step(2, {succeeds("TERM a until 31")});
  EXPECT_EQ(step(31), Words{"KILL a until 91"});
  EXPECT_EQ(step(32, {fails("KILL a until 91")}), Words{"terminate a until 92"});
  EXPECT_EQ(step(33, {fails("terminate a until 92")}), Words{"terminate a until 93"});
  EXPECT_EQ(state(id), "waiting");
  EXPECT_EQ(step(34, {fails("terminate a until 93")}), Words{"replan #1"}) << "three retries are over";
  EXPECT_EQ(phase("a"), "stuck");
  EXPECT_EQ(state(id), "short");
}

TEST_F(Failures, KillIsAnsweredByTheReleaseAlone) {
  begin(kTerminate);
  step(0);
  step(30);
  EXPECT_EQ(step(31, {succeeds("KILL a until 90")}), Words{});
  EXPECT_EQ(step(89), Words{});
  EXPECT_EQ(step(90), Words{"terminate a until 150"});
  EXPECT_EQ(step(150), Words{"terminate a until 210"});
}

TEST_F(Failures, WithoutRetriesTheFirstFailureIsTheLast) {
  CommitOrder order = order_for("p", {victim("a", kCheckpoint)});
  order.max_action_retries = 0;
  commit(order);
  step(0);
  EXPECT_EQ(step(1, {fails("checkpoint-hint a until 600")}), Words{"replan #1"});
  EXPECT_EQ(phase("a"), "stuck");
}

TEST_F(Failures, AStuckVictimThatLeavesAfterAllMendsTheEntry) {
  CommitOrder order = order_for("p", {victim("a", kTerminate), victim("b", kCheckpoint)});
  order.max_action_retries = 0;
  commit(order);
  step(0);
  step(1, {fails("TERM a until 30"), succeeds("checkpoint-hint b until 600")});
  EXPECT_EQ(state(), "short");
  EXPECT_EQ(step(2, {exited("a")}), Words{});
  EXPECT_EQ(state(), "waiting") << "short and waiting go back and forth";
  EXPECT_EQ(step(3, {exited("b")}), Words{"start p"});
}

TEST_F(Failures, OneStuckVictimDoesNotStopTheOthers) {
  CommitOrder order = order_for("p", {victim("a", kTerminate), victim("b", kCheckpoint)});
  order.max_action_retries = 0;
  commit(order);
  step(0);
  step(1, {fails("TERM a until 30"), succeeds("checkpoint-hint b until 600")});
  EXPECT_EQ(step(2, {done("b")}), Words{"suspend b until 32"});
}

TEST_F(Failures, ErrandsAreSentAgainAsOftenAsAllowed) {
  CommitOrder order = order_for("p", {victim("a", kTerminate)});
  order.victims[0].terms.requeue = Requeue::always;
  order.max_action_retries = 2;
  commit(order);
  step(0);
  ASSERT_EQ(step(1, {released("a")}), (Words{"requeue a", "start p"}));
  const ActionId first = last[0].id;
  ASSERT_EQ(step(2, {fails("requeue a")}), Words{"requeue a"});
  EXPECT_GT(last[0].id, first) << "no id twice";
  EXPECT_EQ(step(61), Words{}) << "it was sent at 2";
  EXPECT_EQ(step(62), Words{"requeue a"}) << "no answer counts as failed";
  EXPECT_EQ(step(122), Words{});
  EXPECT_FALSE(find("a")->pending_action.open()) << "that was the last time";
  EXPECT_EQ(sequence.metrics().requeues, 1U);
}

TEST_F(Failures, AStartIsNeverSentTwice) {
  commit(order_for("p"));
  EXPECT_EQ(step(0), Words{"start p"});
  EXPECT_EQ(step(1, {fails("start p")}), Words{});
  EXPECT_EQ(step(300), Words{});
  EXPECT_EQ(state(), "ready") << "the hold stays until it expires";
  EXPECT_EQ(step(600), Words{"release-hold #1"});
}

TEST_F(Failures, AStartWithoutAnAnswerIsNotSentAgain) {
  commit(order_for("p"));
  step(0);
  EXPECT_EQ(step(200), Words{});
  EXPECT_EQ(step(201, {started("p")}), Words{"release-hold #1"});
}

TEST_F(Failures, UnknownEventsAreCountedAndHarmless) {
  begin(kTerminate);
  step(0);
  const std::vector<Event> unknown{exited("x"),
                                   released("a", "t9"),
                                   done("a"),
                                   progress("a"),
                                   defer("a", 10),
                                   failed("a"),
                                   started("a"),
                                   cancelled("x"),
                                   node_down("n-x"),
                                   node_up("n-p"),
                                   claim_done(1),
                                   claim_done(99),
                                   answer(EventKind::action_done, 4711),
                                   answer(EventKind::action_failed, 0)};
  EXPECT_EQ(step(1, unknown), Words{});
  for (std::size_t i = 0; i < unknown.size(); ++i) EXPECT_EQ(answers[i], EventAnswer::ignored) << i;
  EXPECT_EQ(sequence.metrics().ignored_events, unknown.size());
  EXPECT_EQ(phase("a"), "terminating");
}

}  // namespace
}  // namespace cede
