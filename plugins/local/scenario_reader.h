// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "cli/console.h"
#include "cli/document.h"
#include "scenario.h"

namespace local {

// Reads a cede-scenario/1 document from memory, lets the library check its cluster, policy and jobs, and adds
// all mistakes to the document's report. False if there are any.
bool read_scenario(cli::Document& document, cli::Console& console, Scenario& scenario);

}  // namespace local
