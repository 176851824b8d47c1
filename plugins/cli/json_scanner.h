// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace cli {

// Scans a JSON text event by event and knows the position of each value, which is what replacing a value in
// place needs. It uses one byte of memory per open object or list. It does not check numbers and words.
class JsonScanner {
 public:
  enum class Event : std::uint8_t { key, text, scalar, open, close, end, malformed };

  explicit JsonScanner(std::string_view text) : text_(text) {}

  Event next();

  // Of the last key, text or scalar: its bytes, with the quotes.
  std::size_t begin() const { return begin_; }
  std::string_view token() const { return text_.substr(begin_, position_of_end_ - begin_); }
  // Behind what was read last; of an opening bracket too, begin() is where it stands.
  std::size_t position() const { return at_; }

  // Open objects and lists around the last key, outermost first: '{' or '['.
  const std::vector<char>& around() const { return around_; }

 private:
  enum class Due : std::uint8_t { value, key, key_or_close, value_or_close, comma_or_close, nothing };

  Event take_value(char c);
  Event take_close(char c);
  bool take_string();
  void skip_space();

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t begin_ = 0;
  std::size_t position_of_end_ = 0;
  Due due_ = Due::value;
  std::vector<char> around_;
};

}  // namespace cli
