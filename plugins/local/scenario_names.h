// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>

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

using Names = std::set<std::string, std::less<>>;

// `'n7' is not a node; did you mean 'n1'?`
std::string unknown_name(std::string_view name, std::string_view noun, const Names& known);

}  // namespace local
