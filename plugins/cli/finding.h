// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "console.h"

namespace cli {

// One error or warning about an input.
struct Finding {
  bool warning = false;
  bool by_system = false;  // about the file, not about its content
  std::string path{};
  std::string text{};
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};

// Everything found about one input.
struct FileReport {
  std::string name;    // as the user wrote it
  std::string format;  // empty when it is not known
  std::string remark;  // added to the line of a file without errors
  std::vector<Finding> findings;
  std::size_t dropped = 0;  // findings beyond the library's limit
  bool cut = false;         // the library stopped when it reached its limit

  std::size_t warnings() const;
  bool ok() const { return warnings() == findings.size(); }
};

// Findings on standard error, a line each.
void print_findings(const FileReport& report, Console& console);
// The same without warnings, for commands that print a document.
void print_errors(const FileReport& report, Console& console);
// The first error and how many more there are, in one line: for commands that cannot go on. Only a check
// lists them all.
void print_first_error(const FileReport& report, Console& console);

// The outcome of a check: findings on standard error and a line on standard output for each good file; or all
// of it as one cede-check/1 document on standard output, with the errors on standard error too. Returns the
// exit status; `strict` counts warnings as a no.
int print_reports(std::span<const FileReport> reports, bool json, bool strict, Console& console);

}  // namespace cli
