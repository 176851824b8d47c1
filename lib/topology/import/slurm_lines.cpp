// SPDX-License-Identifier: MIT
#include "topology/import/slurm_lines.h"

#include <algorithm>
#include <charconv>
#include <cstdint>

#include "base/text.h"

namespace cede {

namespace {

constexpr std::size_t kMaxDigits = 18;
constexpr std::size_t kMaxBrackets = 8;

bool is_separator(char c) { return c == ',' || c == ' ' || c == '\t'; }

struct Range {
  std::uint64_t first = 0;
  std::uint64_t last = 0;
  std::size_t width = 0;
};

// Fixed text, or a bracket if `ranges` is not empty.
struct Part {
  std::string_view text;
  std::vector<Range> ranges;
};

std::string padded(std::uint64_t number, std::size_t width) {
  std::string digits = std::to_string(number);
  return digits.size() < width ? std::string(width - digits.size(), '0') + digits : digits;
}

class Expression {
 public:
  Expression(std::string_view text, std::size_t at, HostlistFault& fault)
      : text_(text), at_(at), fault_(fault) {}

  bool parse() {
    std::string_view rest = text_;
    std::size_t fixed = 0;
    std::size_t brackets = 0;
    while (!rest.empty()) {
      const std::size_t open = std::min(rest.find_first_of("[]"), rest.size());
      fixed += open;
      // Checked before any name is built: a long text times a wide range would take much memory.
      if (fixed > kMaxNameBytes)
        return fail("is longer than a name may be, " + std::to_string(kMaxNameBytes) + " bytes");
      if (open > 0) parts_.push_back({rest.substr(0, open), {}});
      if (open == rest.size()) break;
      if (++brackets > kMaxBrackets)
        return fail("has more than " + std::to_string(kMaxBrackets) + " brackets");
      if (rest[open] == ']') return fail("has a ']' without its '['");
      const std::size_t close = rest.find_first_of("[]", open + 1);
      if (close == std::string_view::npos || rest[close] == '[') return fail("has a '[' without its ']'");
      parts_.push_back({rest.substr(open, close + 1 - open), {}});
      if (!parse_ranges(rest.substr(open + 1, close - open - 1), parts_.back().ranges)) return false;
      rest.remove_prefix(close + 1);
    }
    return true;
  }

  // How many names the expression stands for, at most `most` + 1.
  std::size_t count(std::size_t most) const {
    std::size_t product = 1;
    for (const Part& part : parts_) {
      std::size_t sum = part.ranges.empty() ? 1 : 0;
      for (const Range& range : part.ranges) {
        const std::uint64_t size = range.last - range.first + 1;
        if (size > most - std::min(sum, most)) return most + 1;
        sum += static_cast<std::size_t>(size);
      }
      if (sum > most / product) return most + 1;
      product *= sum;
    }
    return product;
  }

  bool append_to(std::vector<ListedName>& out) const {
    const std::size_t from = out.size();
    append({}, 0, out);
    for (std::size_t i = from; i < out.size(); ++i) {
      const std::string why = name_fault(out[i].name);
      if (why.empty()) continue;
      fault_ = {at_, why, false};
      return false;
    }
    return true;
  }

 private:
  bool fail(const std::string& why) {
    fault_ = {at_, quote(text_) + ' ' + why, false};
    return false;
  }

  bool parse_ranges(std::string_view list, std::vector<Range>& out) {
    for (;;) {
      const std::size_t comma = std::min(list.find(','), list.size());
      if (!parse_range(list.substr(0, comma), out.emplace_back())) return false;
      if (comma == list.size()) return true;
      list.remove_prefix(comma + 1);
    }
  }

  bool parse_range(std::string_view text, Range& range) {
    const std::size_t dash = text.find('-');
    const std::string_view first = text.substr(0, dash);
    const std::string_view last = dash == std::string_view::npos ? first : text.substr(dash + 1);
    if (!parse_number(first, range.first) || !parse_number(last, range.last)) {
      return fail("has " + quote(text) +
                  " in its brackets; numbers and ranges like '001-016,20' may stand there");
    }
    if (range.last < range.first) return fail("has the range " + quote(text) + ", which runs backwards");
    range.width = first.size();
    return true;
  }

  static bool parse_number(std::string_view text, std::uint64_t& out) {
    if (text.empty() || text.size() > kMaxDigits) return false;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
    return error == std::errc{} && end == text.data() + text.size();
  }

  void append(const std::string& before, std::size_t part, std::vector<ListedName>& out) const {
    if (part == parts_.size()) {
      out.push_back({before, at_});
      return;
    }
    if (parts_[part].ranges.empty()) return append(before + std::string(parts_[part].text), part + 1, out);
    for (const Range& range : parts_[part].ranges) {
      for (std::uint64_t number = range.first; number <= range.last; ++number) {
        append(before + padded(number, range.width), part + 1, out);
      }
    }
  }

