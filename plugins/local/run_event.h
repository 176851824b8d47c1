// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace local {

// One line of the list of what happened in a run.
struct RunEvent {
  std::int64_t time = 0;  // milliseconds since the run began, in the scenario's time
  std::string_view what;  // a word
  std::string job;        // empty where it is about the run itself
  std::string text;
};

// What a person should know about the run itself.
inline constexpr std::string_view kWarning = "warning";

// Who is told about each event.
class RunEventListener {
 public:
  virtual ~RunEventListener() = default;
  virtual void on_event(const RunEvent& event) = 0;
};

// `  12.3s  start     gang        n1[0-7] n2[0-7]`
std::string shown(const RunEvent& event);

}  // namespace local
