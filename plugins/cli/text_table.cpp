// SPDX-License-Identifier: MIT
#include "text_table.h"

#include <algorithm>

#include "message_text.h"

namespace cli {

void TextTable::add(const std::vector<std::string>& row) {
  std::vector<std::string>& kept = rows_.emplace_back();
  for (const std::string& cell : row) kept.push_back(one_line(cell));
}

std::string TextTable::line(const std::vector<std::string>& row,
                            const std::vector<std::size_t>& widths) const {
  std::string out;
  for (std::size_t i = 0; i < row.size(); ++i) {
    const std::string space(widths[i] - width(row[i]), ' ');
    out += (i > 0 ? "  " : "") + (columns_[i].right ? space + row[i] : row[i] + space);
  }
  out.erase(out.find_last_not_of(' ') + 1);
  return out;
}

void TextTable::print(Console& console) const {
  std::vector<std::string> titles;
  std::vector<std::size_t> widths;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    titles.emplace_back(columns_[i].title);
    widths.push_back(width(titles.back()));
    for (const std::vector<std::string>& row : rows_) widths[i] = std::max(widths[i], width(row[i]));
  }
  console.out(console.paint_out(Style::bold, line(titles, widths)) + '\n');
  for (const std::vector<std::string>& row : rows_) console.out(line(row, widths) + '\n');
}

}  // namespace cli
