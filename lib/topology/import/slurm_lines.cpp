// SPDX-License-Identifier: MIT
#include "topology/import/slurm_lines.h"

#include <algorithm>

#include "base/text.h"

namespace cede {
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

// Takes lines from the text as long as each says that it goes on: an odd number of backslashes at its end.
void SlurmLines::join() {
  entry_.clear();
  starts_.clear();
  for (bool more = true; more && !text_.empty();) {
    const std::size_t end = std::min(text_.find('\n'), text_.size());
    std::string_view line = text_.substr(0, end);
    text_.remove_prefix(std::min(end + 1, text_.size()));
    // Of lines that add nothing the last is enough: a file may consist of them.
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
    const std::size_t word = entry_.find_first_not_of(" \t");
    if (word == std::string::npos) continue;
    return cut();
  }
  return false;
}

}  // namespace cede
