// SPDX-License-Identifier: MIT
#include "base/amount.h"

#include <algorithm>
#include <array>

#include "base/text.h"

namespace cede {

namespace {

struct Decimal {
  Total digits = 0;       // all digits of the number without its point
  int exponent = 0;       // value = digits × 10^exponent
  bool negative = false;  // the number starts with a minus sign
  bool overflow = false;  // more significant digits than fit; the value exceeds every limit
  std::size_t length = 0;
};

constexpr Total kDigitLimit = static_cast<Total>(1) << 100;

// Reads `[-]digits[.digits][e±digits]` from the front; length 0 means there is no number. An `e` or `E`
// without digits after it is not read, because it is the suffix exa.
Decimal read_decimal(std::string_view text) {
  Decimal d;
  std::size_t i = 0;
  if (i < text.size() && (text[i] == '-' || text[i] == '+')) d.negative = text[i++] == '-';
  const std::size_t first = i;
  const auto take = [&](char c) {
    if (d.digits >= kDigitLimit) {
      d.overflow = d.overflow || c != '0' || d.exponent >= 0;
      return false;
    }
    d.digits = d.digits * 10 + (c - '0');
    return true;
  };
  for (; i < text.size() && is_digit(text[i]); ++i) take(text[i]);
  std::size_t count = i - first;
  if (i < text.size() && text[i] == '.') {
    const std::size_t point = i++;
    for (; i < text.size() && is_digit(text[i]); ++i) {
      if (take(text[i])) --d.exponent;
    }
    count += i - point - 1;
  }
  if (count == 0) return {};
  if (i < text.size() && (text[i] == 'e' || text[i] == 'E')) {
    std::size_t j = i + 1;
    bool down = false;
    if (j < text.size() && (text[j] == '-' || text[j] == '+')) down = text[j++] == '-';
    if (j < text.size() && is_digit(text[j])) {
      int exponent = 0;
      for (; j < text.size() && is_digit(text[j]); ++j)
        exponent = std::min(exponent * 10 + (text[j] - '0'), 10000);
      d.exponent += down ? -exponent : exponent;
      i = j;
    }
  }
  d.length = i;
  return d;
}

enum class Fit { exact, too_fine, too_large };

// digits × 10^exponent × factor as an integer no larger than max.
Fit scale(Decimal d, Total factor, std::int64_t max, std::int64_t& out) {
  if (d.overflow) return Fit::too_large;
  if (d.digits == 0) {
    out = 0;
    return Fit::exact;
  }
  while (d.exponent < 0 && d.digits % 10 == 0) {
    d.digits /= 10;
    ++d.exponent;
  }
  // Cancel against the factor before multiplying, so that 1.5Gi stays exact and nothing overflows.
  while (d.exponent < 0) {
    if (factor % 10 == 0) {
      factor /= 10;
    } else if (factor % 2 == 0 && d.digits % 5 == 0) {
      factor /= 2;
      d.digits /= 5;
    } else if (factor % 5 == 0 && d.digits % 2 == 0) {
      factor /= 5;
      d.digits /= 2;
    } else {
      return Fit::too_fine;
    }
    ++d.exponent;
  }
  for (; d.exponent > 0 || factor > 1;) {
    if (d.digits > max) return Fit::too_large;
    if (d.exponent > 0) {
      d.digits *= 10;
      --d.exponent;
    } else {
      if (d.digits > max / factor) return Fit::too_large;
      d.digits *= factor;
      factor = 1;
    }
  }
  if (d.digits > max) return Fit::too_large;
  out = static_cast<std::int64_t>(d.digits);
  return Fit::exact;
}

struct Suffix {
  std::string_view text;
  Total factor;  // in thousandths
  int exponent;  // power of ten, for the suffixes below one thousandth
};

constexpr std::array<Suffix, 16> kSuffixes{{{"", 1000, 0},
                                            {"n", 1, -6},
                                            {"u", 1, -3},
                                            {"m", 1, 0},
                                            {"k", 1000, 3},
                                            {"M", 1000, 6},
                                            {"G", 1000, 9},
                                            {"T", 1000, 12},
                                            {"P", 1000, 15},
                                            {"E", 1000, 18},
                                            {"Ki", Total{1000} << 10, 0},
                                            {"Mi", Total{1000} << 20, 0},
                                            {"Gi", Total{1000} << 30, 0},
                                            {"Ti", Total{1000} << 40, 0},
                                            {"Pi", Total{1000} << 50, 0},
                                            {"Ei", Total{1000} << 60, 0}}};

std::string fault(Fit fit, std::string_view text, std::string_view finest, std::string_view most) {
  if (fit == Fit::too_fine) return quote(text) + " is finer than " + std::string(finest);
  return quote(text) + " is above " + std::string(most);
}

// `16Gi`, `2Ti`: up to five digits and a binary suffix, the most frequent form in documents.
bool read_binary_amount(std::string_view text, Amount& out) {
  if (text.size() < 3 || text.size() > 7 || text.back() != 'i') return false;
  static constexpr std::string_view kLetters = "KMGT";
  const std::size_t letter = kLetters.find(text[text.size() - 2]);
  if (letter == std::string_view::npos) return false;
  std::int64_t count = 0;
  for (const char c : text.substr(0, text.size() - 2)) {
    if (!is_digit(c)) return false;
    count = count * 10 + (c - '0');
  }
  const auto shift = static_cast<unsigned>(10 * (letter + 1));
  if (count > kMaxAmount / kOne >> shift) return false;
  out = (count << shift) * kOne;
  return true;
}

}  // namespace

bool parse_scaled(std::string_view text, int places, std::int64_t max, std::int64_t& out, std::string& why) {
  Decimal d = read_decimal(text);
  if (d.length == 0 || d.length != text.size()) {
    why = quote(text) + " is not a number";
    return false;
  }
  if (d.negative && d.digits != 0) {
    why = quote(text) + " is negative";
    return false;
  }
  d.exponent += places;
  const Fit fit = scale(d, 1, max, out);
  if (fit == Fit::exact) return true;
  why = fault(fit, text, format_scaled(1, places), format_scaled(max, places));
  return false;
}

std::string_view cut_fraction(std::string_view digits, int places) {
  const std::size_t point = digits.find('.');
  if (point == std::string_view::npos || digits.find_first_of("eE") != std::string_view::npos) return digits;
  return digits.substr(0, point + 1 + static_cast<std::size_t>(places));
}

bool parse_amount(std::string_view text, Amount& out, std::string& why) {
  if (read_binary_amount(text, out)) return true;
  Decimal d = read_decimal(text);
  if (d.length == 0) {
    why = quote(text) + " is not an amount; a number such as 4, 0.5, '500m' or '16Gi' is";
    return false;
  }
  const std::string_view tail = text.substr(d.length);
  if (!tail.empty() && text.substr(0, d.length).find_first_of("eE") != std::string_view::npos) {
    why = quote(text) + " has both an exponent and a suffix";
    return false;
  }
  const auto suffix =
      std::find_if(kSuffixes.begin(), kSuffixes.end(), [&](const Suffix& s) { return s.text == tail; });
  if (suffix == kSuffixes.end()) {
    why = quote(text) + " has the unknown suffix " + quote(tail) +
          "; m, k, M, G, T, P, E, Ki, Mi, Gi, Ti, Pi and Ei are known";
    return false;
  }
  if (d.negative && d.digits != 0) {
    why = quote(text) + " is negative";
    return false;
  }
  d.exponent += suffix->exponent;
  const Fit fit = scale(d, suffix->factor, kMaxAmount, out);
  if (fit == Fit::exact) return true;
  why = fault(fit, text, "1/1000", "the largest amount, 9000000000000000");
  return false;
}

std::string format_scaled(std::int64_t value, int places) {
  std::string digits = std::to_string(value);
  const bool negative = digits[0] == '-';
  if (negative) digits.erase(0, 1);
  const auto width = static_cast<std::size_t>(places);
  if (digits.size() <= width) digits.insert(0, width + 1 - digits.size(), '0');
  std::string fraction = digits.substr(digits.size() - width);
  digits.resize(digits.size() - width);
  while (!fraction.empty() && fraction.back() == '0') fraction.pop_back();
  return (negative ? "-" : "") + digits + (fraction.empty() ? "" : "." + fraction);
}

std::string format_amount(Amount amount) { return format_scaled(amount, 3); }

std::string format_total(Total total) {
  const bool negative = total < 0;
  UnsignedWide left = negative ? -static_cast<UnsignedWide>(total) : static_cast<UnsignedWide>(total);
  const auto fraction = static_cast<unsigned>(left % 1000);
  left /= 1000;
  std::string digits;
  do {
    digits.insert(digits.begin(), static_cast<char>('0' + static_cast<int>(left % 10)));
    left /= 10;
  } while (left > 0);
  if (fraction > 0) digits += format_scaled(fraction, 3).substr(1);
  return (negative ? "-" : "") + digits;
}

}  // namespace cede
