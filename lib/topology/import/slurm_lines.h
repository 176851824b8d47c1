// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cede {

struct ListedName {
  std::string name;
  std::size_t at = 0;  // where in the text the expression stands that gave it
};

struct HostlistFault {
  std::size_t at = 0;
  std::string text;
  bool is_limit = false;  // too many names, not a malformed list
};

// Appends the names that Slurm's notation stands for: `n[001-003,20],login,r[0-1]n[0-3]-ib`, in the order
// written, the last bracket running fastest, digits padded as the first number of a range is. Nothing is
// appended, and `fault` says why, when the list is malformed or `out` would hold more than `most`: the names
// are counted before the first is made, because a short text can stand for any number of them.
bool expand_hostlist(std::string_view text, std::size_t most, std::vector<ListedName>& out,
                     HostlistFault& fault);

// `Nodes=n[1-4]` as it stands in an entry.
struct SlurmPair {
  std::string_view key;
  std::string_view value;  // without quotes
  std::size_t key_at = 0;  // where in the entry
  std::size_t value_at = 0;
};

// Reads a Slurm configuration file entry by entry: a line and those that continue it, without comments, cut
// into pairs. Knows of every byte of an entry which line of the file it comes from.
class SlurmLines {
 public:
  explicit SlurmLines(std::string_view text) : text_(text) {}

  // Steps to the next entry that is not empty. False at the end and on a fault, when why() is not empty.
  bool next();

  // Valid until the next call of next().
  std::span<const SlurmPair> pairs() const { return pairs_; }
  std::uint32_t line_of(std::size_t at) const;
  const std::string& why() const { return why_; }
  std::uint32_t why_line() const { return why_line_; }

 private:
  void join();
  bool cut();
  bool fail(std::size_t at, std::string why);

  std::string_view text_;
  std::uint32_t line_ = 1;  // of what is left of text_
  std::string entry_;
  std::vector<std::pair<std::size_t, std::uint32_t>> starts_;  // of its lines: offset in entry_, number
  std::vector<SlurmPair> pairs_;
  std::string why_;
  std::uint32_t why_line_ = 0;
};

}  // namespace cede
