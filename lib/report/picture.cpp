// SPDX-License-Identifier: MIT
#include "report/picture.h"

#include <algorithm>

namespace cede {

namespace {

constexpr std::size_t kCharacterPixels = 8;  // of a monospaced font of 13 pixels, with room to spare

}  // namespace

std::size_t columns_of(PictureForm form) {
  if (form.format == PictureFormat::text) return form.width;
  return std::max(kLeastColumns, form.width / kCharacterPixels);
}

std::string xml_text(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      default: out.push_back(c);
    }
  }
  return out;
}

std::string in_form(const std::string& text, PictureForm form) {
  if (form.format == PictureFormat::text) return text;
  const auto lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
  const std::size_t columns = columns_of(form);
  // The coordinates are those of the text; the viewer scales them to the width.
  const std::size_t across = columns * kCharacterPixels;
  const std::size_t down = lines * 16 + 8;
  std::string out = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + std::to_string(form.width) +
                    "\" viewBox=\"0 0 " + std::to_string(across) + ' ' + std::to_string(down) +
                    "\" font-family=\"monospace\" font-size=\"13\">\n";
  out += "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n";
  std::size_t y = 16;
  for (std::size_t at = 0; at < text.size(); y += 16) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line(text.data() + at, end - at);
    at = end + 1;
    if (line.empty()) continue;
    out += "<text x=\"4\" y=\"" + std::to_string(y) + "\" xml:space=\"preserve\" textLength=\"" +
           std::to_string(columns_of(line) * 78 / 10) + "\">" + xml_text(line) + "</text>\n";
  }
  return out + "</svg>\n";
}

}  // namespace cede
