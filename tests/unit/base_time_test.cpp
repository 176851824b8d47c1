// SPDX-License-Identifier: MIT
#include "base/time.h"

#include <gtest/gtest.h>

#include <ctime>
#include <random>

namespace cede {
namespace {

using Parser = bool (*)(std::string_view, std::int64_t&, std::string&);

std::int64_t read(Parser parse, std::string_view text) {
  std::int64_t value = -7;
  std::string why;
  EXPECT_TRUE(parse(text, value, why)) << text << ": " << why;
  return value;
}

std::string refusal(Parser parse, std::string_view text) {
  std::int64_t value = -7;
  std::string why;
  EXPECT_FALSE(parse(text, value, why)) << text << " became " << value;
  EXPECT_EQ(value, -7);
  return why;
}

TEST(Time, ReadsSecondsAndRfc3339) {
  EXPECT_EQ(read(parse_time_number, "1760000000"), 1'760'000'000'000);
  EXPECT_EQ(read(parse_time_number, "1760000000.123456"), 1'760'000'000'123) << "cut to the millisecond";
  EXPECT_EQ(read(parse_time_number, "0"), 0);
  EXPECT_EQ(read(parse_time_text, "2025-10-09T08:53:20Z"), 1'760'000'000'000);
  EXPECT_EQ(read(parse_time_text, "2025-10-09t08:53:20z"), 1'760'000'000'000);
  EXPECT_EQ(read(parse_time_text, "2025-10-09 10:53:20.5+02:00"), 1'760'000'000'500);
  EXPECT_EQ(read(parse_time_text, "2025-10-09T08:53:20.123456789Z"), 1'760'000'000'123);
  EXPECT_EQ(read(parse_time_text, "2024-02-29T00:00:00Z"), 1'709'164'800'000);
}

TEST(Time, RefusesWhatIsNoTime) {
  EXPECT_EQ(
      refusal(parse_time_text, "tomorrow"),
      "'tomorrow' is not a time; seconds since 1970 or RFC 3339 text such as '2025-10-09T08:53:20Z' is");
  for (const char* text : {"2025-10-09", "2025-13-09T08:53:20Z", "2025-02-29T08:53:20Z",
                           "2025-10-09T24:00:00Z", "2025-10-09T08:53:20", "2025-10-09T08:53:20.Z",
                           "2025-10-09T08:53:20+2:00", "2025-10-09T08:53:20Zx", ""}) {
    EXPECT_NE(refusal(parse_time_text, text).find("is not a time"), std::string::npos) << text;
  }
  EXPECT_NE(refusal(parse_time_text, "1969-12-31T23:59:59Z").find("outside the years"), std::string::npos);
  EXPECT_NE(refusal(parse_time_number, "-5").find("negative"), std::string::npos);
  EXPECT_NE(refusal(parse_time_number, "1e30").find("above"), std::string::npos);
}

TEST(Time, AgreesWithTheSystemCalendar) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 20000; ++i) {
    const auto seconds = static_cast<std::time_t>(random() % 253'402'300'800);
    std::tm utc{};
    gmtime_r(&seconds, &utc);
    char text[64];
    std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
    EXPECT_EQ(read(parse_time_text, text), seconds * 1000);
    EXPECT_EQ(format_time(seconds * 1000), text);
  }
}

TEST(Duration, ReadsNumbersAndUnits) {
  EXPECT_EQ(read(parse_duration_number, "90"), 90'000);
  EXPECT_EQ(read(parse_duration_number, "0.25"), 250);
  EXPECT_EQ(read(parse_duration_number, "1234.56789"), 1'234'567) << "a computed number is cut";
  EXPECT_EQ(read(parse_duration_text, "90s"), 90'000);
  EXPECT_EQ(read(parse_duration_text, "10m"), 600'000);
  EXPECT_EQ(read(parse_duration_text, "1h30m"), 5'400'000);
  EXPECT_EQ(read(parse_duration_text, "1.5h"), 5'400'000);
  EXPECT_EQ(read(parse_duration_text, "300ms"), 300);
  EXPECT_EQ(read(parse_duration_text, "2d"), 172'800'000);
  EXPECT_EQ(read(parse_duration_text, "1d2h3m4s5ms"), 93'784'005);
  EXPECT_EQ(read(parse_duration_text, "0s"), 0);
  EXPECT_EQ(read(parse_duration_text, "876000h"), 876'000LL * kHour);
}

TEST(Duration, RefusesWhatIsNoDuration) {
  for (const char* text : {"", "90", "s", "10x", "30m1h", "1h1h", "1.2.3s", "-5s", "1 h", "5µs"}) {
    const std::string why = refusal(parse_duration_text, text);
    EXPECT_NE(why.find("'90s', '10m', '1h30m' or '300ms' is a duration"), std::string::npos)
        << text << ": " << why;
  }
  EXPECT_NE(refusal(parse_duration_text, "0.0001s").find("finer than a millisecond"), std::string::npos);
  EXPECT_NE(refusal(parse_duration_text, "999999h").find("hundred years"), std::string::npos);
  EXPECT_NE(refusal(parse_duration_text, "1000000000h").find("hundred years"), std::string::npos);
  EXPECT_NE(refusal(parse_duration_number, "-1").find("negative"), std::string::npos);
}

TEST(Duration, FormatsForPeopleAndReadsBack) {
  EXPECT_EQ(format_duration(5'400'000), "1h30m");
  EXPECT_EQ(format_duration(0), "0s");
  std::mt19937_64 random(5);
  for (int i = 0; i < 20000; ++i) {
    const auto value = static_cast<Duration>(random() % static_cast<std::uint64_t>(kMaxDuration));
    EXPECT_EQ(read(parse_duration_text, format_duration(value)), value);
    EXPECT_EQ(read(parse_duration_number, format_seconds(value)), value);
  }
}

}  // namespace
}  // namespace cede
