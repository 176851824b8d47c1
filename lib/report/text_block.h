// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace cede {

// No picture is wider: what fits a terminal beside its line numbers and a printed page.
inline constexpr std::size_t kPictureColumns = 100;

// A rectangle of text, the piece that pictures are put together from.
using TextBlock = std::vector<std::string>;

// How many columns a text takes, one per character.
std::size_t columns_of(std::string_view text);
std::size_t columns_of(const TextBlock& block);

// The text made visible (see base/text.h), cut to that many columns with `…` at the cut. Names in a picture
// are somebody else's.
std::string label(std::string_view text, std::size_t columns);

// A frame around the content, the title in its upper edge.
TextBlock framed(std::string_view title, const TextBlock& content);

// Left to right with a space between, in as many rows as it takes.
TextBlock arranged(const std::vector<TextBlock>& blocks, std::size_t columns);

// Broken at spaces into lines of at most that many columns, those behind the first indented.
TextBlock wrapped(std::string_view text, std::size_t columns, std::size_t indent);

// `1 node`, `2 nodes`
std::string counted(std::size_t number, std::string_view noun);

// Names in Slurm's notation, numbers that follow each other in brackets: `n[001-003,20],login`. In the order
// of prefix and number. Longer than `columns` it ends in `…`.
std::string fold_names(std::vector<std::string_view> names, std::size_t columns);

}  // namespace cede
