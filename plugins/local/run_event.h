// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace local {

// One thing that happened in a run: one line of its output.
struct RunEvent {
  std::int64_t time = 0;  // milliseconds since the run began, in the scenario's time
  std::string_view what;  // one word: start, hint, kill
  std::string job;        // or the target of relief, or a queue: `node:n1`; empty: about the run itself
  std::string text;
};

// The event that warns about the run itself.
inline constexpr std::string_view kWarning = "warning";

// Called for each event.
class RunEventListener {
 public:
  virtual ~RunEventListener() = default;
  virtual void on_event(const RunEvent& event) = 0;
};

// `  12.3s  start     gang        n1[0-7] n2[0-7]`
std::string shown(const RunEvent& event);

}  // namespace local
