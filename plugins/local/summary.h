// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "cli/console.h"
#include "manager.h"
#include "run_event.h"

namespace local {

// For people: what became of the jobs, and how long each priority waited.
void print_summary(const Manager& manager, cli::Console& console);

// All of it as a cede-run/1 document.
std::string run_document(const Manager& manager, const std::vector<RunEvent>& events);

// Whether every job came to a good end: completed, or preempted for good as the policy wants it.
bool all_well(const Manager& manager);

}  // namespace local
