// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/work.h"
#include "model/requirement.h"

namespace cede {

inline constexpr std::uint32_t kNowhere = 0xFFFF'FFFF;  // no domain of that level; no level

// What one node can take of a request whose tasks are all alike.
struct NodeOffer {
  std::uint32_t tasks = 0;                 // how many at most
  std::span<const std::uint32_t> domains;  // by level, numbered in byte order of their names; kNowhere: none
  std::uint32_t fingerprint = 0;           // equal numbers form a set; who stands alone has one of its own
  bool reports = false;                    // a fingerprint, and a fresh one
  bool borrowed = false;                   // another queue's home
};

struct DomainConstraint {
  std::uint32_t level = 0;
  std::uint32_t max_domains = 1;
  std::vector<std::uint32_t> pinned;  // where tasks of the job run already
};

// The nodes used are split into segments of `size`, each inside one domain of `level`.
struct SegmentConstraint {
  std::uint32_t level = 0;
  std::uint32_t size = 1;
  std::uint32_t consolidate = kNowhere;  // level that holds all segments in one domain
  bool spread = false;                   // at most one segment per domain
};

enum class UniformOver : std::uint8_t { nothing, job, segment };

// What the nodes chosen must satisfy together. Everything of a requirement that concerns more than one node.
struct NodeChoiceConstraints {
  std::uint32_t tasks = 0;
  Bounds nodes;
  std::uint32_t least_per_node = 1;
  std::vector<DomainConstraint> domains;
  std::optional<SegmentConstraint> segment;
  UniformOver uniform = UniformOver::nothing;
  std::uint32_t pinned_fingerprint = kNowhere;  // where tasks of the job run already
  bool favour_largest_set = false;              // conformance `prefer`
  PlacementStyle style = PlacementStyle::tight;
  std::uint32_t levels = 0;
};

struct NodeChoice {
  std::vector<std::pair<std::uint32_t, std::uint32_t>>
      nodes;                  // offer and tasks on it, in the order of offers
  std::uint32_t outside = 0;  // reporting nodes outside the largest set
  std::uint32_t borrowed = 0;
};

enum class NodeChoiceResult : std::uint8_t { chosen, none, undecided };

// Chooses nodes for a request of equal tasks, exactly: `none` means that there is no choice. Offers are in
// the byte order of node names. Of several choices the one with the fewest nodes outside the largest set,
// then the fewest borrowed ones, then as tight or spread as asked. Without `out` only whether there is one.
// Should the work end, the best found so far is the answer, or `undecided`; either way the work says so.
NodeChoiceResult choose_nodes(std::span<const NodeOffer> offers, const NodeChoiceConstraints& need,
                              NodeChoice* out, Work& work);

}  // namespace cede
