// SPDX-License-Identifier: MIT
#include "json_text.h"

#include <charconv>
#include <cstdint>

namespace cli {

namespace {

void append_utf8(std::uint32_t code, std::string& out) {
  const auto tail = [&out, code](unsigned shift) {
    out += static_cast<char>(0x80 | ((code >> shift) & 0x3f));
  };
  if (code < 0x80) {
    out += static_cast<char>(code);
  } else if (code < 0x800) {
    out += static_cast<char>(0xc0 | (code >> 6));
    tail(0);
  } else if (code < 0x10000) {
    out += static_cast<char>(0xe0 | (code >> 12));
    tail(6);
    tail(0);
  } else {
    out += static_cast<char>(0xf0 | (code >> 18));
    tail(12);
    tail(6);
    tail(0);
  }
}

// The four digits after `\u`, moved past.
std::optional<std::uint32_t> take_code(std::string_view& rest) {
  std::uint32_t code = 0;
  if (rest.size() < 4) return {};
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + 4, code, 16);
  if (error != std::errc{} || end != rest.data() + 4) return {};
  rest.remove_prefix(4);
  return code;
}

// The character of a `\u` escape, which may take a second one; moved past.
std::optional<std::uint32_t> take_escaped_code(std::string_view& rest) {
  const std::optional<std::uint32_t> code = take_code(rest);
  if (!code || *code < 0xd800 || *code > 0xdfff) return code;
  if (*code > 0xdbff || !rest.starts_with("\\u")) return {};
  rest.remove_prefix(2);
  const std::optional<std::uint32_t> low = take_code(rest);
  if (!low || *low < 0xdc00 || *low > 0xdfff) return {};
  return 0x10000 + ((*code - 0xd800) << 10) + (*low - 0xdc00);
}

}  // namespace

std::optional<std::string> json_decoded(std::string_view token) {
  if (token.size() < 2) return {};
  std::string_view rest = token.substr(1, token.size() - 2);
  std::string out;
  while (!rest.empty()) {
    const char c = rest.front();
    rest.remove_prefix(1);
    if (c != '\\') {
      out += c;
      continue;
    }
    if (rest.empty()) return {};
    const char escaped = rest.front();
    rest.remove_prefix(1);
    constexpr std::string_view kNames = "\"\\/bfnrt", kValues = "\"\\/\b\f\n\r\t";
    if (escaped == 'u') {
      const std::optional<std::uint32_t> code = take_escaped_code(rest);
      if (!code) return {};
      append_utf8(*code, out);
    } else if (const std::size_t which = kNames.find(escaped); which != std::string_view::npos) {
      out += kValues[which];
    } else {
      return {};
    }
  }
  return out;
}

std::string json_quoted(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string out;
  out.reserve(text.size() + text.size() / 8 + 2);
  out += '"';
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else if (byte < 0x20 || byte == 0x7f) {
      out += "\\u00";
      out += kDigits[byte >> 4];
      out += kDigits[byte & 15];
    } else {
      out += c;
    }
  }
  return out += '"';
}

Utf8Character first_character(std::string_view text) {
  const auto byte = [&text](std::size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : static_cast<unsigned char>(0);
  };
  const unsigned char c = byte(0);
  if (c < 0x80) return {c, text.empty() ? std::size_t{0} : 1};
  const std::size_t size = c >= 0xc2 && c < 0xe0   ? 2
                           : c >= 0xe0 && c < 0xf0 ? 3
                           : c >= 0xf0 && c < 0xf5 ? 4
                                                   : 0;
  std::uint32_t code = size == 0 ? 0 : c & (0x7fu >> size);
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return {};
    code = code << 6 | (byte(i) & 0x3fu);
  }
  // Longer than needed, a surrogate, or beyond the last character.
  const bool wrong = (size == 3 && code < 0x800) || (size == 4 && (code < 0x10000 || code > 0x10ffff)) ||
                     (code >= 0xd800 && code < 0xe000);
  return wrong ? Utf8Character{} : Utf8Character{code, size};
}

std::string as_utf8(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t size = first_character(text).size;
    out += size > 0 ? text.substr(0, size) : "\xef\xbf\xbd";
    text.remove_prefix(size > 0 ? size : 1);
  }
  return out;
}

}  // namespace cli
