// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstring>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "capi/guard.h"
#include "cede/cede.h"
#include "engine/engine.h"
#include "engine/reports.h"
#include "engine/topology.h"

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

// The opaque handles of the public header.

struct cede_engine {
  cede::Engine engine;
};

struct cede_report {
  struct Finding {
    cede_finding facts;
    std::string path;
    std::string text;
  };
  std::vector<Finding> findings;
  std::size_t dropped = 0;
};

struct cede_text {
  std::string text;
};

struct cede_admission {
  cede::AdmissionAnswer answer;
};

struct cede_plan {
  cede::Plan plan;
  std::vector<std::string> after;  // the names of Plan::after
  std::shared_ptr<const cede::PolicySet> policies;
  // Written on demand: with many victims it is a long text.
  mutable std::once_flag objective_once;
  mutable std::string objective;
  // Names for the caller, as texts that end with a NUL.
  struct Victim {
    std::string job;
    std::vector<std::string> tasks;
    uint32_t number = 0;
    uint32_t first_task = 0;
  };
  struct Place {
    std::string task;
    std::string node;
    uint32_t task_number = 0;
    uint32_t node_number = 0;
    uint32_t position = 0;
  };
  // With many victims, these names are also made on demand (see name_all()).
  mutable std::once_flag named_once;
  // The numbers that the caller had for names; empty once the names are made.
  struct Called {
    cede::NameRegistry book;
    cede::InternTable names;
  };
  mutable std::optional<Called> called;
  mutable std::vector<Victim> victims;
  mutable std::vector<cede_victim_task> victim_tasks;  // of all victims
  mutable std::vector<Place> places;
};

namespace cede::capi {

// Makes the names of the plan once. Safe to call from several threads.
void name_all(const cede_plan& plan);

}  // namespace cede::capi

struct cede_step {
  cede::StepResult result;
  cede::Time next_due = cede::kNoTime;
};

struct cede_ledger {
  cede::LedgerView view;
};

struct cede_topology {
  cede::Topology topology;
  // For each level, the indexes of its domains.
  std::vector<std::vector<std::size_t>> domains;
};

namespace cede::capi {

// Checks the place for an answer: 0, or a status with the error filled in. `name` is the argument.
template <class Struct>
std::int32_t place_fault(const Struct* out, std::size_t out_size, const std::string& name,
                         cede_error* error) {
  if (!out) return missing(error, name + ": NULL is no place for the answer");
  return size_fault<Struct>(out_size, name + "_size", error);
}

// Writes an answer under the growth rule: an older caller gets the part it knows, a newer caller gets zeros
// after it.
template <class Struct>
void write_out(const Struct& facts, void* out, std::size_t out_size) {
  std::memset(out, 0, out_size);
  std::memcpy(out, &facts, std::min(out_size, sizeof facts));
}

template <class Struct>
std::int32_t hand_out(const Struct& facts, void* out, std::size_t out_size, cede_error* error) {
  write_out(facts, out, out_size);
  return tell(error, CEDE_OK, {});
}

// Reads one struct of the caller under the same rule: fields that an older caller lacks are zero, and fields
// that a newer caller adds must be zero. `where()` names the struct.
template <class Struct, class Where>
std::int32_t take_in(const void* from, std::size_t size, Struct& out, Where where, cede_error* error) {
  std::memset(&out, 0, sizeof out);
  std::memcpy(&out, from, std::min(size, sizeof out));
  const auto* bytes = static_cast<const unsigned char*>(from);
  for (std::size_t i = sizeof out; i < size; ++i) {
    if (bytes[i] != 0)
      return tell(error, CEDE_E_VERSION, where() + ": has a field this library does not know");
  }
  return CEDE_OK;
}

}  // namespace cede::capi
