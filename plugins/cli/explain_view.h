// SPDX-License-Identifier: MIT
#pragma once

#include "console.h"
#include "json_tree.h"

namespace cli {

// The parts of an explanation that a plan's view does not have. `everything`: every unit on a line of its
// own; else a line for all units with the same reason, with a few examples.

// The eligible units that stay: for a yes, those that were not needed; for a no, those that are not enough.
void print_not_needed(const JsonNode& plan, bool yes, bool everything, Console& console);
// The units that a rule excludes.
void print_excluded(const JsonNode& plan, bool everything, Console& console);
// The next best sets, and by how much each is worse.
void print_alternatives(const JsonNode& plan, Console& console);

}  // namespace cli
