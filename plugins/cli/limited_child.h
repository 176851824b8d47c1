// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>

namespace cli {

// Why a child process ended before all was done.
struct ChildEnd {
  bool by_system = false;  // there was no child at all
  std::size_t piece = 0;   // what it was at
  std::string why;
};

// Does work(0), work(1) and so on in a child process of limited memory and CPU: on input made to do so a
// parser may crash or run on, which then costs a message and not the command. Nothing of what the work does
// reaches this process. To be called before this process makes an engine, whose threads a child cannot use.
std::optional<ChildEnd> run_limited(std::size_t pieces, const std::function<void(std::size_t)>& work);

}  // namespace cli
