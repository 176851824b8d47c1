// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
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

}  // namespace cede
