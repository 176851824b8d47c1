// SPDX-License-Identifier: MIT
#include <array>
#include <string>

#include "command.h"
#include "message_text.h"

namespace cli {

namespace {

constexpr std::array kOwnOptions{
    Option{"--version", "", "", "show the versions of the command, the library and its ABI"},
};

void print_options(std::span<const Option> own, Console& console) {
  constexpr std::size_t kIndent = 24;
  console.out(console.paint_out(Style::bold, "\nOptions:") + '\n');
  const auto print = [&console](const Option& option) {
    std::string left = "  " + (option.letter.empty() ? "" : std::string(option.letter) + ", ");
    left += option.name;
    if (!option.value.empty()) left += ' ' + std::string(option.value);
    bool first = true;
    for (const std::string& line : wrap(option.help, 80 - kIndent)) {
      const std::size_t used = first ? width(left) : 0;
      console.out((first ? left : "") + std::string(kIndent - std::min(used, kIndent - 1), ' ') + line +
                  '\n');
      first = false;
    }
  };
  for (const Option& option : own) print(option);
  for (const Option& option : shared_options()) print(option);
}

void print_examples(std::string_view examples, Console& console) {
  console.out(console.paint_out(Style::bold, "\nExamples:") + '\n' + std::string(examples));
}

int run_help(const Arguments& arguments, Console& console) {
  if (arguments.operands().size() > 1) return console.fail("help takes one command at a time");
  if (arguments.operands().empty()) {
    print_general_help(console);
    return kYes;
  }
  const std::string& name = arguments.operands().front();
  const Command* command = find_command(name);
  if (!command) return console.fail(unknown_command(name));
  print_command_help(*command, console);
  return kYes;
}

}  // namespace

std::span<const Option> own_options() { return kOwnOptions; }

void print_general_help(Console& console) {
  console.out(console.paint_out(Style::bold, "Usage:") + " cede COMMAND [OPTION]... [FILE]...\n\n" +
              "Decides which running jobs of a cluster give way to a waiting one.\n" +
              console.paint_out(Style::bold, "\nCommands:") + '\n');
  for (const Command* command : commands()) {
    std::string name(command->name);
    name.resize(12, ' ');
    console.out("  " + name + std::string(command->summary) + '\n');
  }
  print_options(kOwnOptions, console);
  print_examples(
      "  cede plan --cluster cluster.json --policy policy.json --job j1\n"
      "                                         which jobs give way to j1?\n"
      "  cede check policy.json cluster.json    are these documents right?\n"
      "  cede policy --profile class-cost       what can be set, and to what?\n"
      "  cede help check                        all about one command\n",
      console);
  console.out(
      "\nA FILE of '-' is standard input. Exit status: 0 the answer is yes, 1 the answer\n"
      "is no, 2 an error.\n");
}

void print_command_help(const Command& command, Console& console) {
  console.out(console.paint_out(Style::bold, "Usage:") + " cede " + std::string(command.synopsis) + "\n\n" +
              std::string(command.description));
  print_options(command.options, console);
  print_examples(command.examples, console);
}

extern constinit const Command help_command{
    .name = "help",
    .summary = "show help, in general or of one command",
    .synopsis = "help [COMMAND]",
    .operand = "COMMAND",
    .options = {},
    .description =
        "Shows what a command does, its options and examples; without COMMAND the list of\n"
        "commands. 'cede COMMAND --help' shows the same.\n",
    .examples = "  cede help check\n",
    .run = run_help,
};

}  // namespace cli
