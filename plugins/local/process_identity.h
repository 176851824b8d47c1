// SPDX-License-Identifier: MIT
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace local {

// One process and no other: numbers are used again, number and start time together are not.
struct ProcessIdentity {
  pid_t pid = 0;
  std::uint64_t started = 0;  // ticks since boot

  std::string text() const { return std::to_string(pid) + ' ' + std::to_string(started); }
  bool operator==(const ProcessIdentity&) const = default;
};

// Empty where there is no such process, or none but its corpse, or where that cannot be told.
std::optional<ProcessIdentity> identity_of(pid_t pid);

// Reads what text() wrote, at the beginning of a longer text too.
std::optional<ProcessIdentity> read_identity(std::string_view text);

// Whether it has ended for certain. That it cannot be told, because no descriptor is free, say, is no end.
bool has_ended(const ProcessIdentity& identity);

}  // namespace local
