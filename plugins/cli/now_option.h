// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>

#include "arguments.h"
#include "console.h"
#include "handles.h"

namespace cli {

inline constexpr Option kNowOption{"--now", "", "TIME",
                                   "a time such as 2025-10-09T08:53:20Z, seconds since 1970, or +5m after "
                                   "the cluster's own time; without it, "
                                   "or earlier, the cluster's own time counts"};

// The value of `--now`.
struct NowOption {
  std::int64_t milliseconds = 0;  // since 1970, or after the cluster's own time
  bool after_cluster = false;

  // As the library takes it, once the cluster is loaded; empty after an error, which has been printed.
  std::optional<std::int64_t> of(const Engine& engine, Console& console) const;
};

// The engine's own time: that of its cluster or of what it was restored from, whichever is later. Empty if
// neither has one.
std::optional<std::int64_t> cluster_now(const Engine& engine);

// Empty if the value is no time, and an error has been printed.
std::optional<NowOption> now_of(const Arguments& arguments, Console& console);

}  // namespace cli
