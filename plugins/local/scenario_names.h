// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "cli/json_tree.h"
#include "scenario_fields.h"

namespace local {

// Reports every name in a scenario that does not exist and that the library cannot check: the library sees
// the cluster without the jobs, and the jobs without what they run.
//
// `cluster` is the cluster's document. `file` is its name if it is a file of its own; if `file` is empty, the
// cluster is part of the scenario, and lines and columns are the scenario's.
void check_names(const cli::JsonNode& scenario, const cli::JsonNode& cluster, const std::string& file,
                 ScenarioFields& fields);

}  // namespace local
