// SPDX-License-Identifier: MIT
#include "slurm_settings.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "config/settings.h"

namespace cli {

namespace {

struct Place {
  std::size_t line = 1;
  std::size_t column = 1;
};

Place place_of(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, offset);
  const std::size_t last = before.rfind('\n');
  return {1 + static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n')),
          last == std::string_view::npos ? offset + 1 : offset - last};
}

// A part of the document as a document of its own, at the same lines and columns.
void check_part(const Engine& engine, Document& document, std::string_view path, std::string_view before,
                std::size_t begin, std::size_t end, std::string_view after) {
  const Place place = place_of(document.text, begin);
  std::string text(before);
  text.append(place.line - 1, '\n').append(place.column - 1, ' ');
  text.append(document.text, begin, end - begin).append(after);
  cede_report* made = nullptr;
  cede_engine_check(engine.get(), text.data(), text.size(), &made, nullptr);
  const Report found(made);
  const std::vector<cede_finding> findings = all_of(cede_report_findings, found.get());
  for (std::size_t i = 0; i < findings.size(); ++i) {
    const cede_finding& about = findings[i];
    const std::string_view inside = cede_report_path(made, i);
    Finding finding;
    finding.warning = about.severity == CEDE_SEVERITY_WARNING;
    finding.path = inside.starts_with(path)
                       ? std::string(inside)
                       : std::string(path) + (inside.empty() ? "" : ".") + std::string(inside);
    finding.text = cede_report_text(made, i);
    finding.line = about.line;
    finding.column = about.column;
    document.report.findings.push_back(std::move(finding));
  }
}

}  // namespace

bool is_slurm_settings(const Document& document) { return document.report.format == CEDE_SLURM_FORMAT; }

void recognise_slurm_settings(Document& document) {
  if (settings_recognise(document.text.data(), document.text.size()))
    document.report.format = CEDE_SLURM_FORMAT;
}

void check_slurm_settings(const Engine& engine, Document& document) {
  settings_report report{};
  settings_destroy(settings_read(document.text.data(), document.text.size(), &report));
  const std::size_t kept = std::min<std::size_t>(report.count, MAX_SETTINGS_FINDINGS);
  for (std::size_t i = 0; i < kept; ++i) {
    const settings_finding& found = report.findings[i];
    document.report.findings.push_back(
        {.path = found.path, .text = found.text, .line = found.line, .column = found.column});
  }
  document.report.dropped = report.count - kept;
  if (report.policy_end > report.policy_begin)
    check_part(engine, document, "policy", "", report.policy_begin, report.policy_end, "");
  if (report.queues_end > report.queues_begin)
    check_part(engine, document, "queues", R"({"format":"cede-cluster/1","queues":)", report.queues_begin,
               report.queues_end, "}");
}

}  // namespace cli
