// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace cli {

// Recognises input that cannot be a document while it is still arriving, so that reading an endless stream of
// garbage stops. It knows just enough JSON for that; the library reports mistakes in real documents.
class InputCheck {
 public:
  void feed(std::string_view bytes);

  // Why the first bytes cannot begin a document; empty if they can.
  const std::string& refusal() const { return refusal_; }
  // What was found that no document contains; empty if nothing.
  const std::string& doubt() const { return doubt_; }

  // What is wrong with the complete input; empty if nothing is.
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
