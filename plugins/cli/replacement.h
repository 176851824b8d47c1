// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cli {

// Pieces of a text replaced by others on the same line, and the way back: a column in the new text is told as
// the user sees it in the old one.
class Replacements {
 public:
  // From front to back, none over another, none holding or bringing a line break.
  void add(std::size_t offset, std::size_t size, std::string text);

  bool empty() const { return pieces_.empty(); }

  // The new text. Once.
  std::string apply(std::string_view text);

  // Moves a column of the new text back to the old one; true if it stood in a replaced piece.
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
