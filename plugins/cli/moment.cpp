// SPDX-License-Identifier: MIT
#include "moment.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <ctime>

namespace cli {

namespace {

constexpr std::int64_t kLastSecond = 253'402'300'799;  // of year 9999, the library's last

bool are_digits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

std::optional<std::int64_t> whole(std::string_view digits) {
  std::int64_t value = 0;
  if (!are_digits(digits)) return {};
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc{}) return {};
  return value;
}

// The first three decimals.
std::optional<std::int64_t> thousandths(std::string_view digits) {
  if (!are_digits(digits)) return {};
  std::string three(digits.substr(0, 3));
  three.resize(3, '0');
  return whole(three);
}

// Reads this many digits of a number in this range, and the separator behind them.
bool take(std::string_view& text, std::size_t digits, int least, int most, std::string_view behind,
          int& out) {
  const std::optional<std::int64_t> value = whole(text.substr(0, digits));
  if (text.size() < digits || !value || *value < least || *value > most) return false;
  out = static_cast<int>(*value);
  text.remove_prefix(digits);
  if (behind.empty()) return true;
  if (text.empty() || behind.find(text.front()) == std::string_view::npos) return false;
  text.remove_prefix(1);
  return true;
}

int days_in(int year, int month) {
  constexpr std::array kDays{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  const bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
  return kDays[static_cast<std::size_t>(month - 1)] + (month == 2 && leap ? 1 : 0);
}

// `Z`, `+02:00`: minutes that local time is ahead.
std::optional<int> zone(std::string_view text) {
  if (text == "Z" || text == "z") return 0;
  if (text.empty() || (text.front() != '+' && text.front() != '-')) return {};
  const int sign = text.front() == '+' ? 1 : -1;
  text.remove_prefix(1);
  int hours = 0, minutes = 0;
  if (!take(text, 2, 0, 23, ":", hours) || !take(text, 2, 0, 59, "", minutes) || !text.empty()) return {};
  return sign * (60 * hours + minutes);
}

std::optional<std::int64_t> parse_date(std::string_view text) {
  std::tm parts{};
  int year = 0, month = 0;
  if (!take(text, 4, 1970, 9999, "-", year) || !take(text, 2, 1, 12, "-", month) ||
      !take(text, 2, 1, days_in(year, month), "Tt ", parts.tm_mday) ||
      !take(text, 2, 0, 23, ":", parts.tm_hour) || !take(text, 2, 0, 59, ":", parts.tm_min) ||
      !take(text, 2, 0, 59, "", parts.tm_sec))
    return {};
  std::int64_t rest = 0;
  if (text.starts_with('.')) {
    const std::size_t end = std::min(text.find_first_not_of("0123456789", 1), text.size());
    const std::optional<std::int64_t> fraction = thousandths(text.substr(1, end - 1));
    if (!fraction) return {};
    rest = *fraction;
    text.remove_prefix(end);
  }
  const std::optional<int> ahead = zone(text);
  if (!ahead) return {};
  parts.tm_year = year - 1900;
  parts.tm_mon = month - 1;
  const std::int64_t seconds = ::timegm(&parts) - 60 * *ahead;
  if (seconds < 0 || seconds > kLastSecond) return {};
  return seconds * 1000 + rest;
}

}  // namespace

std::optional<std::int64_t> parse_seconds(std::string_view text) {
  const std::size_t point = text.find('.');
  const std::optional<std::int64_t> seconds = whole(text.substr(0, point));
  const std::optional<std::int64_t> fraction =
      point == std::string_view::npos ? std::optional<std::int64_t>(0) : thousandths(text.substr(point + 1));
  if (!seconds || !fraction || *seconds > kLastSecond) return {};
  return *seconds * 1000 + *fraction;
}

std::optional<std::int64_t> parse_moment(std::string_view text) {
  const std::optional<std::int64_t> seconds = parse_seconds(text);
  return seconds ? seconds : parse_date(text);
}

std::optional<std::int64_t> parse_span(std::string_view text) {
  if (const std::optional<std::int64_t> seconds = parse_seconds(text)) return seconds;
  struct Unit {
    std::string_view name;
    std::int64_t milliseconds;
  };
  constexpr std::array kUnits{Unit{"d", 86'400'000}, Unit{"h", 3'600'000}, Unit{"m", 60'000},
                              Unit{"s", 1000}};
  std::int64_t sum = 0;
  std::size_t next = 0;  // units come from the largest down
  while (!text.empty()) {
    const std::size_t end = text.find_first_not_of("0123456789");
    if (end == std::string_view::npos) return {};
    const std::optional<std::int64_t> number = whole(text.substr(0, end));
    while (next < kUnits.size() && kUnits[next].name != text.substr(end, 1)) ++next;
    if (!number || next == kUnits.size() || *number > kLastSecond) return {};
    sum += *number * kUnits[next++].milliseconds;
    text.remove_prefix(end + 1);
    if (sum > kLastSecond * 1000) return {};
  }
  return next == 0 ? std::nullopt : std::optional(sum);
}

std::string moment_text(std::int64_t moment, bool with_seconds) {
  const auto seconds = static_cast<std::time_t>(moment / 1000);
  std::tm parts{};
  ::gmtime_r(&seconds, &parts);
  std::array<char, 32> text{};
  const std::size_t size = std::strftime(text.data(), text.size(),
                                         with_seconds ? "%Y-%m-%d %H:%M:%SZ" : "%Y-%m-%d %H:%MZ", &parts);
  return {text.data(), size};
}

std::string span_text(std::int64_t span) {
  struct Unit {
    const char* name;
    std::int64_t seconds;
  };
  constexpr std::array kUnits{Unit{"d", 86'400}, Unit{"h", 3600}, Unit{"m", 60}, Unit{"s", 1}};
  std::int64_t left = std::max<std::int64_t>(span, 0) / 1000;
  std::string out;
  for (std::size_t i = 0; i < kUnits.size(); ++i) {
    if (left < kUnits[i].seconds) continue;
    out = std::to_string(left / kUnits[i].seconds) + kUnits[i].name;
    left %= kUnits[i].seconds;
    if (i + 1 < kUnits.size() && left >= kUnits[i + 1].seconds)
      out += std::to_string(left / kUnits[i + 1].seconds) + kUnits[i + 1].name;
    return out;
  }
  return "0s";
}

}  // namespace cli
