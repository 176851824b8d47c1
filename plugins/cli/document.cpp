// SPDX-License-Identifier: MIT
#include "document.h"

#include <utility>

#include "input.h"
#include "json_scanner.h"
#include "progress.h"
#include "slurm_settings.h"
#include "topology_files.h"

namespace cli {

namespace {

void add_finding(const cede_report* found, std::size_t index, const cede_finding& place, Document& document) {
  Finding finding;
  finding.warning = place.severity == CEDE_SEVERITY_WARNING;
  finding.path = cede_report_path(found, index);
  finding.text = cede_report_text(found, index);
  finding.line = place.line;
  finding.column = place.column;
  const bool from_file = finding.line > 0 && document.replaced.to_original(finding.line, finding.column);
  if (from_file) finding.path = path_of_file(finding.path);
  document.report.findings.push_back(std::move(finding));
}

// Whether its "format" is a scenario's, of whatever version, without reading what stands behind that.
bool says_scenario(std::string_view text) {
  JsonScanner scanner(text);
  bool due = false;
  for (auto event = scanner.next(); event != JsonScanner::Event::end; event = scanner.next()) {
    if (event == JsonScanner::Event::malformed) return false;
    if (due) return event == JsonScanner::Event::text && scanner.token().starts_with("\"cede-scenario/");
    due = event == JsonScanner::Event::key && scanner.around().size() == 1 && scanner.token() == "\"format\"";
  }
  return false;
}

}  // namespace

std::string format_of(std::int32_t kind) {
  switch (kind) {
    case CEDE_DOCUMENT_CLUSTER: return "cede-cluster/1";
    case CEDE_DOCUMENT_CHANGES: return "cede-changes/1";
    case CEDE_DOCUMENT_POLICY: return "cede-policy/1";
    case kDocumentScenario: return "cede-scenario/1";
    default: return {};
  }
}

Document open_document(const std::string& name, Console& console) {
  Document document;
  document.report.name = name;
  if (const ReadFault fault = read_document(name, console, document.text)) {
    document.report.findings.push_back({.by_system = fault.by_system, .text = fault.text});
    return document;
  }
  const Progress progress(console, "recognising " + shown_name(name));
  const std::int32_t kind = says_scenario(document.text)
                                ? kDocumentScenario
                                : cede_document_kind(document.text.data(), document.text.size(), nullptr);
  return document_of(name, std::move(document.text), kind);
}

Document document_of(const std::string& name, std::string text, std::int32_t kind) {
  Document document;
  document.report.name = name;
  document.text = std::move(text);
  document.kind = kind;
  document.report.format = format_of(kind);
  if (document.kind < 0) recognise_slurm_settings(document);
  const bool in_changes = document.kind == CEDE_DOCUMENT_CHANGES;
  if (document.kind != CEDE_DOCUMENT_CLUSTER && !in_changes) return document;
  std::vector<TopologyXml> topologies;
  document.report.findings =
      inline_topology_files(name, in_changes, document.text, document.replaced, topologies);
  if (document.report.findings.empty()) document.report.findings = try_topologies(topologies);
  return document;
}

void check_document(const Engine& engine, Document& document, Console& console) {
  const Progress progress(console, "checking " + shown_name(document.report.name));
  cede_report* made = nullptr;
  cede_error error{};
  const std::int32_t status =
      cede_engine_check(engine.get(), document.text.data(), document.text.size(), &made, &error);
  const Report found(made);
  if (made) {
    const std::vector<cede_finding> places = all_of(cede_report_findings, found.get());
    for (std::size_t i = 0; i < places.size(); ++i) add_finding(made, i, places[i], document);
    document.report.dropped = cede_report_dropped(made);
    document.report.cut = !document.ok() && cede_report_count(made) >= library_default("max_findings", 20);
  }
  // If memory runs out there is no report, and a failure must not look like success.
  if (status < 0 && document.ok())
    document.report.findings.push_back({.text = error.text, .line = error.line});
}

Engine make_engine(Document* policy, Console& console) {
  cede_engine* made = nullptr;
  cede_error error{};
  const std::int32_t status =
      cede_engine_create(policy ? policy->text.data() : nullptr, policy ? policy->text.size() : 0, nullptr, 0,
                         CEDE_VERSION, &made, &error);
  if (status >= 0) return Engine(made);
  if (!policy) {
    console.fail(error.text);
    return {};
  }
  if (policy->ok()) policy->report.findings.push_back({.text = error.text, .line = error.line});
  return {};
}

bool load_cluster(const Engine& engine, Document& cluster, Console& console) {
  cede_error error{};
  {
    const Progress progress(console, "loading " + shown_name(cluster.report.name));
    if (cede_engine_load(engine.get(), cluster.text.data(), cluster.text.size(), &error) >= 0) return true;
  }
  // The check reports every mistake, loading only the first.
  check_document(engine, cluster, console);
  if (cluster.ok()) cluster.report.findings.push_back({.text = error.text, .line = error.line});
  return false;
}

}  // namespace cli
