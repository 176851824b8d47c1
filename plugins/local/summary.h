// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "cli/console.h"
#include "manager.h"
#include "run_event.h"

namespace local {

// Prints how the jobs ended and how long each priority waited.
void print_summary(const Manager& manager, cli::Console& console);

// The run as a cede-run/1 document.
std::string run_document(const Manager& manager, const std::vector<RunEvent>& events);

// Whether every job was completed, or preempted for good by the policy.
bool all_well(const Manager& manager);

}  // namespace local
