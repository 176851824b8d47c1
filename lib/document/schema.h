// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "document/field.h"

namespace cede {

// A format of documents and its outermost object.
struct DocumentSpec {
  std::string_view format;
  const ObjectSpec* object;
  const ObjectSpec* other = nullptr;  // what else a document of the format may be
};

// Every format that the library reads or writes, in the order shown to users.
std::span<const DocumentSpec> document_specs();

// The JSON Schema (draft 2020-12) of one format. Each object is a definition of its own; `$comment` of a
// field is the type as the manual calls it.
std::string write_schema(const DocumentSpec& document);

class JsonWriter;

// The members of the schema of a setting's value, and of an object of settings.
void write_setting_schema(const SettingSpec& setting, JsonWriter& json);
void write_settings_schema(Profile profile, JsonWriter& json);
void write_settings_schema(SettingHolder holder, JsonWriter& json);
// `settings_class-cost`, `settings_of_queue`
std::string settings_definition(Profile profile);
std::string settings_definition(SettingHolder holder);

// Members of the schema of a duration. JSON Schema has no word for "above zero" in texts but a pattern.
void write_duration_schema(bool nullable, bool above_zero, bool or_none, JsonWriter& json);

}  // namespace cede
