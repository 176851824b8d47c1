// SPDX-License-Identifier: MIT
#include "command.h"
#include "json_tree.h"
#include "plan_request.h"
#include "plan_view.h"

namespace cli {

namespace {

// The answer for each job, one after the other, without maps.
int run_batch(const Arguments& arguments, Console& console) {
  Ledger in_flight;
  const std::vector<Plan> plans = make_batch(arguments, console, in_flight);
  if (plans.empty()) return kError;
  if (arguments.has("--json")) return print_document(plans, console);
  for (const Plan& plan : plans) {
    print_answer(plan, console);
    print_victims(plan, console);
    print_placement(plan, console);
  }
  if (in_flight && !print_in_flight(in_flight, console)) return kError;
  return status_of(plans);
}

int run_plan(const Arguments& arguments, Console& console) {
  if (arguments.has("--batch")) return run_batch(arguments, console);
  Ledger in_flight;
  const Plan plan = make_plan("plan", arguments, console, in_flight);
  if (!plan) return kError;
  if (arguments.has("--json")) return print_document(plan, cede_plan_json, console);
  // Only the explanation says which devices the kept jobs and the victims hold.
  const Text explained = document_of(plan, cede_plan_explain, console);
  if (!explained) return kError;
  const std::optional<JsonNode> explanation =
      read_tree({cede_text_data(explained.get()), cede_text_size(explained.get())});
  if (!explanation) return console.fail("the library's explanation is not JSON");
  print_answer(plan, console);
  print_victims(plan, console);
  print_placement(plan, console);
  print_map(*explanation, console);
  if (in_flight && !print_in_flight(in_flight, console)) return kError;
  return status_of(plan);
}

}  // namespace

extern constinit const Command plan_command{
    .name = "plan",
    .summary = "decide which running jobs give way to a waiting one",
    .synopsis =
        "plan --cluster FILE --policy FILE --job ID [--protect JOB]...\n"
        "                 [--avoid NODE]...\n"
        "                 [--now TIME] [--state FILE] [--json]\n"
        "       cede plan --cluster FILE --policy FILE --batch ID,ID [--protect JOB]...\n"
        "                 [--now TIME] [--state FILE] [--json]\n"
        "       cede plan --cluster FILE --policy FILE --relief TARGET [--group GROUP]\n"
        "                 [--partial] [--protect JOB]...\n"
        "                 [--now TIME] [--state FILE] [--json]\n"
        "       cede plan --cluster FILE --policy FILE --claim QUEUE --nodes NODE,NODE\n"
        "                 --reason REASON [--protect JOB]...\n"
        "                 [--now TIME] [--state FILE] [--json]",
    .operand = "",
    .options = kPlanOrBatchOptions,
    .description =
        "Decides for one waiting job: whether it fits into free space, which running\n"
        "jobs give way to it, or why it has to wait. Shows the answer in a sentence, the\n"
        "victims with what they cost, where each task goes, and a map of the nodes\n"
        "concerned with one sign per GPU. Changes nothing. A FILE of '-' is standard\n"
        "input.\n"
        "\n"
        "With --batch it decides several waiting jobs in the order given, as if each\n"
        "decision were carried out before the next is made. A later job may use what the\n"
        "victims of an earlier one free beyond its need.\n"
        "\n"
        "With --relief it decides which jobs leave so that a node is within its capacity,\n"
        "or a queue or job within its 'max'. With --claim it decides whether a queue gets\n"
        "the nodes it claims: all other jobs there leave, or none. In both cases no job\n"
        "is placed.\n"
        "\n"
        "With --state the decision respects what is in flight: FILE holds what a resource\n"
        "manager's engine saved. Its entries are listed after the answer.\n"
        "\n"
        "Exit status: 0 it fits or preempts (of a batch: each), 1 it waits, is in\n"
        "progress or impossible, 2 an error.\n",
    .examples =
        "  cede plan --cluster cluster.json --policy policy.json --job j1\n"
        "  cede plan --cluster cluster.json --policy policy.json --job j1 \\\n"
        "            --protect j7 --avoid n3 --json | jq '.victims[].job'\n"
        "  cede plan --cluster cluster.json --policy policy.json --batch j1,j2,j3\n"
        "  cede plan --cluster cluster.json --policy policy.json --relief node:n1\n"
        "  cede plan --cluster cluster.json --policy policy.json --claim prod \\\n"
        "            --nodes n1,n2 --reason reclaim\n",
    .run = run_plan,
};

}  // namespace cli
