// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cede {

// What went wrong, in the numbering of the C ABI, which never changes.
enum class Status : std::int32_t {
  ok = 0,
  warnings = 1,
  invalid = -1,   // an argument of the call is wrong
  document = -2,  // a document breaks a rule
  limit = -3,     // an input is larger than a documented limit
  version = -4,
  nomem = -5,
  internal = -6,
  unknown = -7,  // a name is unknown
  stale = -8,
  damaged = -9,
};

// One step into a document: a member by key, or an element by index when `key` is empty and `index` is not
// negative.
struct PathStep {
  std::string key;
  std::int64_t index = -1;

  static PathStep member(std::string_view key) { return {std::string(key), -1}; }
  static PathStep element(std::size_t index) { return {{}, static_cast<std::int64_t>(index)}; }
  bool operator==(const PathStep&) const = default;
};

using Path = std::vector<PathStep>;

// `jobs[17].queue`; a key that is not a plain word is quoted: `labels['a b']`.
std::string to_string(const Path& path);

enum class Severity : std::uint8_t { error, warning };

// One mistake in an input and its position. Line and column are 1-based; 0 if there is no text.
struct Problem {
  Status status = Status::document;
  Severity severity = Severity::error;
  Path path;
  std::string text;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  bool at_key = false;  // the key itself is wrong, not its value

  // `jobs[17].queue: 'root.b' is not a queue; 4 queues are known (line 12, column 30)`
  std::string message() const;
};

// Collects problems up to a limit and only counts the rest.
class Problems {
 public:
  explicit Problems(std::size_t keep = 20) : keep_(keep) {}

  void add(Problem problem);
  void error(Path path, std::string text, Status status = Status::document);
  void warning(Path path, std::string text);

  bool failed() const { return errors_ > 0; }
  std::size_t errors() const { return errors_; }
  std::size_t dropped() const { return dropped_; }
  // Whether no further error would be kept, so that a reader may stop early.
  bool full() const { return errors_ >= keep_; }
  const std::vector<Problem>& all() const { return all_; }
  std::vector<Problem>& all() { return all_; }

 private:
  std::size_t keep_;
  std::size_t errors_ = 0;
  std::size_t dropped_ = 0;
  std::vector<Problem> all_;
};

}  // namespace cede
