// SPDX-License-Identifier: MIT
#include <cede/cede.h>

#include <new>
#include <string>
#include <vector>

#include "command.h"
#include "message_text.h"

namespace cli {

namespace {

std::string version_line() {
  const std::string own = std::to_string(CEDE_VERSION_MAJOR) + '.' + std::to_string(CEDE_VERSION_MINOR) +
                          '.' + std::to_string(CEDE_VERSION_PATCH);
  return "cede " + own + " (library " + cede_version_text() + ", ABI " + std::to_string(CEDE_ABI) + ")\n";
}

// Empty, or why the value is not allowed.
std::string apply_color(const Arguments& arguments, Console& console) {
  const std::string when = arguments.value("--color").value_or("");
  if (when.empty()) return {};
  if (when == "auto") {
    console.set_color(Color::automatic);
  } else if (when == "always") {
    console.set_color(Color::always);
  } else if (when == "never") {
    console.set_color(Color::never);
  } else {
    return "--color: " + quote(when) + " is not auto, always or never";
  }
  return {};
}

int run_command(const Command& command, std::span<const std::string> words, Console& console) {
  Arguments arguments;
  ArgumentReader reader("cede " + std::string(command.name), command.options, false);
  std::string fault = reader.read(words, arguments);
  if (fault.empty()) fault = apply_color(arguments, console);
  if (!fault.empty()) return console.fail(fault);
  if (arguments.has("--help")) {
    print_command_help(command, console);
    return kYes;
  }
  if (command.operand.empty() && !arguments.operands().empty()) {
    return console.fail(std::string(command.name) + " takes no operand, and " +
                        quote(arguments.operands().front()) + " is one; see 'cede help " +
                        std::string(command.name) + "'");
  }
  return command.run(arguments, console);
}

int run(const std::vector<std::string>& words, Console& console) {
  Arguments arguments;
  ArgumentReader reader("cede", own_options(), true);
  std::string fault = reader.read(words, arguments);
  if (fault.empty()) fault = apply_color(arguments, console);
  if (!fault.empty()) return console.fail(fault);
  if (arguments.has("--help")) {
    print_general_help(console);
    return kYes;
  }
  if (arguments.has("--version")) {
    console.out(version_line());
    return kYes;
  }
  const std::span<const std::string> rest = std::span(words).subspan(reader.consumed());
  if (rest.empty()) {
    std::string known;
    for (const Command* command : commands())
      known += (known.empty() ? "" : ", ") + std::string(command->name);
    console.err_line("usage: cede COMMAND [OPTION]... [FILE]...; commands: " + known + "; see 'cede --help'");
    return kError;
  }
  const Command* command = find_command(rest.front());
  if (!command) return console.fail(unknown_command(rest.front()));
  return run_command(*command, rest.subspan(1), console);
}

}  // namespace

}  // namespace cli

int main(int argc, char** argv) {
  cli::secure_standard_streams();
  cli::Console console;
  int status = cli::kError;
  try {
    status = cli::run(std::vector<std::string>(argv + (argc > 0 ? 1 : 0), argv + argc), console);
  } catch (const std::bad_alloc&) {
    status = console.fail("out of memory");
  }
  return console.finish(status);
}
