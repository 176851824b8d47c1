// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cli {

struct Option {
  std::string_view name;    // with its dashes: "--output"
  std::string_view letter;  // "-o", or empty
  std::string_view value;   // what the value is called, empty for a flag
  std::string_view help;
  bool repeats = false;  // may be given more than once
};

// Taken by every command and before it.
std::span<const Option> shared_options();

// The command line, sorted into options and operands.
class Arguments {
 public:
  bool has(std::string_view option) const { return values_.contains(option); }
  // The option's value, empty when it was not given.
  std::optional<std::string> value(std::string_view option) const;
  // All values of an option that repeats, in the order given.
  std::span<const std::string> values(std::string_view option) const;
  const std::vector<std::string>& operands() const { return operands_; }

 private:
  friend class ArgumentReader;
  std::map<std::string_view, std::vector<std::string>, std::less<>> values_;
  std::vector<std::string> operands_;
};

// Parses a command line with the options of one command and the shared ones.
class ArgumentReader {
 public:
  // `whose` names the command in messages. With `stop_at_operand` the first operand and what follows it stay
  // unread.
  ArgumentReader(std::string whose, std::span<const Option> options, bool stop_at_operand);

  // Empty, or what is wrong. Stops at `--help`, so that a mistake elsewhere does not hide the help.
  std::string read(std::span<const std::string> words, Arguments& arguments);
  // How many words were read.
  std::size_t consumed() const { return next_; }

 private:
  std::string read_option(std::string_view word, std::span<const std::string> words, Arguments& arguments);
  const Option* find(std::string_view name) const;
  std::string unknown(std::string_view word) const;

  std::string whose_;
  std::vector<Option> options_;
  bool stop_at_operand_;
  std::size_t next_ = 0;
};

}  // namespace cli
