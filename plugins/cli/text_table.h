// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "console.h"

namespace cli {

// Rows in aligned columns below bold titles.
class TextTable {
 public:
  struct Column {
    std::string_view title;
    bool right = false;  // numbers
  };

  explicit TextTable(std::vector<Column> columns) : columns_(std::move(columns)) {}

  // One text per column. Control characters are escaped.
  void add(const std::vector<std::string>& row);
  bool empty() const { return rows_.empty(); }
  void print(Console& console) const;

 private:
  std::string line(const std::vector<std::string>& row, const std::vector<std::size_t>& widths) const;

  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace cli
