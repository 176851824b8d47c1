// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace local {

// Options of the built-in job, in real milliseconds.
struct WorkerOptions {
  std::chrono::milliseconds duration{0};
  std::chrono::milliseconds takes{0};
  std::chrono::milliseconds defers{0};
  int signal = 0;
  bool saves = false;
  bool ignores_term = false;

  std::vector<std::string> arguments() const;
  static std::optional<WorkerOptions> read(const std::vector<std::string>& arguments);
};

}  // namespace local
