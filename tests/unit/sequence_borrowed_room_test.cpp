// SPDX-License-Identifier: MIT
#include "sequence/order.h"

#include "sequence_script.h"

namespace cede {
namespace {

BorrowedRoom loan_from(EntryId lender, const std::vector<std::string>& victims) {
  BorrowedRoom borrowed_room;
  borrowed_room.from = lender;
  borrowed_room.room.push_back(place("", "n-" + victims.front(), 2));
  for (const std::string& job : victims) borrowed_room.victims.push_back({job, "t0"});
  return borrowed_room;
}

CommitOrder borrows(const std::string& job, EntryId lender, const std::vector<std::string>& victims) {
  CommitOrder order = order_for(job);
  order.borrowed_rooms.push_back(loan_from(lender, victims));
  return order;
}

// Entry 1 is for `p` with the victims `a`; entry 2, for `b`, counts on them.
Script lender_and_borrower(VictimAction action, std::uint32_t retries = 3) {
  Script script;
  CommitOrder order = order_for("p", {victim("a", action)});
  order.max_action_retries = retries;
  script.commit(order);
  script.commit(borrows("b", 1, {"a"}));
  return script;
}

std::string refusal(Sequence& sequence, CommitOrder order) {
  std::string why;
  EXPECT_EQ(sequence.commit(std::move(order), at(0), why), kNoEntry);
  return why;
}

TEST(BorrowedRoom, TheBorrowerWaitsForTheLendersVictims) {
  Script script = lender_and_borrower(kTerminate);
  EXPECT_EQ(script.step(0), Words{"TERM a until 30"});
  EXPECT_EQ(script.state(2), "waiting");
  EXPECT_EQ(script.step(5), Words{});
  EXPECT_EQ(script.step(6, {released("a")}), (Words{"start p", "start b"}));
  EXPECT_EQ(script.step(7, {started("p")}), Words{"release-hold #1"});
  EXPECT_EQ(script.state(1), "gone");
  EXPECT_EQ(script.state(2), "ready") << "the lender's end is nothing to the borrower";
  EXPECT_EQ(script.step(8, {started("b")}), Words{"release-hold #2"});
  EXPECT_EQ(script.sequence.ledger().size(), 0U);
}

TEST(BorrowedRoom, AVictimThatIsGoneIsNotWaitedFor) {
  Script script;
  script.commit(order_for("p", {victim("a", kTerminate), victim("c", kTerminate)}));
  script.step(0);
  script.step(1, {released("a")});
  EXPECT_EQ(refusal(script.sequence, borrows("b", 1, {"a"})),
            "borrowed[0]: task 't0' of job 'a' is no entry's victim");
  CommitOrder order = borrows("b", 1, {"a"});
  order.borrowed_rooms[0].victims.clear();
  script.commit(order, 1);
  EXPECT_EQ(script.step(1), Words{"start b"});
}

TEST(BorrowedRoom, AVictimThatRunsOnMakesTheBorrowerShort) {
  Script script = lender_and_borrower(kCheckpoint);
  script.step(0);
  std::string why;
  ASSERT_TRUE(script.sequence.cancel(1, at(1), why)) << why;
  EXPECT_EQ(script.sequence.next_due(), Ledger::kAtOnce);
  EXPECT_EQ(script.step(1), (Words{"release-hold #1", "cancel-hint a", "replan #2"}));
  EXPECT_EQ(script.state(2), "short");
  EXPECT_EQ(script.step(2, {exited("a")}), Words{}) << "no entry waits for it any more";
  ASSERT_TRUE(script.sequence.extend(2, order_for("b", {victim("c", kTerminate)}), at(3), why)) << why;
  EXPECT_EQ(script.step(3), Words{"TERM c until 33"});
  EXPECT_EQ(script.step(4, {released("c")}), Words{"start b"});
}

TEST(BorrowedRoom, PastThePointOfNoReturnAVictimStillServes) {
  Script script = lender_and_borrower(kTerminate);
  script.step(0);
  std::string why;
  ASSERT_TRUE(script.sequence.cancel(1, at(1), why)) << why;
  EXPECT_EQ(script.step(1), Words{"release-hold #1"});
  EXPECT_EQ(script.state(2), "waiting");
  EXPECT_EQ(script.step(2, {released("a")}), Words{"start b"});
}

TEST(BorrowedRoom, ALenderThatFailsLeavesItsVictimsToTheBorrower) {
  Script script;
  CommitOrder order = order_for("p", {victim("a", kCheckpoint)});
  order.entry_timeout = 10 * kSecond;
  script.commit(order);
  script.commit(borrows("b", 1, {"a"}));
  script.step(0);
  EXPECT_EQ(script.step(10), Words{"release-hold #1"});
  EXPECT_EQ(script.state(2), "waiting");
  EXPECT_EQ(script.step(11, {done("a")}), Words{"suspend a until 41"});
  EXPECT_EQ(script.step(12, {released("a")}), Words{"start b"});
}

TEST(BorrowedRoom, AVictimThatCannotBeRemovedMakesBothShort) {
  Script script = lender_and_borrower(kTerminate, 0);
  script.acknowledge = false;
  script.step(0);
  EXPECT_EQ(script.step(1, {script.fails("TERM a until 30")}), (Words{"replan #1", "replan #2"}));
  EXPECT_EQ(script.step(2, {exited("a")}), (Words{"start p", "start b"}));
}

TEST(BorrowedRoom, TheBorrowersEndIsNothingToTheLender) {
  Script script = lender_and_borrower(kTerminate);
  script.step(0);
  script.step(1, {cancelled("b")});
  EXPECT_EQ(script.step(2, {released("a")}), Words{"start p"});
}

TEST(BorrowedRoom, APlanThatTakesTheLendersHoldLendsFromThenOn) {
  Script script = lender_and_borrower(kTerminate);
  script.step(0);
  VictimOrder hold;
  hold.hold = 1;
  script.commit(order_for("s", {hold}), 1);
  EXPECT_EQ(script.sequence.ledger().find(2)->borrowed_rooms[0].from, 3U);
  script.step(1);
  EXPECT_EQ(script.state(1), "short");
  EXPECT_EQ(script.step(2, {released("a")}), (Words{"start b", "start s"}));
}

TEST(BorrowedRoom, APlanThatTakesTheBorrowersHoldWaitsInItsPlace) {
  Script script = lender_and_borrower(kTerminate);
  script.step(0);
  VictimOrder hold;
  hold.hold = 2;
  script.commit(order_for("s", {hold}), 1);
  EXPECT_EQ(script.step(1), (Words{"replan #2", "release-hold #2"}));
  EXPECT_TRUE(script.sequence.ledger().find(2)->borrowed_rooms.empty());
  EXPECT_EQ(script.state(3), "waiting");
  EXPECT_EQ(script.step(2, {released("a")}), (Words{"start p", "start s"}));
}

TEST(BorrowedRoom, APlanThatTakesBothHoldsBorrowsNothing) {
  Script script = lender_and_borrower(kTerminate);
  script.step(0);
  VictimOrder lender;
  VictimOrder borrower;
  lender.hold = 1;
  borrower.hold = 2;
  script.commit(order_for("s", {lender, borrower}), 1);
  EXPECT_TRUE(script.sequence.ledger().find(3)->borrowed_rooms.empty());
  script.step(1);
  EXPECT_EQ(script.step(2, {released("a")}), Words{"start s"});
}

TEST(BorrowedRoom, WhatABorrowerStartedOnIsLentForGood) {
  Script script;
  script.commit(order_for("p", {victim("a", kTerminate), victim("c", kTerminate)}));
  script.commit(borrows("b", 1, {"a"}));
  script.step(0);
  EXPECT_EQ(script.step(1, {released("a")}), Words{"start b"});
  script.step(2, {started("b")});
  ASSERT_EQ(script.state(1), "waiting");
  EXPECT_EQ(script.sequence.ledger().find(1)->lent, loan_from(1, {"a"}).room);
}

// Whatever waits for a victim that may stay for ever waits as long.
TEST(BorrowedRoom, ABorrowerIsAsPatientAsTheLender) {
  Script script;
  script.commit(order_for("p", {victim("a", VictimAction::soft_evict)}));
  CommitOrder order = borrows("b", 1, {"a"});
  order.borrowed_rooms[0].victims[0].may_stay = true;
  script.commit(order);
  EXPECT_EQ(script.sequence.ledger().find(2)->clock.deadline, kNoTime);
  script.commit(borrows("d", 1, {"a"}));
  EXPECT_EQ(script.sequence.ledger().find(3)->clock.deadline, at(3600));
}

TEST(BorrowedRoom, IsRefusedIfNoEntryLends) {
  Script script;
  EXPECT_EQ(refusal(script.sequence, borrows("b", 1, {"a"})), "borrowed[0]: entry 1 has nothing to lend");
  CommitOrder order = borrows("b", 1, {"a"});
  order.borrowed_rooms[0].room.clear();
  EXPECT_EQ(refusal(script.sequence, order), "borrowed[0]: it has no room");
  order = borrows("b", 1, {""});
  EXPECT_EQ(refusal(script.sequence, order), "borrowed[0]: a victim has no name");
  order = borrows("b", 0, {"a"});
  EXPECT_EQ(refusal(script.sequence, order), "borrowed[0]: it names no entry to borrow from");
}

TEST(BorrowedRoom, ComeBackAfterARestart) {
  Script script = lender_and_borrower(kCheckpoint);
  script.commit(borrows("d", 1, {"a"}));
  script.step(0);
  Problems problems;
  const std::string bytes = save(script.sequence);
  const std::optional<Sequence> restored = restore(bytes, problems);
  ASSERT_TRUE(restored) << problems.all()[0].message();
  EXPECT_EQ(save(*restored), bytes);
  EXPECT_EQ(restored->ledger().find(2)->borrowed_rooms, script.sequence.ledger().find(2)->borrowed_rooms);
  Script goes_on = script;
  goes_on.sequence = *restored;
  EXPECT_EQ(goes_on.step(1), Words{});
  EXPECT_EQ(goes_on.step(2, {done("a")}), Words{"suspend a until 32"});
  EXPECT_EQ(goes_on.step(3, {released("a")}), (Words{"start p", "start b", "start d"}));
  script.sequence = *restored;
  std::string why;
  ASSERT_TRUE(script.sequence.cancel(1, at(1), why)) << why;
  script.sequence = *restore(save(script.sequence), problems);
  EXPECT_EQ(script.step(2), (Words{"release-hold #1", "cancel-hint a", "replan #2", "replan #3"}));
}

}  // namespace
}  // namespace cede
