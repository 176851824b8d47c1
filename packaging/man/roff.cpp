// SPDX-License-Identifier: MIT
#include "roff.h"

#include <cctype>

namespace manual {

namespace {

constexpr std::size_t kLineBytes = 79;

bool ends_sentence(std::string_view word) {
  if (word.size() < 3 || word == "etc.") return false;
  while (!word.empty() && (word.back() == ')' || word.back() == '"')) word.remove_suffix(1);
  return word.ends_with('.') || word.ends_with('?') || word.ends_with(':');
}

}  // namespace

std::string literal(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      out += c;
    }
  }
  return out;
}

std::string roff(std::string_view text) {
  std::string out;
  bool bold = false;
  for (const char c : text) {
    if (c == '`') {
      out += bold ? "\\fR" : "\\fB";
      bold = !bold;
    } else if (c == '\\') {
      out += "\\e";
    } else if (c == '-' && bold) {
      out += "\\-";
    } else {
      out += c;
    }
  }
  return out;
}

std::string filled(std::string_view text) {
  std::string out, line;
  const auto end_line = [&] {
    if (line.empty()) return;
    if (line.front() == '.' || line.front() == '\'') out += "\\&";
    out += line + '\n';
    line.clear();
  };
  while (!text.empty()) {
    const std::size_t begin = text.find_first_not_of(" \n");
    if (begin == std::string_view::npos) break;
    text.remove_prefix(begin);
    const std::string_view word = text.substr(0, text.find_first_of(" \n"));
    text.remove_prefix(word.size());
    if (!line.empty() && line.size() + 1 + word.size() > kLineBytes) end_line();
    line += (line.empty() ? "" : " ") + std::string(word);
    if (ends_sentence(word)) end_line();
  }
  end_line();
  return out;
}

std::string sentence(std::string_view text) {
  std::string out(text);
  if (!out.empty()) out[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(out[0])));
  if (!out.empty() && !out.ends_with('.') && !out.ends_with('?')) out += '.';
  return out;
}

}  // namespace manual
