// SPDX-License-Identifier: MIT
#include "sequence/step_run.h"

#include "sequence_script.h"

// Every transition of a victim, as the manager sees it: actions out, events in.
namespace cede {
namespace {

// One requester `p` and victims under the defaults: 10m for a checkpoint, 30s grace, always requeued.
class StepEvents : public testing::Test, public Script {
 protected:
  EntryId begin(VictimAction action, std::vector<std::string> tasks = {"t0"}) {
    return begin(victim("a", action, tasks));
  }
  EntryId begin(VictimOrder order) {
    order.terms.requeue = Requeue::always;
    return commit(order_for("p", {std::move(order)}));
  }
};

TEST_F(StepEvents, CommitListsNothingAndTheFirstStepStartsAllVictims) {
  commit(order_for("p", {victim("a", kCheckpoint), victim("b", kTerminate), victim("c", kSuspend)}));
  EXPECT_EQ(state(), "preparing");
  EXPECT_EQ(sequence.next_due(), Ledger::kAtOnce);
  EXPECT_EQ(step(0), (Words{"checkpoint-hint a until 600", "TERM b until 30", "suspend c until 30"}));
  EXPECT_EQ(state(), "waiting");
  EXPECT_EQ(sequence.next_due(), at(30));
}

TEST_F(StepEvents, CheckpointDoneStopsAndReleasesSuspended) {
  begin(kCheckpoint);
  step(0);
  EXPECT_EQ(step(100, {done("a", "t0")}), Words{"suspend a until 130"});
  EXPECT_EQ(phase("a"), "stopping");
  acknowledge = false;
  EXPECT_EQ(step(110, {released("a", "t0")}), (Words{"requeue a to resume", "start p"}));
  EXPECT_EQ(release("a"), "saved");
  EXPECT_EQ(preemptions(), 1U);
}

TEST_F(StepEvents, RequeueKeepsTheSubmissionAndCountsOneMore) {
  VictimOrder a = victim("a", kCheckpoint);
  a.waits_for_owner = true;
  begin(a);
  step(0);
  step(10, {done("a")});
  acknowledge = false;
  step(20, {released("a")});
  ASSERT_FALSE(last.empty());
  const Action& requeue = last[0];
  EXPECT_EQ(requeue.kind, ActionKind::requeue);
  EXPECT_TRUE(requeue.resume);
  EXPECT_TRUE(requeue.waits_for_owner);
  EXPECT_EQ(requeue.submitted, at(-1000));
  EXPECT_EQ(requeue.preempted_count, 3U);
  EXPECT_EQ(requeue.waiting_since, at(20));
  EXPECT_EQ(sequence.metrics().requeues, 1U);
}

TEST_F(StepEvents, EveryActionThatEndsAVictimHasRequesterCauseTimeAndPlan) {
  begin(kTerminate, {"t0", "t1"});
  step(0);
  ASSERT_EQ(last.size(), 1U);
  EXPECT_EQ(last[0].preemptor, "p");
  EXPECT_EQ(last[0].cause, "priority");
  EXPECT_EQ(last[0].deadline, at(30));
  EXPECT_EQ(last[0].plan, 7U);
  EXPECT_EQ(last[0].revision, 3U);
  EXPECT_EQ(last[0].tasks, (std::vector<std::string>{"t0", "t1"}));
  EXPECT_EQ(last[0].entry, 1U);
}

TEST_F(StepEvents, ACheckpointCountsOnlyWhenEveryTaskSaysDone) {
  begin(kCheckpoint, {"t0", "t1"});
  step(0);
  EXPECT_EQ(step(10, {done("a", "t1")}), Words{});
  EXPECT_EQ(step(11, {done("a", "t1")}), Words{}) << "the same task twice is one task";
  EXPECT_EQ(answers[0], EventAnswer::ignored);
  EXPECT_EQ(phase("a"), "checkpointing");
  EXPECT_EQ(step(12, {done("a", "t0")}), Words{"suspend a until 42"});
}

TEST_F(StepEvents, OneFailedTaskFailsTheCheckpoint) {
  begin(kCheckpoint, {"t0", "t1"});
  step(0);
  step(10, {done("a", "t0")});
  EXPECT_EQ(step(11, {failed("a", "t1")}), Words{"TERM a until 41"});
  EXPECT_EQ(sequence.metrics().failed_checkpoints, 1U);
  step(12, {released("a")});
  EXPECT_EQ(release("a"), "failed");
}

TEST_F(StepEvents, AFailedCheckpointReleasesAsFailedAndRequeuesWithoutResume) {
  begin(kCheckpoint);
  step(0);
  step(10, {failed("a")});
  acknowledge = false;
  EXPECT_EQ(step(11, {exited("a")}), (Words{"requeue a", "start p"}));
  EXPECT_EQ(release("a"), "failed");
  EXPECT_EQ(preemptions(), 1U);
}

TEST_F(StepEvents, AnEarlierCheckpointLetsItResumeAllTheSame) {
  VictimOrder a = victim("a", kTerminate);
  a.terms.has_checkpoint = true;
  begin(a);
  step(0);
  acknowledge = false;
  EXPECT_EQ(step(1, {released("a")}), (Words{"requeue a to resume", "start p"}));
  EXPECT_EQ(release("a"), "terminated");
}

TEST_F(StepEvents, SilenceAtTheTimeoutTerminates) {
  begin(kCheckpoint);
  step(0);
  EXPECT_EQ(step(599), Words{});
  EXPECT_EQ(step(600), Words{"TERM a until 630"});
  EXPECT_EQ(step(629), Words{});
  EXPECT_EQ(step(630), Words{"KILL a until 690"});
  acknowledge = false;
  step(631, {exited("a")});
  EXPECT_EQ(release("a"), "failed");
  EXPECT_EQ(sequence.metrics().failed_checkpoints, 1U);
}

TEST_F(StepEvents, ProgressExtendsOnceByHalf) {
  begin(kCheckpoint);
  step(0);
  step(300, {progress("a")});
  EXPECT_EQ(step(600), Words{});
  EXPECT_EQ(find("a")->state.deadline, at(900));
  step(700, {progress("a")});
  EXPECT_EQ(step(899), Words{});
  EXPECT_EQ(step(900), Words{"TERM a until 930"}) << "once only, whatever progress there was";
  EXPECT_EQ(sequence.metrics().failed_checkpoints, 1U);
}

TEST_F(StepEvents, TheExtensionIsThePolicys) {
  VictimOrder a = victim("a", kCheckpoint);
  a.terms.timeout_extension = 1000;
  a.terms.checkpoint_timeout = 100 * kSecond;
  begin(a);
  step(0);
  step(50, {progress("a")});
  step(100);
  EXPECT_EQ(find("a")->state.deadline, at(200));
}

TEST_F(StepEvents, DoneDuringTheExtensionCounts) {
  begin(kCheckpoint);
  step(0);
  step(1, {progress("a")});
  step(600);
  EXPECT_EQ(step(890, {done("a")}), Words{"suspend a until 920"});
}

TEST_F(StepEvents, DoneInTheStepOfTheTimeoutCounts) {
  begin(kCheckpoint);
  step(0);
  EXPECT_EQ(step(600, {done("a")}), Words{"suspend a until 630"});
}

TEST_F(StepEvents, DeferralPausesTheTimeoutAndIsNoSecondHint) {
  begin(kCheckpoint);
  step(0);
  EXPECT_EQ(step(100, {defer("a", 60)}), Words{});
  EXPECT_EQ(find("a")->state.deadline, at(660));
  EXPECT_EQ(find("a")->state.paused_until, at(160));
  EXPECT_EQ(step(659), Words{});
  EXPECT_EQ(step(660), Words{"TERM a until 690"});
}

TEST_F(StepEvents, DeferralsAddUpToTheLimitAndThenForce) {
  begin(kCheckpoint);
  step(0);
  step(100, {defer("a", 200)});
  step(400, {defer("a", 200)});
  EXPECT_EQ(find("a")->state.deferred, 300 * kSecond) << "max_deferral is 5m";
  EXPECT_EQ(find("a")->state.deadline, at(900));
  step(850, {defer("a", 1000)});
  EXPECT_EQ(answers[0], EventAnswer::taken);
  EXPECT_EQ(step(900), Words{"TERM a until 930"});
}

TEST_F(StepEvents, AskingAgainDuringADeferralCountsFromThen) {
  begin(kCheckpoint);
  step(0);
  step(0, {defer("a", 100)});
  step(50, {defer("a", 40)});
  EXPECT_EQ(find("a")->state.paused_until, at(100)) << "it was deferred for longer already";
  step(60, {defer("a", 100)});
  EXPECT_EQ(find("a")->state.paused_until, at(160));
  EXPECT_EQ(find("a")->state.deferred, 160 * kSecond);
  EXPECT_EQ(find("a")->state.deadline, at(760));
}

TEST_F(StepEvents, DeferralOfNothingOrLessChangesNothing) {
  begin(kCheckpoint);
  step(0);
  step(1, {defer("a", 0), defer("a", -5)});
  EXPECT_EQ(find("a")->state.deadline, at(600));
}

TEST_F(StepEvents, StoppingLastsAtMostGraceAndTheVictimIsStillSuspended) {
  begin(kCheckpoint);
  step(0);
  step(10, {done("a")});
  EXPECT_EQ(step(39), Words{});
  EXPECT_EQ(step(40), Words{"TERM a until 70"});
  EXPECT_EQ(step(69), Words{});
  EXPECT_EQ(step(70), Words{"KILL a until 130"});
  acknowledge = false;
  EXPECT_EQ(step(71, {released("a")}), (Words{"requeue a to resume", "start p"}));
  EXPECT_EQ(release("a"), "saved");
  EXPECT_EQ(sequence.metrics().failed_checkpoints, 0U);
}

TEST_F(StepEvents, SuspendStopsAndKeeps) {
  VictimOrder a = victim("a", kSuspend);
  a.terms.keep_local = true;
  begin(a);
  ASSERT_EQ(step(0), Words{"suspend a until 30"});
  EXPECT_TRUE(last[0].keep_local);
  acknowledge = false;
  ASSERT_EQ(step(5, {released("a")}), (Words{"requeue a to resume", "start p"}));
  EXPECT_TRUE(last[0].keep_local);
  EXPECT_EQ(release("a"), "saved");
}

TEST_F(StepEvents, SuspendThatKeepsNothingHasNothingToResumeFrom) {
  begin(kSuspend);
  step(0);
  acknowledge = false;
  EXPECT_EQ(step(5, {released("a")}), (Words{"requeue a", "start p"}));
  EXPECT_EQ(release("a"), "terminated");
}

TEST_F(StepEvents, ASuspendThatTakesTooLongIsForcedAndTerminated) {
  begin(kSuspend);
  step(0);
  EXPECT_EQ(step(30), Words{"TERM a until 60"});
  EXPECT_EQ(step(60), Words{"KILL a until 120"});
  acknowledge = false;
  step(61, {released("a")});
  EXPECT_EQ(release("a"), "terminated");
}

TEST_F(StepEvents, TerminateIsTermGraceKill) {
  begin(kTerminate);
  EXPECT_EQ(step(0), Words{"TERM a until 30"});
  EXPECT_EQ(step(29), Words{});
  EXPECT_EQ(step(30), Words{"KILL a until 90"});
  acknowledge = false;
  EXPECT_EQ(step(31, {released("a", "t0")}), (Words{"requeue a", "start p"}));
  EXPECT_EQ(release("a"), "terminated");
}

TEST_F(StepEvents, SoftEvictionMarksAndWaitsForEver) {
  const EntryId id = begin(kSoftEvict);
  ASSERT_EQ(step(0), Words{"mark a"});
  EXPECT_EQ(last[0].preemptor, "p");
  EXPECT_EQ(sequence.next_due(), kNoTime);
  EXPECT_EQ(step(365 * 86400), Words{});
  EXPECT_EQ(state(id), "waiting") << "no entry_timeout either";
  acknowledge = false;
  step(365 * 86400 + 1, {released("a")});
  EXPECT_EQ(release("a"), "terminated");
  EXPECT_EQ(state(id), "ready");
}

TEST_F(StepEvents, SoftEvictionEndsAtItsTimeoutWithTerminate) {
  VictimOrder a = victim("a", kSoftEvict);
  a.terms.soft_evict_timeout = 120 * kSecond;
  begin(a);
  EXPECT_EQ(step(0), Words{"mark a until 120"});
  EXPECT_EQ(step(119), Words{});
  EXPECT_EQ(step(120), Words{"TERM a until 150"});
}

TEST_F(StepEvents, AMarkedVictimThatSomeoneDeletesWasTerminated) {
  begin(kSoftEvict);
  step(0);
  acknowledge = false;
  step(5, {cancelled("a")});
  EXPECT_EQ(release("a"), "terminated");
  EXPECT_EQ(preemptions(), 1U);
}

TEST_F(StepEvents, AMarkedVictimThatFinishesByItselfWasNotPreempted) {
  begin(kSoftEvict);
  step(0);
  acknowledge = false;
  EXPECT_EQ(step(5, {exited("a")}), Words{"start p"});
  EXPECT_EQ(release("a"), "completed");
  EXPECT_EQ(preemptions(), 0U);
}

TEST_F(StepEvents, SignalFirstInterruptsThenTerminates) {
  VictimOrder a = victim("a", kSignalFirst);
  a.terms.signal_timeout = 45 * kSecond;
  begin(a);
  EXPECT_EQ(step(0), Words{"INT a until 45"});
  EXPECT_EQ(step(44), Words{});
  EXPECT_EQ(step(45), Words{"TERM a until 75"});
  EXPECT_EQ(step(75), Words{"KILL a until 135"});
}

TEST_F(StepEvents, AnInterruptedVictimThatEndsWasTerminated) {
  begin(kSignalFirst);
  step(0);
  acknowledge = false;
  step(10, {exited("a")});
  EXPECT_EQ(release("a"), "terminated");
  EXPECT_EQ(preemptions(), 1U);
}

TEST_F(StepEvents, AnExitWhileCheckpointingIsTheJobsOwn) {
  begin(kCheckpoint);
  step(0);
  acknowledge = false;
  EXPECT_EQ(step(5, {exited("a")}), Words{"start p"}) << "nothing to requeue";
  EXPECT_EQ(release("a"), "completed");
  EXPECT_EQ(preemptions(), 0U);
  EXPECT_EQ(sequence.metrics().failed_checkpoints, 0U);
  EXPECT_TRUE(sequence.metrics().lost_work.empty());
}

TEST_F(StepEvents, AnExitBeforeTheFirstStepIsTheJobsOwn) {
  begin(kTerminate);
  acknowledge = false;
  EXPECT_EQ(step(0, {exited("a")}), Words{"start p"});
  EXPECT_EQ(release("a"), "completed");
}

TEST_F(StepEvents, AVictimCancelledByItsOwnerIsNotRequeued) {
  begin(kTerminate);
  step(0);
  acknowledge = false;
  EXPECT_EQ(step(5, {cancelled("a")}), Words{"start p"});
  EXPECT_EQ(release("a"), "completed");
  EXPECT_EQ(preemptions(), 0U);
}

TEST_F(StepEvents, ALostNodeReleasesWithoutPreemption) {
  begin(kCheckpoint);
  step(0);
  acknowledge = false;
  EXPECT_EQ(step(5, {node_down("n-a")}), Words{"start p"});
  EXPECT_EQ(release("a"), "lost");
  EXPECT_EQ(preemptions(), 0U);
}

TEST_F(StepEvents, ALostNodeOfAVictimThatHasSavedIsASuspension) {
  begin(kCheckpoint);
  step(0);
  step(5, {done("a")});
  acknowledge = false;
  EXPECT_EQ(step(6, {node_down("n-a")}), (Words{"requeue a to resume", "start p"}));
  EXPECT_EQ(release("a"), "saved");
}

TEST_F(StepEvents, ALostNodeOfAVictimBeingSuspendedLeavesNothingToResume) {
  VictimOrder a = victim("a", kSuspend);
  a.terms.keep_local = true;
  begin(a);
  step(0);
  acknowledge = false;
  EXPECT_EQ(step(5, {node_down("n-a")}), (Words{"requeue a", "start p"}));
  EXPECT_EQ(release("a"), "terminated");
}

TEST_F(StepEvents, ATaskLostWithItsNodeFailsTheCheckpointOfTheOthers) {
  begin(kCheckpoint, {"t0", "t1"});
  step(0);
  ASSERT_EQ(step(5, {node_down("n-a1")}), Words{"TERM a until 35"});
  EXPECT_EQ(last[0].tasks, std::vector<std::string>{"t0"}) << "only what is left";
  acknowledge = false;
  step(6, {released("a", "t0")});
  EXPECT_EQ(release("a"), "failed");
}

TEST_F(StepEvents, ATaskLostBeforeTheFirstStepMakesAHintPointless) {
  begin(kCheckpoint, {"t0", "t1"});
  EXPECT_EQ(step(0, {node_down("n-a1")}), Words{"TERM a until 30"});
  EXPECT_EQ(sequence.metrics().failed_checkpoints, 1U);
}

TEST_F(StepEvents, ATaskLostAfterItSaidDoneDoesNotHurt) {
  begin(kCheckpoint, {"t0", "t1"});
  step(0);
  step(5, {done("a", "t1")});
  EXPECT_EQ(step(6, {node_down("n-a1")}), Words{});
  EXPECT_EQ(step(7, {done("a", "t0")}), Words{"suspend a until 37"});
}

TEST_F(StepEvents, ATaskThatLeavesByItselfLetsTheOthersSpeakFirst) {
  begin(kCheckpoint, {"t0", "t1", "t2"});
  step(0);
  EXPECT_EQ(step(5, {released("a", "t1")}), Words{});
  EXPECT_EQ(step(6, {done("a", "t0")}), Words{});
  EXPECT_EQ(step(7, {done("a", "t2")}), Words{"TERM a until 37"}) << "not every task said done";
}

TEST_F(StepEvents, TasksThatAllLeaveByThemselvesHaveCompleted) {
  begin(kCheckpoint, {"t0", "t1"});
  step(0);
  acknowledge = false;
  step(5, {released("a", "t1")});
  EXPECT_EQ(step(6, {released("a", "t0")}), Words{"start p"});
  EXPECT_EQ(release("a"), "completed");
}

TEST_F(StepEvents, AVictimIsReleasedWithItsLastTask) {
  begin(kTerminate, {"t0", "t1"});
  step(0);
  EXPECT_EQ(step(5, {released("a", "t1")}), Words{});
  EXPECT_EQ(phase("a"), "terminating");
  acknowledge = false;
  ASSERT_EQ(step(6, {released("a", "t0")}), (Words{"requeue a", "start p"}));
  EXPECT_EQ(last[0].tasks.size(), 2U) << "all of it waits again";
}

TEST_F(StepEvents, ThePolicyDecidesWhichVictimsAreRequeued) {
  for (const Requeue requeue : {Requeue::always, Requeue::saved, Requeue::never}) {
    for (const bool saved : {true, false}) {
      Script script;
      VictimOrder a = victim("a", kCheckpoint);
      a.terms.requeue = requeue;
      script.commit(order_for("p", {a}));
      script.step(0);
      script.step(1, {saved ? done("a") : failed("a")});
      const bool expected = requeue == Requeue::always || (requeue == Requeue::saved && saved);
      script.acknowledge = false;
      EXPECT_EQ(script.step(2, {released("a")}).size(), expected ? 2U : 1U);
      EXPECT_EQ(script.sequence.metrics().requeues, expected ? 1U : 0U);
      EXPECT_EQ(script.preemptions(), 1U);
    }
  }
}

}  // namespace
}  // namespace cede
