// SPDX-License-Identifier: MIT
#include <array>
#include <optional>
#include <string>

#include "command.h"
#include "load_engine.h"
#include "message_text.h"
#include "write_file.h"

namespace cli {

namespace {

constexpr std::array kExportOptions{
    Option{"--cluster", "", "FILE", "the cluster document to load"},
    Option{"--policy", "", "FILE", "the policy document whose profiles give the defaults"},
    Option{"--output", "-o", "FILE",
           "write to FILE instead of standard output; it is replaced whole or not at all"},
};

int run_export(const Arguments& arguments, Console& console) {
  const std::optional<std::string> cluster = arguments.value("--cluster");
  const std::optional<std::string> policy = arguments.value("--policy");
  if (!cluster) return console.fail("export needs --cluster=FILE; see 'cede help export'");
  if (*cluster == "-" && policy == cluster) return console.fail("standard input is named twice");
  const Engine engine = load_engine(policy, *cluster, console);
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
    .options = kExportOptions,
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
