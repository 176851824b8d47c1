// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

#include "totals.h"

namespace lives {

// What a child process leaves behind for its parent, in memory both see.
struct Shared {
  Totals totals;
  std::uint64_t life = 0;  // the one it is in, or was in when it ended
  int step = 0;
  // The first life of each kind of finding, and how many there were.
  struct Kind {
    char name[64];
    std::uint64_t count;
    std::uint64_t first;
  };
  Kind kinds[64];

  void count(const std::string& kind);
};

// One finding, with the command that shows it again.
void print_finding(const std::string& program, std::uint64_t seed, std::uint64_t life, int step,
                   const std::string& options, const std::string& kind, const std::string& text);
void print_summary(const Shared& shared, std::uint64_t seed);
// One line; false where the file cannot be written.
bool write_totals(const std::string& file, const Shared& shared, std::uint64_t seed);

}  // namespace lives
