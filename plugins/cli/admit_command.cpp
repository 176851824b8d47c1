// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <string>

#include "command.h"
#include "document.h"
#include "load_engine.h"
#include "message_text.h"
#include "submission.h"
#include "text_table.h"

namespace cli {

namespace {

constexpr std::array kAskOptions{
    Option{"--cluster", "", "FILE", "the cluster document"},
    Option{"--policy", "", "FILE", "the policy document"},
    Option{"--job", "", "ID", "the job to ask for"},
    Option{"--changes", "", "FILE",
           "a cede-changes/1 document; ask for the job as it would be once that were applied"},
};
constexpr std::array kJsonOption{
    Option{"--json", "", "", "print one cede-admission/1 document on standard output and nothing else"},
};

template <std::size_t... Sizes>
constexpr auto joined(const std::array<Option, Sizes>&... lists) {
  std::array<Option, (Sizes + ...)> out{};
  auto end = out.begin();
  ((end = std::copy(lists.begin(), lists.end(), end)), ...);
  return out;
}
constexpr std::array kAdmitOptions = joined(kAskOptions, kSubmissionOptions, kJsonOption);

// Empty, or why these options do not go together.
std::string options_fault(const Arguments& arguments) {
  const std::string see = "; see 'cede help admit'";
  if (!arguments.has("--cluster")) return "admit needs --cluster=FILE" + see;
  if (!arguments.has("--policy")) return "admit needs --policy=FILE" + see;
  const bool loaded = arguments.has("--job");
  const auto described = std::find_if(kSubmissionOptions.begin(), kSubmissionOptions.end(),
                                      [&](const Option& option) { return arguments.has(option.name); });
  if (loaded && described != kSubmissionOptions.end()) {
    return "--job names a job and " + std::string(described->name) + " describes a new one; not both" + see;
  }
  if (!loaded && arguments.has("--changes")) return "--changes needs --job=ID, the job to ask for" + see;
  if (!loaded && !arguments.has("--queue")) {
    return "admit needs --job=ID, or --queue=QUEUE for a job that is not in the cluster" + see;
  }
  int standard_input = 0;
  for (const std::string_view file : {"--cluster", "--policy", "--changes"}) {
    if (arguments.value(file) == "-") ++standard_input;
  }
  return standard_input > 1 ? "standard input is named twice" : "";
}

// False if the engine would not take the changes; the error has been printed.
bool usable(Document& changes, const Engine& engine, Console& console) {
  if (changes.kind > 0 && changes.kind != CEDE_DOCUMENT_CHANGES && changes.ok()) {
    changes.report.findings.push_back(
        {.path = "format",
         .text = "this is a " + changes.report.format + " document, and cede-changes/1 is needed"});
  } else if (changes.ok()) {
    check_document(engine, changes, console);
  }
  if (changes.ok()) return true;
  print_first_error(changes.report, console);
  return false;
}

Admission ask(const Engine& engine, const std::string& job, const std::optional<std::string>& changes,
              Console& console) {
  cede_admission* made = nullptr;
  cede_error error{};
  const std::int32_t status =
      cede_engine_admit(engine.get(), job.c_str(), changes ? changes->data() : nullptr,
                        changes ? changes->size() : 0, &made, &error);
  if (status < 0) console.fail(one_line(error.text));
  return Admission(made);
}

// Empty after an error, which has been printed.
Admission make_admission(const Arguments& arguments, Console& console) {
  if (const std::string fault = options_fault(arguments); !fault.empty()) {
    console.fail(fault);
    return {};
  }
  std::optional<Document> changes;
  if (const auto name = arguments.value("--changes")) changes = open_document(*name, console);
  const Engine engine = load_engine(arguments.value("--policy"), *arguments.value("--cluster"), console);
  if (!engine) return {};
  if (const std::optional<std::string> job = arguments.value("--job")) {
    if (!changes) return ask(engine, *job, {}, console);
    return usable(*changes, engine, console) ? ask(engine, *job, changes->text, console) : Admission();
  }
  const std::optional<Submission> submission = describe_submission(arguments, engine, console);
  return submission ? ask(engine, submission->job, submission->text, console) : Admission();
}

std::string between(std::int32_t min, std::int32_t max) {
  const bool no_minimum = min == std::numeric_limits<std::int32_t>::min();
  const bool no_maximum = max == std::numeric_limits<std::int32_t>::max();
  if (no_minimum && no_maximum) return "any";
  if (no_minimum) return "up to " + std::to_string(max);
  if (no_maximum) return std::to_string(min) + " and above";
  return std::to_string(min) + ".." + std::to_string(max);
}

std::string range(const cede_ruling& ruling) {
  if (ruling.max_priority < ruling.min_priority) return "nothing";
  const std::string usual = std::to_string(ruling.default_priority);
  if (ruling.may_change == 0) return "the default " + usual + " only";
  return between(ruling.min_priority, ruling.max_priority) + ", default " + usual;
}

std::string may_be_preemptible(const cede_ruling& ruling) {
  const std::int32_t min = ruling.min_opt_out_priority, max = ruling.max_opt_out_priority;
  if (max < min) return "true or last-resort";
  if (min == ruling.min_priority && max == ruling.max_priority) return "true, last-resort or false";
  return "true or last-resort; false at priority " + between(min, max);
}

std::string preemptible_word(std::int32_t preemptible) {
  switch (preemptible) {
    case CEDE_PREEMPTIBLE_YES: return "true";
    case CEDE_PREEMPTIBLE_NO: return "false";
    case CEDE_PREEMPTIBLE_LAST_RESORT: return "last-resort";
    default: return std::to_string(preemptible);
  }
}

void print_admission(const Admission& admission, Console& console) {
  const bool yes = cede_admission_admitted(admission.get()) == 1;
  console.out(console.paint_out(yes ? Style::green : Style::red, yes ? "admitted" : "refused") + ": " +
              one_line(cede_admission_reason(admission.get())) + "\n\n");
  cede_ruling ruling{};
  if (cede_admission_get(admission.get(), &ruling, sizeof ruling, nullptr) < 0) return;
  TextTable table({{"FIELD"}, {yes ? "VALUE" : "ASKED"}, {"MAY BE"}});
  table.add({"priority", std::to_string(ruling.priority), range(ruling)});
  table.add({"class", std::to_string(ruling.job_class), "0.." + std::to_string(ruling.max_class)});
  table.add({"preemptible", preemptible_word(ruling.preemptible), may_be_preemptible(ruling)});
  table.print(console);
  const char* quota = cede_admission_quota(admission.get());
  if (quota && *quota) console.out("\nquota: " + one_line(quota) + "\n");
}

int run_admit(const Arguments& arguments, Console& console) {
  const Admission admission = make_admission(arguments, console);
  if (!admission) return kError;
  if (arguments.has("--json")) {
    cede_text* made = nullptr;
    cede_error error{};
    if (cede_admission_json(admission.get(), &made, &error) < 0) return console.fail(one_line(error.text));
    const Text text(made);
    console.out({cede_text_data(made), cede_text_size(made)});
  } else {
    print_admission(admission, console);
  }
  return cede_admission_admitted(admission.get()) == 1 ? kYes : kNo;
}

}  // namespace

extern constinit const Command admit_command{
    .name = "admit",
    .summary = "tell whether a job is taken as submitted, and what it may ask for",
    .synopsis =
        "admit --cluster FILE --policy FILE --job ID [--changes FILE]\n"
        "                  [--json]\n"
        "       cede admit --cluster FILE --policy FILE --queue QUEUE [--group GROUP]\n"
        "                  [--project PROJECT] [--user USER] [--kind KIND]\n"
        "                  [--priority N] [--class N] [--opt-out] [--json]",
    .operand = "",
    .options = kAdmitOptions,
    .description =
        "Checks a job against the policy's admission rules for its project and user.\n"
        "Shows the priority, class and preemptibility that count for it and what its\n"
        "owner may ask for, or the limit that refuses it. The job is one of the cluster,\n"
        "one that the changes add, or a new one described by options. Under profile quota\n"
        "it also says whether the job is within its quotas now; a job beyond its quota is\n"
        "admitted and waits. Changes nothing. A FILE of '-' is standard input.\n"
        "\n"
        "Exit status: 0 the job is admitted, 1 it is refused, 2 an error.\n",
    .examples =
        "  cede admit --cluster cluster.json --policy policy.json --job j1\n"
        "  cede admit --cluster cluster.json --policy policy.json --queue root \\\n"
        "             --project p --user u --priority 60\n"
        "  cede admit --cluster cluster.json --policy policy.json --queue root \\\n"
        "             --user u --json | jq .offer\n",
    .run = run_admit,
};

}  // namespace cli
