// SPDX-License-Identifier: MIT
#include "message_text.h"

#include <algorithm>

#include "base/edit_distance.h"
#include "json_text.h"

namespace cli {

namespace {

bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

// Control characters, which terminals obey, and what is not seen but changes how the text around it is: the
// controls of bidirectional text, and the separators of lines and paragraphs.
bool is_unseen(std::uint32_t code) {
  return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0x061c || code == 0x200e || code == 0x200f ||
         (code >= 0x2028 && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
}

void append_hex(std::string& out, std::uint32_t value, int digits) {
  for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4) out += "0123456789abcdef"[value >> shift & 0xf];
}

std::string_view nearest(std::string_view text, std::span<const std::string_view> known) {
  constexpr std::size_t kLongestWord = 64;
  if (text.size() > kLongestWord) return {};
  std::string_view best;
  std::size_t best_distance = 0;
  for (const std::string_view word : known) {
    const bool begun = text.size() >= 2 && word.starts_with(text);
    const std::size_t d = begun ? 1 : cede_edit_distance(text.data(), text.size(), word.data(), word.size());
    if (d > std::max<std::size_t>(1, word.size() / 3)) continue;
    if (best.empty() || d < best_distance) {
      best = word;
      best_distance = d;
    }
  }
  return best;
}

}  // namespace

std::string one_line(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const Utf8Character character = first_character(text);
    if (character.size == 0) {
      out += "\\x";
      append_hex(out, static_cast<unsigned char>(text.front()), 2);
    } else if (is_unseen(character.code)) {
      out += "\\u";
      append_hex(out, character.code, 4);
    } else {
      out += text.substr(0, character.size);
    }
    text.remove_prefix(std::max<std::size_t>(character.size, 1));
  }
  return out;
}

std::string quote(std::string_view text) {
  constexpr std::size_t kShown = 60;
  if (text.size() <= kShown) return '\'' + one_line(text) + '\'';
  std::size_t end = kShown;
  while (end > 0 && continues_character(text[end])) --end;
  return '\'' + one_line(text.substr(0, end)) + "…'";
}

std::size_t width(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return !continues_character(c); }));
}

std::vector<std::string> wrap(std::string_view text, std::size_t columns) {
  std::vector<std::string> lines(1);
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (word.empty()) continue;
    if (!lines.back().empty() && width(lines.back()) + 1 + width(word) > columns) lines.emplace_back();
    if (!lines.back().empty()) lines.back() += ' ';
    lines.back() += word;
  }
  return lines;
}

std::string did_you_mean(std::string_view text, std::span<const std::string_view> known) {
  const std::string_view meant = nearest(text, known);
  return meant.empty() ? "" : "; did you mean " + quote(meant) + "?";
}

std::string did_you_mean_or_list(std::string_view text, std::span<const std::string_view> known) {
  if (std::string near = did_you_mean(text, known); !near.empty()) return near;
  std::string out = known.size() == 1 ? "; known is " : "; known are ";
  for (std::size_t i = 0; i < known.size(); ++i) {
    if (i > 0) out += i + 1 == known.size() ? " and " : ", ";
    out += known[i];
  }
  return out;
}

std::string counted(std::size_t number, std::string_view noun) {
  return std::to_string(number) + ' ' + std::string(noun) + (number == 1 ? "" : "s");
}

}  // namespace cli
