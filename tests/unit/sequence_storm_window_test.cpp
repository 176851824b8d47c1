// SPDX-License-Identifier: MIT
#include "sequence/storm_window.h"

#include <gtest/gtest.h>

#include <random>

namespace cede {
namespace {

constexpr auto kQueue = StormScope::queue;

TEST(StormWindow, CountsWhatIsYoungerThanTheWindow) {
  StormWindow storm;
  storm.add(kQueue, "q", 1000, 2, 100);
  storm.add(kQueue, "q", 1050, 3, 100);
  EXPECT_EQ(storm.taken(kQueue, "q", 1050, 100), 5);
  EXPECT_EQ(storm.taken(kQueue, "q", 1099, 100), 5);
  EXPECT_EQ(storm.taken(kQueue, "q", 1100, 100), 3);
  EXPECT_EQ(storm.taken(kQueue, "q", 1150, 100), 0);
  EXPECT_EQ(storm.taken(kQueue, "q", 1060, 20), 3) << "a shorter window may be asked about";
}

TEST(StormWindow, NamesAndScopesAreApart) {
  StormWindow storm;
  storm.add(kQueue, "x", 10, 1, 100);
  storm.add(StormScope::user, "x", 10, 2, 100);
  storm.add(StormScope::group, "x", 10, 4, 100);
  EXPECT_EQ(storm.taken(kQueue, "x", 10, 100), 1);
  EXPECT_EQ(storm.taken(StormScope::user, "x", 10, 100), 2);
  EXPECT_EQ(storm.taken(StormScope::group, "x", 10, 100), 4);
  EXPECT_EQ(storm.taken(kQueue, "y", 10, 100), 0);
}

TEST(StormWindow, SaysWhenMoreWillBeAllowed) {
  StormWindow storm;
  storm.add(kQueue, "q", 1000, 2, 100);
  storm.add(kQueue, "q", 1040, 1, 100);
  EXPECT_EQ(storm.free_at(kQueue, "q", 1050, 100, 4), 1050) << "now";
  EXPECT_EQ(storm.free_at(kQueue, "q", 1050, 100, 3), 1100);
  EXPECT_EQ(storm.free_at(kQueue, "q", 1050, 100, 2, 2), 1140);
  EXPECT_EQ(storm.free_at(kQueue, "q", 1050, 100, 2, 3), kNoTime) << "never";
  EXPECT_EQ(storm.free_at(kQueue, "other", 1050, 100, 1), 1050);
}

// What free_at() promises, checked by asking taken() at every moment.
TEST(StormWindow, FreeAtIsTheFirstMomentOfRoom) {
  std::mt19937 random(9);
  for (int round = 0; round < 300; ++round) {
    StormWindow storm;
    const Duration window = 5 + static_cast<Duration>(random() % 20);
    Time now = 0;
    for (int i = 0; i < 12; ++i) {
      now += static_cast<Time>(random() % 6);
      storm.add(kQueue, "q", now, static_cast<std::int64_t>(1 + random() % 3), window);
    }
    const auto limit = static_cast<std::int64_t>(1 + random() % 8);
    const Time promised = storm.free_at(kQueue, "q", now, window, limit);
    ASSERT_NE(promised, kNoTime);
    for (Time t = now; t < promised; ++t) ASSERT_GE(storm.taken(kQueue, "q", t, window), limit);
    ASSERT_LT(storm.taken(kQueue, "q", promised, window), limit);
  }
}

TEST(StormWindow, ManyRecordsAreMergedTowardsCaution) {
  StormWindow storm;
  constexpr Duration kWindow = 20'000;
  for (Time t = 1; t <= 20'000; ++t) storm.add(kQueue, "q", t, 1, kWindow);
  EXPECT_EQ(storm.taken(kQueue, "q", 20'000, kWindow), 20'000);
  ASSERT_EQ(storm.rows().size(), 1U);
  EXPECT_LE(storm.rows()[0].records.size(), StormWindow::kMaxRecords);
  for (Time t = 0; t <= 20'000; t += 97) {
    EXPECT_GE(storm.taken(kQueue, "q", t + kWindow, kWindow), 20'000 - t) << "never too little";
    EXPECT_LE(storm.taken(kQueue, "q", t + kWindow, kWindow), 20'000 - t + 10) << "and hardly too much";
  }
}

TEST(StormWindow, ForgottenNamesDoNotPileUp) {
  StormWindow storm;
  for (int i = 0; i < 10'000; ++i) storm.add(StormScope::user, "u" + std::to_string(i), i, 1, 50);
  EXPECT_LT(storm.rows().size(), 300U);
  EXPECT_EQ(storm.taken(StormScope::user, "u9990", 9999, 50), 1);
}

TEST(StormWindow, SumsStopInsteadOfOverflowing) {
  StormWindow storm;
  for (Time t = 0; t < 20; ++t) storm.add(kQueue, "q", t, std::numeric_limits<std::int64_t>::max(), 100);
  EXPECT_EQ(storm.taken(kQueue, "q", 20, 100), StormWindow::kMaxSum);
  storm.add(kQueue, "none", 1, 0, 100);
  storm.add(kQueue, "none", 1, -5, 100);
  EXPECT_EQ(storm.taken(kQueue, "none", 1, 100), 0);
}

TEST(StormWindow, RowsRestoreToTheSame) {
  StormWindow storm;
  storm.add(kQueue, "q", 1, 1, 100);
  storm.add(kQueue, "q", 2, 1, 100);
  storm.add(StormScope::group, "a", 2, 7, 100);
  StormWindow copy;
  for (const StormWindow::Row& row : storm.rows()) copy.restore(row);
  EXPECT_EQ(copy.rows(), storm.rows());
  EXPECT_EQ(copy.taken(StormScope::group, "a", 2, 100), 7);
}

}  // namespace
}  // namespace cede
