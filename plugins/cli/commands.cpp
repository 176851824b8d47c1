// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "command.h"
#include "message_text.h"

namespace cli {

extern const Command plan_command;        // plan_command.cpp
extern const Command explain_command;     // explain_command.cpp
extern const Command check_command;       // check_command.cpp
extern const Command export_command;      // export_command.cpp
extern const Command shares_command;      // shares_command.cpp
extern const Command admit_command;       // admit_command.cpp
extern const Command policy_command;      // policy_command.cpp
extern const Command topology_command;    // topology_command.cpp
extern const Command schema_command;      // schema_command.cpp
extern const Command run_command;         // plugins/local/run_command.cpp
extern const Command help_command;        // help_command.cpp
extern const Command supervisor_command;  // plugins/local/supervisor.cpp
extern const Command worker_command;      // plugins/local/worker.cpp

namespace {

constexpr std::array kCommands{&plan_command,   &explain_command, &check_command,  &export_command,
                               &shares_command, &admit_command,   &policy_command, &topology_command,
                               &run_command,    &schema_command,  &help_command};

// Internal commands that `run` starts; help does not list them.
constexpr std::array kInner{&supervisor_command, &worker_command};

}  // namespace

std::span<const Command* const> commands() { return kCommands; }

const Command* find_command(std::string_view name) {
  const auto found = std::find_if(kCommands.begin(), kCommands.end(),
                                  [name](const Command* command) { return command->name == name; });
  if (found != kCommands.end()) return *found;
  const auto inner = std::find_if(kInner.begin(), kInner.end(),
                                  [name](const Command* command) { return command->name == name; });
  return inner == kInner.end() ? nullptr : *inner;
}

std::string unknown_command(std::string_view name) {
  std::vector<std::string_view> names;
  for (const Command* command : kCommands) names.push_back(command->name);
  return "unknown command " + quote(name) + did_you_mean_or_list(name, names);
}

}  // namespace cli
