// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>

namespace cli {

// Why a child process ended before all was done.
struct ChildEnd {
  bool by_system = false;  // the child could not be started
  std::size_t piece = 0;   // what it was at
  std::string why;
};

// Calls work(0), work(1) and so on in a child process with limited memory and CPU time. If hostile input
// makes a parser crash or loop, the command survives and can report it. Effects of the work stay in the
// child. Call this before this process makes an engine: a child cannot use its threads.
std::optional<ChildEnd> run_limited(std::size_t pieces, const std::function<void(std::size_t)>& work);

}  // namespace cli
