// SPDX-License-Identifier: MIT
#include "base/sparse_column.h"

#include <gtest/gtest.h>

#include <array>
#include <optional>
#include <random>
#include <vector>

namespace cede {
namespace {

struct Row {
  std::int64_t value = -1;
  std::uint32_t name = 0;
  bool operator==(const Row&) const = default;
};

using Column = SparseColumn<Row>;

// What a model's undo does with the parts of every table.
struct Undoing {
  Column& column;
  std::uint32_t number = 0;

  explicit Undoing(Column& of) : column(of) {
    column.each_part([&](auto& places, auto& rows, auto& free, std::uint32_t& count) {
      places.begin(), rows.begin(), free.begin();
      number = count;
    });
  }
  void keep() {
    column.each_part([](auto& places, auto& rows, auto& free, std::uint32_t&) {
      places.keep(), rows.keep(), free.keep();
    });
  }
  void undo() {
    column.each_part([&](auto& places, auto& rows, auto& free, std::uint32_t& count) {
      places.undo(), rows.undo(), free.undo();
      count = number;
    });
  }
};

// How long the index, the rows and the stack of free rows are.
std::array<std::size_t, 3> sizes(Column& column) {
  std::array<std::size_t, 3> out{};
  column.each_part([&](auto& places, auto& rows, auto& free, std::uint32_t&) {
    out = {places.size(), rows.size(), free.size()};
  });
  return out;
}

TEST(SparseColumn, ARowAtItsDefaultTakesNoSpace) {
  Column column;
  column.set(1'000'000, {});
  EXPECT_EQ(column[1'000'000], Row{}) << "it need not be grown first";
  EXPECT_EQ(sizes(column), (std::array<std::size_t, 3>{0, 0, 0}));
  column.set(7, {3, 1});
  EXPECT_EQ(sizes(column), (std::array<std::size_t, 3>{8, 1, 0}));
  EXPECT_EQ(column[7], (Row{3, 1}));
  EXPECT_EQ(column[6], Row{});
  EXPECT_EQ(column[8], Row{});
}

TEST(SparseColumn, ARowThatReturnsToItsDefaultMakesRoomForAnother) {
  Column column;
  for (std::size_t i = 0; i < 100; ++i) column.set(i, {static_cast<std::int64_t>(i), 0});
  for (std::size_t i = 0; i < 100; i += 2) column.set(i, {});
  EXPECT_EQ(column.stored(), 50u);
  for (std::size_t i = 100; i < 150; ++i) column.set(i, {static_cast<std::int64_t>(i), 0});
  EXPECT_EQ(column.stored(), 100u);
  EXPECT_EQ(sizes(column)[1], 100u);
  for (std::size_t i = 0; i < 150; ++i) {
    const std::int64_t expected = i < 100 && i % 2 == 0 ? -1 : static_cast<std::int64_t>(i);
    EXPECT_EQ(column[i].value, expected) << i;
  }
}

TEST(SparseColumn, TakesARowOfItsOwn) {
  Column column;
  column.set(0, {5, 5});
  const Column shared = column;
  for (std::size_t i = 1; i < 500; ++i) column.set(i, column[i - 1]);
  EXPECT_EQ(column[499], (Row{5, 5}));
  EXPECT_EQ(shared[1], Row{});
}

// Random writes, taken back or kept, beside a plain vector; now and then somebody else shares the storage.
TEST(SparseColumn, EqualsAPlainOne) {
  std::mt19937_64 random(3);
  Column column;
  std::vector<Row> plain(700);
  std::optional<Column> shared;
  std::vector<Row> shared_plain;
  for (int round = 0; round < 2000; ++round) {
    if (random() % 8 == 0) {
      shared = column;
      shared_plain = plain;
    }
    if (random() % 8 == 0) shared.reset();
    const std::vector<Row> before = plain;
    Undoing undoing(column);
    for (std::uint64_t writes = random() % 30; writes > 0; --writes) {
      const std::size_t at = random() % (random() % 4 == 0 ? plain.size() : 50);
      const Row row = random() % 2 == 0 ? Row{} : Row{static_cast<std::int64_t>(random() % 9), 1};
      column.set(at, row);
      plain[at] = row;
    }
    if (random() % 2 == 0) {
      undoing.undo();
      plain = before;
    } else {
      undoing.keep();
    }
    std::size_t stored = 0;
    for (std::size_t i = 0; i < plain.size(); ++i) {
      ASSERT_EQ(column[i], plain[i]) << "at " << i << " in round " << round;
      stored += plain[i] == Row{} ? 0 : 1;
    }
    ASSERT_EQ(column.stored(), stored);
    for (std::size_t i = 0; shared && i < plain.size(); ++i) ASSERT_EQ((*shared)[i], shared_plain[i]);
  }
}

}  // namespace
}  // namespace cede
