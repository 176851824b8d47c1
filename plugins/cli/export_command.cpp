// SPDX-License-Identifier: MIT
#include <array>
#include <optional>
#include <string>

#include "command.h"
#include "document.h"
#include "progress.h"
#include "source.h"
#include "wording.h"
#include "written_file.h"

namespace cli {

namespace {

constexpr std::array kOptions{
    Option{"--cluster", "", "FILE", "the cluster document to load"},
    Option{"--policy", "", "FILE", "the policy document whose profiles give the defaults"},
    Option{"--output", "-o", "FILE",
           "write to FILE instead of standard output; it is replaced whole or not at all"},
};

// Told, and false, when it is not a right document of this kind.
bool usable(Document& document, std::int32_t kind, Console& console) {
  if (document.kind > 0 && document.kind != kind && document.ok()) {
    document.report.findings.push_back(
        {.path = "format",
         .text = "this is a " + document.report.format + " document, and " + format_of(kind) + " is needed"});
  }
  if (document.ok()) return true;
  print_findings(document.report, console);
  return false;
}

// Empty when something is wrong; that has been told.
Engine load(const std::optional<std::string>& policy_name, const std::string& cluster_name,
            Console& console) {
  std::optional<Document> policy;
  if (policy_name) policy = open_document(*policy_name, console);
  Document cluster = open_document(cluster_name, console);
  const Engine bare = make_engine(nullptr, console);
  if (!bare) return {};
  if (policy && policy->ok() && policy->kind != CEDE_DOCUMENT_CLUSTER) check_document(bare, *policy, console);
  if (cluster.ok() && cluster.kind < 0) check_document(bare, cluster, console);
  const bool policy_usable = !policy || usable(*policy, CEDE_DOCUMENT_POLICY, console);
  if (!usable(cluster, CEDE_DOCUMENT_CLUSTER, console) || !policy_usable) return {};

  Engine engine = make_engine(policy ? &*policy : nullptr, console);
  if (!engine) {
    if (policy) print_findings(policy->report, console);
    return {};
  }
  if (!load_cluster(engine, cluster, console)) {
    print_findings(cluster.report, console);
    return {};
  }
  return engine;
}

int run_export(const Arguments& arguments, Console& console) {
  const std::optional<std::string> cluster = arguments.value("--cluster");
  const std::optional<std::string> policy = arguments.value("--policy");
  if (!cluster) return console.fail("export needs --cluster=FILE; see 'cede help export'");
  if (*cluster == "-" && policy == cluster) return console.fail("standard input is named twice");
  const Engine engine = load(policy, *cluster, console);
  if (!engine) return kError;

  cede_text* made = nullptr;
  cede_error error{};
  if (cede_engine_export(engine.get(), &made, &error) < 0) return console.fail(error.text);
  const Text exported(made);
  std::string text(cede_text_data(made), cede_text_size(made));
  if (!text.ends_with('\n')) text += '\n';
  const std::string target = arguments.value("--output").value_or("-");
  if (target == "-") {
    console.out(text);
    return kYes;
  }
  const std::string fault = write_file(target, text);
  return fault.empty() ? kYes : console.fail("cannot write " + quote(target) + ": " + fault);
}

}  // namespace

extern constinit const Command export_command{
    .name = "export",
    .summary = "print a loaded cluster back as a document",
    .synopsis = "export --cluster FILE [--policy FILE] [-o FILE]",
    .operand = "",
    .options = kOptions,
    .description =
        "Loads a cluster and prints it back as a cede-cluster/1 document, as the library\n"
        "understands it: objects ordered by name, topology files inline. The document\n"
        "loads back to the same cluster. A FILE of '-' is standard input or output.\n"
        "\n"
        "Exit status: 0 done, 2 an error.\n",
    .examples =
        "  cede export --cluster cluster.json\n"
        "  cede export --policy policy.json --cluster cluster.json -o whole.json\n",
    .run = run_export,
};

}  // namespace cli
