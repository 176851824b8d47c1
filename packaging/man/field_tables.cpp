// SPDX-License-Identifier: MIT
#include "field_tables.h"

#include <cede/cede.h>

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "cli/schemas.h"
#include "roff.h"

namespace manual {

namespace {

const cli::JsonNode kNothing;

const cli::JsonNode& member(const cli::JsonNode& node, std::string_view name) {
  const cli::JsonNode* found = node.find(name);
  return found ? *found : kNothing;
}

// `a, b or c`
std::string one_of(const std::vector<std::string>& words) {
  std::string out;
  for (std::size_t i = 0; i < words.size(); ++i)
    out += (i == 0 ? "" : i + 1 == words.size() ? " or " : ", ") + words[i];
  return out;
}

// The words of an `enum`, without null.
std::vector<std::string> words_of(const cli::JsonNode& field) {
  std::vector<std::string> words;
  for (const cli::JsonNode& word : field.list_of("enum")) {
    if (word.text != "null") words.push_back(literal(word.text));
  }
  if (words.empty() && field.find("const")) words.push_back(literal(field.text_of("const")));
  return words;
}

// The first object that a field or the items of it refer to.
std::string object_of(const cli::JsonNode& node) {
  if (const cli::JsonNode* reference = node.find("$ref"))
    return reference->text.substr(reference->text.rfind('/') + 1);
  for (const std::string_view inside : {"items", "additionalProperties"}) {
    const cli::JsonNode* inner = node.find(inside);
    if (const std::string name = inner ? object_of(*inner) : ""; !name.empty()) return name;
  }
  for (const cli::JsonNode& other : node.list_of("anyOf")) {
    if (const std::string name = object_of(other); !name.empty()) return name;
  }
  return {};
}

std::string in_words(std::string name) {
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

// `whole number 0..10`, `up, drain or down`, `list of task objects`
std::string type_of(const cli::JsonNode& field) {
  std::string type(field.text_of("$comment"));
  if (type == "flag") type = "true or false";
  if (type == "count") type = "whole number";
  const std::vector<std::string> words = words_of(field);
  if (!words.empty()) return one_of(words);
  std::string out = type;
  if (type == "object" || type == "list of objects" || type == "objects by name") {
    const std::string object = in_words(object_of(field));
    if (!object.empty()) out = type + ", see " + object;
  }
  const bool number = type.starts_with("whole number") || type.starts_with("number") || type == "ratio" ||
                      type == "factor" || type == "minutes";
  if (!number) return roff(out);
  const std::string_view low = field.text_of("minimum"), above = field.text_of("exclusiveMinimum"),
                         high = field.text_of("maximum");
  if (!above.empty()) out += ", above " + std::string(above) + " to " + std::string(high);
  if (!low.empty())
    out +=
        high.empty() ? ", at least " + std::string(low) : ", " + std::string(low) + ".." + std::string(high);
  return roff(out);
}

// How a default is written in a document; texts without their quotes.
std::string default_of(const cli::JsonNode& field, const std::string& text) {
  const cli::JsonNode* stated = field.find("default");
  if (!stated) return {};
  if (stated->is_text()) return stated->text.empty() ? "an empty text" : stated->text;
  return stated->text == "null" ? "none" : std::string(stated->raw(text));
}

bool may_be_null(const cli::JsonNode& field) {
  const std::vector<cli::JsonNode>& types = field.list_of("type");
  return std::any_of(types.begin(), types.end(),
                     [](const cli::JsonNode& type) { return type.text == "null"; });
}

// Of a document that is only written, what is missing is of interest, not what is there.
bool is_written(std::string_view format) {
  for (const std::string_view read : {"cluster", "changes", "policy", "scenario", "slurm"}) {
    if (format == "cede-" + std::string(read) + "/1") return false;
  }
  return true;
}

std::string item(const cli::JsonNode& field, std::string_view presence, const std::string& text) {
  static constexpr std::string_view kDefault = "; default: ";
  std::string help(field.text_of("description"));
  std::string otherwise = default_of(field, text);
  if (const std::size_t at = help.rfind(kDefault); at != std::string::npos) {
    otherwise = help.substr(at + kDefault.size());
    help.resize(at);
  }
  std::string remark = type_of(field);
  if (!presence.empty()) remark += "; " + std::string(presence);
  if (!otherwise.empty()) remark += "; default " + roff(otherwise);
  return ".TP\n\\fB" + literal(field.key) + "\\fR\n" + filled('(' + remark + ')') +
         filled(roff(sentence(help)));
}

}  // namespace

FieldTables::Schema& FieldTables::schema_of(const std::string& format) {
  Schema& schema = schemas_[format];
  if (!schema.text.empty()) return schema;
  std::string fault;
  cli::JsonFault broken;
  schema.text = cli::schema_text(format, fault);
  if (!fault.empty()) throw std::runtime_error(fault);
  if (!cli::read_tree(schema.text, schema.root, broken)) throw std::runtime_error(broken.text);
  return schema;
}

const cli::JsonNode& FieldTables::definition(const std::string& format, const std::string& object) {
  Schema& schema = schema_of(format);
  const cli::JsonNode* found = member(schema.root, "$defs").find(object);
  if (!found) throw std::runtime_error(format + " has no object '" + object + "'");
  schema.shown.insert(object);
  return *found;
}

std::string FieldTables::fields(const std::string& format, const std::string& object,
                                const std::string& only) {
  const cli::JsonNode& all = definition(format, object);
  const std::vector<cli::JsonNode>& required = all.list_of("required");
  std::string out;
  for (const cli::JsonNode& field : member(all, "properties").items) {
    if (!only.empty() && field.key != only) continue;
    const bool must = std::any_of(required.begin(), required.end(),
                                  [&](const cli::JsonNode& name) { return name.text == field.key; });
    const bool written = is_written(format);
    const std::string_view presence = must == written ? "" : written ? "not always there" : "required";
    const bool null = written && must && may_be_null(field) &&
                      field.text_of("$comment").find("null") == std::string_view::npos;
    out += item(field, null ? "or null" : presence, schema_of(format).text);
  }
  return out;
}

std::string FieldTables::object(const std::string& format, const std::string& object) {
  const std::string help = sentence(definition(format, object).text_of("description"));
  return ".SS " + literal(in_words(object)) + '\n' + filled(roff(help)) + fields(format, object);
}

std::string FieldTables::objects(const std::string& format) {
  std::string out;
  for (const cli::JsonNode& each : member(schema_of(format).root, "$defs").items) {
    const bool settings = each.key.starts_with("settings_");
    if (each.find("properties") && !settings && !schema_of(format).shown.contains(each.key))
      out += object(format, each.key);
  }
  return out;
}

std::string FieldTables::settings() {
  const std::string format = "cede-policy/1";
  std::vector<const cli::JsonNode*> profiles;
  for (std::size_t i = 0; i < cede_profile_count(); ++i)
    profiles.push_back(
        &member(definition(format, "settings_" + std::string(cede_profile_name(i))), "properties"));
  const auto in_all = [&](std::string_view name) {
    return std::all_of(profiles.begin(), profiles.end(), [&](const auto* one) { return one->find(name); });
  };
  const auto same_default = [&](std::string_view name) {
    return std::all_of(profiles.begin(), profiles.end(), [&](const cli::JsonNode* one) {
      return default_of(*one->find(name), schema_of(format).text) ==
             default_of(*profiles.front()->find(name), schema_of(format).text);
    });
  };
  std::string out = ".SS Settings of every profile\n";
  for (const cli::JsonNode& setting : profiles.front()->items) {
    if (!in_all(setting.key)) continue;
    cli::JsonNode shown = setting;
    if (!same_default(setting.key)) {
      std::erase_if(shown.items, [](const cli::JsonNode& each) { return each.key == "default"; });
      for (cli::JsonNode& each : shown.items) {
        if (each.key == "description")
          each.text = each.text.substr(0, each.text.find("; default: ")) + "; default: the profile's";
      }
    }
    out += item(shown, "", schema_of(format).text);
  }
  for (std::size_t i = 0; i < profiles.size(); ++i) {
    out += ".SS Settings of " + literal(cede_profile_name(i)) + '\n' +
           filled(roff(sentence(cede_profile_help(i))));
    for (const cli::JsonNode& setting : profiles[i]->items) {
      if (!in_all(setting.key) || !same_default(setting.key))
        out += item(setting, "", schema_of(format).text);
    }
  }
  return out;
}

std::string FieldTables::options() {
  std::string out;
  for (std::size_t i = 0; i < cede_option_count(); ++i) {
    out += ".TP\n\\fB" + literal(cede_option_name(i)) + "\\fR\n" +
           filled("(default " + roff(cede_option_default(i)) + ')') +
           filled(roff(sentence(cede_option_help(i))));
  }
  return out;
}

}  // namespace manual
