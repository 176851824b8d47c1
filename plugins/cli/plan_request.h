// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "arguments.h"
#include "console.h"
#include "handles.h"

namespace cli {

// What `plan` and `explain` take: two documents, what the plan is for, and how it is made.
inline constexpr std::array kPlanOptions{
    Option{"--cluster", "", "FILE", "the cluster document"},
    Option{"--policy", "", "FILE", "the policy document"},
    Option{"--job", "", "ID", "the waiting job that asks"},
    Option{"--relief", "", "TARGET", "what to bring within its limit: node:NODE, queue:QUEUE or job:JOB"},
    Option{"--group", "", "GROUP", "with --relief=queue:QUEUE, the group of nodes that counts"},
    Option{"--partial", "", "", "with --relief, bring it down as far as possible where no set is enough"},
    Option{"--claim", "", "QUEUE", "the queue that claims nodes"},
    Option{"--nodes", "", "NODE,NODE", "with --claim, the nodes it claims"},
    Option{"--reason", "", "REASON", "with --claim, why: reclaim or sensitive"},
    Option{"--protect", "", "JOB", "leave this job alone; may be repeated", true},
    Option{"--avoid", "", "NODE", "with --job, do not use this node; may be repeated", true},
    Option{"--now", "", "TIME", "seconds since 1970; without it, or earlier, the cluster's own time counts"},
    Option{"--state", "", "FILE", "what is in flight, as an engine saved it"},
    Option{"--json", "", "", "print one cede-plan/1 document on standard output and nothing else"},
};

// `plan` also takes several jobs at once.
inline constexpr auto kPlanOrBatchOptions = [] {
  std::array<Option, kPlanOptions.size() + 1> all{};
  std::size_t next = 0;
  for (const Option& option : kPlanOptions) {
    all[next++] = option;
    if (option.name == "--job") {
      all[next++] = Option{"--batch", "", "ID,ID", "waiting jobs that ask one after the other"};
    }
  }
  return all;
}();

// Loads the documents and asks the library for a plan. Empty after an error, which has been printed.
// `command` is named in messages. If a state is named, `in_flight` is set to what is in flight.
Plan make_plan(std::string_view command, const Arguments& arguments, Console& console, Ledger& in_flight);

// The same for the jobs of --batch: a plan each.
std::vector<Plan> make_batch(const Arguments& arguments, Console& console, Ledger& in_flight);

// The exit status that stands for the plan's answer; for several, yes if it is yes for each.
int status_of(const Plan& plan);
int status_of(const std::vector<Plan>& plans);

// The documents of a plan; empty after an error, which has been printed.
using PlanDocument = decltype(&cede_plan_json);
Text document_of(const Plan& plan, PlanDocument document, Console& console);

// The document for programs, and the exit status.
int print_document(const Plan& plan, PlanDocument document, Console& console);
int print_document(const std::vector<Plan>& plans, Console& console);

}  // namespace cli
