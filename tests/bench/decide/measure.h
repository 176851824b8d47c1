// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <string>
#include <vector>

namespace bench {

class Clock {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

// Times in seconds.
class Samples {
 public:
  void add(double seconds) { all_.push_back(seconds); }
  std::size_t count() const { return all_.size(); }
  // The smallest that is not below this part of all of them.
  double part(double part) const {
    if (all_.empty()) return 0;
    std::vector<double> sorted = all_;
    std::sort(sorted.begin(), sorted.end());
    const auto index = static_cast<std::size_t>(part * static_cast<double>(sorted.size()));
    return sorted[std::min(index, sorted.size() - 1)];
  }
  double sum() const {
    double out = 0;
    for (const double each : all_) out += each;
    return out;
  }

 private:
  std::vector<double> all_;
};

// For people.
inline std::string shown(double seconds) {
  char text[32];
  if (seconds >= 1) {
    std::snprintf(text, sizeof text, "%.2f s", seconds);
  } else if (seconds >= 1e-3) {
    std::snprintf(text, sizeof text, "%.2f ms", seconds * 1e3);
  } else {
    std::snprintf(text, sizeof text, "%.1f us", seconds * 1e6);
  }
  return text;
}

}  // namespace bench
