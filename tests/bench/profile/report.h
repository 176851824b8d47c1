// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "profile/run.h"

namespace bench {

// The table: the rows of one shape and size at once, the slowest profile marked; then what twice the size
// costs.
void print_profile_head();
void print_profiles(const std::vector<ProfileRow>& rows);
void print_profile_growth(const std::vector<ProfileRow>& rows);
// For every shape and size its slowest profile, the slowest first.
void print_slowest(const std::vector<ProfileRow>& rows);

// The program ends where the file cannot be written.
void write_profile_json(const std::vector<ProfileRow>& rows, const std::string& file);

}  // namespace bench
