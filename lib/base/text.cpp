// SPDX-License-Identifier: MIT
#include "base/text.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <vector>

namespace cede {

namespace {

constexpr std::size_t kShown = 60;

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0u) == 0x80u; }

// Whether a control character (C0, DEL or C1) starts at this byte.
bool is_control_at(std::string_view text, std::size_t i) {
  const auto c = static_cast<unsigned char>(text[i]);
  if (c < 0x20 || c == 0x7F) return true;
  return c == 0xC2 && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) < 0xA0;
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[b.size()];
}

}  // namespace

std::string shorten(std::string_view text) {
  const bool cut = text.size() > kShown;
  if (cut) {
    std::size_t end = kShown - 3;
    while (end > 0 && is_continuation(text[end])) --end;
    text = text.substr(0, end);
  }
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (is_control_at(text, i)) {
      out += '?';
      if (static_cast<unsigned char>(text[i]) == 0xC2) ++i;
    } else {
      out += text[i];
    }
  }
  if (cut) out += "…";
  return out;
}

std::string quote(std::string_view text) { return '\'' + shorten(text) + '\''; }

std::string_view nearest(std::string_view text, std::span<const std::string_view> candidates) {
  if (text.size() > 128) return {};
  const std::size_t allowed = std::max<std::size_t>(text.size() / 3, 1);
  std::size_t best = allowed + 1;
  std::string_view found;
  for (const std::string_view candidate : candidates) {
    const std::size_t distance = edit_distance(text, candidate);
    if (distance < best || (distance == best && !found.empty() && candidate < found)) {
      best = distance;
      found = candidate;
    }
  }
  return found;
}

std::string did_you_mean(std::string_view text, std::span<const std::string_view> candidates) {
  const std::string_view found = nearest(text, candidates);
  return found.empty() ? std::string{} : "; did you mean " + quote(found) + '?';
}

std::string one_of(std::span<const std::string_view> words) {
  std::string out;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) out += i + 1 == words.size() ? " or " : ", ";
    out += words[i];
  }
  return out;
}

bool is_plain_name(std::string_view text) {
  if (text.empty() || text.size() > kMaxNameBytes) return false;
  if (text.size() < 8)
    return std::all_of(text.begin(), text.end(), [](char c) { return c >= 0x20 && c < 0x7F; });
  // Eight at a time, the last eight once more. A byte that is none sets the top bit of its own or, where that
  // is found anyway, of the one above it.
  std::uint64_t odd = 0;
  const auto look = [&odd](const char* at) {
    std::uint64_t word = 0;
    std::memcpy(&word, at, sizeof word);
    odd |= word | (word - 0x2020202020202020u) | (word + 0x0101010101010101u);
  };
  for (std::size_t i = 0; i + 8 < text.size(); i += 8) look(text.data() + i);
  look(text.data() + text.size() - 8);
  return (odd & 0x8080808080808080u) == 0;
}

std::string name_fault(std::string_view text) {
  if (text.empty()) return "a name must not be empty";
  if (text.size() > kMaxNameBytes) {
    return quote(text) + " is " + std::to_string(text.size()) + " bytes long; a name has at most " +
           std::to_string(kMaxNameBytes);
  }
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (is_control_at(text, i)) return quote(text) + " has a control character at byte " + std::to_string(i);
  }
  return {};
}

std::string text_fault(std::string_view bytes) {
  if (is_plain_name(bytes)) return {};
  return is_utf8(bytes) ? name_fault(bytes) : "it is not UTF-8";
}

bool is_utf8(std::string_view text) {
  std::size_t i = 0;
  while (i < text.size()) {
    const auto c = static_cast<unsigned char>(text[i]);
    std::size_t more = 0;
    std::uint32_t code = c;
    if (c < 0x80) {
      ++i;
      continue;
    }
    if (c >= 0xC2 && c < 0xE0) {
      more = 1;
      code = c & 0x1Fu;
    } else if (c >= 0xE0 && c < 0xF0) {
      more = 2;
      code = c & 0x0Fu;
    } else if (c >= 0xF0 && c < 0xF5) {
      more = 3;
      code = c & 0x07u;
    } else {
      return false;
    }
    if (i + more >= text.size()) return false;
    for (std::size_t k = 1; k <= more; ++k) {
      if (!is_continuation(text[i + k])) return false;
      code = code << 6 | (static_cast<unsigned char>(text[i + k]) & 0x3Fu);
    }
    const bool overlong = (more == 2 && code < 0x800) || (more == 3 && code < 0x10000);
    if (overlong || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) return false;
    i += more + 1;
  }
  return true;
}

}  // namespace cede
