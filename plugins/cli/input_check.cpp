// SPDX-License-Identifier: MIT
#include "input_check.h"

namespace cli {

namespace {

constexpr std::string_view kMark = "\xef\xbb\xbf";
constexpr std::size_t kDeepest = 4096;
// The longest text of a document is a topology's XML: 4 MiB, of which every byte may be written as an escape
// of six.
constexpr std::size_t kLongestText = 32 << 20;

bool is_space(unsigned char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

std::string shown(unsigned char c) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  if (c > 0x20 && c < 0x7f) return std::string("'") + static_cast<char>(c) + '\'';
  return std::string("byte 0x") + kDigits[c >> 4] + kDigits[c & 15];
}

}  // namespace

void InputCheck::feed(std::string_view bytes) {
  for (const char byte : bytes) {
    const auto c = static_cast<unsigned char>(byte);
    if (state_ == State::start) {
      begin(c);
    } else {
      step(c);
    }
    if (c == '\n') ++line_;
    if (!refusal_.empty() || !doubt_.empty()) return;
  }
}

void InputCheck::begin(unsigned char c) {
  if (mark_bytes_ < kMark.size() && c == static_cast<unsigned char>(kMark[mark_bytes_])) {
    ++mark_bytes_;
    return;
  }
  const bool cut_mark = mark_bytes_ > 0 && mark_bytes_ < kMark.size();
  if (is_space(c) && !cut_mark) {
    if (mark_bytes_ == 0) mark_bytes_ = kMark.size() + 1;  // a mark is one only as the very first bytes
    return;
  }
  const bool marked = mark_bytes_ == kMark.size();
  if (c == '{' && !cut_mark) {
    state_ = State::opened;
    depth_ = 1;
    return;
  }
  const unsigned char first = cut_mark ? static_cast<unsigned char>(kMark[0]) : c;
  // A list or a text is JSON, and still no document.
  const char* missed =
      first == '[' || first == '"' ? "not a JSON object: starts with " : "not a JSON document: starts with ";
  refusal_ = missed + shown(first) + (marked ? " after a byte order mark" : "");
}

void InputCheck::step(unsigned char c) {
  if (c < 0x20 && !is_space(c)) return doubt(shown(c));
  switch (state_) {
    case State::start: return;
    case State::escape: state_ = State::text; return;
    case State::text:
      if (c == '\\') state_ = State::escape;
      if (c == '"') state_ = State::inside;
      if (c == '\n') doubt("a line break inside a text");
      if (++text_bytes_ > kLongestText) doubt("a text without end");
      return;
    case State::opened:
      if (is_space(c)) return;
      if (c != '"' && c != '}') return doubt(shown(c) + " where a key is due");
      state_ = State::inside;
      [[fallthrough]];
    case State::inside:
      if (c == '"') state_ = State::text;
      if (c == '"') text_bytes_ = 0;
      if (c == '{') state_ = State::opened;
      if ((c == '{' || c == '[') && ++depth_ > kDeepest) doubt("lists and objects nested without end");
      if ((c == '}' || c == ']') && --depth_ == 0) state_ = State::closed;
      if (c >= 0x7f) doubt(shown(c));
      return;
    case State::closed:
      if (!is_space(c)) doubt(shown(c) + " after the end of the object");
      return;
  }
}

void InputCheck::doubt(const std::string& what) {
  doubt_ = "not a JSON document: " + what + " in line " + std::to_string(line_);
}

std::string InputCheck::at_end() const {
  if (!refusal_.empty()) return refusal_;
  if (state_ != State::start) return {};
  if (mark_bytes_ > 0 && mark_bytes_ < kMark.size()) return "not a JSON document: starts with byte 0xef";
  if (mark_bytes_ == kMark.size()) return "not a JSON document: nothing after a byte order mark";
  return mark_bytes_ == 0 ? "not a JSON document: empty" : "not a JSON document: nothing but white space";
}

}  // namespace cli
