// SPDX-License-Identifier: MIT
#pragma once

#include "command.h"
#include "console.h"

namespace cli {

// Options of `cede` itself, before a command.
std::span<const Option> own_options();

void print_general_help(Console& console);
void print_command_help(const Command& command, Console& console);

}  // namespace cli
