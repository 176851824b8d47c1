// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cli {

// A value of a document the library has written.
struct JsonValue {
  enum class Kind : std::uint8_t { text, scalar, list, object };

  Kind kind = Kind::scalar;
  std::string text;               // what a text stands for; a scalar as it is written
  std::vector<std::string> keys;  // of an object, one per item
  std::vector<JsonValue> items;

  // The member's text or scalar, empty where there is none.
  std::string_view text_of(std::string_view key) const;
  // The member's items, none where it is no list.
  const std::vector<JsonValue>& list_of(std::string_view key) const;

 private:
  const JsonValue* find(std::string_view key) const;
};

// Empty when the text is no JSON.
std::optional<JsonValue> read_json(std::string_view text);

}  // namespace cli
