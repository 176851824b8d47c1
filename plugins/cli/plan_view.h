// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "console.h"
#include "handles.h"
#include "json_tree.h"

namespace cli {

// Prints a plan for people, part by part, from its explanation (cede_plan_explain); an empty part prints
// nothing. `everything`: lists are not cut short.

// Which job of a batch the rest is about.
void print_job(const JsonNode& plan, bool first, Console& console);
// `preempt: 1 job gives way to 'p'`, then when it starts, how good the choice is, what it costs and which
// requirements it meets. Of a no, the nearest miss.
void print_answer(const JsonNode& plan, Console& console);
// Who leaves.
void print_victims(const JsonNode& plan, bool everything, Console& console);
// What makes up the costs, and each criterion of the objective.
void print_costs(const JsonNode& plan, Console& console);
// Where the request goes.
void print_placement(const JsonNode& plan, bool everything, Console& console);
// The nodes concerned, one cell per GPU.
void print_map(const JsonNode& plan, bool everything, Console& console);

// What is decided and not finished, entry by entry. False after an error, which has been printed.
bool print_in_flight(const Ledger& ledger, Console& console);

// At most a few of the names, and how many more there are.
std::string some_of(const std::vector<std::string>& names);
std::vector<std::string> texts_of(const std::vector<JsonNode>& list);

}  // namespace cli
