// SPDX-License-Identifier: MIT
#include "report/text_block.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <tuple>

#include "base/text.h"

namespace cede {

namespace {

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0u) == 0x80u; }

std::string repeated(std::string_view text, std::size_t count) {
  std::string out;
  for (std::size_t i = 0; i < count; ++i) out += text;
  return out;
}

std::string padded(const std::string& text, std::size_t columns) {
  return text + std::string(columns - std::min(columns_of(text), columns), ' ');
}

}  // namespace

std::size_t columns_of(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return !is_continuation(c); }));
}

std::size_t columns_of(const TextBlock& block) {
  std::size_t widest = 0;
  for (const std::string& line : block) widest = std::max(widest, columns_of(line));
  return widest;
}

std::string label(std::string_view text, std::size_t columns) {
  std::string out = visible(text);
  std::size_t used = 0;
  std::size_t last = 0;  // end of the last character that leaves room for the mark
  for (std::size_t i = 0; i < out.size();) {
    std::size_t end = i + 1;
    while (end < out.size() && is_continuation(out[end])) ++end;
    if (++used > columns) return out.substr(0, last) + "…";
    if (used < columns) last = end;
    i = end;
  }
  return out;
}

TextBlock framed(std::string_view title, const TextBlock& content) {
  const std::size_t inner = std::max(columns_of(content), title.empty() ? 0 : columns_of(title) + 2);
  TextBlock out;
  out.push_back(title.empty()
                    ? "┌" + repeated("─", inner + 2) + "┐"
                    : "┌─ " + std::string(title) + ' ' + repeated("─", inner - columns_of(title) - 1) + "┐");
  for (const std::string& line : content) out.push_back("│ " + padded(line, inner) + " │");
  out.push_back("└" + repeated("─", inner + 2) + "┘");
  return out;
}

TextBlock arranged(const std::vector<TextBlock>& blocks, std::size_t columns) {
  TextBlock out;
  for (std::size_t first = 0; first < blocks.size();) {
    std::size_t width = columns_of(blocks[first]);
    std::size_t height = blocks[first].size();
    std::size_t end = first + 1;
    while (end < blocks.size() && width + 1 + columns_of(blocks[end]) <= columns) {
      width += 1 + columns_of(blocks[end]);
      height = std::max(height, blocks[end].size());
      ++end;
    }
    for (std::size_t row = 0; row < height; ++row) {
      std::string line;
      for (std::size_t i = first; i < end; ++i) {
        if (i > first) line += ' ';
        line += padded(row < blocks[i].size() ? blocks[i][row] : std::string(), columns_of(blocks[i]));
      }
      line.erase(line.find_last_not_of(' ') + 1);
      out.push_back(std::move(line));
    }
    first = end;
  }
  return out;
}

TextBlock wrapped(std::string_view text, std::size_t columns, std::size_t indent) {
  TextBlock out(1);
  bool is_start = true;  // at the start of a line: no space before the word
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (word.empty()) continue;
    if (!is_start && columns_of(out.back()) + 1 + columns_of(word) > columns) {
      out.emplace_back(indent, ' ');
      is_start = true;
    }
    if (!is_start) out.back() += ' ';
    out.back() += word;
    is_start = false;
  }
  return out;
}

std::string counted(std::size_t number, std::string_view noun) {
  return std::to_string(number) + ' ' + std::string(noun) + (number == 1 ? "" : "s");
}

namespace {

// A name split into the text before its last digits, the number of these digits, and their value.
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
  // Whether the number has leading zeros at this width.
  bool is_padded() const { return width > std::to_string(number).size(); }
};

// Whether b follows a in one range: same number of digits, or one more if neither is padded.
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
