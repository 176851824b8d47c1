// SPDX-License-Identifier: MIT
#include "report/text_block.h"

#include <gtest/gtest.h>

namespace cede {
namespace {

TEST(TextBlock, counts_characters_not_bytes) {
  EXPECT_EQ(columns_of("ä─x"), 3u);
  EXPECT_EQ(columns_of(TextBlock{"a", "abc", "ab"}), 3u);
  EXPECT_EQ(columns_of(TextBlock{}), 0u);
}

TEST(TextBlock, labels_are_cut_and_tame) {
  EXPECT_EQ(label("abc", 3), "abc");
  EXPECT_EQ(label("abcd", 3), "ab…");
  EXPECT_EQ(label("äöüß", 3), "äö…");
  EXPECT_EQ(label("a\x1b[31m\x7f\xc2\x9b", 30), "a\\u001b[31m\\u007f\\u009b");
  EXPECT_EQ(label("", 3), "");
  EXPECT_EQ(label("ab", 1), "…");
}

TEST(TextBlock, frames) {
  EXPECT_EQ(framed("", {"ab", "c"}), (TextBlock{"┌────┐", "│ ab │", "│ c  │", "└────┘"}));
  EXPECT_EQ(framed("title", {"ab"}), (TextBlock{"┌─ title ─┐", "│ ab      │", "└─────────┘"}));
  EXPECT_EQ(framed("t", {"a long line"}),
            (TextBlock{"┌─ t ─────────┐", "│ a long line │", "└─────────────┘"}));
  for (const TextBlock& block : {framed("", {}), framed("x", {}), framed("a", {"b"})}) {
    for (const std::string& line : block) EXPECT_EQ(columns_of(line), columns_of(block));
  }
}

TEST(TextBlock, arranges_in_rows) {
  const TextBlock tall{"1", "2"}, wide{"wide"};
  EXPECT_EQ(arranged({tall, wide, tall}, 8), (TextBlock{"1 wide 1", "2      2"}));
  EXPECT_EQ(arranged({tall, wide, tall}, 7), (TextBlock{"1 wide", "2", "1", "2"}));
  EXPECT_EQ(arranged({wide}, 1), wide);
  EXPECT_TRUE(arranged({}, 10).empty());
}

TEST(TextBlock, wraps) {
  EXPECT_EQ(wrapped("one two three", 7, 2), (TextBlock{"one two", "  three"}));
  EXPECT_EQ(wrapped("a toolongword b", 5, 1), (TextBlock{"a", " toolongword", " b"}));
  EXPECT_EQ(wrapped("", 5, 1), (TextBlock{""}));
  EXPECT_EQ(counted(1, "node"), "1 node");
  EXPECT_EQ(counted(0, "node"), "0 nodes");
}

}  // namespace
}  // namespace cede
