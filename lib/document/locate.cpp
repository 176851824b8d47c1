// SPDX-License-Identifier: MIT
#include "document/document.h"

#include <algorithm>
#include <optional>

namespace cede {

namespace {

// Walks JSON that the parser has accepted up to the point of interest. It relies on the grammar but never
// reads past the end, because it also locates problems in truncated documents.
class Walker {
 public:
  explicit Walker(std::string_view text) : text_(text) {}

  // Offset of the value at the path (or of its key, with `want_key`), or of the last step that exists. None
  // if not even the first step exists. If a step is a name and the text has a list there, it means the
  // element with that id; the path then gets the element's number.
  std::optional<std::size_t> find(Path& path, bool want_key) {
    space();
    std::optional<std::size_t> found;
    for (std::size_t i = 0; i < path.size(); ++i) {
      std::optional<std::size_t> inside;
      if (path[i].index >= 0) {
        inside = element(static_cast<std::size_t>(path[i].index));
      } else if (more() && text_[at_] == '[') {
        inside = element_of_id(path[i]);
      } else {
        inside = member(path[i].key, want_key && i + 1 == path.size());
      }
      if (!inside) break;
      found = inside;
    }
    return found;
  }

 private:
  bool more() const { return at_ < text_.size(); }
  void space() {
    while (more() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t' || text_[at_] == '\r'))
      ++at_;
  }

  std::optional<std::size_t> element(std::size_t index) {
    if (!more() || text_[at_] != '[') return std::nullopt;
    ++at_;
    for (std::size_t i = 0;; ++i) {
      space();
      if (!more() || text_[at_] == ']') return std::nullopt;
      if (i == index) return at_;
      value();
      space();
      if (!more() || text_[at_] != ',') return std::nullopt;
      ++at_;
    }
  }

  std::optional<std::size_t> element_of_id(PathStep& step) {
    ++at_;
    for (std::size_t i = 0;; ++i) {
      space();
      if (!more() || text_[at_] == ']') return std::nullopt;
      const std::size_t item = at_;
      value();
      const std::size_t end = at_;
      at_ = item;
      const bool named =
          member("id", false).has_value() && more() && text_[at_] == '"' && string_equals(step.key);
      if (named) {
        step = PathStep::element(i);
        at_ = item;
        return item;
      }
      at_ = end;
      space();
      if (!more() || text_[at_] != ',') return std::nullopt;
      ++at_;
    }
  }

  // The last member of that name: a repeated key is reported at its repetition.
  std::optional<std::size_t> member(std::string_view key, bool want_key) {
    if (!more() || text_[at_] != '{') return std::nullopt;
    ++at_;
    std::optional<std::size_t> found;
    std::size_t value_at = 0;
    for (;;) {
      space();
      if (!more() || text_[at_] != '"') break;
      const std::size_t key_at = at_;
      const bool match = string_equals(key);
      if (match && want_key) found = key_at;
      space();
      if (!more() || text_[at_] != ':') break;
      ++at_;
      space();
      if (match) {
        found = want_key ? key_at : at_;
        value_at = at_;
      }
      value();
      space();
      if (!more() || text_[at_] != ',') break;
      ++at_;
    }
    at_ = value_at;
    return found;
  }

  // Moves past a string and returns whether it equals the key. A string without escapes, the usual case, is
  // compared directly.
  bool string_equals(std::string_view key) {
    const std::size_t first = at_ + 1;
    bool escaped = false;
    for (++at_; more() && text_[at_] != '"'; ++at_) {
      if (text_[at_] == '\\') {
        escaped = true;
        ++at_;
      }
    }
    const std::string_view body = text_.substr(first, std::min(at_, text_.size()) - first);
    if (more()) ++at_;
    return escaped ? unescape(body) == key : body == key;
  }

  static std::string unescape(std::string_view body) {
    std::string out;
    for (std::size_t i = 0; i < body.size(); ++i) {
      if (body[i] != '\\' || i + 1 >= body.size()) {
        out.push_back(body[i]);
        continue;
      }
      switch (body[++i]) {
        case 'n': out.push_back('\n'); break;
        case 't': out.push_back('\t'); break;
        case 'r': out.push_back('\r'); break;
        case 'b': out.push_back('\b'); break;
        case 'f': out.push_back('\f'); break;
        case 'u': append_code(out, body, i); break;
        default: out.push_back(body[i]);
      }
    }
    return out;
  }

  // \uXXXX at body[i] == 'u', with its low surrogate if there is one. Leaves i on the last digit.
  static void append_code(std::string& out, std::string_view body, std::size_t& i) {
    const auto four = [&](std::size_t from) {
      std::uint32_t code = 0;
      for (std::size_t k = from; k < from + 4 && k < body.size(); ++k) {
        const char c = body[k];
        const int digit = c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10;
        code = code << 4 | (static_cast<std::uint32_t>(digit) & 0xF);
      }
      return code;
    };
    std::uint32_t code = four(i + 1);
    i += 4;
    if (code >= 0xD800 && code < 0xDC00 && i + 2 < body.size() && body[i + 1] == '\\' && body[i + 2] == 'u') {
      code = 0x10000 + ((code - 0xD800) << 10) + (four(i + 3) - 0xDC00);
      i += 6;
    }
    const auto put = [&](std::uint32_t byte) { out.push_back(static_cast<char>(byte)); };
    if (code < 0x80) {
      put(code);
    } else if (code < 0x800) {
      put(0xC0 | code >> 6);
      put(0x80 | (code & 0x3F));
    } else if (code < 0x10000) {
      put(0xE0 | code >> 12);
      put(0x80 | (code >> 6 & 0x3F));
      put(0x80 | (code & 0x3F));
    } else {
      put(0xF0 | code >> 18);
      put(0x80 | (code >> 12 & 0x3F));
      put(0x80 | (code >> 6 & 0x3F));
      put(0x80 | (code & 0x3F));
    }
  }

  void value() {
    std::size_t depth = 0;
    while (more()) {
      const char c = text_[at_];
      if (c == '"') {
        string_equals({});
      } else if (c == '{' || c == '[') {
        ++depth;
        ++at_;
      } else if (c == '}' || c == ']') {
        if (depth == 0) return;
        --depth;
        ++at_;
      } else if (c == ',' && depth == 0) {
        return;
      } else {
        ++at_;
      }
      if (depth == 0 && more() && (text_[at_] == ',' || text_[at_] == '}' || text_[at_] == ']')) return;
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

Position position_of(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, offset);
  const std::size_t newline = before.rfind('\n');
  Position at;
  at.line = static_cast<std::uint32_t>(std::count(before.begin(), before.end(), '\n') + 1);
  at.column = static_cast<std::uint32_t>(newline == std::string_view::npos ? offset + 1 : offset - newline);
  return at;
}

void place_problems(std::string_view text, Problems& problems) {
  for (Problem& problem : problems.all()) {
    if (problem.line > 0 || problem.path.empty()) continue;
    const std::optional<std::size_t> offset = Walker(text).find(problem.path, problem.at_key);
    if (!offset) continue;
    const Position at = position_of(text, *offset);
    problem.line = at.line;
    problem.column = at.column;
  }
}

}  // namespace cede
