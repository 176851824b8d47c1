// SPDX-License-Identifier: MIT
#include <string>
#include <utility>
#include <vector>

#include "config/field.h"
#include "config/settings.h"
#include "json_text.h"
#include "schemas.h"

namespace cli {

namespace {

std::string range_of(const field& row) {
  return ",\"minimum\":" + std::to_string(row.low) + ",\"maximum\":" + std::to_string(row.high);
}

std::string map_of(const std::string& value) {
  return "\"type\":\"object\",\"additionalProperties\":{" + value + '}';
}

// What a value may be, and what the manual calls it.
std::pair<std::string, std::string_view> value_of(const field& row) {
  std::vector<std::string_view> choices;
  for (const char* const* choice = row.choices; choice && *choice; ++choice) choices.emplace_back(*choice);
  switch (row.kind) {
    case FIELD_FORMAT: return {"\"const\":" + json_quoted(CEDE_SLURM_FORMAT), "word"};
    case FIELD_FLAG: return {"\"type\":\"boolean\"", "true or false"};
    case FIELD_NUMBER: return {"\"type\":\"integer\"" + range_of(row), "whole number"};
    case FIELD_TEXT: return {"\"type\":\"string\"", "text"};
    case FIELD_PATH: return {R"("type":"string","pattern":"^/")", "absolute path"};
    case FIELD_DURATION:
      return {R"("type":["integer","string"],"minimum":0,"maximum":2147483647,)"
              R"("pattern":"^([0-9]+|([0-9]+[dhms])+)$")",
              "duration"};
    case FIELD_CHOICE: return {"\"enum\":" + json_list(choices), "word"};
    case FIELD_CHOICES:
      return {R"("type":"array","items":{"enum":)" + json_list(choices) + '}', "list of words"};
    case FIELD_OBJECT: return {R"("$ref":"#/$defs/)" + std::string(row.name) + "_settings\"", "object"};
    case FIELD_NUMBER_MAP: return {map_of("\"type\":\"integer\"" + range_of(row)), "numbers by name"};
    case FIELD_TEXT_MAP: return {map_of("\"type\":\"string\""), "texts by name"};
    case FIELD_POLICY_MAP: return {map_of(R"("$ref":"#/$defs/group_settings")"), "objects by name"};
    case FIELD_RAW_OBJECT: return {R"("$ref":"#/$defs/)" + std::string(row.document) + '"', "document"};
    case FIELD_RAW_LIST:
      return {R"("type":"array","items":{"$ref":"#/$defs/)" + std::string(row.document) + "\"}",
              "list of objects"};
  }
  return {};
}

// `required`: the one field that must be there.
void define(SchemaParts& parts, const std::string& name, std::string_view help, const field* rows,
            const std::vector<std::string_view>& required) {
  std::string properties;
  for (const field* row = rows; row->name; ++row) {
    const auto [value, type] = value_of(*row);
    properties += (row == rows ? "" : ",\n") +
                  schema_member(row->name, value, row->help, row->fallback ? row->fallback : "", type);
  }
  parts.define(name, schema_object(help, properties, required));
  for (const field* row = rows; row->name; ++row) {
    if (row->kind == FIELD_OBJECT)
      define(parts, std::string(row->name) + "_settings", row->help, row->members, {});
    if (row->kind == FIELD_POLICY_MAP)
      define(parts, "group_settings", "the policy of a group", row->members, {row->members->name});
  }
}

}  // namespace

std::string slurm_schema(std::string& fault) {
  constexpr std::string_view kHelp = "how a Slurm cluster is translated for libcede";
  SchemaParts parts;
  if (!parts.take_from("cede-policy/1", fault) || !parts.take_from("cede-cluster/1", fault)) return {};
  define(parts, "slurm_settings", kHelp, settings_fields, {"format"});
  return parts.finish(CEDE_SLURM_FORMAT, "slurm_settings", kHelp);
}

}  // namespace cli
