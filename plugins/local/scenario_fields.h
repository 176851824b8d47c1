// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cli/finding.h"
#include "cli/json_tree.h"
#include "scenario_tables.h"

namespace local {

// Reads fields of a scenario and reports mistakes with path, line and column.
class ScenarioFields {
 public:
  ScenarioFields(std::string_view document, std::vector<cli::Finding>& findings)
      : document_(document), findings_(findings) {}

  void fail(const cli::JsonNode& node, std::string path, std::string text);
  void fail_at(std::size_t offset, std::string path, std::string text);
  // What is legal but odd.
  void warn(const cli::JsonNode& node, std::string path, std::string text);
  void warn_at(std::size_t offset, std::string path, std::string text);

  // Reports every member that is not a field of the object and does not start with `x-`.
  void expect(const cli::JsonNode& object, std::string_view path, const ScenarioObject& known);

  // Each leaves `out` unchanged if there is no such member.
  void text(const cli::JsonNode& object, std::string_view path, std::string_view name, std::string& out);
  void flag(const cli::JsonNode& object, std::string_view path, std::string_view name, bool& out);
  void duration(const cli::JsonNode& object, std::string_view path, std::string_view name, std::int64_t& out);
  void texts(const cli::JsonNode& object, std::string_view path, std::string_view name,
             std::vector<std::string>& out);
  // The number of a signal given by name, with or without SIG.
  void signal(const cli::JsonNode& object, std::string_view path, std::string_view name, int& out);

  // The member if it is an object; NULL if there is none. Anything else is reported.
  const cli::JsonNode* object(const cli::JsonNode& object, std::string_view path, std::string_view name);

  std::string_view document() const { return document_; }

 private:
  void add(std::size_t offset, bool warning, std::string path, std::string text);

  std::string_view document_;
  std::vector<cli::Finding>& findings_;
};

// `path.name`, or the name alone at the top.
std::string below(std::string_view path, std::string_view name);
std::string at(std::string_view path, std::size_t index);

}  // namespace local
