// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/problem.h"
#include "model/limits.h"
#include "model/requirement.h"
#include "policy/settings/setting.h"

namespace cede {

// Single objects out of a cluster document, for callers that give everything else as arrays. Each reports
// what is wrong with the text, with line and column, and is worthless then.

// The value of a job's `require`.
std::shared_ptr<const Requirement> read_requirement_part(std::string_view text, const Limits& limits,
                                                         Problems& problems);
// The value of a queue's or job's `settings`, as a row keeps it.
std::string read_settings_part(std::string_view text, SettingHolder holder, const Limits& limits,
                               Problems& problems);
// The value of a node's `labels` or `fingerprint`, as a row keeps it.
std::string read_pairs_part(std::string_view text, const Limits& limits, Problems& problems);

class ModelEdit;
// The value of one entry of `topologies`, put into the edit under that name.
void read_topology_part(std::string_view text, std::uint32_t name, ModelEdit& edit);

}  // namespace cede
