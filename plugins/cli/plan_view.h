// SPDX-License-Identifier: MIT
#pragma once

#include "console.h"
#include "handles.h"
#include "json_tree.h"

namespace cli {

// Prints a plan for people, part by part; an empty part prints nothing.

// `preempt: 1 job gives way to 'p'`
void print_answer(const Plan& plan, Console& console);
void print_victims(const Plan& plan, Console& console);
void print_placement(const Plan& plan, Console& console);

// The nodes concerned, one cell per GPU, out of the plan's explanation.
void print_map(const JsonNode& explanation, Console& console);

// What is decided and not finished, entry by entry. False after an error, which has been printed.
bool print_in_flight(const Ledger& ledger, Console& console);

// At most a few of the names, and how many more there are.
std::string some_of(const std::vector<std::string>& names);

}  // namespace cli
