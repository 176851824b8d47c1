// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/time.h"

namespace cede {

inline constexpr std::uint32_t kNoBound = std::numeric_limits<std::uint32_t>::max();

struct Bounds {
  std::uint32_t min = 0;
  std::uint32_t max = kNoBound;
  bool operator==(const Bounds&) const = default;
};

enum class Strength : std::uint8_t { hard, prefer };
inline constexpr std::array<std::string_view, 2> kStrengths{"hard", "prefer"};
enum class GpuScope : std::uint8_t { task, node };
inline constexpr std::array<std::string_view, 2> kGpuScopes{"task", "node"};
enum class GpuLevel : std::uint8_t { nvl, pcie, numa, socket };
inline constexpr std::array<std::string_view, 4> kGpuLevels{"nvl", "pcie", "numa", "socket"};
enum class GpuMode : std::uint8_t { clique, connected, same };
inline constexpr std::array<std::string_view, 3> kGpuModes{"clique", "connected", "same"};
enum class UniformModel : std::uint8_t { off, node, job };
inline constexpr std::array<std::string_view, 3> kUniformModels{"off", "node", "job"};
enum class CpuNuma : std::uint8_t { none, best_effort, restricted, single };
inline constexpr std::array<std::string_view, 4> kCpuNumas{"none", "best-effort", "restricted", "single"};
enum class Exclusive : std::uint8_t { none, node, user, domain };
enum class ConformanceMode : std::uint8_t { none, prefer, uniform, baseline, absent };
inline constexpr std::array<std::string_view, 4> kConformanceModes{"none", "prefer", "uniform", "baseline"};
enum class ConformanceScope : std::uint8_t { job, segment };
inline constexpr std::array<std::string_view, 2> kConformanceScopes{"job", "segment"};
enum class PlacementStyle : std::uint8_t { tight, any, spread };
inline constexpr std::array<std::string_view, 3> kPlacementStyles{"tight", "any", "spread"};

struct GpuRequirement {
  GpuScope scope = GpuScope::task;
  GpuLevel level = GpuLevel::nvl;
  GpuMode mode = GpuMode::clique;
  Strength strength = Strength::hard;
  bool operator==(const GpuRequirement&) const = default;
};

struct NicRequirement {
  bool given = false;
  GpuLevel level = GpuLevel::pcie;  // pcie, numa or socket
  bool per_gpu = true;
  Strength strength = Strength::hard;
  bool operator==(const NicRequirement&) const = default;
};

struct NetworkRequirement {
  std::string level;
  std::uint32_t max_domains = 1;  // kNoBound: no bound (the default if `segment` is given)
  std::uint32_t segment = 0;      // nodes per segment; 0: no segments
  std::string consolidate;        // a level, or empty
  bool spread = false;
  Duration expires = kNoDuration;
  Strength strength = Strength::hard;
  bool operator==(const NetworkRequirement&) const = default;
};

struct ConformanceRequirement {
  ConformanceMode mode = ConformanceMode::absent;
  ConformanceScope scope = ConformanceScope::job;
  std::vector<std::string> components;  // sorted; empty: all reported
  Duration max_age = kNoDuration;
  std::vector<std::pair<std::string, std::string>> baseline;  // sorted by component
  bool operator==(const ConformanceRequirement&) const = default;
};

struct HostRequirement {
  std::vector<std::string> include;  // sorted
  std::vector<std::string> exclude;  // sorted
  std::vector<std::pair<std::string, std::string>> labels;
  bool operator==(const HostRequirement&) const = default;
};

// What a job requires of its placement (`require`). Plain data with defaults filled in. It is interned, so
// that a hundred thousand jobs with the same requirement share it.
struct Requirement {
  Bounds nodes;
  Bounds tasks_per_node;
  std::vector<std::string> gpu_models;  // any of these; empty: any model
  UniformModel uniform_model = UniformModel::off;
  std::vector<GpuRequirement> gpus;
  NicRequirement nic;
  CpuNuma cpu_numa = CpuNuma::none;
  std::vector<NetworkRequirement> network;
  Exclusive exclusive = Exclusive::none;
  std::string exclusive_level;  // the level, if exclusivity applies to a domain
  ConformanceRequirement conformance;
  PlacementStyle placement = PlacementStyle::tight;
  HostRequirement hosts;
  std::string site_fields;  // the site's `x-` fields; stored, never interpreted

  bool operator==(const Requirement&) const = default;
};

}  // namespace cede
