// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "arguments.h"
#include "console.h"
#include "handles.h"
#include "json_tree.h"
#include "now_option.h"

namespace cli {

// What `plan` and `explain` take: two documents, what the plan is for, and how it is made.
inline constexpr std::array kPlanOptions{
    Option{"--cluster", "", "FILE", "the cluster document"},
    Option{"--policy", "", "FILE", "the policy document"},
    Option{"--job", "", "ID", "the waiting job that asks"},
    Option{"--batch", "", "ID,ID", "waiting jobs that ask one after the other"},
    Option{"--relief", "", "TARGET", "what to bring within its limit: node:NODE, queue:QUEUE or job:JOB"},
    Option{"--group", "", "GROUP", "with --relief=queue:QUEUE, the group of nodes that counts"},
    Option{"--partial", "", "", "with --relief, bring it down as far as possible where no set is enough"},
    Option{"--claim", "", "QUEUE", "the queue that claims nodes"},
    Option{"--nodes", "", "NODE,NODE", "with --claim, the nodes it claims"},
    Option{"--reason", "", "REASON", "with --claim, why: reclaim or sensitive"},
    Option{"--protect", "", "JOB", "leave this job alone; may be repeated", true},
    Option{"--avoid", "", "NODE", "with --job or --batch, do not use this node; may be repeated", true},
    Option{"--only", "", "NODE", "with --job or --batch, use no node but this; may be repeated", true},
    kNowOption,
    Option{"--state", "", "FILE", "what is in flight, as an engine saved it"},
    Option{"--verbose", "", "",
           "add the parts of every cost and each criterion that was compared; cut no list short"},
    Option{"--json", "", "", "print one cede-plan/1 document on standard output and nothing else"},
};

// Loads the documents and asks the library for the plan, or for one per job of --batch. Empty after an error,
// which has been printed. `command` is named in messages. If a state is named, `in_flight` is set to what is
// in flight.
std::vector<Plan> make_plans(std::string_view command, const Arguments& arguments, Console& console,
                             Ledger& in_flight);

// The exit status that stands for the answer; for several, yes if each is.
int status_of(const Plan& plan);
int status_of(const std::vector<Plan>& plans);

// The plan's explanation; empty after an error, which has been printed.
std::optional<JsonNode> explanation_of(const Plan& plan, Console& console);

// The documents for programs, of several plans as one batch, and the exit status.
int print_plans(const std::vector<Plan>& plans, bool explained, bool batch, Console& console);

}  // namespace cli