  std::string_view text_;
  std::size_t at_;
  HostlistFault& fault_;
  std::vector<Part> parts_;
};

}  // namespace

bool expand_hostlist(std::string_view text, std::size_t most, std::vector<ListedName>& out,
                     HostlistFault& fault) {
  const std::size_t before = out.size();
  const auto refuse = [&] {
    out.resize(before);
    return false;
  };
  for (std::size_t at = 0; at < text.size();) {
    if (is_separator(text[at])) {
      ++at;
      continue;
    }
    std::size_t end = at;
    for (bool inside = false; end < text.size() && (inside || !is_separator(text[end])); ++end) {
      if (text[end] == '[') inside = true;
      if (text[end] == ']') inside = false;
    }
    const std::string_view word = text.substr(at, end - at);
    Expression expression(word, at, fault);
    if (!expression.parse()) return refuse();
    const std::size_t room = most - std::min(out.size(), most);
    if (expression.count(room) > room) {
      fault = {at, quote(word) + " stands for too many names", true};
      return refuse();
    }
    if (!expression.append_to(out)) return refuse();
    at = end;
  }
  return true;
}

namespace {

constexpr std::size_t kMaxPairs = 16;

bool is_space_in_line(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f'; }
bool is_key_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
}

bool is_include(std::string_view word) {
  constexpr std::string_view kInclude = "include";
  return std::equal(word.begin(), word.end(), kInclude.begin(), kInclude.end(),
                    [](char a, char b) { return a == b || a == b - 'a' + 'A'; });
}

}  // namespace

std::uint32_t SlurmLines::line_of(std::size_t at) const {
  const auto after =
      std::upper_bound(starts_.begin(), starts_.end(), at,
                       [](std::size_t offset, const auto& start) { return offset < start.first; });
  return after == starts_.begin() ? line_ : std::prev(after)->second;
}

bool SlurmLines::fail(std::size_t at, std::string why) {
  why_ = std::move(why);
  why_line_ = line_of(at);
  return false;
}

// Joins lines as long as each one ends in an odd number of backslashes.
void SlurmLines::join() {
  entry_.clear();
  starts_.clear();
  for (bool more = true; more && !text_.empty();) {
    const std::size_t end = std::min(text_.find('\n'), text_.size());
    std::string_view line = text_.substr(0, end);
    text_.remove_prefix(std::min(end + 1, text_.size()));
    // Of lines that add nothing only the last is kept, because a file may consist of them.
    if (!starts_.empty() && starts_.back().first == entry_.size()) starts_.pop_back();
    starts_.emplace_back(entry_.size(), line_++);
    line = line.substr(0, line.find('#'));
    while (!line.empty() && is_space_in_line(line.back())) line.remove_suffix(1);
    const std::size_t last = line.find_last_not_of('\\');
    const std::size_t backslashes = line.size() - (last == std::string_view::npos ? 0 : last + 1);
    more = backslashes % 2 == 1;
    if (more) line.remove_suffix(1);
    entry_ += line;
  }
}

bool SlurmLines::cut() {
  pairs_.clear();
  const std::string_view entry = entry_;
  std::size_t at = 0;
  const auto skip_space = [&] {
    while (at < entry.size() && is_space_in_line(entry[at])) ++at;
  };
  for (skip_space(); at < entry.size(); skip_space()) {
    SlurmPair pair;
    pair.key_at = at;
    while (at < entry.size() && is_key_character(entry[at])) ++at;
    pair.key = entry.substr(pair.key_at, at - pair.key_at);
    skip_space();
    if (pair.key.empty() || at == entry.size() || entry[at] != '=') {
      const std::size_t end = entry.find_first_of(" \t", pair.key_at);
      const std::string_view word = entry.substr(pair.key_at, end - pair.key_at);
      if (pairs_.empty() && is_include(word)) {
        return fail(pair.key_at, "'Include' is not followed; put the lines of that file in its place");
      }
      return fail(pair.key_at, quote(word) + " is not of the form Key=Value");
    }
    ++at;
    skip_space();
    const bool quoted = at < entry.size() && entry[at] == '"';
    pair.value_at = quoted ? ++at : at;
    while (at < entry.size() && (quoted ? entry[at] != '"' : !is_space_in_line(entry[at]))) ++at;
    pair.value = entry.substr(pair.value_at, at - pair.value_at);
    if (quoted && at++ == entry.size()) return fail(pair.value_at, "a quote is not closed");
    if (pair.value.empty()) return fail(pair.key_at, quote(pair.key) + " has no value");
    if (pairs_.size() == kMaxPairs)
      return fail(pair.key_at, "a line has more than " + std::to_string(kMaxPairs) + " keys");
    pairs_.push_back(pair);
  }
  return true;
}

bool SlurmLines::next() {
  while (why_.empty() && !text_.empty()) {
    join();
    const auto control = std::find_if(entry_.begin(), entry_.end(), [](char c) {
      return (static_cast<unsigned char>(c) < 0x20 && !is_space_in_line(c)) || c == 0x7f;
    });
    if (control != entry_.end())
      return fail(static_cast<std::size_t>(control - entry_.begin()), "there is a control character");
    if (!cut()) return false;
    if (!pairs_.empty()) return true;  // a blank line has no pairs, whatever blanks it consists of
  }
  return false;
}

}  // namespace cede
