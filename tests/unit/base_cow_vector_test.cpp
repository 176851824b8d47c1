// SPDX-License-Identifier: MIT
#include "base/cow_vector.h"

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace cede {
namespace {

// A vector and the plain one it must equal.
struct VectorTwin {
  CowVector<int, 64> cow;
  std::vector<int> plain;
};

void expect_equal(const VectorTwin& twin) {
  ASSERT_EQ(twin.cow.size(), twin.plain.size());
  for (std::size_t i = 0; i < twin.plain.size(); ++i) ASSERT_EQ(twin.cow[i], twin.plain[i]) << "at " << i;
}

TEST(CowVector, CopiesAreIndependent) {
  std::mt19937 random(11);
  std::vector<VectorTwin> twins(1);
  for (int step = 0; step < 40000; ++step) {
    VectorTwin& twin = twins[random() % twins.size()];
    const int value = static_cast<int>(random() % 1000);
    switch (random() % 8) {
      case 0:
      case 1:
      case 2:
        twin.cow.push_back(value);
        twin.plain.push_back(value);
        break;
      case 3:
        if (twins.size() < 6) {
          twins.push_back(VectorTwin(twin));
        } else {
          twins.erase(twins.begin() + static_cast<std::ptrdiff_t>(random() % twins.size()));
        }
        break;
      case 4: {
        const std::size_t n = twin.plain.size() + random() % 20;
        twin.cow.grow_to(n);
        twin.plain.resize(n);
        break;
      }
      default:
        if (!twin.plain.empty()) {
          const std::size_t i = random() % twin.plain.size();
          twin.cow.edit(i) = value;
          twin.plain[i] = value;
        }
    }
    if (step % 997 == 0) {
      for (const VectorTwin& each : twins) expect_equal(each);
    }
  }
  for (const VectorTwin& each : twins) expect_equal(each);
}

TEST(CowVector, AWriteTouchesOnePage) {
  CowVector<std::shared_ptr<int>, 64> original;
  for (int i = 0; i < 1000; ++i) original.push_back(std::make_shared<int>(i));
  const CowVector<std::shared_ptr<int>, 64> copy = original;
  EXPECT_TRUE(copy.same_storage(original));
  EXPECT_EQ(original[500].use_count(), 1) << "a copy duplicates no element";
  original.edit(500) = std::make_shared<int>(-1);
  EXPECT_FALSE(copy.same_storage(original));
  int duplicated = 0;
  for (std::size_t i = 0; i < 1000; ++i) duplicated += copy[i].use_count() == 2 ? 1 : 0;
  EXPECT_EQ(duplicated, static_cast<int>(decltype(original)::kPageItems) - 1) << "only the page written to";
  EXPECT_EQ(*copy[500], 500);
}

TEST(CowVector, ElementsDieWithTheLastCopy) {
  std::weak_ptr<int> watch;
  {
    CowVector<std::shared_ptr<int>> first;
    first.push_back(std::make_shared<int>(1));
    watch = first[0];
    CowVector<std::shared_ptr<int>> second = first;
    first = {};
    EXPECT_FALSE(watch.expired());
  }
  EXPECT_TRUE(watch.expired());
}

// As plans do: each holds the vector as it was while the next is written to. The elements in use must stay
// those of the pages in use.
TEST(CowVector, WhatSnapshotsHeldIsFreedAfterThem) {
  const auto life = std::make_shared<int>(0);  // counted by its owners
  using Vector = CowVector<std::shared_ptr<int>, 64>;
  Vector vector;
  for (int i = 0; i < 1000; ++i) vector.push_back(life);
  Vector old;
  Vector older;
  std::mt19937 random(3);
  for (int round = 0; round < 500; ++round) {
    older = round % 7 == 0 ? older : old;
    old = vector;
    for (int write = 0; write < 3; ++write) vector.edit(random() % 1000) = std::make_shared<int>(round);
    vector.edit(random() % 1000) = life;
    ASSERT_LE(life.use_count(), 1400) << round;
  }
  old = older = {};
  for (std::size_t i = 0; i < 1000; ++i) vector.edit(i) = nullptr;
  EXPECT_EQ(life.use_count(), 1);
}

// Random writes and growth, taken back or kept, beside a plain vector that is copied; now and then somebody
// else shares the storage.
TEST(CowVector, TakesBackWhatFollowedBegin) {
  std::mt19937_64 random(7);
  CowVector<std::string> vector;
  std::vector<std::string> plain;
  std::optional<CowVector<std::string>> shared;
  std::vector<std::string> shared_plain;
  for (int round = 0; round < 2000; ++round) {
    if (random() % 8 == 0) {
      shared = vector;
      shared_plain = plain;
    }
    if (random() % 8 == 0) shared.reset();
    const std::vector<std::string> before = plain;
    vector.begin();
    // Few at any place, or so many that pages are saved whole, mostly one beside the other.
    const bool many = random() % 16 == 0;
    std::size_t last = 0;
    std::optional<CowVector<std::string>> meanwhile;  // gone when it ends
    for (int write = 0, writes = static_cast<int>(random() % (many ? 1500 : 20)); write < writes; ++write) {
      const std::string text = std::to_string(random());
      if (random() % 16 == 0) {
        if (meanwhile) {
          meanwhile.reset();
        } else {
          meanwhile = vector;
        }
      }
      if (random() % 4 == 0) {
        vector.push_back(text);
        plain.push_back(text);
      } else if (random() % 16 == 0) {
        plain.resize(plain.size() + random() % 100);
        vector.grow_to(plain.size());
      } else if (!plain.empty()) {
        const std::size_t at = many && random() % 8 != 0 ? ++last % plain.size() : random() % plain.size();
        last = at;
        vector.edit(at) = text;
        plain[at] = text;
      }
    }
    meanwhile.reset();
    if (random() % 2 == 0) {
      vector.undo();
      plain = before;
    } else {
      vector.keep();
    }
    ASSERT_EQ(vector.size(), plain.size());
    for (std::size_t i = 0; i < plain.size(); ++i) ASSERT_EQ(vector[i], plain[i]) << round;
    for (std::size_t i = 0; shared && i < shared_plain.size(); ++i) ASSERT_EQ((*shared)[i], shared_plain[i]);
    if (plain.size() > 3000) {
      plain.clear();
      vector = {};
    }
  }
}

}  // namespace
}  // namespace cede
