// SPDX-License-Identifier: MIT
#include "base/intern_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <vector>

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

// So many that buckets spill over, split and become one again, with a copy that must not notice.
TEST(InternTable, GrowsAndEmptiesBesideACopy) {
  constexpr int kCount = 20000;
  const auto text = [](int i) { return "name-" + std::to_string(i * 7919); };
  InternTable table;
  std::vector<InternTable::Id> ids;
  for (int i = 0; i < kCount; ++i) {
    ids.push_back(table.intern(text(i)));
    table.retain(ids.back());
  }
  const InternTable full = table;
  for (int i = 0; i < kCount; i += 2) table.release(ids[static_cast<std::size_t>(i)]);
  for (int i = 0; i < kCount; ++i) {
    const InternTable::Id id = ids[static_cast<std::size_t>(i)];
    ASSERT_EQ(table.find(text(i)), i % 2 == 0 ? InternTable::kNotFound : id);
    ASSERT_EQ(full.find(text(i)), id);
    ASSERT_EQ(full.view(id), text(i));
  }
  for (int i = 1; i < kCount; i += 2) table.release(ids[static_cast<std::size_t>(i)]);
  EXPECT_EQ(table.live(), 0u);
  EXPECT_EQ(full.live(), static_cast<std::size_t>(kCount));
  for (int i = 0; i < kCount; ++i) ASSERT_EQ(table.find(text(i)), InternTable::kNotFound);
}

TEST(InternTable, ManyAtOnceAreAsOneByOne) {
  InternTable table;
  InternTable other;
  std::mt19937 random(3);
  for (int round = 0; round < 200; ++round) {
    std::vector<std::string> texts(random() % 100);
    for (std::string& text : texts)
      text = random() % 50 == 0 ? "" : "name-" + std::to_string(random() % 3000);
    const std::vector<std::string_view> views(texts.begin(), texts.end());
    std::size_t next = 0;
    const std::size_t taken = table.intern_all(views, views.size(), [&](std::size_t i, InternTable::Id id) {
      ASSERT_EQ(i, next++);
      ASSERT_EQ(id, other.intern(texts[i]));
      ASSERT_EQ(table.view(id), texts[i]);
    });
    ASSERT_EQ(taken, next);
    const auto end = std::find(texts.begin(), texts.end(), "");
    ASSERT_EQ(taken, static_cast<std::size_t>(end - texts.begin()));
    std::vector<InternTable::Id> found(texts.size());
    table.find_all(views, found.data());
    for (std::size_t i = 0; i < texts.size(); ++i) ASSERT_EQ(found[i], table.find(texts[i])) << texts[i];
  }
  EXPECT_EQ(table.live(), other.live());
  EXPECT_GT(table.live(), 1000u);
}

TEST(InternTable, ANulFollowsWhereItIsAskedFor) {
  InternTable table(InternTable::End::nul);
  for (std::size_t size = 1; size < 300; ++size) {
    const std::string bytes(size, 'x');
    const std::string_view kept = table.view(table.intern(bytes));
    ASSERT_EQ(kept, bytes);
    ASSERT_EQ(kept.data()[kept.size()], '\0') << size;
  }
  // A slot that held more before ends where the new text does.
  const InternTable::Id longer = table.intern("0123456789");
  table.drop_if_unused(longer);
  const std::string_view shorter = table.view(table.intern("ab"));
  EXPECT_STREQ(shorter.data(), "ab");
}

TEST(InternTable, ExpectKeepsWhatIsThere) {
  InternTable table;
  for (int i = 0; i < 100; ++i) table.retain(table.intern(std::to_string(i)));
  table.expect(5000);
  for (int i = 0; i < 100; ++i) EXPECT_NE(table.find(std::to_string(i)), InternTable::kNotFound);
}

}  // namespace
}  // namespace cede
