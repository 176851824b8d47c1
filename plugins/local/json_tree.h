// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace local {

// A value of a document that a person wrote, with the bytes it was written with: what the library reads is
// passed on as it stands, and what is wrong is told with its place.
struct JsonNode {
  enum class Kind : std::uint8_t { text, number, word, list, object };

  Kind kind = Kind::word;
  std::size_t begin = 0;  // of the value in the document
  std::size_t end = 0;
  std::size_t key_begin = 0;  // of a member: where its name stands
  std::string key;            // of a member
  std::string text;           // what a text stands for; a number or word as it is written
  std::vector<JsonNode> items;

  // NULL if there is no member of that name.
  const JsonNode* find(std::string_view name) const;
  std::string_view raw(std::string_view document) const { return document.substr(begin, end - begin); }
  bool is_text() const { return kind == Kind::text; }
  bool is_object() const { return kind == Kind::object; }
  bool is_list() const { return kind == Kind::list; }
};

// What could not be read, and where.
struct JsonFault {
  std::size_t offset = 0;
  std::string text;
};

// Reads the whole document; false, and the fault, when it is not JSON, is nested too deep or has a member
// twice.
bool read_tree(std::string_view document, JsonNode& root, JsonFault& fault);

// The members of an object as they are written, separated by commas, without those of these names.
std::string members_without(const JsonNode& object, std::string_view document,
                            std::vector<std::string_view> names);

}  // namespace local
