// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "command.h"
#include "document.h"
#include "finding.h"
#include "input.h"
#include "slurm_settings.h"

namespace cli {

namespace {

constexpr std::array kCheckOptions{
    Option{"--json", "", "", "print one cede-check/1 document on standard output and nothing else"},
    Option{"--strict", "", "", "exit with 1 when there are warnings"},
};

// Every document of one kind that has no fault yet, in the order named.
std::vector<Document*> of_kind(std::vector<Document>& documents, std::int32_t kind) {
  std::vector<Document*> out;
  for (Document& document : documents) {
    if (document.kind == kind && document.ok()) out.push_back(&document);
  }
  return out;
}

const Document* first_named(const std::vector<Document>& documents, std::int32_t kind) {
  const auto found = std::find_if(documents.begin(), documents.end(),
                                  [kind](const Document& document) { return document.kind == kind; });
  return found == documents.end() ? nullptr : &*found;
}

// The engine with the first policy named if that policy is correct, else the engine without a policy.
Engine choose_engine(std::vector<Document>& documents, Engine bare, Console& console) {
  const Document* named = first_named(documents, CEDE_DOCUMENT_POLICY);
  if (!named) return bare;
  const std::vector<Document*> right = of_kind(documents, CEDE_DOCUMENT_POLICY);
  if (!right.empty() && right.front() == named) {
    if (Engine engine = make_engine(right.front(), console)) return engine;
  }
  for (Document* cluster : of_kind(documents, CEDE_DOCUMENT_CLUSTER)) {
    cluster->report.remark = ", not checked against " + shown_name(named->report.name);
  }
  return bare;
}

// Changes mean something only against a cluster: the first named, if there is one.
void check_changes(std::vector<Document>& documents, const Engine& engine, Console& console) {
  const std::vector<Document*> changes = of_kind(documents, CEDE_DOCUMENT_CHANGES);
  const Document* named = first_named(documents, CEDE_DOCUMENT_CLUSTER);
  if (changes.empty()) return;
  if (named) {
    const std::vector<Document*> right = of_kind(documents, CEDE_DOCUMENT_CLUSTER);
    if (right.empty() || right.front() != named || !load_cluster(engine, *right.front(), console)) {
      const std::string why =
          "not checked: " + shown_name(named->report.name) + " is not a cluster that loads";
      for (Document* change : changes) change->report.findings.push_back({.text = why});
      return;
    }
  }
  for (Document* change : changes) check_document(engine, *change, console);
}

// False if the library cannot even make an engine; the error has been printed.
bool check_all(std::vector<Document>& documents, Console& console) {
  for (Document* scenario : of_kind(documents, kDocumentScenario)) check_scenario(*scenario, console);
  Engine bare = make_engine(nullptr, console);
  if (!bare) return false;
  for (Document* policy : of_kind(documents, CEDE_DOCUMENT_POLICY)) check_document(bare, *policy, console);
  for (Document& document : documents) {
    if (is_slurm_settings(document)) check_slurm_settings(bare, document);
    const bool unknown = document.report.format.empty() && document.ok();
    if (unknown) check_document(bare, document, console);
  }
  const Engine engine = choose_engine(documents, std::move(bare), console);
  for (Document* cluster : of_kind(documents, CEDE_DOCUMENT_CLUSTER))
    check_document(engine, *cluster, console);
  check_changes(documents, engine, console);
  return true;
}

int run_check(const Arguments& arguments, Console& console) {
  const std::vector<std::string>& names = arguments.operands();
  if (names.empty()) return console.fail("check needs at least one FILE; see 'cede help check'");
  if (std::count(names.begin(), names.end(), "-") > 1) return console.fail("standard input is named twice");

  std::vector<Document> documents;
  documents.reserve(names.size());
  for (const std::string& name : names) documents.push_back(open_document(name, console));
  if (!check_all(documents, console)) return kError;
  std::vector<FileReport> reports;
  for (Document& document : documents) reports.push_back(std::move(document.report));
  return print_reports(reports, arguments.has("--json"), arguments.has("--strict"), console);
}

}  // namespace

extern constinit const Command check_command{
    .name = "check",
    .summary = "validate documents, alone and against each other",
    .synopsis = "check [--json] [--strict] FILE...",
    .operand = "FILE",
    .options = kCheckOptions,
    .description =
        "Validates cluster, policy, changes and scenario documents and the settings of\n"
        "the Slurm plugin (cede-slurm/1), and changes nothing. Documents named together\n"
        "are checked against each other, in whatever order: clusters against the first\n"
        "policy, changes against the first cluster. Without a policy, what depends on\n"
        "one is not tested; without a cluster, changes are checked as changes of an\n"
        "empty one. A scenario has both in itself. A FILE of '-' is standard input.\n"
        "\n"
        "Each finding is a line on standard error, FILE:LINE:COLUMN: PATH: text. Each\n"
        "good file is a line on standard output. Exit status: 0 all can be used, 1 there\n"
        "are warnings and --strict is given, 2 there is an error.\n",
    .examples =
        "  cede check policy.json cluster.json\n"
        "  ssh head cat cluster.json | cede check --strict policy.json -\n"
        "  cede check --json cluster.json | jq '.files[].findings[].text'\n",
    .run = run_check,
};

}  // namespace cli
