// SPDX-License-Identifier: MIT
#include "base/cow_map.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>
#include <vector>

namespace cede {
namespace {

// A map and the plain one it must equal.
template <class Key>
struct MapTwin {
  CowMap<Key, int> cow;
  std::map<Key, int> plain;
};

template <class Key>
void expect_equal(const MapTwin<Key>& twin) {
  ASSERT_EQ(twin.cow.size(), twin.plain.size());
  std::map<Key, int> seen;
  twin.cow.for_each([&](const Key& key, int value) { ASSERT_TRUE(seen.emplace(key, value).second) << key; });
  ASSERT_EQ(seen, twin.plain);
  for (const auto& [key, value] : twin.plain) {
    ASSERT_TRUE(twin.cow.find(key));
    ASSERT_EQ(*twin.cow.find(key), value);
  }
}

template <class Key, class MakeKey>
void churn(MakeKey make_key) {
  std::mt19937 random(5);
  std::vector<MapTwin<Key>> twins(1);
  for (int step = 0; step < 30000; ++step) {
    MapTwin<Key>& twin = twins[random() % twins.size()];
    const Key key = make_key(random() % 400);
    const int value = static_cast<int>(random() % 1000);
    switch (random() % 6) {
      case 0:
      case 1:
        twin.cow.edit(key) = value;
        twin.plain[key] = value;
        break;
      case 2:
      case 3: ASSERT_EQ(twin.cow.erase(key), twin.plain.erase(key) == 1); break;
      case 4: {
        int* found = twin.cow.find_edit(key);
        const auto plain = twin.plain.find(key);
        ASSERT_EQ(found == nullptr, plain == twin.plain.end());
        if (found) *found = plain->second = value;
        break;
      }
      default:
        if (twins.size() < 5) {
          twins.push_back(MapTwin<Key>(twin));
        } else {
          const std::size_t from = random() % twins.size();
          const std::size_t to = random() % twins.size();
          twins[to] = MapTwin<Key>(twins[from]);
        }
    }
    if (step % 1000 == 0) {
      for (const MapTwin<Key>& each : twins) expect_equal(each);
    }
  }
  for (const MapTwin<Key>& each : twins) expect_equal(each);
}

TEST(CowMap, TextsBehaveLikeAMapAndCopiesAreIndependent) {
  churn<std::string>([](std::uint64_t n) { return "job-" + std::to_string(n); });
}

TEST(CowMap, NumbersBehaveLikeAMapAndCopiesAreIndependent) {
  churn<std::uint64_t>([](std::uint64_t n) { return n << 20U; });
}

// Every change is taken back or kept, beside copies that share storage or do not.
TEST(CowMap, WhatIsTakenBackLeavesNoTrace) {
  std::mt19937 random(7);
  MapTwin<std::string> twin;
  MapTwin<std::string> copy;
  for (int round = 0; round < 4000; ++round) {
    if (random() % 8 == 0) copy = twin;
    if (random() % 64 == 0) std::swap(copy, twin);
    const std::map<std::string, int> before = twin.plain;
    twin.cow.begin();
    for (std::uint64_t step = random() % 12; step > 0; --step) {
      const std::string key = "job-" + std::to_string(random() % 200);
      const int value = static_cast<int>(random() % 1000);
      switch (random() % 3) {
        case 0: twin.plain[key] = twin.cow.edit(key) = value; break;
        case 1: ASSERT_EQ(twin.cow.erase(key), twin.plain.erase(key) == 1); break;
        default:
          if (int* found = twin.cow.find_edit(key)) twin.plain[key] = *found = value;
      }
    }
    if (random() % 2 == 0) {
      twin.cow.keep();
    } else {
      twin.cow.undo();
      twin.plain = before;
    }
    expect_equal(twin);
    expect_equal(copy);
  }
}

TEST(CowMap, AnEmptyMapHasNothing) {
  CowMap<std::string, int> map;
  EXPECT_TRUE(map.empty());
  EXPECT_EQ(map.find(std::string_view("a")), nullptr);
  EXPECT_EQ(map.find_edit(std::string_view("a")), nullptr);
  EXPECT_FALSE(map.erase(std::string_view("a")));
}

TEST(CowMap, ErasedRowsAreReused) {
  CowMap<std::string, int> map;
  for (int round = 0; round < 1000; ++round) {
    map.edit("job-" + std::to_string(round)) = round;
    map.erase("job-" + std::to_string(round));
  }
  std::size_t visited = 0;
  map.for_each([&](const std::string&, int) { ++visited; });
  EXPECT_EQ(visited, 0U);
  EXPECT_TRUE(map.empty());
}

}  // namespace
}  // namespace cede
