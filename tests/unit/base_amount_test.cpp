// SPDX-License-Identifier: MIT
#include "base/amount.h"

#include <gtest/gtest.h>

#include <random>

namespace cede {
namespace {

Amount read(std::string_view text) {
  Amount amount = -7;
  std::string why;
  EXPECT_TRUE(parse_amount(text, amount, why)) << text << ": " << why;
  return amount;
}

std::string refusal(std::string_view text) {
  Amount amount = -7;
  std::string why;
  EXPECT_FALSE(parse_amount(text, amount, why)) << text << " became " << amount;
  EXPECT_EQ(amount, -7) << "a refused amount must leave the target alone";
  return why;
}

TEST(Amount, ReadsNumbersAndSuffixesExactly) {
  EXPECT_EQ(read("4"), 4000);
  EXPECT_EQ(read("0"), 0);
  EXPECT_EQ(read("-0"), 0);
  EXPECT_EQ(read("0.5"), 500);
  EXPECT_EQ(read("0.001"), 1);
  EXPECT_EQ(read("1e3"), 1'000'000);
  EXPECT_EQ(read("1.5e-2"), 15);
  EXPECT_EQ(read("2.50000000000000000000000000000000000000"), 2500);
  EXPECT_EQ(read("500m"), 500);
  EXPECT_EQ(read("1000u"), 1);
  EXPECT_EQ(read("1000000n"), 1);
  EXPECT_EQ(read("1k"), 1'000'000);
  EXPECT_EQ(read("1T"), 1'000'000'000'000'000);
  EXPECT_EQ(read("16Gi"), 16LL * 1024 * 1024 * 1024 * 1000);
  EXPECT_EQ(read("1.5Gi"), 1536LL * 1024 * 1024 * 1000);
  EXPECT_EQ(read("0.5Ki"), 512'000);
  EXPECT_EQ(read("2Ti"), (2LL << 40) * 1000);
  EXPECT_EQ(read("0.001E"), 1'000'000'000'000'000 * 1000);
  EXPECT_EQ(read("9000000000000000"), kMaxAmount);
  EXPECT_EQ(read("9P"), kMaxAmount);
  EXPECT_EQ(read("7Pi"), (7LL << 50) * 1000);
}

TEST(Amount, RefusesWhatIsNotExact) {
  EXPECT_EQ(refusal("0.0005"), "'0.0005' is finer than 1/1000");
  EXPECT_EQ(refusal("1.5m"), "'1.5m' is finer than 1/1000");
  EXPECT_EQ(refusal("1n"), "'1n' is finer than 1/1000");
  EXPECT_EQ(refusal("-1"), "'-1' is negative");
  EXPECT_EQ(refusal("9000000000000001"), "'9000000000000001' is above the largest amount, 9000000000000000");
  EXPECT_EQ(refusal("8Pi"), "'8Pi' is above the largest amount, 9000000000000000");
  EXPECT_EQ(refusal("1e999"), "'1e999' is above the largest amount, 9000000000000000");
  EXPECT_NE(refusal("99999999999999999999999999999999999999999999999").find("above"), std::string::npos);
  EXPECT_NE(refusal("5K").find("unknown suffix 'K'"), std::string::npos);
  EXPECT_NE(refusal("1e3Gi").find("both an exponent and a suffix"), std::string::npos);
  EXPECT_NE(refusal("4x").find("unknown suffix 'x'"), std::string::npos);
  EXPECT_NE(refusal("").find("is not an amount"), std::string::npos);
  EXPECT_NE(refusal("Gi").find("is not an amount"), std::string::npos);
  EXPECT_NE(refusal(".").find("is not an amount"), std::string::npos);
  EXPECT_NE(refusal("1 Gi").find("unknown suffix"), std::string::npos);
}

TEST(Amount, FormatsBackToItself) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 20000; ++i) {
    const auto amount =
        static_cast<Amount>(random() % (static_cast<std::uint64_t>(kMaxAmount) >> (random() % 60)));
    EXPECT_EQ(read(format_amount(amount)), amount);
    EXPECT_EQ(format_total(amount), format_amount(amount));
  }
  EXPECT_EQ(format_amount(1), "0.001");
  EXPECT_EQ(format_amount(2500), "2.5");
  EXPECT_EQ(format_scaled(-1500, 3), "-1.5");
}

TEST(Amount, SumsAreWide) {
  Total sum = 0;
  for (int i = 0; i < 1000; ++i) sum += kMaxAmount;
  EXPECT_EQ(format_total(sum), "9000000000000000000");
  EXPECT_EQ(format_total(-sum - 1), "-9000000000000000000.001");
}

}  // namespace
}  // namespace cede
