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

// The size of each struct of the public header in 0.2.0, the first version that is kept. A caller passes the
// size it was compiled with, so no valid size is smaller. These numbers never change. When a struct grows at
// its end, its size in tests/abi/layout.c is raised, not the one here.
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
inline constexpr std::size_t kFirstSize<cede_task> = 88;
template <>
inline constexpr std::size_t kFirstSize<cede_task_name> = 8;
template <>
inline constexpr std::size_t kFirstSize<cede_budget> = 32;
template <>
inline constexpr std::size_t kFirstSize<cede_ruling> = 44;
template <>
inline constexpr std::size_t kFirstSize<cede_term> = 24;
template <>
inline constexpr std::size_t kFirstSize<cede_plan_facts> = 152;
template <>
inline constexpr std::size_t kFirstSize<cede_victim> = 64;
template <>
inline constexpr std::size_t kFirstSize<cede_victim_task> = 16;
template <>
inline constexpr std::size_t kFirstSize<cede_place> = 48;
template <>
inline constexpr std::size_t kFirstSize<cede_cost_part> = 16;
template <>
inline constexpr std::size_t kFirstSize<cede_criterion> = 16;
template <>
inline constexpr std::size_t kFirstSize<cede_violation> = 8;
template <>
inline constexpr std::size_t kFirstSize<cede_event> = 56;
template <>
inline constexpr std::size_t kFirstSize<cede_action> = 112;
template <>
inline constexpr std::size_t kFirstSize<cede_entry> = 72;
template <>
inline constexpr std::size_t kFirstSize<cede_ledger_victim> = 40;
template <>
inline constexpr std::size_t kFirstSize<cede_topology_facts> = 48;
// A number of a name has no version.
template <>
inline constexpr std::size_t kFirstSize<std::uint32_t> = sizeof(std::uint32_t);

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
  // The names in the plan as texts that end with a NUL and as numbers. With many victims they are also made
  // on demand (see name_all()).
  struct Victim {
    std::string job;
    std::vector<std::string> tasks;
    uint32_t number = 0;
    uint32_t first_task = 0;
    uint32_t first_cost_part = 0;
  };
  struct Place {
    std::string task;
    std::string node;
    uint32_t task_number = 0;
    uint32_t node_number = 0;
    uint32_t position = 0;
  };
  mutable std::once_flag named_once;
  mutable std::optional<cede::InternTable> numbers;  // of the engine; none once the names are made
  mutable std::vector<Victim> victims;
  mutable std::vector<cede_victim_task> victim_tasks;  // of all victims
  mutable std::vector<cede_cost_part> cost_parts;      // likewise
  mutable std::vector<Place> places;
  mutable std::vector<uint32_t> after_numbers;
  mutable std::vector<std::string> criteria;  // their names
  mutable uint32_t target = 0;
  mutable uint32_t group = 0;
};

namespace cede::capi {

// Makes the names of the plan once. Safe to call from several threads.
void name_all(const cede_plan& plan);

// A new handle for the plan of this engine.
std::unique_ptr<cede_plan> handle_of(Plan plan, const Engine& engine);

}  // namespace cede::capi

struct cede_step {
  cede::StepResult result;
  cede::Time next_due = cede::kNoTime;
  std::vector<cede_action> actions;
  std::vector<cede_victim_task> tasks;
  std::vector<cede_place> places;
};

struct cede_ledger {
  cede::LedgerView view;
  std::vector<cede_entry> entries;
  std::vector<cede_ledger_victim> victims;
  std::vector<cede_victim_task> tasks;
  std::vector<cede_place> places;
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

// Reads the form of a picture: 0, or a status with the error filled in.
inline std::int32_t picture_fault(std::int32_t format, std::uint32_t width, PictureForm& form,
                                  cede_error* error) {
  if (format != CEDE_PICTURE_TEXT && format != CEDE_PICTURE_SVG)
    return missing(error, "format: " + std::to_string(format) + " is not one of CEDE_PICTURE_...");
  const bool svg = format == CEDE_PICTURE_SVG;
  const std::size_t least = svg ? kLeastPixels : kLeastColumns;
  const std::size_t most = svg ? kMostPixels : kMostColumns;
  form.format = svg ? PictureFormat::svg : PictureFormat::text;
  form.width = width != 0 ? width : svg ? kUsualPixels : kPictureColumns;
  if (form.width >= least && form.width <= most) return 0;
  return missing(error, "width: " + std::to_string(width) + " is outside " + std::to_string(least) + ".." +
                            std::to_string(most));
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
