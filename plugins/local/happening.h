// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace local {

// One line of a run's story.
struct Happening {
  std::int64_t time = 0;  // milliseconds since the run began, in the scenario's time
  std::string_view what;  // a word
  std::string job;        // empty where it is about the run itself
  std::string text;
};

// What a person should know about the run itself.
inline constexpr std::string_view kWarning = "warning";

// Where the story goes.
class Listener {
 public:
  virtual ~Listener() = default;
  virtual void hear(const Happening& happening) = 0;
};

// `  12.3s  start     gang        n1[0-7] n2[0-7]`
std::string shown(const Happening& happening);

}  // namespace local
