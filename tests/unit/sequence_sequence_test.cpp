// SPDX-License-Identifier: MIT
#include "sequence/sequence.h"

#include "sequence_script.h"

// Entries from commit to start.
namespace cede {
namespace {

class Entries : public testing::Test, public Script {
 protected:
  std::string refusal(CommitOrder order) {
    std::string why;
    EXPECT_EQ(sequence.commit(std::move(order), at(0), why), kNoEntry);
    EXPECT_NE(why, "");
    return why;
  }
  // An entry of job `p` whose victim `a` cannot be removed, at second 1.
  EntryId make_short(std::vector<VictimOrder> others = {}) {
    std::vector<VictimOrder> victims{victim("a", kTerminate)};
    victims.insert(victims.end(), others.begin(), others.end());
    CommitOrder order = order_for("p", victims);
    order.max_action_retries = 0;
    const EntryId id = commit(order);
    acknowledge = false;
    step(0);
    std::vector<Event> answers{fails("TERM a until 30")};
    for (const Action& action : last) {
      if (action.job != "a") answers.push_back(answer(EventKind::action_done, action.id));
    }
    EXPECT_EQ(step(1, answers), Words{"replan #" + std::to_string(id)});
    EXPECT_EQ(state(id), "short");
    return id;
  }
};

CommitOrder claim(std::vector<VictimOrder> victims) {
  CommitOrder order = order_for("root.own", std::move(victims));
  order.requester.kind = RequesterKind::claim;
  order.cause = "reclaim";
  order.placement[0].whole_node = true;
  return order;
}

CommitOrder relief(std::vector<VictimOrder> victims) {
  CommitOrder order = order_for("node:n-a", std::move(victims));
  order.requester.kind = RequesterKind::relief;
  order.placement.clear();
  order.cause = "overcommit";
  return order;
}

TEST_F(Entries, APlanThatFitsIsReadyAtOnce) {
  commit(order_for("p"));
  EXPECT_EQ(state(), "ready");
  ASSERT_EQ(step(0), Words{"start p"});
  ASSERT_EQ(last[0].placement.size(), 1U);
  EXPECT_EQ(last[0].placement[0].node, "n-p");
  EXPECT_EQ(last[0].deadline, at(600));
  EXPECT_EQ(step(5), Words{});
  EXPECT_EQ(step(6, {started("p")}), Words{"release-hold #1"});
  EXPECT_EQ(state(), "gone");
  EXPECT_EQ(sequence.live_entry("p"), kNoEntry);
}

TEST_F(Entries, AllVictimsMustBeReleasedBeforeTheOneStart) {
  commit(order_for("p", {victim("a", kTerminate), victim("b", kTerminate)}));
  step(0);
  EXPECT_EQ(step(1, {released("a")}), Words{});
  EXPECT_EQ(state(), "waiting");
  EXPECT_EQ(step(2, {exited("b")}), Words{"start p"});
  EXPECT_EQ(state(), "ready");
  EXPECT_EQ(step(3), Words{});
}

TEST_F(Entries, AHoldExpires) {
  commit(order_for("p", {victim("a", kTerminate)}));
  step(0);
  step(10, {released("a")});
  EXPECT_EQ(step(609), Words{});
  EXPECT_EQ(sequence.metrics().holds, 1U);
  EXPECT_EQ(step(610), Words{"release-hold #1"}) << "ten minutes after ready";
  EXPECT_EQ(sequence.metrics().holds_expired, 1U);
  EXPECT_EQ(sequence.metrics().holds, 0U);
  EXPECT_EQ(sequence.live_entry("p"), kNoEntry);
}

TEST_F(Entries, AStartInTheStepOfTheExpiryCounts) {
  commit(order_for("p"));
  step(0);
  EXPECT_EQ(step(600, {started("p")}), Words{"release-hold #1"});
  EXPECT_EQ(sequence.metrics().holds_expired, 0U);
}

TEST_F(Entries, AHoldThatExpiredBeforeTheFirstStepStartsNoJob) {
  commit(order_for("p"));
  EXPECT_EQ(step(700), Words{"release-hold #1"});
}

TEST_F(Entries, TheEntryTimeoutFailsTheEntryAndVictimsFinish) {
  CommitOrder order = order_for("p", {victim("a", kCheckpoint), victim("b", kTerminate)});
  order.entry_timeout = 20 * kSecond;
  order.victims[0].terms.requeue = Requeue::always;
  commit(order);
  step(0);
  EXPECT_EQ(step(19), Words{});
  EXPECT_EQ(step(20), Words{"release-hold #1"});
  EXPECT_EQ(state(), "failed");
  EXPECT_EQ(step(21, {done("a")}), Words{"suspend a until 51"});
  EXPECT_EQ(step(22, {released("a")}), Words{"requeue a to resume"});
  EXPECT_EQ(step(30), Words{"KILL b until 90"});
  EXPECT_TRUE(sequence.is_held("b", "t0"));
  step(31, {exited("b")});
  EXPECT_EQ(state(), "gone");
  EXPECT_EQ(preemptions(), 2U);
}

TEST_F(Entries, TheEntryTimeoutIsNeverBeforeTheLatestStart) {
  CommitOrder order = order_for("p", {victim("a", kCheckpoint)});
  order.entry_timeout = 20 * kSecond;
  order.latest_start = at(1000);
  commit(order);
  step(0);
  step(1, {defer("a", 300)});
  step(2, {progress("a")});
  EXPECT_EQ(step(999), Words{});
  EXPECT_EQ(state(), "waiting");
  EXPECT_EQ(step(1000), Words{"release-hold #1"});
}

TEST_F(Entries, VictimsGoneInTheStepOfTheEntryTimeoutCount) {
  CommitOrder order = order_for("p", {victim("a", kTerminate)});
  order.entry_timeout = 20 * kSecond;
  commit(order);
  step(0);
  EXPECT_EQ(step(20, {released("a")}), Words{"start p"});
}

TEST_F(Entries, ASoftEvictedVictimWithATimeoutBoundsTheEntryToo) {
  CommitOrder order = order_for("p", {victim("a", kSoftEvict)});
  order.victims[0].terms.soft_evict_timeout = 2 * kHour;
  order.latest_start = at(7230);
  commit(order);
  step(0);
  EXPECT_EQ(sequence.ledger().find(1)->clock.deadline, at(7230));
}

TEST_F(Entries, ACancelledRequesterSparesVictimsThatCanStillRunOn) {
  CommitOrder order =
      order_for("p", {victim("a", kCheckpoint), victim("b", kTerminate), victim("c", kSoftEvict),
                      victim("d", kSignalFirst), victim("e", kCheckpoint)});
  for (VictimOrder& each : order.victims) each.terms.requeue = Requeue::always;
  commit(order);
  step(0);
  step(5, {done("e")});
  EXPECT_EQ(step(10, {cancelled("p")}), (Words{"release-hold #1", "cancel-hint a", "cancel-hint c"}));
  EXPECT_EQ(state(), "cancelled");
  EXPECT_FALSE(sequence.is_held("a", "t0")) << "it runs on and may be taken again";
  EXPECT_TRUE(sequence.is_held("b", "t0"));
  EXPECT_EQ(step(11, {released("b"), released("d"), released("e")}),
            (Words{"requeue b", "requeue d", "requeue e to resume"}));
  EXPECT_EQ(state(), "gone");
  EXPECT_EQ(step(12, {done("a")}), Words{});
  EXPECT_EQ(answers[0], EventAnswer::ignored);
  EXPECT_EQ(preemptions(), 3U);
}

TEST_F(Entries, TheRequesterFinishingElsewhereIsACancellation) {
  for (const Event& elsewhere : {started("p"), exited("p"), cancelled("p")}) {
    Script script;
    script.commit(order_for("p", {victim("a", kCheckpoint)}));
    script.step(0);
    EXPECT_EQ(script.step(1, {elsewhere}), (Words{"release-hold #1", "cancel-hint a"}));
    EXPECT_EQ(script.state(), "gone");
  }
}

TEST_F(Entries, CancelledBeforeTheFirstStepItsVictimGetsNoAction) {
  commit(order_for("p", {victim("a", kCheckpoint)}));
  EXPECT_EQ(step(0, {cancelled("p")}), Words{"release-hold #1"});
  EXPECT_EQ(state(), "gone");
}

TEST_F(Entries, AnOperatorsCancelEndsTheEntryAtOnce) {
  const EntryId id = commit(order_for("p", {victim("a", kCheckpoint)}));
  step(0);
  std::string why;
  EXPECT_TRUE(sequence.cancel(id, at(5), why)) << why;
  EXPECT_EQ(state(id), "cancelled");
  EXPECT_EQ(sequence.live_entry("p"), kNoEntry) << "at once, not with the next step";
  EXPECT_FALSE(sequence.is_held("a", "t0"));
  EXPECT_FALSE(sequence.cancel(id, at(5), why));
  EXPECT_EQ(why, "entry 1 is cancelled already");
  EXPECT_EQ(step(6), (Words{"release-hold #1", "cancel-hint a"}));
  EXPECT_FALSE(sequence.cancel(id, at(7), why));
  EXPECT_EQ(why, "entry 1 is not in the ledger");
}

TEST_F(Entries, ACancelledReadyEntryWithdrawsItsStart) {
  const EntryId id = commit(order_for("p"));
  std::string why;
  EXPECT_TRUE(sequence.cancel(id, at(0), why));
  EXPECT_EQ(step(1), Words{"release-hold #1"}) << "start was never listed and never is";
}

TEST_F(Entries, AMissedStartIsSeenInTheExit) {
  commit(order_for("p"));
  acknowledge = false;
  step(0);
  step(5, {exited("p")});
  EXPECT_EQ(state(), "started");
}

// ---- claims and relief ----------------------------------------------------------------------------------

TEST_F(Entries, AClaimIsAnnouncedAndDoesNotExpire) {
  const EntryId id = commit(claim({victim("a", kTerminate)}));
  step(0);
  ASSERT_EQ(step(5, {released("a")}), Words{"claim-ready #1"});
  const Action& ready = last.back();
  ASSERT_EQ(ready.placement.size(), 1U);
  EXPECT_TRUE(ready.placement[0].whole_node);
  EXPECT_EQ(ready.preemptor, "root.own");
  EXPECT_EQ(ready.requester, RequesterKind::claim);
  EXPECT_EQ(step(365 * 86400), Words{});
  EXPECT_EQ(state(id), "ready");
  EXPECT_EQ(step(365 * 86400 + 1, {claim_done(id)}), Words{"release-hold #1"});
  EXPECT_EQ(state(id), "gone");
}

TEST_F(Entries, AClaimThatIsNotWantedAnyMoreSparesItsVictims) {
  const EntryId id = commit(claim({victim("a", kCheckpoint)}));
  step(0);
  EXPECT_EQ(step(5, {claim_done(id)}), (Words{"release-hold #1", "cancel-hint a"}));
}

TEST_F(Entries, AnUnansweredClaimIsAnnouncedAgain) {
  commit(claim({victim("a", kTerminate)}));
  acknowledge = false;
  step(0);
  step(1, {released("a")});
  EXPECT_EQ(step(61), Words{"claim-ready #1"});
}

TEST_F(Entries, TwoClaimsOfOneQueueAreTwoEntries) {
  EXPECT_EQ(commit(claim({victim("a", kTerminate)})), 1U);
  EXPECT_EQ(commit(claim({victim("b", kTerminate)})), 2U);
}

TEST_F(Entries, ReliefHoldsAndStartsNothing) {
  commit(relief({victim("a", kTerminate)}));
  EXPECT_TRUE(sequence.holds().empty());
  ASSERT_EQ(step(0), Words{"TERM a until 30"});
  EXPECT_EQ(last[0].preemptor, "node:n-a");
  EXPECT_EQ(last[0].requester, RequesterKind::relief);
  EXPECT_EQ(step(1, {released("a")}), Words{});
  EXPECT_EQ(state(), "gone");
  EXPECT_EQ(sequence.metrics().preemptions.at({"root.low", "overcommit"}), 1U);
}

// ---- short entries --------------------------------------------------------------------------------------

TEST_F(Entries, AShortEntryIsExtendedAndStarts) {
  const EntryId id = make_short();
  CommitOrder more = order_for("p", {victim("b", kTerminate)});
  more.plan = 8;
  std::string why;
  EXPECT_TRUE(sequence.extend(id, more, at(5), why)) << why;
  EXPECT_EQ(state(id), "waiting");
  ASSERT_EQ(step(5), Words{"TERM b until 35"});
  EXPECT_EQ(last[0].plan, 8U);
  EXPECT_TRUE(sequence.is_held("a", "t0")) << "no other entry tries it";
  EXPECT_EQ(step(6, {released("b")}), Words{"start p"}) << "one bad victim never wedges the rest";
  EXPECT_EQ(step(7, {succeeds("gone b terminated"), started("p")}), Words{"release-hold #1"});
  step(8, {succeeds("release-hold #1")});
  EXPECT_EQ(state(id), "started") << "the bad victim is still on its way";
  step(9, {exited("a")});
  step(10, {succeeds("gone a terminated")});
  EXPECT_EQ(state(id), "gone");
}

TEST_F(Entries, AnExtensionWithoutVictimsMayBeReadyAtOnce) {
  const EntryId id = make_short();
  std::string why;
  EXPECT_TRUE(sequence.extend(id, order_for("p"), at(5), why)) << why;
  EXPECT_EQ(state(id), "ready");
  EXPECT_EQ(step(5), Words{"start p"});
}

TEST_F(Entries, AnExtendedEntryWaitsForItsOtherOldVictims) {
  const EntryId id = make_short({victim("b", kCheckpoint)});
  std::string why;
  EXPECT_TRUE(sequence.extend(id, order_for("p"), at(5), why)) << why;
  EXPECT_EQ(step(5), Words{});
  EXPECT_EQ(step(6, {exited("b")}), Words{"start p"});
}

TEST_F(Entries, OnlyAShortEntryIsExtendedAndOnlyForItsRequester) {
  const EntryId id = commit(order_for("q", {victim("z", kTerminate)}));
  std::string why;
  EXPECT_FALSE(sequence.extend(id, order_for("q"), at(1), why));
  EXPECT_EQ(why, "entry 1 is preparing; only a short one is planned anew");
  EXPECT_FALSE(sequence.extend(77, order_for("q"), at(1), why));
  EXPECT_EQ(why, "entry 77 is not in the ledger");
  const EntryId other = make_short();
  EXPECT_FALSE(sequence.extend(other, order_for("q"), at(1), why));
  EXPECT_EQ(why, "entry 2 is for 'p', not for 'q'");
  EXPECT_FALSE(sequence.extend(other, order_for("p", {victim("a", kTerminate)}), at(1), why));
  EXPECT_EQ(why, "victims[0]: task 't0' of job 'a' is held by entry 2");
  EXPECT_EQ(state(other), "short");
}

TEST_F(Entries, GivingUpAShortEntryReleasesItsHoldAndSparesTheOthers) {
  const EntryId id = make_short({victim("b", kCheckpoint)});
  std::string why;
  EXPECT_TRUE(sequence.give_up(id, at(2), why)) << why;
  EXPECT_EQ(state(id), "failed");
  EXPECT_EQ(step(2), (Words{"release-hold #1", "cancel-hint b"}));
  EXPECT_FALSE(sequence.give_up(id, at(2), why));
  EXPECT_EQ(why, "entry 1 is failed; only a short one is given up");
}

TEST_F(Entries, AShortEntryWithoutANewPlanFailsAtItsTimeout) {
  const EntryId id = make_short();
  step(2, {succeeds("replan #1")});
  EXPECT_EQ(step(3599), Words{});
  EXPECT_EQ(step(3600), Words{"release-hold #1"});
  EXPECT_EQ(state(id), "failed");
}

TEST_F(Entries, AReplanWithoutAnAnswerIsAskedAgain) {
  make_short();
  EXPECT_EQ(step(60), Words{});
  EXPECT_EQ(step(61), Words{}) << "this entry allows no retries";
  Script patient;
  patient.acknowledge = false;
  CommitOrder order = order_for("p", {victim("a", kTerminate)});
  order.max_action_retries = 1;
  patient.commit(order);
  patient.step(0);
  patient.step(30);
  patient.step(90);
  EXPECT_EQ(patient.step(150), Words{"replan #1"});
  EXPECT_EQ(patient.step(210), Words{"replan #1"});
  EXPECT_EQ(patient.step(270), Words{});
}

TEST_F(Entries, ANodeOfThePlacementThatGoesDownMakesTheEntryShort) {
  const EntryId id = commit(order_for("p", {victim("a", kCheckpoint)}));
  step(0);
  EXPECT_EQ(step(1, {node_down("n-p")}), Words{"replan #1"});
  EXPECT_EQ(state(id), "short");
  EXPECT_EQ(step(2, {node_down("n-p")}), Words{});
  EXPECT_EQ(answers[0], EventAnswer::ignored);
  EXPECT_EQ(step(3, {exited("a")}), Words{});
  EXPECT_EQ(state(id), "short") << "there is nowhere to start";
  EXPECT_EQ(step(4, {node_up("n-p")}), Words{"start p"});
}

TEST_F(Entries, ANodeThatGoesDownOnceReadyMakesTheEntryShort) {
  commit(order_for("p"));
  step(0);
  EXPECT_EQ(step(1, {node_down("n-p")}), Words{"replan #1"});
  EXPECT_EQ(answers[0], EventAnswer::taken);
  EXPECT_EQ(state(), "short");
  EXPECT_EQ(step(2, {node_up("n-p")}), Words{"start p"}) << "a new start: the first one is void";
  EXPECT_EQ(state(), "ready");
}

// ---- holds that are taken -------------------------------------------------------------------------------

CommitOrder taking(const std::string& job, EntryId hold, std::vector<VictimOrder> victims = {}) {
  VictimOrder taken;
  taken.hold = hold;
  victims.push_back(taken);
  return order_for(job, victims);
}

TEST_F(Entries, AStrongerPlanTakesAHoldWithItsVictims) {
  const EntryId weak = commit(order_for("p", {victim("a", kCheckpoint), victim("b", kTerminate)}));
  step(0);
  step(1, {released("b")});
  const EntryId strong = commit(taking("q", weak), 5);
  EXPECT_EQ(state(weak), "short");
  EXPECT_EQ(sequence.ledger().holder_of("a", "t0"), strong) << "never in two entries";
  ASSERT_EQ(sequence.holds().size(), 1U);
  EXPECT_EQ(sequence.holds()[0].entry, strong);
  EXPECT_EQ(step(5), (Words{"replan #1", "release-hold #1"}));
  ASSERT_EQ(step(6, {done("a")}), Words{"suspend a until 36"});
  EXPECT_EQ(last[0].preemptor, "q");
  EXPECT_EQ(step(7, {released("a")}), Words{"start q"});
  EXPECT_EQ(state(weak), "short");
  std::string why;
  EXPECT_TRUE(sequence.extend(weak, order_for("p", {victim("c", kTerminate)}), at(8), why)) << why;
  EXPECT_EQ(step(8), Words{"TERM c until 38"});
  EXPECT_EQ(step(9, {released("c")}), Words{"start p"});
  EXPECT_EQ(step(10, {started("p")}), Words{"release-hold #1"});
}

TEST_F(Entries, AnEntryWithoutItsHoldHasNoneToReleaseAtItsEnd) {
  const EntryId weak = commit(order_for("p", {victim("a", kCheckpoint)}));
  step(0);
  commit(taking("q", weak), 1);
  step(1);
  EXPECT_EQ(step(2, {cancelled("p")}), Words{});
  EXPECT_EQ(state(weak), "gone");
  EXPECT_EQ(step(3, {cancelled("q")}), (Words{"release-hold #2", "cancel-hint a"}));
}

TEST_F(Entries, AnExtendedEntryKeepsItsNewHoldThoughItLostTheOld) {
  acknowledge = false;
  const EntryId weak = commit(order_for("p", {victim("a", kCheckpoint)}));
  step(0);
  commit(taking("q", weak), 1);
  std::string why;
  EXPECT_TRUE(sequence.extend(weak, order_for("p", {victim("b", kTerminate)}), at(1), why)) << why;
  EXPECT_EQ(step(1), Words{"TERM b until 31"}) << "neither a plan nor a release is asked for any more";
  EXPECT_EQ(sequence.holds().size(), 2U);
}

TEST_F(Entries, AnUnansweredReleaseIsNotRepeatedForANewHold) {
  acknowledge = false;
  const EntryId weak = commit(order_for("p", {victim("a", kCheckpoint)}));
  step(0);
  const Event hinted = succeeds("checkpoint-hint a until 600");
  commit(taking("q", weak), 1);
  EXPECT_EQ(step(1, {hinted}), (Words{"replan #1", "release-hold #1"}));
  std::string why;
  EXPECT_TRUE(sequence.extend(weak, order_for("p", {victim("b", kCheckpoint)}), at(2), why)) << why;
  step(2);
  EXPECT_EQ(step(61, {succeeds("checkpoint-hint b until 602")}), Words{});
}

TEST_F(Entries, AnActionInFlightGoesOverWithItsVictim) {
  acknowledge = false;
  const EntryId weak = commit(order_for("p", {victim("a", kTerminate)}));
  step(0);
  const Event refused = fails("TERM a until 30");
  const EntryId strong = commit(taking("q", weak), 1);
  step(1);
  step(2, {refused});
  EXPECT_EQ(answers[0], EventAnswer::taken);
  EXPECT_EQ(sequence.ledger().find(strong)->victims[0].state.failures, 1U);
}

TEST_F(Entries, ATakenHoldWhoseVictimsAreGoneIsReadyAtOnce) {
  const EntryId weak = commit(order_for("p", {victim("a", kTerminate), victim("b", kTerminate)}));
  step(0);
  step(1, {released("a")});
  const EntryId strong = commit(taking("q", weak, {victim("c", kTerminate)}), 2);
  EXPECT_EQ(step(2), (Words{"replan #1", "release-hold #1", "TERM c until 32"}));
  EXPECT_EQ(step(3, {released("b"), released("c")}), Words{"start q"});
  EXPECT_EQ(state(strong), "ready");
}

TEST_F(Entries, AHoldThatIsReadyTakenOrMissingIsNotTaken) {
  const EntryId ready = commit(order_for("p"));
  EXPECT_EQ(refusal(taking("q", ready)), "victims[0]: entry 1 is ready; its hold stays");
  EXPECT_EQ(refusal(taking("q", 99)), "victims[0]: entry 99 has no hold to take");
  const EntryId weak = commit(order_for("w", {victim("a", kTerminate)}));
  commit(taking("s", weak));
  EXPECT_EQ(refusal(taking("q", weak)), "victims[0]: entry 2 has no hold to take");
  const EntryId nobodys = commit(relief({victim("b", kTerminate)}));
  EXPECT_EQ(refusal(taking("q", nobodys)), "victims[0]: entry 4 has no hold to take");
}

TEST_F(Entries, AStuckVictimTakenOverMakesTheTakerShort) {
  const EntryId weak = make_short();
  const EntryId strong = commit(taking("q", weak), 2);
  step(2);
  EXPECT_EQ(state(strong), "short") << "the space it was promised is not there";
}

// ---- what commit refuses --------------------------------------------------------------------------------

TEST_F(Entries, AJobHasOneLiveEntryAndATaskOneHolder) {
  commit(order_for("p", {victim("a", kTerminate, {"t0", "t1"})}));
  const std::string before = save(sequence);
  EXPECT_EQ(refusal(order_for("p")), "job 'p' has entry 1 in progress");
  EXPECT_EQ(refusal(order_for("q", {victim("a", kTerminate, {"t1"})})),
            "victims[0]: task 't1' of job 'a' is held by entry 1");
  EXPECT_EQ(refusal(order_for("q", {victim("q", kTerminate)})),
            "victims[0]: job 'q' would give way to itself");
  EXPECT_EQ(save(sequence), before) << "a refusal changes nothing";
  EXPECT_EQ(commit(order_for("q", {victim("a", kTerminate, {"t2"})})), 2U)
      << "another task of the same job is another unit";
}

TEST_F(Entries, TasksOfOneJobInTwoEntriesGoTheirOwnWays) {
  commit(order_for("p", {victim("a", kTerminate, {"t0"})}));
  commit(order_for("q", {victim("a", kTerminate, {"t1"})}));
  step(0);
  EXPECT_EQ(step(1, {released("a", "t1")}), Words{"start q"});
  EXPECT_EQ(state(1), "waiting");
  EXPECT_EQ(step(2, {exited("a")}), Words{"start p"}) << "the whole job";
}

// ---- names that leave the model -------------------------------------------------------------------------

TEST_F(Entries, AVictimThatLeavesTheModelHasExited) {
  commit(order_for("p", {victim("a", kCheckpoint), victim("b", kTerminate)}));
  step(0);
  sequence.jobs_gone(std::vector<std::string>{"a", "b", "nobody"});
  EXPECT_EQ(sequence.next_due(), Ledger::kAtOnce);
  EXPECT_EQ(step(1), Words{"start p"});
  EXPECT_EQ(release("a"), "completed");
  EXPECT_EQ(release("b"), "terminated");
  EXPECT_EQ(sequence.metrics().ignored_events, 0U);
}

TEST_F(Entries, ARequesterThatLeavesTheModelWasCancelled) {
  commit(order_for("p", {victim("a", kCheckpoint)}));
  step(0);
  sequence.jobs_gone(std::vector<std::string>{"p"});
  EXPECT_EQ(step(1), (Words{"release-hold #1", "cancel-hint a"}));
}

TEST_F(Entries, ANodeThatLeavesTheModelIsDown) {
  commit(order_for("p", {victim("a", kTerminate)}));
  step(0);
  sequence.nodes_gone(std::vector<std::string>{"n-a", "n-x"});
  EXPECT_EQ(time_of(sequence.node_commits(), "n-a"), kNoTime);
  EXPECT_EQ(step(1), Words{"start p"});
}

// ---- time -----------------------------------------------------------------------------------------------

TEST_F(Entries, TimeNeverGoesBack) {
  commit(order_for("p", {victim("a", kTerminate)}), 100);
  EXPECT_EQ(step(100), Words{"TERM a until 130"});
  EXPECT_EQ(step(50), Words{});
  EXPECT_EQ(sequence.now(), at(100));
  EXPECT_EQ(step(-100000), Words{});
  EXPECT_EQ(step(129), Words{});
  EXPECT_EQ(step(130), Words{"KILL a until 190"});
  commit(order_for("q", {victim("b", kTerminate)}), 60);
  EXPECT_EQ(step(61), Words{"TERM b until 160"}) << "an earlier now counts as the last";
}

TEST_F(Entries, AJumpOfAYearSkipsNoStep) {
  const std::int64_t year = 365 * 86400;
  commit(order_for("p", {victim("a", kCheckpoint), victim("b", kTerminate)}));
  step(0);
  EXPECT_EQ(step(year), (Words{"TERM a until 31536030", "KILL b until 31536060", "release-hold #1"}))
      << "the grace of a counts from its TERM, and the entry is overdue";
  EXPECT_EQ(step(year + 29), Words{});
  EXPECT_EQ(step(year + 30), Words{"KILL a until 31536090"});
}

TEST_F(Entries, TimesBeyondAllReasonAreHarmless) {
  commit(order_for("p", {victim("a", kCheckpoint)}));
  step(0);
  const StepResult far = sequence.step(std::numeric_limits<Time>::max(), {});
  EXPECT_EQ(far.now, kMaxTime);
  EXPECT_EQ(far.actions.size(), 2U);
  EXPECT_EQ(sequence.step(std::numeric_limits<Time>::min(), {}).now, kMaxTime);
  Sequence fresh;
  EXPECT_EQ(fresh.step(std::numeric_limits<Time>::min(), {}).now, -kMaxTime);
}

TEST_F(Entries, CopiesAreIndependent) {
  commit(order_for("p", {victim("a", kTerminate)}));
  step(0);
  Sequence copy = sequence;
  const std::string before = save(copy);
  step(1, {released("a")});
  step(2, {started("p")});
  EXPECT_EQ(state(), "gone");
  EXPECT_EQ(save(copy), before);
  EXPECT_EQ(words(copy.step(at(30), {}).actions), Words{"KILL a until 90"});
}

}  // namespace
}  // namespace cede
