// SPDX-License-Identifier: MIT
#include "scenario_fields.h"

#include <algorithm>
#include <array>
#include <csignal>
#include <optional>

#include "cli/message_text.h"
#include "duration.h"

namespace local {

namespace {

// In the order of kSignalWords.
constexpr std::array<int, 8> kSignals{SIGUSR1, SIGUSR2, SIGHUP, SIGINT, SIGQUIT, SIGALRM, SIGCONT, SIGTERM};

std::string shown(const cli::JsonNode& node) {
  switch (node.kind) {
    case cli::JsonNode::Kind::text: return cli::quote(node.text);
    case cli::JsonNode::Kind::list: return "a list";
    case cli::JsonNode::Kind::object: return "an object";
    default: return node.text;
  }
}

}  // namespace

std::string below(std::string_view path, std::string_view name) {
  return path.empty() ? std::string(name) : std::string(path) + '.' + std::string(name);
}

std::string at(std::string_view path, std::size_t index) {
  return std::string(path) + '[' + std::to_string(index) + ']';
}

void ScenarioFields::add(std::size_t offset, bool warning, std::string path, std::string text) {
  const std::string_view before = document_.substr(0, offset);
  const std::size_t line_begin = before.rfind('\n') + 1;  // 0 on the first line
  cli::Finding finding;
  finding.warning = warning;
  finding.path = std::move(path);
  finding.text = std::move(text);
  finding.line = static_cast<std::uint32_t>(std::count(before.begin(), before.end(), '\n') + 1);
  finding.column = static_cast<std::uint32_t>(offset - line_begin + 1);
  findings_.push_back(std::move(finding));
}

void ScenarioFields::fail(const cli::JsonNode& node, std::string path, std::string text) {
  add(node.begin, false, std::move(path), std::move(text));
}

void ScenarioFields::fail_at(std::size_t offset, std::string path, std::string text) {
  add(offset, false, std::move(path), std::move(text));
}

void ScenarioFields::warn(const cli::JsonNode& node, std::string path, std::string text) {
  add(node.begin, true, std::move(path), std::move(text));
}

void ScenarioFields::warn_at(std::size_t offset, std::string path, std::string text) {
  add(offset, true, std::move(path), std::move(text));
}

void ScenarioFields::expect(const cli::JsonNode& object, std::string_view path, const ScenarioObject& known) {
  std::vector<std::string_view> names;
  for (const ScenarioField& field : known.fields) names.push_back(field.name);
  for (const cli::JsonNode& item : object.items) {
    if (item.key.starts_with("x-") || std::find(names.begin(), names.end(), item.key) != names.end())
      continue;
    fail_at(item.key_begin, below(path, item.key),
            "unknown field " + cli::quote(item.key) + cli::did_you_mean_or_list(item.key, names));
  }
}

void ScenarioFields::text(const cli::JsonNode& object, std::string_view path, std::string_view name,
                          std::string& out) {
  const cli::JsonNode* node = object.find(name);
  if (!node) return;
  if (!node->is_text()) return fail(*node, below(path, name), shown(*node) + " is not a text");
  out = node->text;
}

void ScenarioFields::flag(const cli::JsonNode& object, std::string_view path, std::string_view name,
                          bool& out) {
  const cli::JsonNode* node = object.find(name);
  if (!node) return;
  if (node->kind != cli::JsonNode::Kind::word || node->text == "null")
    return fail(*node, below(path, name), shown(*node) + " is not true or false");
  out = node->text == "true";
}

void ScenarioFields::duration(const cli::JsonNode& object, std::string_view path, std::string_view name,
                              std::int64_t& out) {
  const cli::JsonNode* node = object.find(name);
  if (!node) return;
  const bool may_be = node->is_text() || node->kind == cli::JsonNode::Kind::number;
  const std::optional<std::int64_t> length = may_be ? parse_duration(node->text) : std::nullopt;
  if (!length) {
    return fail(*node, below(path, name),
                shown(*node) + " is not a duration; a number of seconds or a text such as '90s' is");
  }
  out = *length;
}

void ScenarioFields::texts(const cli::JsonNode& object, std::string_view path, std::string_view name,
                           std::vector<std::string>& out) {
  const cli::JsonNode* node = object.find(name);
  if (!node) return;
  const std::string place = below(path, name);
  if (!node->is_list() || node->items.empty())
    return fail(*node, place, shown(*node) + " is not a list of at least one text");
  for (std::size_t i = 0; i < node->items.size(); ++i) {
    const cli::JsonNode& item = node->items[i];
    if (!item.is_text() || item.text.find('\0') != std::string::npos)
      return fail(item, at(place, i), shown(item) + " is not a text");
    out.push_back(item.text);
  }
}

void ScenarioFields::signal(const cli::JsonNode& object, std::string_view path, std::string_view name,
                            int& out) {
  const cli::JsonNode* node = object.find(name);
  if (!node) return;
  std::string_view word = node->text;
  if (word.starts_with("SIG")) word.remove_prefix(3);
  const auto found = std::find(kSignalWords.begin(), kSignalWords.end(), word);
  if (!node->is_text() || found == kSignalWords.end()) {
    return fail(*node, below(path, name),
                shown(*node) + " is not USR1, USR2, HUP, INT, QUIT, ALRM, CONT or TERM");
  }
  out = kSignals[static_cast<std::size_t>(found - kSignalWords.begin())];
}

const cli::JsonNode* ScenarioFields::object(const cli::JsonNode& object, std::string_view path,
                                            std::string_view name) {
  const cli::JsonNode* node = object.find(name);
  if (!node || node->is_object()) return node;
  fail(*node, below(path, name), shown(*node) + " is not an object");
  return nullptr;
}

}  // namespace local
