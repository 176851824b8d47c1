// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "cli/json_tree.h"
#include "scenario_fields.h"

namespace local {

// Tells every name in a scenario that leads nowhere and that the library cannot know: it sees the cluster
// without the jobs, and the jobs without what they run.
//
// `cluster` is what the cluster's document says; `file` its name if it stands in a file of its own, else
// empty, and then its places are those of the scenario.
void check_names(const cli::JsonNode& scenario, const cli::JsonNode& cluster, const std::string& file,
                 ScenarioFields& fields);

}  // namespace local
