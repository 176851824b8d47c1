// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "model/plan.h"
#include "report/text_block.h"

namespace cede {

enum class PictureFormat : std::uint8_t { text, svg };

// The form of a picture. The width is in columns or in pixels.
struct PictureForm {
  PictureFormat format = PictureFormat::text;
  std::size_t width = kPictureColumns;
};

inline constexpr std::size_t kLeastColumns = 40;
inline constexpr std::size_t kMostColumns = 1000;
inline constexpr std::size_t kLeastPixels = 200;
inline constexpr std::size_t kMostPixels = 10'000;
inline constexpr std::size_t kUsualPixels = 800;

// How many columns of text a picture of this form has.
std::size_t columns_of(PictureForm form);

// The text in the form: itself, or an <svg> element in which its lines fill the width.
std::string in_form(const std::string& text, PictureForm form);

// The text with what XML reserves written as entities.
std::string xml_text(std::string_view text);

// The answer in one line and the nodes that the plan touches, a cell per device: what leaves, stays and
// comes.
std::string draw_plan(const Plan& plan, PictureForm form);

}  // namespace cede
