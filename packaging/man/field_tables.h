// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <set>
#include <string>

#include "cli/json_tree.h"

namespace manual {

// The fields of documents and the settings of profiles as parts of a page, made from their schemas.
class FieldTables {
 public:
  // The fields of one object; with `only`, this one.
  std::string fields(const std::string& format, const std::string& object, const std::string& only = {});
  // A heading, what the object is, and its fields.
  std::string object(const std::string& format, const std::string& object);
  // Every object of the format that has not been shown yet.
  std::string objects(const std::string& format);
  // The settings of all profiles: those that every profile has once, then each profile's own.
  std::string settings();
  // The options of cede_engine_create().
  static std::string options();

 private:
  struct Schema {
    std::string text;
    cli::JsonNode root;
    std::set<std::string> shown;
  };
  Schema& schema_of(const std::string& format);
  const cli::JsonNode& definition(const std::string& format, const std::string& object);

  std::map<std::string, Schema> schemas_;
};

}  // namespace manual
