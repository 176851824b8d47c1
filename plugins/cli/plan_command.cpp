// SPDX-License-Identifier: MIT
#include "command.h"
#include "plan_request.h"
#include "plan_view.h"

namespace cli {

namespace {

int run_plan(const Arguments& arguments, Console& console) {
  Ledger in_flight;
  const std::vector<Plan> plans = make_plans("plan", arguments, console, in_flight);
  if (plans.empty()) return kError;
  const bool batch = arguments.has("--batch");
  if (arguments.has("--json")) return print_plans(plans, false, batch, console);
  const bool verbose = arguments.has("--verbose");
  for (const Plan& plan : plans) {
    const std::optional<JsonNode> explanation = explanation_of(plan, console);
    if (!explanation) return kError;
    if (batch) print_job(*explanation, &plan == &plans.front(), console);
    print_answer(*explanation, console);
    print_victims(*explanation, verbose, console);
    if (verbose) print_costs(*explanation, console);
    print_placement(*explanation, verbose, console);
    if (!batch || verbose) print_map(*explanation, verbose, console);
  }
  if (in_flight && !print_in_flight(in_flight, console)) return kError;
  return status_of(plans);
}

}  // namespace

extern constinit const Command plan_command{
    .name = "plan",
    .summary = "decide which running jobs give way to a waiting one",
    .synopsis =
        "plan --cluster FILE --policy FILE --job ID [--protect JOB]...\n"
        "                 [--avoid NODE]... [--only NODE]... [--now TIME]\n"
        "                 [--state FILE] [--verbose] [--json]\n"
        "       cede plan --cluster FILE --policy FILE --batch ID,ID [--protect JOB]...\n"
        "                 [--avoid NODE]... [--only NODE]... [--now TIME]\n"
        "                 [--state FILE] [--verbose] [--json]\n"
        "       cede plan --cluster FILE --policy FILE --relief TARGET [--group GROUP]\n"
        "                 [--partial] [--protect JOB]... [--now TIME] [--state FILE]\n"
        "                 [--verbose] [--json]\n"
        "       cede plan --cluster FILE --policy FILE --claim QUEUE --nodes NODE,NODE\n"
        "                 --reason REASON [--protect JOB]... [--now TIME]\n"
        "                 [--state FILE] [--verbose] [--json]",
    .operand = "",
    .options = kPlanOptions,
    .description =
        "Decides for one waiting job: whether it fits into free space, which running\n"
        "jobs give way to it, or why it has to wait. Shows the answer in a sentence; when\n"
        "the job can start, whether the choice is proven best, how much work is lost and\n"
        "which requirements are met; who leaves and how; where each task goes; and a map\n"
        "of the nodes concerned with one sign per GPU. A no shows where the job comes\n"
        "nearest to fitting, what is missing there, and what would have to change.\n"
        "Changes nothing itself. A FILE of '-' is standard input.\n"
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
