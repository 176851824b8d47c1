// SPDX-License-Identifier: MIT
#include "sequence/entry.h"

#include <gtest/gtest.h>

namespace cede {
namespace {

constexpr EntryTerms kJob{RequesterKind::job, 100, 3600, true};
constexpr EntryTerms kClaim{RequesterKind::claim, 100, 3600, true};
constexpr EntryTerms kRelief{RequesterKind::relief, 100, 3600, false};
constexpr EntryNeeds kNothing{};
constexpr EntryNeeds kPending{true, false};
constexpr EntryNeeds kStuck{true, true};
constexpr EntryNeeds kNoPlace{false, true};

EntryClock clock(EntryState state, Time deadline = kNoTime, Time ready_at = kNoTime) {
  return {state, deadline, ready_at};
}

TEST(Entry, WaitsWhileAVictimIsPending) {
  EntryClock entry = clock(EntryState::preparing, 50);
  EXPECT_EQ(advance(kJob, entry, kPending, 10), EntryStep::none);
  EXPECT_EQ(entry.state, EntryState::waiting);
  EXPECT_EQ(next_due(kJob, entry), 50);
}

TEST(Entry, IsReadyWhenNoVictimIsPending) {
  EntryClock entry = clock(EntryState::waiting, 50);
  EXPECT_EQ(advance(kJob, entry, kNothing, 10), EntryStep::start);
  EXPECT_EQ(entry.state, EntryState::ready);
  EXPECT_EQ(entry.ready_at, 10);
  EXPECT_EQ(next_due(kJob, entry), 110);
  EXPECT_EQ(advance(kJob, entry, kNothing, 50), EntryStep::none)
      << "the entry's deadline is over with waiting";
}

TEST(Entry, AClaimIsAnnouncedAndNeverDue) {
  EntryClock entry = clock(EntryState::waiting, 50);
  EXPECT_EQ(advance(kClaim, entry, kNothing, 10), EntryStep::announce);
  EXPECT_EQ(next_due(kClaim, entry), kNoTime);
  EXPECT_EQ(advance(kClaim, entry, kNothing, 1'000'000), EntryStep::none);
  EXPECT_EQ(entry.state, EntryState::ready);
}

TEST(Entry, ReliefIsDoneWithItsVictims) {
  EntryClock entry = clock(EntryState::waiting, 50);
  EXPECT_EQ(advance(kRelief, entry, kNothing, 10), EntryStep::none);
  EXPECT_EQ(entry.state, EntryState::started);
}

TEST(Entry, AsksForAPlanOnceWhenItBecomesShort) {
  EntryClock entry = clock(EntryState::waiting, 50);
  EXPECT_EQ(advance(kJob, entry, kStuck, 10), EntryStep::replan);
  EXPECT_EQ(entry.state, EntryState::short_of_space);
  EXPECT_EQ(advance(kJob, entry, kStuck, 11), EntryStep::none);
  EXPECT_EQ(advance(kJob, entry, kPending, 12), EntryStep::none);
  EXPECT_EQ(entry.state, EntryState::waiting);
  EXPECT_EQ(advance(kJob, entry, kNoPlace, 13), EntryStep::replan);
  EXPECT_EQ(advance(kJob, entry, kNothing, 14), EntryStep::start);
}

TEST(Entry, TheDeadlineBoundsWaitingAndShort) {
  for (const EntryNeeds needs : {kPending, kStuck, kNoPlace}) {
    EntryClock entry = clock(EntryState::waiting, 50);
    EXPECT_EQ(advance(kJob, entry, needs, 50), EntryStep::release);
    EXPECT_EQ(entry.state, EntryState::failed);
    EXPECT_EQ(next_due(kJob, entry), kNoTime);
  }
  EntryClock soft = clock(EntryState::waiting);
  EntryNeeds may_last = kPending;
  may_last.may_last = true;
  EXPECT_EQ(advance(kJob, soft, may_last, 1'000'000), EntryStep::none);
  EXPECT_EQ(next_due(kJob, soft), kNoTime);
  EXPECT_EQ(advance(kJob, soft, kPending, 1'000'000), EntryStep::none);
  EXPECT_EQ(next_due(kJob, soft), 1'000'000 + kJob.entry_timeout) << "no victim may stay any more";
}

TEST(Entry, SpaceThatIsThereWinsOverAPassedDeadline) {
  EntryClock entry = clock(EntryState::waiting, 50);
  EXPECT_EQ(advance(kJob, entry, kNothing, 60), EntryStep::start);
}

TEST(Entry, AHoldExpiresAfterItsTimeout) {
  EntryClock entry = clock(EntryState::ready, 50, 200);
  EXPECT_EQ(advance(kJob, entry, kNothing, 299), EntryStep::none);
  EXPECT_EQ(advance(kJob, entry, kNothing, 300), EntryStep::release);
  EXPECT_EQ(entry.state, EntryState::expired);
  EXPECT_EQ(advance(kJob, entry, kNothing, 301), EntryStep::none) << "an ended entry stays ended";
}

TEST(Entry, EndingReleasesTheHoldItHas) {
  EntryClock entry = clock(EntryState::waiting, 50);
  EXPECT_EQ(end(kJob, entry, EntryState::cancelled), EntryStep::release);
  EXPECT_EQ(entry.state, EntryState::cancelled);
  entry = clock(EntryState::short_of_space, 50);
  EXPECT_EQ(end({RequesterKind::job, 100, 0, false}, entry, EntryState::cancelled), EntryStep::none);
  entry = clock(EntryState::waiting, 50);
  EXPECT_EQ(end(kRelief, entry, EntryState::failed), EntryStep::none);
}

}  // namespace
}  // namespace cede
