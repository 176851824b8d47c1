// SPDX-License-Identifier: MIT
#include "command.h"
#include "json_tree.h"
#include "plan_request.h"
#include "plan_view.h"
#include "text_table.h"

namespace cli {

namespace {

std::vector<std::string> texts_of(const std::vector<JsonNode>& list) {
  std::vector<std::string> out;
  for (const JsonNode& item : list) out.push_back(item.text);
  return out;
}

void print_excluded(const JsonNode& explanation, Console& console) {
  TextTable table({{"EXCLUDED"}, {"TASKS"}, {"RULE"}, {"BECAUSE"}});
  for (const JsonNode& unit : explanation.list_of("excluded")) {
    table.add({std::string(unit.text_of("job")), some_of(texts_of(unit.list_of("tasks"))),
               std::string(unit.text_of("rule")), std::string(unit.text_of("values"))});
  }
  if (table.empty()) return;
  console.out("\n");
  table.print(console);
}

// The eligible units: for a yes, those that were not needed; for a no, those that are not enough.
void print_not_needed(const JsonNode& explanation, bool yes, Console& console) {
  TextTable table({{yes ? "NOT NEEDED" : "NOT TAKEN"}, {"TASKS"}});
  for (const JsonNode& unit : explanation.list_of("not_needed"))
    table.add({std::string(unit.text_of("job")), some_of(texts_of(unit.list_of("tasks")))});
  if (table.empty()) return;
  console.out("\n");
  table.print(console);
}

void print_alternatives(const JsonNode& explanation, Console& console) {
  TextTable table({{"ALTERNATIVE"}, {"COST", true}, {"WORSE BY"}});
  for (const JsonNode& alternative : explanation.list_of("alternatives")) {
    table.add({some_of(texts_of(alternative.list_of("victims"))), std::string(alternative.text_of("cost")),
               std::string(alternative.text_of("worse"))});
  }
  if (table.empty()) return;
  console.out("\n");
  table.print(console);
}

int run_explain(const Arguments& arguments, Console& console) {
  Ledger in_flight;
  const Plan plan = make_plan("explain", arguments, console, in_flight);
  if (!plan) return kError;
  if (arguments.has("--json")) return print_document(plan, cede_plan_explain, console);
  const Text explained = document_of(plan, cede_plan_explain, console);
  if (!explained) return kError;
  const std::optional<JsonNode> explanation =
      read_tree({cede_text_data(explained.get()), cede_text_size(explained.get())});
  if (!explanation) return console.fail("the library's explanation is not JSON");
  print_answer(plan, console);
  print_victims(plan, console);
  print_not_needed(*explanation, status_of(plan) == kYes, console);
  print_excluded(*explanation, console);
  print_alternatives(*explanation, console);
  if (in_flight && !print_in_flight(in_flight, console)) return kError;
  return status_of(plan);
}

}  // namespace

extern constinit const Command explain_command{
    .name = "explain",
    .summary = "tell why each running job is taken or left alone",
    .synopsis =
        "explain --cluster FILE --policy FILE --job ID [--protect JOB]...\n"
        "                    [--avoid NODE]...\n"
        "                    [--now TIME] [--state FILE] [--json]\n"
        "       cede explain --cluster FILE --policy FILE --relief TARGET [--group GROUP]\n"
        "                    [--partial] [--protect JOB]...\n"
        "                    [--now TIME] [--state FILE] [--json]\n"
        "       cede explain --cluster FILE --policy FILE --claim QUEUE --nodes NODE,NODE\n"
        "                    --reason REASON [--protect JOB]...\n"
        "                    [--now TIME] [--state FILE] [--json]",
    .operand = "",
    .options = kPlanOptions,
    .description =
        "Decides as 'cede plan' does and says why: the answer in a sentence, the victims,\n"
        "the eligible units that were not needed, every unit that a rule excluded, with\n"
        "the first such rule and the values compared, and the next best sets, with what\n"
        "made them worse. A FILE of '-' is standard input.\n"
        "\n"
        "Exit status: 0 it fits or preempts, 1 it waits, is in progress or impossible,\n"
        "2 an error.\n",
    .examples =
        "  cede explain --cluster cluster.json --policy policy.json --job j1\n"
        "  cede explain --cluster cluster.json --policy policy.json --job j1 --json \\\n"
        "    | jq -r '.excluded[].rule' | sort | uniq -c\n",
    .run = run_explain,
};

}  // namespace cli
