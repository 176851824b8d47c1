// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "json_tree.h"

namespace cli {

// The formats that have a JSON Schema: the library's, then those that only the command and the adapters read.
std::vector<std::string_view> schema_formats();

// The schema of one of them; `fault` is what went wrong, if anything did.
std::string schema_text(std::string_view format, std::string& fault);

// A schema put together from definitions of its own and those of the library that these refer to.
class SchemaParts {
 public:
  // Makes the definitions of a format of the library available. False, with the fault, if that fails.
  bool take_from(std::string_view format, std::string& fault);
  // `json` is the whole definition.
  void define(std::string_view name, std::string json);
  // The members of `properties` of a definition of the library, without those of these names.
  std::string properties_without(std::string_view name, const std::vector<std::string_view>& names) const;
  // The whole schema. `root` is the definition of the document.
  std::string finish(std::string_view format, std::string_view root, std::string_view help) const;

 private:
  std::vector<std::pair<std::string, std::string>> own_;
  std::vector<std::pair<std::string, std::string>> library_;  // in the order of the library's schemas
};

// One field of a definition: what its value may be, and what is said about it.
std::string schema_member(std::string_view name, std::string_view value, std::string_view help,
                          std::string_view fallback, std::string_view type);
// An object with these members of `properties`.
std::string schema_object(std::string_view help, const std::string& properties,
                          const std::vector<std::string_view>& required, bool site_fields = true,
                          std::string_view more = {});
// `["a","b"]`
std::string json_list(const std::vector<std::string_view>& words);

// Made from the tables of their readers; in plugins/local/scenario_schema.cpp and slurm_schema.cpp.
std::string scenario_schema(std::string& fault);
std::string slurm_schema(std::string& fault);

// A document that the command only writes: its objects, the outermost first. Tests hold what is written
// against these tables.
struct WrittenField {
  std::string_view name;
  std::string_view value;  // members of its schema
  std::string_view type;   // what the manual calls it
  std::string_view help;
  bool always = true;
};
struct WrittenObject {
  std::string_view name;
  std::string_view help;
  std::span<const WrittenField> fields;
};
struct WrittenFormat {
  std::string_view format;
  std::span<const WrittenObject> objects;
  std::string_view inner = {};  // a format of the library whose objects it contains
};

extern const WrittenFormat kCheckFormat;       // written_schemas.cpp
extern const WrittenFormat kProfilesFormat;    // written_schemas.cpp
extern const WrittenFormat kTopologiesFormat;  // written_schemas.cpp
extern const WrittenFormat kRunFormat;         // plugins/local/run_schema.cpp

// Values that many fields have.
inline constexpr std::string_view kTextValue = R"("type":"string")";
inline constexpr std::string_view kTextOrNull = R"("type":["string","null"])";
inline constexpr std::string_view kFlagValue = R"("type":"boolean")";
inline constexpr std::string_view kCountValue = R"("type":"integer","minimum":0)";
inline constexpr std::string_view kNumberValue = R"("type":"number")";
inline constexpr std::string_view kTextsValue = R"("type":"array","items":{"type":"string"})";

}  // namespace cli
