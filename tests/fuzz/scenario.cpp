// SPDX-License-Identifier: MIT
// A scenario of `cede run`, as far as it is read: nothing is started. Scenarios that name files are left out,
// for a fuzzer would read whatever it could think of; so are those with XML, which the command tries in a
// child process.
#include "cli/console.h"
#include "cli/document.h"
#include "fuzz.h"
#include "local/json_tree.h"
#include "local/scenario_reader.h"

namespace {

bool names_files(const local::JsonNode& node) {
  if (node.key.ends_with("_file") || node.key.ends_with("_xml")) return true;
  if ((node.key == "cluster" || node.key == "policy") && node.is_text()) return true;
  for (const local::JsonNode& item : node.items) {
    if (names_files(item)) return true;
  }
  return false;
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string text(data, data + size);
  local::JsonNode root;
  local::JsonFault fault;
  if (local::read_tree(text, root, fault) && names_files(root)) return 0;
  cli::Console console;
  cli::Document document;
  document.text = std::move(text);
  document.kind = cli::kDocumentScenario;
  document.report.name = "scenario.json";
  local::Scenario scenario;
  const bool good = local::read_scenario(document, console, scenario);
  fuzz::expect(good == document.ok(), "read_scenario", "says otherwise than its report");
  if (good)
    fuzz::expect(!scenario.jobs.empty() && !scenario.policy.empty(), "read_scenario", "an empty scenario");
  return 0;
}
