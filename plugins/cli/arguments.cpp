// SPDX-License-Identifier: MIT
#include "arguments.h"

#include <array>

#include "message_text.h"

namespace cli {

namespace {

constexpr std::array kShared{
    Option{"--color", "", "WHEN", "colour: auto (on a terminal, without NO_COLOR), always or never"},
    Option{"--help", "-h", "", "show this help"},
};

}  // namespace

std::span<const Option> shared_options() { return kShared; }

std::optional<std::string> Arguments::value(std::string_view option) const {
  const auto found = values_.find(option);
  return found == values_.end() ? std::nullopt : std::optional(found->second.front());
}

std::span<const std::string> Arguments::values(std::string_view option) const {
  const auto found = values_.find(option);
  return found == values_.end() ? std::span<const std::string>() : found->second;
}

ArgumentReader::ArgumentReader(std::string whose, std::span<const Option> options, bool stop_at_operand)
    : whose_(std::move(whose)), options_(options.begin(), options.end()), stop_at_operand_(stop_at_operand) {
  options_.insert(options_.end(), kShared.begin(), kShared.end());
}

const Option* ArgumentReader::find(std::string_view name) const {
  for (const Option& option : options_) {
    if (option.name == name || (!option.letter.empty() && option.letter == name)) return &option;
  }
  return nullptr;
}

std::string ArgumentReader::unknown(std::string_view word) const {
  std::vector<std::string_view> names;
  for (const Option& option : options_) names.push_back(option.name);
  return "unknown option " + quote(word) + " of " + whose_ + did_you_mean_or_list(word, names);
}

std::string ArgumentReader::read_option(std::string_view word, std::span<const std::string> words,
                                        Arguments& arguments) {
  // `--name=value` and `-nvalue` carry their value with them.
  const bool is_long = word.starts_with("--");
  const std::size_t name_end = is_long ? word.find('=') : std::min<std::size_t>(2, word.size());
  const std::string_view name = word.substr(0, name_end);
  std::optional<std::string_view> attached;
  if (name.size() < word.size()) attached = word.substr(name.size() + (is_long ? 1 : 0));

  const Option* option = find(name);
  if (!option || (attached && !is_long && option->value.empty())) return unknown(is_long ? name : word);
  if (arguments.has(option->name) && !option->repeats)
    return "option '" + std::string(option->name) + "' is given twice";
  if (option->value.empty()) {
    if (attached) return "option '" + std::string(name) + "' takes no value";
    arguments.values_[option->name].emplace_back();
    return {};
  }
  if (!attached) {
    // A value that looks like an option is nearly always a forgotten value.
    if (next_ >= words.size() || words[next_].starts_with("--")) {
      return "option '" + std::string(name) + "' needs a value: " + std::string(option->name) + '=' +
             std::string(option->value);
    }
    attached = words[next_++];
  }
  if (attached->empty()) return "the value of option '" + std::string(name) + "' is empty";
  arguments.values_[option->name].emplace_back(*attached);
  return {};
}

std::string ArgumentReader::read(std::span<const std::string> words, Arguments& arguments) {
  bool options_ended = false;
  while (next_ < words.size()) {
    const std::string_view word = words[next_];
    const bool is_option = !options_ended && word.size() > 1 && word.front() == '-';
    if (!is_option && stop_at_operand_) return {};
    ++next_;
    if (!is_option) {
      arguments.operands_.emplace_back(word);
    } else if (word == "--") {
      options_ended = true;
    } else if (std::string fault = read_option(word, words, arguments); !fault.empty()) {
      return fault;
    } else if (arguments.has("--help")) {
      return {};
    }
  }
  return {};
}

}  // namespace cli
