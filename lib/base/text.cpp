// SPDX-License-Identifier: MIT
#include "base/text.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <vector>

#include "base/amount.h"
#include "base/edit_distance.h"

namespace cede {

namespace {

constexpr std::size_t kShown = 60;
constexpr std::size_t kTail = 20;  // of these, how many from the end

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0u) == 0x80u; }

// The code point that starts at this byte, and its size in bytes; 0 if the bytes are not UTF-8.
struct Character {
  std::uint32_t code = 0;
  std::size_t size = 0;
};

Character character_at(std::string_view text, std::size_t i) {
  const auto c = static_cast<unsigned char>(text[i]);
  if (c < 0x80) return {c, 1};
  const std::size_t size = c >= 0xC2 && c < 0xE0   ? 2
                           : c >= 0xE0 && c < 0xF0 ? 3
                           : c >= 0xF0 && c < 0xF5 ? 4
                                                   : 0;
  if (size == 0 || size > text.size() - i) return {};
  std::uint32_t code = c & (0x7Fu >> size);
  for (std::size_t k = 1; k < size; ++k) {
    if (!is_continuation(text[i + k])) return {};
    code = code << 6 | (static_cast<unsigned char>(text[i + k]) & 0x3Fu);
  }
  const bool overlong = (size == 3 && code < 0x800) || (size == 4 && code < 0x10000);
  if (overlong || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) return {};
  return {code, size};
}

bool is_control(std::uint32_t code) { return code < 0x20 || (code >= 0x7F && code < 0xA0); }

// Invisible characters that change how the text around them looks: the marks, embeddings, overrides and
// isolates of bidirectional text, and the separators of lines and paragraphs.
bool is_unseen(std::uint32_t code) {
  return code == 0x061C || code == 0x200E || code == 0x200F || (code >= 0x2028 && code <= 0x202E) ||
         (code >= 0x2066 && code <= 0x2069);
}

void append_hex(std::string& out, std::uint32_t value, int digits) {
  for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4) out += "0123456789abcdef"[value >> shift & 0xF];
}

}  // namespace

std::string visible(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size();) {
    const Character character = character_at(text, i);
    if (character.size == 0) {
      out += "\\x";
      append_hex(out, static_cast<unsigned char>(text[i]), 2);
    } else if (is_control(character.code) || is_unseen(character.code)) {
      out += "\\u";
      append_hex(out, character.code, 4);
    } else {
      out += text.substr(i, character.size);
    }
    i += std::max<std::size_t>(character.size, 1);
  }
  return out;
}

std::string shorten(std::string_view text) {
  if (text.size() <= kShown) return visible(text);
  // Long names often differ only at their end.
  std::size_t head = kShown - kTail - 3;
  while (head > 0 && is_continuation(text[head])) --head;
  std::size_t tail = text.size() - kTail;
  while (tail < text.size() && is_continuation(text[tail])) ++tail;
  return visible(text.substr(0, head)) + "…" + visible(text.substr(tail));
}

std::string quote(std::string_view text) { return '\'' + shorten(text) + '\''; }

std::string_view nearest(std::string_view text, std::span<const std::string_view> candidates) {
  const std::size_t allowed = std::max<std::size_t>(text.size() / 3, 1);
  std::size_t best = allowed + 1;
  std::string_view found;
  for (const std::string_view candidate : candidates) {
    const std::size_t distance =
        cede_edit_distance(text.data(), text.size(), candidate.data(), candidate.size());
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
  // Checks eight bytes at a time; the last eight may overlap. An invalid byte sets its own top bit. A carry
  // or borrow reaches the next byte only from a byte that is already found invalid.
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
  for (std::size_t i = 0; i < text.size();) {
    const Character character = character_at(text, i);
    if (is_control(character.code) && character.size > 0)
      return quote(text) + " has a control character at byte " + std::to_string(i);
    i += std::max<std::size_t>(character.size, 1);
  }
  return {};
}

bool is_name(std::string_view bytes) {
  if (is_plain_name(bytes)) return true;
  // The size comes first: it is the caller's claim, and bytes that are too long must not be read.
  return bytes.size() <= kMaxNameBytes && is_utf8(bytes) && name_fault(bytes).empty();
}

std::string text_fault(std::string_view bytes) {
  if (is_plain_name(bytes)) return {};
  if (bytes.size() > kMaxNameBytes) return name_fault(bytes);
  return is_utf8(bytes) ? name_fault(bytes) : "it is not UTF-8";
}

bool is_utf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t size = character_at(text, i).size;
    if (size == 0) return false;
    i += size;
  }
  return true;
}

namespace {

constexpr std::array<std::uint64_t, 256> make_table() {
  constexpr std::uint64_t kReflectedPolynomial = 0xC96C5795D7870F42U;
  std::array<std::uint64_t, 256> table{};
  for (std::size_t i = 0; i < table.size(); ++i) {
    std::uint64_t rest = i;
    for (int bit = 0; bit < 8; ++bit) rest = (rest >> 1U) ^ ((rest & 1U) != 0 ? kReflectedPolynomial : 0);
    table[i] = rest;
  }
  return table;
}

constexpr std::array<std::uint64_t, 256> kTable = make_table();

}  // namespace

std::uint64_t crc64(std::string_view bytes) {
  std::uint64_t rest = ~std::uint64_t{0};
  for (const char c : bytes) rest = kTable[(rest ^ static_cast<unsigned char>(c)) & 0xFFU] ^ (rest >> 8U);
  return ~rest;
}

std::string signature_of(std::string_view bytes) {
  constexpr auto kBasis = UnsignedWide{0x6c62272e07bb0142} << 64 | UnsignedWide{0x62b821756295c58d};
  constexpr auto kPrime = UnsignedWide{1} << 88 | UnsignedWide{0x13b};
  UnsignedWide hash = kBasis;
  for (const char byte : bytes) {
    hash ^= static_cast<unsigned char>(byte);
    hash *= kPrime;
  }
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string out(32, '0');
  for (std::size_t i = 0; i < out.size(); ++i)
    out[out.size() - 1 - i] = kDigits[static_cast<std::size_t>(hash >> 4 * i & 15)];
  return out;
}

}  // namespace cede
