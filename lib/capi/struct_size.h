// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "capi/guard.h"

namespace cede::capi {

// The size of each struct of the public header in 0.1.0, the first version. A caller passes the size it was
// compiled with, so no valid size is smaller. These numbers never change. When a struct grows at its end, its
// size in tests/abi/layout.c is raised, not the one here.
template <class Struct>
inline constexpr std::size_t kFirstSize = 0;
template <>
inline constexpr std::size_t kFirstSize<cede_finding> = 16;
template <>
inline constexpr std::size_t kFirstSize<cede_amount> = 16;
template <>
inline constexpr std::size_t kFirstSize<cede_group> = 16;
template <>
inline constexpr std::size_t kFirstSize<cede_domain> = 16;
template <>
inline constexpr std::size_t kFirstSize<cede_queue> = 64;
template <>
inline constexpr std::size_t kFirstSize<cede_node> = 64;
template <>
inline constexpr std::size_t kFirstSize<cede_reservation> = 40;
template <>
inline constexpr std::size_t kFirstSize<cede_job> = 200;
template <>
inline constexpr std::size_t kFirstSize<cede_task> = 72;
template <>
inline constexpr std::size_t kFirstSize<cede_task_name> = 8;
template <>
inline constexpr std::size_t kFirstSize<cede_ruling> = 36;
template <>
inline constexpr std::size_t kFirstSize<cede_victim> = 40;
template <>
inline constexpr std::size_t kFirstSize<cede_victim_task> = 16;
template <>
inline constexpr std::size_t kFirstSize<cede_place> = 40;
template <>
inline constexpr std::size_t kFirstSize<cede_event> = 48;
template <>
inline constexpr std::size_t kFirstSize<cede_action> = 80;
template <>
inline constexpr std::size_t kFirstSize<cede_entry> = 40;
template <>
inline constexpr std::size_t kFirstSize<cede_topology_facts> = 48;

// No version of a struct will be larger. A larger size is a mistake, and the library would write that many
// bytes.
inline constexpr std::size_t kMostStructBytes = 4096;

// Checks the size of a caller's struct: 0, or a status with the error filled in. `name` is the argument.
template <class Struct>
std::int32_t size_fault(std::size_t size, const std::string& name, cede_error* error) {
  static_assert(kFirstSize<Struct> > 0 && kFirstSize<Struct> <= sizeof(Struct) &&
                sizeof(Struct) <= kMostStructBytes);
  if (size >= kFirstSize<Struct> && size <= kMostStructBytes) return 0;
  return missing(error,
                 name + ": " + std::to_string(size) + " is not the size of this struct in any version; " +
                     std::to_string(kFirstSize<Struct>) + ".." + std::to_string(kMostStructBytes) + " is");
}

}  // namespace cede::capi
