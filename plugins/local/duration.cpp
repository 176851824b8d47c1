// SPDX-License-Identifier: MIT
#include "duration.h"

#include <array>
#include <cstddef>

namespace local {

namespace {

constexpr std::int64_t kLongest = 100LL * 366 * 86'400'000;

struct Unit {
  std::string_view name;
  std::int64_t length;
};
constexpr std::array kUnits{Unit{"ms", 1}, Unit{"s", 1000}, Unit{"m", 60'000}, Unit{"h", 3'600'000},
                            Unit{"d", 86'400'000}};

// A decimal number moved past, in thousandths; what is finer is cut off.
std::optional<std::int64_t> take_thousandths(std::string_view& rest) {
  std::int64_t whole = 0, part = 0, scale = 1000;
  bool any = false, behind_point = false;
  while (!rest.empty() && ((rest.front() >= '0' && rest.front() <= '9') || rest.front() == '.')) {
    const char c = rest.front();
    rest.remove_prefix(1);
    if (c == '.') {
      if (behind_point || !any) return {};
      behind_point = true;
      any = false;
      continue;
    }
    any = true;
    if (!behind_point) {
      whole = whole * 10 + (c - '0');
      if (whole > kLongest) return {};
    } else if (scale > 1) {
      scale /= 10;
      part += (c - '0') * scale;
    }
  }
  return any ? std::optional(whole * 1000 + part) : std::nullopt;
}

std::string padded(std::int64_t number) { return (number < 10 ? "0" : "") + std::to_string(number); }

}  // namespace

std::optional<std::int64_t> parse_duration(std::string_view text) {
  std::int64_t total = 0;
  bool plain = true;
  do {
    const std::optional<std::int64_t> amount = take_thousandths(text);
    if (!amount) return {};
    if (text.empty()) return plain && *amount <= kLongest ? std::optional(*amount) : std::nullopt;
    const std::size_t size = text.find_first_of("0123456789.");
    const std::string_view name = text.substr(0, size);
    std::int64_t length = 0;
    for (const Unit& unit : kUnits) {
      if (unit.name == name) length = unit.length;
    }
    if (length == 0) return {};
    text.remove_prefix(name.size());
    if (*amount / 1000 > kLongest / length) return {};
    total += *amount / 1000 * length + *amount % 1000 * length / 1000;
    plain = false;
  } while (!text.empty());
  return total > kLongest ? std::nullopt : std::optional(total);
}

std::string shown_duration(std::int64_t milliseconds) {
  if (milliseconds < 0) return "-" + shown_duration(-milliseconds);
  if (milliseconds < 60'000) {
    return std::to_string(milliseconds / 1000) + '.' + std::to_string(milliseconds % 1000 / 100) + 's';
  }
  const std::int64_t whole = milliseconds / 1000;
  if (whole < 3600) return std::to_string(whole / 60) + 'm' + padded(whole % 60) + 's';
  return std::to_string(whole / 3600) + 'h' + padded(whole % 3600 / 60) + 'm';
}

std::string seconds(std::int64_t milliseconds) {
  const std::int64_t size = milliseconds < 0 ? -milliseconds : milliseconds;
  return (milliseconds < 0 ? "-" : "") + std::to_string(size / 1000) + '.' +
         std::to_string(1000 + size % 1000).substr(1);
}

}  // namespace local
