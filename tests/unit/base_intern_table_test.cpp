// SPDX-License-Identifier: MIT
#include "base/intern_table.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>

namespace cede {
namespace {

TEST(InternTable, EqualBytesHaveEqualIds) {
  InternTable table;
  EXPECT_EQ(table.intern(""), 0u);
  const auto a = table.intern("alpha");
  EXPECT_EQ(table.intern("alpha"), a);
  EXPECT_NE(table.intern("beta"), a);
  EXPECT_EQ(table.view(a), "alpha");
  EXPECT_EQ(table.find("gamma"), InternTable::kNotFound);
  for (const std::size_t size : {1u, 15u, 16u, 17u, 32u, 33u, 64u, 65u, 256u, 257u, 100'000u}) {
    const std::string bytes(size, 'x');
    EXPECT_EQ(table.view(table.intern(bytes)), bytes);
  }
}

// Against a plain map, with clones that live on beside it.
TEST(InternTable, BehavesLikeAMapUnderChurn) {
  std::mt19937 random(13);
  const auto random_bytes = [&] {
    std::string bytes(1 + random() % 40, ' ');
    for (char& c : bytes) c = static_cast<char>('a' + random() % 3);
    if (random() % 50 == 0) bytes.resize(300 + random() % 100, 'z');
    return bytes;
  };
  InternTable table;
  std::map<std::string, int> owners;  // how many times each is retained
  InternTable frozen = table;
  std::map<std::string, int> frozen_owners;
  for (int step = 0; step < 60000; ++step) {
    const std::string bytes = random_bytes();
    if (random() % 2 == 0) {
      const auto id = table.intern(bytes);
      table.retain(id);
      ++owners[bytes];
    } else if (!owners.empty()) {
      auto victim = owners.lower_bound(bytes);
      if (victim == owners.end()) victim = owners.begin();
      table.release(table.find(victim->first));
      if (--victim->second == 0) owners.erase(victim);
    }
    ASSERT_EQ(table.live(), owners.size());
    if (step % 10000 == 5000) {
      frozen = table;
      frozen_owners = owners;
    }
  }
  const auto expect_same = [](const InternTable& t, const std::map<std::string, int>& expected) {
    for (const auto& [bytes, count] : expected) {
      const auto id = t.find(bytes);
      ASSERT_NE(id, InternTable::kNotFound);
      EXPECT_EQ(t.view(id), bytes);
    }
  };
  expect_same(table, owners);
  expect_same(frozen, frozen_owners);
}

TEST(InternTable, SlotsAreReused) {
  InternTable table;
  for (int round = 0; round < 1000; ++round) {
    const auto id = table.intern("job-" + std::to_string(round));
    table.retain(id);
    table.release(id);
  }
  EXPECT_EQ(table.live(), 0u);
  EXPECT_LE(table.id_bound(), 3u) << "names come and go for years without the table growing";
}

TEST(InternTable, ExpectKeepsWhatIsThere) {
  InternTable table;
  for (int i = 0; i < 100; ++i) table.retain(table.intern(std::to_string(i)));
  table.expect(5000);
  for (int i = 0; i < 100; ++i) EXPECT_NE(table.find(std::to_string(i)), InternTable::kNotFound);
}

}  // namespace
}  // namespace cede
