// SPDX-License-Identifier: MIT
#include "base/text.h"

#include <gtest/gtest.h>

#include <string>

namespace cede {
namespace {

TEST(Crc64, HasThePublishedCheckValue) {
  EXPECT_EQ(crc64("123456789"), 0x995DC9BBDF1939FAU);
  EXPECT_EQ(crc64(""), 0U);
}

TEST(Crc64, EverySingleBitCounts) {
  std::string bytes(200, 'x');
  const std::uint64_t whole = crc64(bytes);
  for (char& c : bytes) {
    for (int bit = 0; bit < 8; ++bit) {
      c = static_cast<char>(c ^ (1 << bit));
      EXPECT_NE(crc64(bytes), whole);
      c = static_cast<char>(c ^ (1 << bit));
    }
  }
}

}  // namespace
}  // namespace cede
