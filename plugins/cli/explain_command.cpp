// SPDX-License-Identifier: MIT
#include "command.h"
#include "explain_view.h"
#include "plan_request.h"
#include "plan_view.h"

namespace cli {

namespace {

constexpr auto kExplainOptions = [] {
  std::array<Option, kPlanOptions.size() + 1> all{};
  std::size_t next = 0;
  for (const Option& option : kPlanOptions) {
    if (option.name == "--verbose")
      all[next++] = Option{"--all", "", "", "a line for every unit, not for every reason"};
    all[next++] = option;
  }
  return all;
}();

int run_explain(const Arguments& arguments, Console& console) {
  Ledger in_flight;
  const std::vector<Plan> plans = make_plans("explain", arguments, console, in_flight);
  if (plans.empty()) return kError;
  const bool batch = arguments.has("--batch");
  if (arguments.has("--json")) return print_plans(plans, true, batch, console);
  const bool all = arguments.has("--all"), verbose = arguments.has("--verbose");
  for (const Plan& plan : plans) {
    const std::optional<JsonNode> explanation = explanation_of(plan, console);
    if (!explanation) return kError;
    if (batch) print_job(*explanation, &plan == &plans.front(), console);
    print_answer(*explanation, console);
    print_victims(*explanation, all || verbose, console);
    if (verbose) print_costs(*explanation, console);
    print_not_needed(*explanation, status_of(plan) == kYes, all, console);
    print_excluded(*explanation, all, console);
    print_alternatives(*explanation, console);
  }
  if (in_flight && !print_in_flight(in_flight, console)) return kError;
  return status_of(plans);
}

}  // namespace

extern constinit const Command explain_command{
    .name = "explain",
    .summary = "tell why each running job is taken or left alone",
    .synopsis =
        "explain --cluster FILE --policy FILE --job ID [--protect JOB]...\n"
        "                    [--avoid NODE]... [--only NODE]... [--now TIME]\n"
        "                    [--state FILE] [--all] [--verbose] [--json]\n"
        "       cede explain --cluster FILE --policy FILE --batch ID,ID\n"
        "                    [--protect JOB]... [--avoid NODE]... [--only NODE]...\n"
        "                    [--now TIME] [--state FILE] [--all] [--verbose] [--json]\n"
        "       cede explain --cluster FILE --policy FILE --relief TARGET [--group GROUP]\n"
        "                    [--partial] [--protect JOB]... [--now TIME]\n"
        "                    [--state FILE] [--all] [--verbose] [--json]\n"
        "       cede explain --cluster FILE --policy FILE --claim QUEUE --nodes NODE,NODE\n"
        "                    --reason REASON [--protect JOB]... [--now TIME]\n"
        "                    [--state FILE] [--all] [--verbose] [--json]",
    .operand = "",
    .options = kExplainOptions,
    .description =
        "Decides as 'cede plan' does and says why: the same answer and victims, the\n"
        "eligible units that were not needed, the units that a rule excluded, and the\n"
        "next best sets with how much worse they are. Units with the same reason share a\n"
        "line with a few examples; --all gives each unit a line of its own. A FILE of '-'\n"
        "is standard input.\n"
        "\n"
        "A no shows where the job comes nearest to fitting, what is missing there, which\n"
        "jobs there may not be taken and why, and what would have to change: each line\n"
        "is enough on its own, and each was tried.\n"
        "\n"
        "Exit status: 0 it fits or preempts, 1 it waits, is in progress or impossible,\n"
        "2 an error.\n",
    .examples =
        "  cede explain --cluster cluster.json --policy policy.json --job j1\n"
        "  cede explain --cluster cluster.json --policy policy.json --batch j1,j2 --all\n"
        "  cede explain --cluster cluster.json --policy policy.json --job j1 --json \\\n"
        "    | jq -r '.excluded[].rule' | sort | uniq -c\n",
    .run = run_explain,
};

}  // namespace cli
