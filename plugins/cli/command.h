// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string_view>

#include "arguments.h"
#include "console.h"

namespace cli {

// One command: its help, its options and the function that runs it.
struct Command {
  std::string_view name;
  std::string_view summary;   // for the list of commands
  std::string_view synopsis;  // after `cede`
  std::string_view operand;   // what an operand is called, empty if it takes none
  std::span<const Option> options;
  std::string_view description;
  std::string_view examples;
  int (*run)(const Arguments& arguments, Console& console);
};

// In the order help lists them.
std::span<const Command* const> commands();

// NULL if there is none of that name.
const Command* find_command(std::string_view name);

// `unknown command 'chekc'; did you mean 'check'?`
std::string unknown_command(std::string_view name);

// Options of `cede` itself, before a command.
std::span<const Option> own_options();

void print_general_help(Console& console);
void print_command_help(const Command& command, Console& console);

}  // namespace cli
