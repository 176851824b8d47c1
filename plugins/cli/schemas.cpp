// SPDX-License-Identifier: MIT
#include "schemas.h"

#include <algorithm>
#include <array>
#include <utility>

#include "config/settings.h"
#include "document.h"
#include "handles.h"
#include "json_text.h"

namespace cli {

namespace {

std::string library_schema(std::string_view format, std::string& fault) {
  cede_text* made = nullptr;
  cede_error error{};
  if (cede_schema_json(std::string(format).c_str(), &made, &error) < 0) {
    fault = error.text;
    return {};
  }
  const Text text(made);
  return {cede_text_data(made), cede_text_size(made)};
}

constexpr std::array kWritten{&kCheckFormat, &kProfilesFormat, &kTopologiesFormat, &kRunFormat};

std::string written_schema(const WrittenFormat& format, std::string& fault) {
  SchemaParts parts;
  if (!format.inner.empty() && !parts.take_from(format.inner, fault)) return {};
  for (const WrittenObject& object : format.objects) {
    std::string properties;
    std::vector<std::string_view> required;
    for (const WrittenField& field : object.fields) {
      properties += (properties.empty() ? "" : ",\n") +
                    schema_member(field.name, field.value, field.help, {}, field.type);
      if (field.always) required.push_back(field.name);
    }
    parts.define(object.name, schema_object(object.help, properties, required, false));
  }
  return parts.finish(format.format, format.objects.front().name, format.objects.front().help);
}

}  // namespace

std::vector<std::string_view> schema_formats() {
  static constexpr std::string_view kScenario = "cede-scenario/1";
  std::vector<std::string_view> formats;
  for (std::size_t i = 0; i < cede_schema_count(); ++i) formats.emplace_back(cede_schema_format(i));
  formats.push_back(kScenario);
  formats.emplace_back(CEDE_SLURM_FORMAT);
  for (const WrittenFormat* written : kWritten) formats.push_back(written->format);
  return formats;
}

std::string schema_text(std::string_view format, std::string& fault) {
  if (format == format_of(kDocumentScenario)) return scenario_schema(fault);
  if (format == CEDE_SLURM_FORMAT) return slurm_schema(fault);
  for (const WrittenFormat* written : kWritten) {
    if (written->format == format) return written_schema(*written, fault);
  }
  return library_schema(format, fault);
}

bool SchemaParts::take_from(std::string_view format, std::string& fault) {
  const std::string text = library_schema(format, fault);
  JsonNode root;
  JsonFault broken;
  if (fault.empty() && !read_tree(text, root, broken)) fault = broken.text;
  if (!fault.empty()) return false;
  for (const JsonNode& definition : root.find("$defs")->items) {
    const bool known = std::any_of(library_.begin(), library_.end(),
                                   [&](const auto& each) { return each.first == definition.key; });
    if (!known) library_.emplace_back(definition.key, definition.raw(text));
  }
  return true;
}

void SchemaParts::define(std::string_view name, std::string json) {
  own_.emplace_back(name, std::move(json));
}

std::string SchemaParts::properties_without(std::string_view name,
                                            const std::vector<std::string_view>& names) const {
  for (const auto& [key, text] : library_) {
    JsonNode definition;
    JsonFault fault;
    if (key != name || !read_tree(text, definition, fault)) continue;
    return members_without(*definition.find("properties"), text, names);
  }
  return {};
}

std::string SchemaParts::finish(std::string_view format, std::string_view root, std::string_view help) const {
  static constexpr std::string_view kReference = "\"#/$defs/";
  std::string definitions;
  std::vector<bool> used(library_.size(), false);
  const auto add = [&](const std::string& name, const std::string& text) {
    definitions += (definitions.empty() ? "\n" : ",\n") + json_quoted(name) + ':' + text;
  };
  for (const auto& [name, text] : own_) add(name, text);
  // Definitions are looked for in what has been added, until nothing more is referred to.
  for (std::size_t at = definitions.find(kReference); at != std::string::npos;
       at = definitions.find(kReference, at)) {
    at += kReference.size();
    const std::string name = definitions.substr(at, definitions.find('"', at) - at);
    for (std::size_t i = 0; i < library_.size(); ++i) {
      if (used[i] || library_[i].first != name) continue;
      used[i] = true;
      add(name, library_[i].second);
    }
  }
  return "{\n\"$schema\":\"https://json-schema.org/draft/2020-12/schema\",\n\"$id\":\"urn:libcede:schema:" +
         std::string(format) + "\",\n\"title\":" + json_quoted(format) +
         ",\n\"description\":" + json_quoted(help) + ",\n\"$ref\":\"#/$defs/" + std::string(root) +
         "\",\n\"$defs\":{" + definitions + "}}\n";
}

std::string schema_member(std::string_view name, std::string_view value, std::string_view help,
                          std::string_view fallback, std::string_view type) {
  return json_quoted(name) + ":{" + std::string(value) + ",\"description\":" + json_quoted(help) +
         (fallback.empty() ? "" : ",\"default\":" + std::string(fallback)) +
         ",\"$comment\":" + json_quoted(type) + '}';
}

std::string schema_object(std::string_view help, const std::string& properties,
                          const std::vector<std::string_view>& required, bool site_fields,
                          std::string_view more) {
  return "{\"type\":\"object\",\"description\":" + json_quoted(help) + ",\n\"properties\":{\n" + properties +
         "}" + (required.empty() ? "" : ",\n\"required\":" + json_list(required)) +
         (site_fields ? ",\n\"patternProperties\":{\"^x-\":{}}" : "") + ",\"additionalProperties\":false" +
         std::string(more) + '}';
}

std::string json_list(const std::vector<std::string_view>& words) {
  std::string out;
  for (const std::string_view word : words) out += (out.empty() ? "" : ",") + json_quoted(word);
  return '[' + out + ']';
}

}  // namespace cli
