// SPDX-License-Identifier: MIT
#include "base/time.h"

#include <array>
#include <optional>

#include "base/amount.h"
#include "base/text.h"

namespace cede {

namespace {

constexpr std::string_view kTimeForms =
    "seconds since 1970 or RFC 3339 text such as '2025-10-09T08:53:20Z' is";
constexpr std::string_view kDurationForms = "seconds or text such as '90s', '10m', '1h30m' or '300ms' is";

// Days since 1970-01-01 in the proleptic Gregorian calendar (H. Hinnant's algorithm).
std::int64_t days_from_civil(std::int64_t year, unsigned month, unsigned day) {
  year -= month <= 2 ? 1 : 0;
  const std::int64_t era = year / 400;
  const auto year_of_era = static_cast<unsigned>(year - era * 400);
  const unsigned day_of_year = (153 * (month + (month > 2 ? -3u : 9u)) + 2) / 5 + day - 1;
  const unsigned day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
  return era * 146097 + static_cast<std::int64_t>(day_of_era) - 719468;
}

struct Civil {
  std::int64_t year;
  unsigned month;
  unsigned day;
};

Civil civil_from_days(std::int64_t days) {
  days += 719468;
  const std::int64_t era = days / 146097;
  const auto day_of_era = static_cast<unsigned>(days - era * 146097);
  const unsigned year_of_era =
      (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
  const unsigned day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const unsigned shifted = (5 * day_of_year + 2) / 153;
  const unsigned month = shifted < 10 ? shifted + 3 : shifted - 9;
  return {static_cast<std::int64_t>(year_of_era) + era * 400 + (month <= 2 ? 1 : 0), month,
          day_of_year - (153 * shifted + 2) / 5 + 1};
}

unsigned days_in_month(std::int64_t year, unsigned month) {
  constexpr std::array<unsigned, 12> days{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  const bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
  return month == 2 && leap ? 29 : days[month - 1];
}

// Exactly `count` digits at `at`.
std::optional<unsigned> digits_at(std::string_view text, std::size_t at, std::size_t count) {
  if (at + count > text.size()) return std::nullopt;
  unsigned value = 0;
  for (std::size_t i = at; i < at + count; ++i) {
    if (!is_digit(text[i])) return std::nullopt;
    value = value * 10 + static_cast<unsigned>(text[i] - '0');
  }
  return value;
}

bool char_at(std::string_view text, std::size_t at, std::string_view allowed) {
  return at < text.size() && allowed.find(text[at]) != std::string_view::npos;
}

std::optional<Time> read_rfc3339(std::string_view text) {
  const auto year = digits_at(text, 0, 4);
  const auto month = digits_at(text, 5, 2);
  const auto day = digits_at(text, 8, 2);
  const auto hour = digits_at(text, 11, 2);
  const auto minute = digits_at(text, 14, 2);
  const auto second = digits_at(text, 17, 2);
  if (!year || !month || !day || !hour || !minute || !second) return std::nullopt;
  if (!char_at(text, 4, "-") || !char_at(text, 7, "-") || !char_at(text, 10, "Tt ") ||
      !char_at(text, 13, ":") || !char_at(text, 16, ":")) {
    return std::nullopt;
  }
  if (*month < 1 || *month > 12 || *day < 1 || *day > days_in_month(*year, *month) || *hour > 23 ||
      *minute > 59 || *second > 60) {
    return std::nullopt;
  }
  std::size_t i = 19;
  std::int64_t millis = 0;
  if (char_at(text, i, ".")) {
    const std::size_t first = ++i;
    for (; i < text.size() && is_digit(text[i]); ++i) {
      if (i < first + 3) millis = millis * 10 + (text[i] - '0');
    }
    if (i == first) return std::nullopt;
    for (std::size_t k = i - first; k < 3; ++k) millis *= 10;
  }
  std::int64_t offset_minutes = 0;
  if (char_at(text, i, "Zz")) {
    ++i;
  } else if (char_at(text, i, "+-")) {
    const auto hours = digits_at(text, i + 1, 2);
    const auto minutes = digits_at(text, i + 4, 2);
    if (!hours || !minutes || !char_at(text, i + 3, ":") || *hours > 23 || *minutes > 59) return std::nullopt;
    offset_minutes = static_cast<std::int64_t>(*hours * 60 + *minutes) * (text[i] == '-' ? -1 : 1);
    i += 6;
  } else {
    return std::nullopt;
  }
  if (i != text.size()) return std::nullopt;
  const std::int64_t days = days_from_civil(*year, *month, *day);
  const std::int64_t seconds =
      days * 86400 + static_cast<std::int64_t>(*hour * 3600 + *minute * 60 + *second) - offset_minutes * 60;
  return seconds * 1000 + millis;
}

bool check_range(std::string_view text, Time& time, std::string& why) {
  if (time >= 0 && time <= kMaxTime) return true;
  why = quote(text) + " is outside the years 1970..9999";
  return false;
}

}  // namespace

bool parse_time_number(std::string_view digits, Time& out, std::string& why) {
  digits = cut_fraction(digits, 3);
  Time time = 0;
  if (!parse_scaled(digits, 3, kMaxTime, time, why)) {
    why += "; " + std::string(kTimeForms) + " a time";
    return false;
  }
  out = time;
  return true;
}

bool parse_time_text(std::string_view text, Time& out, std::string& why) {
  const std::optional<Time> time = read_rfc3339(text);
  if (!time) {
    why = quote(text) + " is not a time; " + std::string(kTimeForms);
    return false;
  }
  Time value = *time;
  if (!check_range(text, value, why)) return false;
  out = value;
  return true;
}

bool parse_duration_number(std::string_view digits, Duration& out, std::string& why) {
  if (parse_scaled(cut_fraction(digits, 3), 3, kMaxDuration, out, why)) return true;
  why += "; " + std::string(kDurationForms) + " a duration";
  return false;
}

bool parse_duration_text(std::string_view text, Duration& out, std::string& why) {
  // `90s`, `10m`, `4h`: a few digits and one letter, the most frequent form in documents.
  if (text.size() >= 2 && text.size() <= 7) {
    const char letter = text.back();
    const Duration unit = letter == 's' ? kSecond : letter == 'm' ? kMinute : letter == 'h' ? kHour : 0;
    if (const auto count = digits_at(text, 0, text.size() - 1);
        unit != 0 && count && *count * unit <= kMaxDuration) {
      out = *count * unit;
      return true;
    }
  }
  struct Unit {
    std::string_view text;
    Duration length;
  };
  static constexpr std::array<Unit, 5> kUnits{
      {{"d", 24 * kHour}, {"h", kHour}, {"m", kMinute}, {"s", kSecond}, {"ms", 1}}};
  const auto refuse = [&](std::string_view because) {
    why = quote(text) + ' ' + std::string(because) + "; " + std::string(kDurationForms) + " a duration";
    return false;
  };
  Total total = 0;  // in millionths of a millisecond
  std::size_t next_unit = 0;
  std::size_t i = 0;
  if (text.empty()) return refuse("is empty");
  while (i < text.size()) {
    const std::size_t first = i;
    while (i < text.size() && (is_digit(text[i]) || text[i] == '.')) ++i;
    const std::string_view number = text.substr(first, i - first);
    const std::size_t unit_at = i;
    while (i < text.size() && !is_digit(text[i]) && text[i] != '.') ++i;
    const std::string_view unit = text.substr(unit_at, i - unit_at);
    while (next_unit < kUnits.size() && kUnits[next_unit].text != unit) ++next_unit;
    if (number.empty() || next_unit == kUnits.size()) return refuse("is not a duration");
    std::int64_t scaled = 0;
    std::string ignored;
    if (!parse_scaled(number, 6, std::numeric_limits<std::int64_t>::max(), scaled, ignored))
      return refuse("is not a duration");
    total += static_cast<Total>(scaled) * kUnits[next_unit++].length;
  }
  if (total % 1'000'000 != 0) return refuse("is finer than a millisecond");
  total /= 1'000'000;
  if (total > kMaxDuration) return refuse("is longer than a hundred years");
  out = static_cast<Duration>(total);
  return true;
}

std::string format_seconds(std::int64_t milliseconds) { return format_scaled(milliseconds, 3); }

std::string format_duration(Duration duration) {
  if (duration == 0) return "0s";
  std::string out;
  const auto take = [&](Duration unit, std::string_view name) {
    if (duration < unit) return;
    out += std::to_string(duration / unit) + std::string(name);
    duration %= unit;
  };
  take(24 * kHour, "d");
  take(kHour, "h");
  take(kMinute, "m");
  take(kSecond, "s");
  take(1, "ms");
  return out;
}

std::string format_time(Time time) {
  const std::int64_t seconds = time / 1000;
  const Civil day = civil_from_days(seconds / 86400);
  const std::int64_t of_day = seconds % 86400;
  const auto two = [](std::int64_t value) { return (value < 10 ? "0" : "") + std::to_string(value); };
  std::string out = std::to_string(day.year) + '-' + two(day.month) + '-' + two(day.day) + 'T' +
                    two(of_day / 3600) + ':' + two(of_day / 60 % 60) + ':' + two(of_day % 60);
  if (time % 1000 != 0) out += format_scaled(time % 1000, 3).substr(1);
  return out + 'Z';
}

}  // namespace cede
