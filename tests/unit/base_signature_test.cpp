// SPDX-License-Identifier: MIT
#include "base/text.h"

#include <gtest/gtest.h>

namespace cede {
namespace {

// The values that the definition of FNV-1a gives: signatures must not change with the compiler.
TEST(Signature, is_the_published_function) {
  EXPECT_EQ(signature_of(""), "6c62272e07bb014262b821756295c58d");
  EXPECT_EQ(signature_of("a"), "d228cb696f1a8caf78912b704e4a8964");
  EXPECT_EQ(signature_of("foobar"), "343e1662793c64bf6f0d3597ba446f18");
}

TEST(Signature, takes_every_byte) {
  EXPECT_NE(signature_of(std::string_view("\0", 1)), signature_of(""));
  EXPECT_NE(signature_of("\x80"), signature_of("\xff"));
  EXPECT_NE(signature_of("ab"), signature_of("ba"));
}

}  // namespace
}  // namespace cede
