// SPDX-License-Identifier: MIT
#include "json_value.h"

#include <algorithm>

#include "json_scanner.h"
#include "json_text.h"

namespace cli {

const JsonValue* JsonValue::find(std::string_view key) const {
  const auto found = std::find(keys.begin(), keys.end(), key);
  return found == keys.end() ? nullptr : &items[static_cast<std::size_t>(found - keys.begin())];
}

std::string_view JsonValue::text_of(std::string_view key) const {
  const JsonValue* member = find(key);
  return member ? std::string_view(member->text) : std::string_view();
}

const std::vector<JsonValue>& JsonValue::list_of(std::string_view key) const {
  static const std::vector<JsonValue> kNone;
  const JsonValue* member = find(key);
  return member && member->kind == Kind::list ? member->items : kNone;
}

std::optional<JsonValue> read_json(std::string_view text) {
  using Event = JsonScanner::Event;
  JsonScanner scanner(text);
  // A list of its own around the document, so that every value has a place to go. What is open is kept by
  // value: a pointer into a list would not survive the list's growth.
  std::vector<JsonValue> open(1);
  for (Event event = scanner.next(); event != Event::end; event = scanner.next()) {
    JsonValue value;
    switch (event) {
      case Event::key:
      case Event::text: {
        std::optional<std::string> decoded = json_decoded(scanner.token());
        if (!decoded) return {};
        if (event == Event::key) {
          open.back().keys.push_back(std::move(*decoded));
          continue;
        }
        value.kind = JsonValue::Kind::text;
        value.text = std::move(*decoded);
        break;
      }
      case Event::scalar: value.text = scanner.token(); break;
      case Event::open:
        value.kind = scanner.around().back() == '{' ? JsonValue::Kind::object : JsonValue::Kind::list;
        open.push_back(std::move(value));
        continue;
      case Event::close:
        value = std::move(open.back());
        open.pop_back();
        break;
      default: return {};
    }
    open.back().items.push_back(std::move(value));
  }
  return std::move(open.front().items.front());
}

}  // namespace cli
