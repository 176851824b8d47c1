// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace cli {

// Tells garbage from a document while it is still arriving, so that an endless stream of it ends. It knows
// just enough of JSON to be sure that what it doubts cannot be a document; what is wrong with a document that
// is nearly one is for the library to say.
class InputCheck {
 public:
  void feed(std::string_view bytes);

  // What came first cannot begin a document: there is no point in reading on. Empty if there is no such
  // thing.
  const std::string& refusal() const { return refusal_; }
  // Something came that no document holds. Empty if there is no such thing.
  const std::string& doubt() const { return doubt_; }

  // What is wrong with an input that has ended, empty if nothing is.
  std::string at_end() const;

 private:
  enum class State : std::uint8_t { start, opened, inside, text, escape, closed };

  void begin(unsigned char c);
  void step(unsigned char c);
  void doubt(const std::string& what);

  State state_ = State::start;
  std::size_t mark_bytes_ = 0;  // of a byte order mark seen so far
  std::size_t depth_ = 0;
  std::size_t text_bytes_ = 0;  // of the text being read
  std::size_t line_ = 1;
  std::string refusal_;
  std::string doubt_;
};

}  // namespace cli
