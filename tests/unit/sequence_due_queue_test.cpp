// SPDX-License-Identifier: MIT
#include "sequence/due_queue.h"

#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <random>
#include <vector>

#include "base/undo.h"

namespace cede {
namespace {

// Against a plain map, with copies that live on beside it.
TEST(DueQueue, TheFirstIsTheEarliestThenTheLowestNumber) {
  struct Twin {
    DueQueue queue;
    std::map<EntryId, Time> plain;
  };
  std::mt19937 random(3);
  std::vector<Twin> compared(3);
  for (int step = 0; step < 50000; ++step) {
    Twin& twin = compared[random() % compared.size()];
    const EntryId entry = 1 + random() % 60;
    if (random() % 50 == 0) {
      const Twin copy = twin;
      compared[random() % compared.size()] = copy;
    } else if (random() % 3 == 0) {
      twin.queue.set(entry, kNoTime);
      twin.plain.erase(entry);
    } else {
      const Time due = static_cast<Time>(random() % 40);
      twin.queue.set(entry, due);
      twin.plain[entry] = due;
    }
    for (const Twin& each : compared) {
      const auto first = each.queue.first();
      ASSERT_EQ(first.has_value(), !each.plain.empty());
      if (!first) continue;
      auto least = each.plain.begin();
      for (auto it = each.plain.begin(); it != each.plain.end(); ++it) {
        if (it->second < least->second) least = it;
      }
      ASSERT_EQ(first->entry, least->first);
      ASSERT_EQ(first->due, least->second);
    }
  }
}

TEST(DueQueue, WhatIsTakenBackLeavesNoTrace) {
  std::mt19937 random(4);
  DueQueue queue;
  std::map<EntryId, Time> plain;
  for (int round = 0; round < 3000; ++round) {
    const std::map<EntryId, Time> before = plain;
    auto undo = std::make_optional<Undo<DueQueue>>(queue);
    for (std::uint64_t step = random() % 9; step > 0; --step) {
      const EntryId entry = 1 + random() % 40;
      const Time due = random() % 3 == 0 ? kNoTime : static_cast<Time>(random() % 40);
      queue.set(entry, due);
      plain[entry] = due;
      if (due == kNoTime) plain.erase(entry);
    }
    if (random() % 2 == 0) {
      undo->keep();
    } else {
      plain = before;
    }
    undo.reset();
    DueQueue rest = queue;
    for (std::size_t left = plain.size(); left > 0; --left) {
      const auto first = rest.first();
      ASSERT_TRUE(first);
      ASSERT_EQ(plain.at(first->entry), first->due);
      rest.set(first->entry, kNoTime);
    }
    ASSERT_FALSE(rest.first());
  }
}

TEST(DueQueue, EmptiesInOrder) {
  DueQueue queue;
  for (EntryId entry = 1; entry <= 100; ++entry) queue.set(entry, static_cast<Time>(entry * 37 % 101));
  Time last = 0;
  for (int left = 100; left > 0; --left) {
    const auto first = queue.first();
    ASSERT_TRUE(first.has_value());
    EXPECT_GE(first->due, last);
    last = first->due;
    queue.set(first->entry, kNoTime);
  }
  EXPECT_FALSE(queue.first().has_value());
}

}  // namespace
}  // namespace cede
