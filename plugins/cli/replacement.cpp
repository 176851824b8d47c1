// SPDX-License-Identifier: MIT
#include "replacement.h"

#include <algorithm>
#include <utility>

namespace cli {

void Replacements::add(std::size_t offset, std::size_t size, std::string text) {
  Piece piece;
  piece.offset = offset;
  piece.size = size;
  piece.text = std::move(text);
  pieces_.push_back(std::move(piece));
}

std::string Replacements::apply(std::string_view text) {
  std::size_t grown = text.size();
  for (const Piece& piece : pieces_) grown += piece.text.size();
  std::string out;
  out.reserve(grown);
  std::size_t line = 1, line_begin = 0, done = 0;
  for (Piece& piece : pieces_) {
    out += text.substr(done, piece.offset - done);
    for (std::size_t end = out.find('\n', line_begin); end != std::string::npos;
         end = out.find('\n', line_begin)) {
      ++line;
      line_begin = end + 1;
    }
    piece.line = line;
    piece.column = 1 + out.size() - line_begin;
    piece.new_size = piece.text.size();
    out += std::exchange(piece.text, {});
    done = piece.offset + piece.size;
  }
  return out += text.substr(done);
}

bool Replacements::to_original(std::uint32_t line, std::uint32_t& column) const {
  std::size_t added = 0, removed = 0;
  for (const Piece& piece : pieces_) {
    if (piece.line != line || column < piece.column) continue;
    const bool inside = column < piece.column + piece.new_size;
    if (inside) {
      column = static_cast<std::uint32_t>(piece.column + removed - added);
      return true;
    }
    added += piece.new_size;
    removed += piece.size;
  }
  column = static_cast<std::uint32_t>(column + removed - added);
  return false;
}

}  // namespace cli
