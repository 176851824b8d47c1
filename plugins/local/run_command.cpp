// SPDX-License-Identifier: MIT
#include <unistd.h>

#include <array>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <optional>

#include "cli/command.h"
#include "cli/document.h"
#include "cli/message_text.h"
#include "file_io.h"
#include "run_folder.h"
#include "run_loop.h"
#include "scenario_reader.h"
#include "summary.h"

namespace local {

extern const std::string_view kDemoScenario;  // made from bindings/c/examples/scenarios/demo.json

namespace {

using cli::Option;

constexpr std::array kRunOptions{
    Option{"--demo", "", "", "run the built-in scenario"},
    Option{"--speed", "", "N", "seconds of the scenario in one real second, 0.01..10000"},
    Option{"--folder", "", "DIR", "keep journal, output and saved states in DIR, which must be new or empty"},
    Option{"--resume", "", "DIR", "go on with the run in DIR whose manager is gone"},
    Option{"--plain", "", "", "a line per event on a terminal too"},
    Option{"--json", "", "", "print one cede-run/1 document at the end and nothing else"},
};

std::optional<double> speed_of(const cli::Arguments& arguments, double otherwise, cli::Console& console) {
  const std::optional<std::string> text = arguments.value("--speed");
  if (!text) return otherwise;
  double speed = 0;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), speed);
  if (error == std::errc{} && end == text->data() + text->size() && speed >= 0.01 && speed <= 10000)
    return speed;
  console.fail("--speed: " + cli::quote(*text) + " is not a number in 0.01..10000");
  return {};
}

// Empty, or what is wrong with the options together.
std::string conflict_in(const cli::Arguments& arguments) {
  const bool resumed = arguments.has("--resume");
  const std::size_t named =
      arguments.operands().size() + (arguments.has("--demo") ? 1 : 0) + (resumed ? 1 : 0);
  if (named != 1) return "run needs one SCENARIO, --demo or --resume=DIR; see 'cede help run'";
  for (const char* option : {"--speed", "--folder"}) {
    if (resumed && arguments.has(option))
      return "option '" + std::string(option) + "' means nothing with --resume: the run keeps its own";
  }
  return {};
}

// The scenario that is asked for; empty, and told, when there is none or it is wrong. `resumed` is the folder
// of a run that is gone on with.
std::optional<Scenario> scenario_of(const cli::Arguments& arguments, const std::string& resumed,
                                    cli::Console& console) {
  cli::Document document;
  if (arguments.has("--demo")) {
    document = cli::document_of("demo", std::string(kDemoScenario), cli::kDocumentScenario);
  } else {
    document = cli::open_document(resumed.empty() ? arguments.operands().front() : resumed + "/scenario.json",
                                  console);
  }
  Scenario scenario;
  if (document.ok() && document.kind != cli::kDocumentScenario) {
    document.report.findings.push_back(
        {.path = "format",
         .text = "this is a " + document.report.format + " document, and cede-scenario/1 is needed"});
  } else if (document.ok()) {
    read_scenario(document, console, scenario);
  }
  if (document.ok()) return scenario;
  cli::print_first_error(document.report, console);
  return {};
}

int run_scenario(const cli::Arguments& arguments, cli::Console& console) {
  if (const std::string conflict = conflict_in(arguments); !conflict.empty()) return console.fail(conflict);
  const std::optional<std::string> resumed = arguments.value("--resume");
  RunFolder folder;
  std::string fault = resumed ? folder.open(*resumed) : "";
  if (!fault.empty()) return console.fail(fault);
  const std::optional<Scenario> scenario = scenario_of(arguments, folder.path(), console);
  if (!scenario) return cli::kError;
  const std::optional<double> speed = speed_of(arguments, scenario->speed, console);
  if (!speed) return cli::kError;
  if (!resumed) fault = folder.make(arguments.value("--folder"));
  if (!fault.empty()) return console.fail(fault);
  Launcher launcher(folder.path());

  RunLoop loop(console, arguments.has("--json")    ? Output::json
                        : arguments.has("--plain") ? Output::lines
                                                   : Output::automatic);
  Manager manager(*scenario, launcher, loop);
  fault = launcher.lock_folder();
  if (fault.empty()) fault = resumed ? manager.resume() : manager.begin(*speed);
  // Written after the journal, so that a folder with a scenario can be resumed.
  if (fault.empty() && !resumed)
    fault = replace_file(launcher.file("scenario.json"), scenario->document, true).text;
  if (!fault.empty()) {
    folder.finish();
    return console.fail(fault);
  }
  loop.run(manager, launcher.folder());
  if (!manager.fault().empty()) {
    return console.fail(manager.fault() + "; 'cede run --resume " + cli::one_line(launcher.folder()) +
                        "' goes on with it");
  }
  folder.finish();
  return all_well(manager) ? cli::kYes : cli::kNo;
}

}  // namespace

}  // namespace local

namespace cli {

void check_scenario(Document& document, Console& console) {
  local::Scenario scenario;
  local::read_scenario(document, console, scenario);
}

extern constinit const Command run_command{
    .name = "run",
    .summary = "run a scenario: a small resource manager with real processes",
    .synopsis =
        "run SCENARIO [--speed N] [--folder DIR] [--plain] [--json]\n"
        "       cede run --demo [--speed N] [--folder DIR] [--plain] [--json]\n"
        "       cede run --resume DIR [--plain] [--json]",
    .operand = "SCENARIO",
    .options = local::kRunOptions,
    .description =
        "A complete small resource manager for this machine: jobs of a cede-scenario/1\n"
        "document arrive, are placed, give way, save their state, are ended and resumed,\n"
        "as real processes with real signals. Nodes and GPUs are the scenario's. On a\n"
        "terminal it shows a live view, else a line per event, and a summary at the end.\n"
        "Ctrl-C ends all jobs and the run. Whatever is decided is written to a journal\n"
        "before it is done: after a crash --resume finds the processes again, loses no\n"
        "job and starts none twice. See cede(1) for the document and for how a job\n"
        "reports checkpoints.\n"
        "\n"
        "Exit status: 0 every job was completed or preempted for good, 1 not every one,\n"
        "2 an error.\n",
    .examples =
        "  cede run --demo\n"
        "  cede run scenario.json --folder run1\n"
        "  cede run --resume run1\n"
        "  cede run scenario.json --json | jq .summary\n",
    .run = local::run_scenario,
};

}  // namespace cli
