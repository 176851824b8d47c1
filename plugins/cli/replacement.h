// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cli {

// Replaces parts of a text on the same line and maps columns of the new text back to the original.
class Replacements {
 public:
  // In ascending order, without overlap; neither the old nor the new part may contain a line break.
  void add(std::size_t offset, std::size_t size, std::string text);

  bool empty() const { return pieces_.empty(); }

  // The new text. Call this once.
  std::string apply(std::string_view text);

  // Maps a column of the new text to the original; true if it was inside a replaced part.
  bool to_original(std::uint32_t line, std::uint32_t& column) const;

 private:
  struct Piece {
    std::size_t offset = 0;
    std::size_t size = 0;
    std::string text;
    std::size_t line = 0;    // from 1
    std::size_t column = 0;  // in the new text, in bytes from 1 as the library counts
    std::size_t new_size = 0;
  };
  std::vector<Piece> pieces_;
};

}  // namespace cli
