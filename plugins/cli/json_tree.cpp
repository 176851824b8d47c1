// SPDX-License-Identifier: MIT
#include "json_tree.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "json_scanner.h"
#include "json_text.h"
#include "message_text.h"

namespace cli {

namespace {

constexpr std::size_t kMaxDepth = 64;

bool is_number(std::string_view word) {
  const auto digits = [&word] {
    const std::size_t count = std::min(word.find_first_not_of("0123456789"), word.size());
    word.remove_prefix(count);
    return count;
  };
  if (word.starts_with('-')) word.remove_prefix(1);
  const bool leading_zero = word.starts_with('0');
  const std::size_t whole = digits();
  if (whole == 0 || (leading_zero && whole > 1)) return false;
  if (word.starts_with('.')) {
    word.remove_prefix(1);
    if (digits() == 0) return false;
  }
  if (word.starts_with('e') || word.starts_with('E')) {
    word.remove_prefix(1);
    if (word.starts_with('-') || word.starts_with('+')) word.remove_prefix(1);
    if (digits() == 0) return false;
  }
  return word.empty();
}

bool has(const JsonNode& object, std::string_view name) { return object.find(name) != nullptr; }

}  // namespace

const JsonNode* JsonNode::find(std::string_view name) const {
  if (kind != Kind::object) return nullptr;
  const auto found =
      std::find_if(items.begin(), items.end(), [name](const JsonNode& item) { return item.key == name; });
  return found == items.end() ? nullptr : &*found;
}

std::string_view JsonNode::text_of(std::string_view name) const {
  const JsonNode* member = find(name);
  return member ? std::string_view(member->text) : std::string_view();
}

const std::vector<JsonNode>& JsonNode::list_of(std::string_view name) const {
  static const std::vector<JsonNode> kNone;
  const JsonNode* member = find(name);
  return member && member->is_list() ? member->items : kNone;
}

bool read_tree(std::string_view document, JsonNode& root, JsonFault& fault) {
  using Event = JsonScanner::Event;
  JsonScanner scanner(document);
  std::vector<JsonNode> open(1);  // around the document, so that every value has a place to go
  std::string key;
  std::size_t key_begin = 0;
  const auto fail = [&](std::size_t offset, std::string text) {
    fault = {offset, std::move(text)};
    return false;
  };
  for (Event event = scanner.next(); event != Event::end; event = scanner.next()) {
    JsonNode node;
    node.begin = scanner.begin();
    node.end = node.begin + scanner.token().size();
    switch (event) {
      case Event::key:
      case Event::text: {
        std::optional<std::string> decoded = json_decoded(scanner.token());
        if (!decoded) return fail(node.begin, "this is not JSON: a wrong escape in a text");
        if (event == Event::key) {
          if (has(open.back(), *decoded)) return fail(node.begin, quote(*decoded) + " is given twice");
          key = std::move(*decoded);
          key_begin = node.begin;
          continue;
        }
        node.kind = JsonNode::Kind::text;
        node.text = std::move(*decoded);
        break;
      }
      case Event::scalar:
        node.text = scanner.token();
        node.kind = is_number(node.text) ? JsonNode::Kind::number : JsonNode::Kind::word;
        if (node.kind == JsonNode::Kind::number && !std::isfinite(std::strtod(node.text.c_str(), nullptr)))
          return fail(node.begin, quote(node.text) + " is larger than any number a document may hold");
        if (node.kind == JsonNode::Kind::word && node.text != "true" && node.text != "false" &&
            node.text != "null") {
          return fail(node.begin, "this is not JSON: " + quote(node.text) + " is no value");
        }
        break;
      case Event::open:
        if (open.size() > kMaxDepth)
          return fail(node.begin, "nested deeper than " + std::to_string(kMaxDepth));
        node.kind = scanner.around().back() == '{' ? JsonNode::Kind::object : JsonNode::Kind::list;
        node.key = std::move(key);
        node.key_begin = key_begin;
        key.clear();
        open.push_back(std::move(node));
        continue;
      case Event::close:
        node = std::move(open.back());
        open.pop_back();
        node.end = scanner.position();
        open.back().items.push_back(std::move(node));
        continue;
      default: return fail(scanner.position(), "this is not JSON from here on");
    }
    node.key = std::move(key);
    node.key_begin = key_begin;
    key.clear();
    open.back().items.push_back(std::move(node));
  }
  root = std::move(open.front().items.front());
  return true;
}

std::optional<JsonNode> read_tree(std::string_view document) {
  JsonNode root;
  JsonFault fault;
  return read_tree(document, root, fault) ? std::optional(std::move(root)) : std::nullopt;
}

std::string members_without(const JsonNode& object, std::string_view document,
                            std::vector<std::string_view> names) {
  std::string out;
  for (const JsonNode& item : object.items) {
    if (std::find(names.begin(), names.end(), item.key) != names.end()) continue;
    if (!out.empty()) out += ',';
    out += document.substr(item.key_begin, item.end - item.key_begin);
  }
  return out;
}

}  // namespace cli
