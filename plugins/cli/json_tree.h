// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cli {

// A value of a JSON document and the bytes it was written with. A scenario's parts are handed to the library
// byte for byte, and a message about a mistake names its line and column.
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
  // The member's text, number or word; empty if there is no such member.
  std::string_view text_of(std::string_view name) const;
  // The member's items; none if it is not a list.
  const std::vector<JsonNode>& list_of(std::string_view name) const;
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
// The same for a document the library wrote. Empty if it is not JSON.
std::optional<JsonNode> read_tree(std::string_view document);

// The members of an object as they are written, separated by commas, without those of these names.
std::string members_without(const JsonNode& object, std::string_view document,
                            std::vector<std::string_view> names);

}  // namespace cli
