// SPDX-License-Identifier: MIT
#include "settings_table.h"

#include <cede/cede.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include "message_text.h"

namespace cli {

namespace {

constexpr std::size_t kColumns = 6;  // as CEDE_SETTING_NAME to CEDE_SETTING_HELP
constexpr std::size_t kGap = 2;
constexpr std::size_t kIndent = 6;
constexpr std::size_t kNarrowestHelp = 32;
constexpr std::size_t kWidestDefault = 14;
constexpr std::array<std::size_t, 3> kRangeWidths{40, 24, 16};  // the first that leaves room is taken

using Row = std::array<std::string, kColumns>;
using Widths = std::array<std::size_t, kColumns>;

constexpr std::array<const char*, kColumns> kTitles{"SETTING", "DEFAULT", "UNIT", "RANGE", "READ ON", "HELP"};

std::vector<Row> rows_of(std::size_t profile) {
  std::vector<Row> rows;
  for (std::size_t setting = 0; setting < cede_setting_count(profile); ++setting) {
    Row row;
    for (std::size_t what = 0; what < kColumns; ++what) {
      const char* text = cede_setting_text(profile, setting, static_cast<std::int32_t>(what));
      row[what] = text ? text : "";
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

// What the columns but the help need, defaults and ranges broken into lines.
Widths widths_of(const std::vector<Row>& rows, std::size_t widest_range) {
  Widths widths{};
  for (std::size_t i = 0; i < CEDE_SETTING_HELP; ++i) {
    widths[i] = width(kTitles[i]);
    const std::size_t most = i == CEDE_SETTING_DEFAULT ? kWidestDefault
                             : i == CEDE_SETTING_RANGE ? widest_range
                                                       : std::string::npos;
    for (const Row& row : rows) {
      for (const std::string& line : wrap(row[i], most)) widths[i] = std::max(widths[i], width(line));
    }
  }
  return widths;
}

std::size_t total(const Widths& widths) {
  return std::accumulate(widths.begin(), widths.end(), kGap * CEDE_SETTING_HELP);
}

// A row of all columns that have a width.
std::string table_row(const Row& row, const Widths& widths) {
  std::array<std::vector<std::string>, kColumns> cells;
  std::size_t height = 0;
  for (std::size_t i = 0; i < kColumns && widths[i] > 0; ++i) {
    cells[i] = wrap(row[i], widths[i]);
    height = std::max(height, cells[i].size());
  }
  std::string out;
  for (std::size_t line = 0; line < height; ++line) {
    std::string shown;
    for (std::size_t i = 0; i < kColumns && widths[i] > 0; ++i) {
      const std::string cell = line < cells[i].size() ? cells[i][line] : "";
      shown += std::string(kGap, ' ') + cell + std::string(widths[i] - std::min(widths[i], width(cell)), ' ');
    }
    shown.erase(shown.find_last_not_of(' ') + 1);
    out += shown + '\n';
  }
  return out;
}

std::string indented(std::string_view text, std::size_t columns) {
  std::string out;
  for (const std::string& line : wrap(text, std::max(columns, kIndent + 10) - kIndent)) {
    out += std::string(kIndent, ' ') + line + '\n';
  }
  return out;
}

void print_list(const std::vector<Row>& rows, std::size_t columns, Console& console) {
  for (const Row& row : rows) {
    const std::string facts = "default " + row[CEDE_SETTING_DEFAULT] + "; " + row[CEDE_SETTING_UNIT] + "; " +
                              row[CEDE_SETTING_RANGE] + "; read on " + row[CEDE_SETTING_SIDE];
    console.out("  " + console.paint_out(Style::bold, row[CEDE_SETTING_NAME]) + '\n' +
                indented(facts, columns) + indented(row[CEDE_SETTING_HELP], columns));
  }
}

void print_table(const std::vector<Row>& rows, const Widths& widths, std::size_t columns, Console& console) {
  Row titles;
  std::copy(kTitles.begin(), kTitles.end(), titles.begin());
  std::string head = table_row(titles, widths);
  head.pop_back();
  console.out(console.paint_out(Style::bold, head) + '\n');
  for (const Row& row : rows) {
    console.out(table_row(row, widths));
    if (widths[CEDE_SETTING_HELP] == 0) console.out(indented(row[CEDE_SETTING_HELP], columns));
  }
}

}  // namespace

void print_settings(std::size_t profile, Console& console) {
  const std::vector<Row> rows = rows_of(profile);
  const std::size_t columns = console.columns();
  // The help beside the rest if there is room for it, else below it.
  for (const bool beside : {true, false}) {
    for (const std::size_t widest_range : kRangeWidths) {
      Widths widths = widths_of(rows, widest_range);
      const std::size_t needed = total(widths) + (beside ? kGap + kNarrowestHelp : 0);
      if (needed > columns) continue;
      if (beside) widths[CEDE_SETTING_HELP] = columns - total(widths) - kGap;
      return print_table(rows, widths, columns, console);
    }
  }
  print_list(rows, columns, console);
}

}  // namespace cli
