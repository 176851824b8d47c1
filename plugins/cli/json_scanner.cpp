// SPDX-License-Identifier: MIT
#include "json_scanner.h"

namespace cli {

namespace {

bool is_bare(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '+' ||
         c == '.';
}

}  // namespace

void JsonScanner::skip_space() {
  while (at_ < text_.size()) {
    const char c = text_[at_];
    if (c != ' ' && c != '\t' && c != '\n' && c != '\r') return;
    ++at_;
  }
}

bool JsonScanner::take_string() {
  begin_ = at_++;
  while (at_ < text_.size()) {
    const auto c = static_cast<unsigned char>(text_[at_++]);
    if (c == '"') {
      position_of_end_ = at_;
      return true;
    }
    if (c < 0x20) return false;
    if (c == '\\') ++at_;
  }
  return false;
}

JsonScanner::Event JsonScanner::take_close(char c) {
  if (around_.empty() || around_.back() != (c == '}' ? '{' : '[')) return Event::malformed;
  around_.pop_back();
  ++at_;
  due_ = around_.empty() ? Due::nothing : Due::comma_or_close;
  return Event::close;
}

JsonScanner::Event JsonScanner::take_value(char c) {
  if (c == '{' || c == '[') {
    around_.push_back(c);
    begin_ = at_++;
    position_of_end_ = at_;
    due_ = c == '{' ? Due::key_or_close : Due::value_or_close;
    return Event::open;
  }
  due_ = around_.empty() ? Due::nothing : Due::comma_or_close;
  if (c == '"') return take_string() ? Event::text : Event::malformed;
  begin_ = at_;
  while (at_ < text_.size() && is_bare(text_[at_])) ++at_;
  position_of_end_ = at_;
  return at_ > begin_ ? Event::scalar : Event::malformed;
}

JsonScanner::Event JsonScanner::next() {
  skip_space();
  if (at_ >= text_.size()) return due_ == Due::nothing ? Event::end : Event::malformed;
  char c = text_[at_];
  if (due_ == Due::nothing) return Event::malformed;
  if (due_ == Due::comma_or_close) {
    if (c == '}' || c == ']') return take_close(c);
    if (c != ',') return Event::malformed;
    ++at_;
    skip_space();
    if (at_ >= text_.size()) return Event::malformed;
    c = text_[at_];
    due_ = around_.back() == '{' ? Due::key : Due::value;
  }
  if (due_ == Due::key_or_close && c == '}') return take_close(c);
  if (due_ == Due::value_or_close && c == ']') return take_close(c);
  if (due_ == Due::value || due_ == Due::value_or_close) return take_value(c);
  if (c != '"' || !take_string()) return Event::malformed;
  skip_space();
  if (at_ >= text_.size() || text_[at_] != ':') return Event::malformed;
  ++at_;
  due_ = Due::value;
  return Event::key;
}

}  // namespace cli
