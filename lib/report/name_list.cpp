// SPDX-License-Identifier: MIT
#include "report/name_list.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <tuple>

#include "report/text_block.h"

namespace cede {
namespace {

// A name as what stands before its last digits, how many these are, and their value.
struct Numbered {
  std::string_view prefix;
  std::size_t width = 0;  // 0: no digits at the end
  std::uint64_t number = 0;

  explicit Numbered(std::string_view name) : prefix(name) {
    constexpr std::size_t kMostDigits = 18;
    std::size_t start = name.size();
    while (start > 0 && name.size() - start < kMostDigits && name[start - 1] >= '0' && name[start - 1] <= '9')
      --start;
    if (start == name.size()) return;
    std::from_chars(name.data() + start, name.data() + name.size(), number);
    prefix = name.substr(0, start);
    width = name.size() - start;
  }
  // Whether digits of this width could be written without leading zeros.
  bool is_padded() const { return width > std::to_string(number).size(); }
};

// Whether b follows a in one range: written with as many digits, or with one more where none are padded.
bool follows(const Numbered& a, const Numbered& b) {
  return a.prefix == b.prefix && a.width > 0 && b.width > 0 && b.number == a.number + 1 &&
         (a.width == b.width || (!a.is_padded() && !b.is_padded()));
}

std::string digits_of(const Numbered& name) {
  std::string digits = std::to_string(name.number);
  return std::string(name.width - digits.size(), '0') + digits;
}

}  // namespace

std::string fold_names(std::vector<std::string_view> names, std::size_t columns) {
  std::vector<Numbered> parts;
  for (const std::string_view name : names) parts.emplace_back(name);
  std::sort(parts.begin(), parts.end(), [](const Numbered& a, const Numbered& b) {
    return std::tie(a.prefix, a.number, a.width) < std::tie(b.prefix, b.number, b.width);
  });
  std::string out;
  for (std::size_t i = 0; i < parts.size() && out.size() <= columns * 4;) {
    if (!out.empty()) out += ',';
    out += parts[i].prefix;
    if (parts[i].width == 0) {
      ++i;
      continue;
    }
    std::string ranges;
    std::size_t count = 0;
    const std::string_view prefix = parts[i].prefix;
    while (i < parts.size() && parts[i].prefix == prefix && parts[i].width > 0) {
      std::size_t last = i;
      while (last + 1 < parts.size() && follows(parts[last], parts[last + 1])) ++last;
      if (!ranges.empty()) ranges += ',';
      ranges += digits_of(parts[i]);
      if (last > i) ranges += '-' + digits_of(parts[last]);
      count += last - i + 1;
      i = last + 1;
    }
    out += count == 1 ? ranges : '[' + ranges + ']';
  }
  return label(out, columns);
}

}  // namespace cede
