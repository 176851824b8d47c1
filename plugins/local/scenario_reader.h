// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "cli/console.h"
#include "cli/document.h"
#include "scenario.h"

namespace local {

// Reads a cede-scenario/1 document that is in memory under its name, asks the library about the cluster, the
// policy and the jobs in it, and adds all that is wrong to the document's report. False if anything is.
bool read_scenario(cli::Document& document, cli::Console& console, Scenario& scenario);

}  // namespace local
