// SPDX-License-Identifier: MIT
#include <string>
#include <utility>
#include <vector>

#include "cli/document.h"
#include "cli/json_text.h"
#include "cli/schemas.h"
#include "scenario_tables.h"

namespace local {

namespace {

constexpr std::string_view kDuration =
    R"("type":["number","string"],"minimum":0,"maximum":3162240000,)"
    R"("pattern":"^([0-9]+(\\.[0-9]+)?|([0-9]+(\\.[0-9]+)?(ms|s|m|h|d))+)$")";
constexpr std::string_view kText = R"("type":"string")";

std::string reference(std::string_view name) { return R"("$ref":"#/$defs/)" + std::string(name) + '"'; }

std::string events() {
  std::string out;
  for (const ScenarioObject& each : kEventObjects)
    out += (out.empty() ? "{" : ",{") + reference(each.name) + '}';
  return R"("type":"array","items":{"oneOf":[)" + out + "]}";
}

// What a value may be, and what the manual calls it.
std::pair<std::string, std::string_view> value_of(const ScenarioField& field) {
  using Type = ScenarioType;
  switch (field.type) {
    case Type::format:
      return {"\"const\":" + cli::json_quoted(cli::format_of(cli::kDocumentScenario)), "word"};
    case Type::text: return {std::string(kText), "text"};
    case Type::flag: return {"\"type\":\"boolean\"", "true or false"};
    case Type::speed: return {R"("type":"number","minimum":0.01,"maximum":10000)", "number"};
    case Type::duration: return {std::string(kDuration), "duration"};
    case Type::signal: {
      std::string words;
      for (const std::string_view word : kSignalWords)
        words += (words.empty() ? "" : "|") + std::string(word);
      return {R"("type":"string","pattern":"^(SIG)?()" + words + ")$\"", "signal"};
    }
    case Type::word: return {"\"enum\":" + cli::json_list({field.words.begin(), field.words.end()}), "word"};
    case Type::texts: return {R"("type":"array","items":{"type":"string"},"minItems":1)", "list of texts"};
    case Type::amounts: return {R"("allOf":[{"$ref":"#/$defs/amounts"}],"minProperties":1)", "amounts"};
    case Type::variables:
      return {
          R"("type":"object","additionalProperties":{"type":"string"},"propertyNames":{"pattern":"^[^=]+$"})",
          "texts by name"};
    case Type::object: return {reference(field.object->name), "object"};
    case Type::objects:
      return {R"("type":"array","items":{)" + reference(field.object->name) + '}', "list of objects"};
    case Type::document:
      return {R"("anyOf":[{)" + reference(field.definition) + R"(},{"type":"string"}])",
              "document or file name"};
    case Type::jobs:
      return {R"("type":"array","minItems":1,"items":{"$ref":"#/$defs/scenario_job"})", "list of objects"};
    case Type::events: return {events(), "list of objects"};
  }
  return {};
}

void define(cli::SchemaParts& parts, const ScenarioObject& object, std::string_view more = {}) {
  std::string properties;
  std::vector<std::string_view> required;
  for (const ScenarioField& field : object.fields) {
    const auto [value, type] = value_of(field);
    properties += (properties.empty() ? "" : ",\n") +
                  cli::schema_member(field.name, value, field.help, field.fallback, type);
    if (field.required) required.push_back(field.name);
  }
  parts.define(object.name, cli::schema_object(object.help, properties, required, true, more));
}

// A job of a cluster document without what the run sets, and with what it runs.
void define_job(cli::SchemaParts& parts) {
  std::vector<std::string_view> left_out(kSetOfJob.begin(), kSetOfJob.end());
  for (const std::string_view changed : {"id", "tasks", "checkpoint"}) left_out.push_back(changed);
  const std::string job =
      cli::schema_member("id", kText, "the name of the job", "", "name") + ",\n" +
      cli::schema_member("run", reference(kRunObject.name), kRunObject.help, "", "object") + ",\n" +
      cli::schema_member("tasks", R"("type":"array","minItems":1,"items":{"$ref":"#/$defs/scenario_task"})",
                         "its tasks", "", "list of objects") +
      ",\n" +
      cli::schema_member("checkpoint", R"("$ref":"#/$defs/scenario_checkpoint")",
                         "how it saves its work, as the library is told", "", "object") +
      ",\n" + parts.properties_without("job", left_out);
  parts.define("scenario_job", cli::schema_object("a job of a cluster document, and what it runs", job,
                                                  {"id", "queue", "tasks", "run"}));
  std::vector<std::string_view> of_task(kSetOfTask.begin(), kSetOfTask.end());
  for (const std::string_view changed : {"id", "count"}) of_task.push_back(changed);
  const std::string count = R"("type":"integer","minimum":1,"maximum":)" + std::to_string(kMostTasks);
  parts.define(
      "scenario_task",
      cli::schema_object(
          "a task of such a job",
          cli::schema_member("id", kText, "the name of the task; default: t and its position", "", "name") +
              ",\n" +
              cli::schema_member("count", count, "how many equal tasks this entry stands for", "1",
                                 "whole number") +
              ",\n" + parts.properties_without("task", of_task),
          {}));
  parts.define(
      "scenario_checkpoint",
      cli::schema_object(
          "how such a job saves its work",
          parts.properties_without("checkpoint", {kSetOfCheckpoint.begin(), kSetOfCheckpoint.end()}), {}));
}

}  // namespace

}  // namespace local

std::string cli::scenario_schema(std::string& fault) {
  SchemaParts parts;
  if (!parts.take_from("cede-cluster/1", fault) || !parts.take_from("cede-policy/1", fault)) return {};
  local::define(parts, local::kScenarioObject);
  local::define_job(parts);
  local::define(parts, local::kRunObject, R"(,"anyOf":[{"required":["command"]},{"required":["duration"]}])");
  local::define(parts, local::kSavingObject);
  for (const local::ScenarioObject& event : local::kEventObjects) {
    const bool either = event.name == "event_overcommit" || event.name == "event_lower_max";
    const std::string_view other = event.name == "event_overcommit" ? "node" : "queue";
    local::define(
        parts, event,
        either ? R"(,"oneOf":[{"required":[")" + std::string(other) + R"("]},{"required":["job"]}])" : "");
  }
  return parts.finish(format_of(kDocumentScenario), local::kScenarioObject.name, local::kScenarioObject.help);
}
