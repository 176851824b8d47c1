// SPDX-License-Identifier: MIT
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace local {

// Identifies one process. Process ids are reused; id and start time together are not.
struct ProcessIdentity {
  pid_t pid = 0;
  std::uint64_t started = 0;  // ticks since boot

  std::string text() const { return std::to_string(pid) + ' ' + std::to_string(started); }
  bool operator==(const ProcessIdentity&) const = default;
};

// Empty if there is no such process, if it is a zombie, or if that cannot be read.
std::optional<ProcessIdentity> identity_of(pid_t pid);

// Reads what text() wrote; more text may follow.
std::optional<ProcessIdentity> read_identity(std::string_view text);

// Whether it has certainly ended. False if that cannot be read, for example because no descriptor is free.
bool has_ended(const ProcessIdentity& identity);

}  // namespace local
