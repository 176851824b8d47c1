// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace local {

// The terminal while a run is shown on it: a screen of its own that goes when the run ends.
class Screen {
 public:
  Screen();
  ~Screen();
  Screen(const Screen&) = delete;
  Screen& operator=(const Screen&) = delete;

  // As it is now: people change it.
  static void size(std::size_t& columns, std::size_t& rows);
  // Only what has changed is written.
  void show(const std::vector<std::string>& lines);
  // All of it again with the next show().
  void invalidate() { shown_.clear(), fresh_ = true; }

 private:
  std::vector<std::string> shown_;
  bool fresh_ = true;
};

}  // namespace local
