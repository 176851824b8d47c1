// SPDX-License-Identifier: MIT
#include "now_option.h"

#include <cede/cede.h>

#include <charconv>
#include <string>
#include <string_view>

#include "message_text.h"

namespace cli {

namespace {

// Milliseconds of a decimal number of seconds; what is finer is cut off, as in documents.
std::optional<std::int64_t> milliseconds(std::string_view text) {
  constexpr std::int64_t kLastSecond = 253'402'300'799;  // of year 9999, the library's last
  const std::size_t point = text.find('.');
  const std::string_view whole = text.substr(0, point);
  std::string fraction = point == std::string_view::npos ? "0" : std::string(text.substr(point + 1));
  const auto digits = [](std::string_view part) {
    return !part.empty() && part.find_first_not_of("0123456789") == std::string_view::npos;
  };
  if (!digits(whole) || !digits(fraction)) return {};
  std::int64_t seconds = 0;
  const auto [end, error] = std::from_chars(whole.data(), whole.data() + whole.size(), seconds);
  if (error != std::errc{} || seconds > kLastSecond) return {};
  fraction.resize(3, '0');
  return seconds * 1000 + std::stoi(fraction);
}

}  // namespace

std::optional<std::int64_t> now_of(const Arguments& arguments, Console& console) {
  const std::optional<std::string> text = arguments.value("--now");
  if (!text) return CEDE_NOW_OF_CLUSTER;
  const std::optional<std::int64_t> parsed = milliseconds(*text);
  if (!parsed)
    console.fail("--now: " + quote(*text) + " is not a number of seconds since 1970, 0..253402300799");
  return parsed;
}

}  // namespace cli
