// SPDX-License-Identifier: MIT
// A scenario of `cede run`, as far as it is read: nothing is started. Scenarios that name files are left out,
// for a fuzzer would read whatever it could think of; so are those with XML, which the command tries in a
// child process.
#include <algorithm>

#include "cli/console.h"
#include "cli/document.h"
#include "cli/json_tree.h"
#include "fuzz.h"
#include "local/scenario_reader.h"

namespace {

bool names_files_inside(const cli::JsonNode& node) {
  if (node.key.ends_with("_file") || node.key.ends_with("_xml")) return true;
  return std::any_of(node.items.begin(), node.items.end(), names_files_inside);
}

// A group's policy is a name too, but of no file.
bool names_files(const cli::JsonNode& root) {
  for (const char* part : {"cluster", "policy"}) {
    const cli::JsonNode* node = root.find(part);
    if (node && node->is_text()) return true;
  }
  return names_files_inside(root);
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string text(data, data + size);
  cli::JsonNode root;
  cli::JsonFault fault;
  if (cli::read_tree(text, root, fault) && names_files(root)) return 0;
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
