// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace cede {

// Appends the text as a JSON string in quotes.
void append_json_string(std::string& out, std::string_view text);

// Writes compact JSON, including commas. Keys and values are written in the given order; the caller keeps
// brackets balanced.
class JsonWriter {
 public:
  explicit JsonWriter(std::string& out) : out_(&out) {}

  JsonWriter& begin_object() { return open('{'); }
  JsonWriter& end_object() { return close('}'); }
  JsonWriter& begin_array() { return open('['); }
  JsonWriter& end_array() { return close(']'); }
  JsonWriter& key(std::string_view name);
  JsonWriter& text(std::string_view value);
  // Digits, true, false, null or any complete JSON value.
  JsonWriter& raw(std::string_view value);
  JsonWriter& number(std::int64_t value) { return raw(std::to_string(value)); }
  JsonWriter& flag(bool value) { return raw(value ? "true" : "false"); }
  // A line break between elements, for readability.
  JsonWriter& line();

 private:
  void separate();
  JsonWriter& open(char bracket);
  JsonWriter& close(char bracket);

  std::string* out_;
  bool need_comma_ = false;
};

}  // namespace cede
