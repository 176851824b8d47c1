// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace cede {

// The maximum width of a picture. It fits a terminal with line numbers, and a printed page.
inline constexpr std::size_t kPictureColumns = 100;

// A rectangle of text. Pictures are composed of these.
using TextBlock = std::vector<std::string>;

// How many columns a text takes, one per character.
std::size_t columns_of(std::string_view text);
std::size_t columns_of(const TextBlock& block);

// The text with control characters made visible (see base/text.h), cut to that many columns with `…` at the
// cut. Names in a picture are untrusted input.
std::string label(std::string_view text, std::size_t columns);

// A frame around the content, with the title in its upper edge.
TextBlock framed(std::string_view title, const TextBlock& content);

// Arranges blocks left to right with a space between, in as many rows as needed.
TextBlock arranged(const std::vector<TextBlock>& blocks, std::size_t columns);

// Breaks the text at spaces into lines of at most that many columns. All lines but the first are indented.
TextBlock wrapped(std::string_view text, std::size_t columns, std::size_t indent);

// `1 node`, `2 nodes`
std::string counted(std::size_t number, std::string_view noun);

// Names in Slurm's notation, with consecutive numbers in brackets: `n[001-003,20],login`. Ordered by prefix
// and number. A text longer than `columns` ends in `…`.
std::string fold_names(std::vector<std::string_view> names, std::size_t columns);

}  // namespace cede
