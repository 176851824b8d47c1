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
  std::size_t at = 0;  // position in the text of the expression that gave it
};

struct HostlistFault {
  std::size_t at = 0;
  std::string text;
  bool is_limit = false;  // too many names, not a malformed list
};

// Appends the names that Slurm's notation stands for: `n[001-003,20],login,r[0-1]n[0-3]-ib`. They come in the
// written order, the last bracket varies fastest, and digits are padded like the first number of a range. If
// the list is malformed or `out` would exceed `most`, nothing is appended and `fault` gives the reason. The
// names are counted before the first is built, because a short text can stand for any number of them.
bool expand_hostlist(std::string_view text, std::size_t most, std::vector<ListedName>& out,
                     HostlistFault& fault);

// `Nodes=n[1-4]` as written in an entry.
struct SlurmPair {
  std::string_view key;
  std::string_view value;  // without quotes
  std::size_t key_at = 0;  // position in the entry
  std::size_t value_at = 0;
};

// Reads a Slurm configuration file entry by entry. An entry is a line with its continuation lines, without
// comments, split into pairs. The reader knows for every byte of an entry which line of the file it comes
// from.
class SlurmLines {
 public:
  explicit SlurmLines(std::string_view text) : text_(text) {}

  // Moves to the next entry that is not empty. Returns false at the end, and on a fault; then why() is not
  // empty.
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
  std::uint32_t line_ = 1;  // of the rest of text_
  std::string entry_;
  std::vector<std::pair<std::size_t, std::uint32_t>> starts_;  // of its lines: offset in entry_, line number
  std::vector<SlurmPair> pairs_;
  std::string why_;
  std::uint32_t why_line_ = 0;
};

}  // namespace cede
