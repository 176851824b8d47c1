// SPDX-License-Identifier: MIT
#include "finding.h"

#include <algorithm>

#include "input.h"
#include "json_text.h"
#include "message_text.h"

namespace cli {

std::size_t FileReport::warnings() const {
  return static_cast<std::size_t>(std::count_if(findings.begin(), findings.end(),
                                                [](const Finding& finding) { return finding.warning; }));
}

namespace {

void print_good(const FileReport& report, Console& console) {
  std::string line =
      shown_name(report.name) + ": " + console.paint_out(Style::green, "ok") + ", " + report.format;
  // Without an error, what was dropped are warnings too.
  const std::size_t warnings = report.warnings() + report.dropped;
  if (warnings > 0) line += ", " + counted(warnings, "warning");
  console.out(line + report.remark + '\n');
}

void print_json(std::span<const FileReport> reports, Console& console) {
  std::string out = "{\"format\":\"cede-check/1\",\"files\":[";
  for (const FileReport& report : reports) {
    if (&report != &reports.front()) out += ',';
    out += "\n{\"file\":" + json_quoted(as_utf8(report.name));
    out += ",\"format\":" + (report.format.empty() ? "null" : json_quoted(report.format));
    out += ",\"ok\":" + std::string(report.ok() ? "true" : "false") + ",\"findings\":[";
    for (const Finding& finding : report.findings) {
      if (&finding != &report.findings.front()) out += ',';
      out += "\n {\"severity\":" + std::string(finding.warning ? "\"warning\"" : "\"error\"");
      out += ",\"path\":" + json_quoted(as_utf8(finding.path)) + ",\"line\":" + std::to_string(finding.line);
      out += ",\"column\":" + std::to_string(finding.column) +
             ",\"text\":" + json_quoted(as_utf8(finding.text)) + '}';
    }
    out += ']';
    if (report.dropped > 0) out += ",\"dropped\":" + std::to_string(report.dropped);
    out += '}';
  }
  console.out(out + "\n]}\n");
}

// `more`: added to the line.
void print_finding(const std::string& name, const Finding& finding, const std::string& more,
                   Console& console) {
  if (finding.by_system) {
    console.fail(finding.text + more);
    return;
  }
  std::string place = name + ':';
  if (finding.line > 0) place += std::to_string(finding.line) + ':';
  if (finding.line > 0 && finding.column > 0) place += std::to_string(finding.column) + ':';
  std::string line = console.paint_err(Style::bold, place) + ' ';
  if (!finding.path.empty()) line += console.paint_err(Style::red, one_line(finding.path) + ':') + ' ';
  if (finding.warning) line += console.paint_err(Style::yellow, "warning:") + ' ';
  console.err_line(line + one_line(finding.text) + more);
}

void print_lines(const FileReport& report, bool with_warnings, Console& console) {
  const std::string name = shown_name(report.name);
  for (const Finding& finding : report.findings) {
    if (!finding.warning || with_warnings) print_finding(name, finding, {}, console);
  }
  if ((report.dropped == 0 && !report.cut) || (report.ok() && !with_warnings)) return;
  const std::string more = report.dropped > 0 ? std::to_string(report.dropped) + " more" : "perhaps more";
  console.err_line(console.paint_err(Style::bold, name + ':') + " … and " + more);
}

}  // namespace

void print_findings(const FileReport& report, Console& console) { print_lines(report, true, console); }

void print_errors(const FileReport& report, Console& console) { print_lines(report, false, console); }

void print_first_error(const FileReport& report, Console& console) {
  const auto first = std::find_if(report.findings.begin(), report.findings.end(),
                                  [](const Finding& finding) { return !finding.warning; });
  if (first == report.findings.end()) return;
  const std::size_t others = report.findings.size() - report.warnings() - 1 + report.dropped;
  std::string more;
  if (others > 0 || report.cut)
    more = " (and " + (others > 0 ? std::to_string(others) : "perhaps") + " more; 'cede check' lists them)";
  print_finding(shown_name(report.name), *first, more, console);
}

int print_reports(std::span<const FileReport> reports, bool json, bool strict, Console& console) {
  bool failed = false, odd = false;
  for (const FileReport& report : reports) {
    failed = failed || !report.ok();
    odd = odd || report.warnings() > 0;
    if (json) {
      print_errors(report, console);
      continue;
    }
    print_findings(report, console);
    if (report.ok()) print_good(report, console);
  }
  if (json) print_json(reports, console);
  return failed ? kError : strict && odd ? kNo : kYes;
}

}  // namespace cli
