// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace local {

// The terminal's alternate screen; it is closed when the run ends.
class Screen {
 public:
  Screen();
  ~Screen();
  Screen(const Screen&) = delete;
  Screen& operator=(const Screen&) = delete;

  // The present size; users resize their terminal.
  static void size(std::size_t& columns, std::size_t& rows);
  // Writes only the lines that have changed.
  void show(const std::vector<std::string>& lines);
  // The next show() writes all lines.
  void invalidate() { shown_.clear(), fresh_ = true; }

 private:
  std::vector<std::string> shown_;
  bool fresh_ = true;
};

}  // namespace local
