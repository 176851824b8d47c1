// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/time.h"
#include "base/work.h"
#include "model/model.h"
#include "model/requirement.h"

namespace cede {

// Which nodes agree in the chosen components of their fingerprints. A node whose report is missing,
// incomplete or too old is a set of its own. A fingerprint given as one text counts as the hash of all
// requested components.
class FingerprintSets {
 public:
  FingerprintSets(const Model& model, const ConformanceRequirement& need, Time now)
      : model_(model), need_(need), now_(now) {}

  struct Answer {
    std::uint32_t set = 0;
    bool reports = false;
  };
  Answer of(NodeId node);

  // Whether the node has a fresh report that equals the baseline exactly.
  bool meets_baseline(NodeId node);

 private:
  // The content of a report. Many nodes share few different reports, so each is read once.
  struct Report {
    std::uint32_t set = kNoSet;  // none: some requested component is missing
    bool baseline = false;
  };
  static constexpr std::uint32_t kNoSet = static_cast<std::uint32_t>(-1);
  bool is_fresh(const NodeRow& row) const;
  const Report& report(BlobId fingerprint);
  Report read(BlobId fingerprint);

  const Model& model_;
  const ConformanceRequirement& need_;
  const Time now_;
  std::map<std::string, std::uint32_t> sets_;
  std::unordered_map<BlobId, Report> reports_;
  std::uint32_t next_ = 0;
};

inline constexpr std::uint32_t kNowhere = 0xFFFF'FFFF;  // no domain of that level; no level

// What one node can take of a request of equal tasks.
struct NodeOffer {
  std::uint32_t tasks = 0;                 // the largest number of tasks
  std::span<const std::uint32_t> domains;  // by level, numbered in byte order of their names; kNowhere: none
  std::uint32_t fingerprint = 0;  // equal numbers form a set; a node that matches no other has its own number
  bool reports = false;           // has a fresh fingerprint
  bool borrowed = false;          // home of another queue
};

struct DomainConstraint {
  std::uint32_t level = 0;
  std::uint32_t max_domains = 1;
  std::vector<std::uint32_t> pinned;  // domains in which tasks of the job already run
};

// The chosen nodes are split into segments of `size`, each inside one domain of `level`.
struct SegmentConstraint {
  std::uint32_t level = 0;
  std::uint32_t size = 1;
  std::uint32_t consolidate = kNowhere;  // the level at which one domain must hold all segments
  bool spread = false;                   // at most one segment per domain
};

enum class UniformOver : std::uint8_t { nothing, job, segment };

// What the chosen nodes must satisfy together: every part of a requirement that concerns more than one node.
struct NodeChoiceConstraints {
  std::uint32_t tasks = 0;
  Bounds nodes;
  std::uint32_t least_per_node = 1;
  std::vector<DomainConstraint> domains;
  std::optional<SegmentConstraint> segment;
  UniformOver uniform = UniformOver::nothing;
  std::uint32_t pinned_fingerprint = kNowhere;  // of the nodes where tasks of the job already run
  bool favour_largest_set = false;              // conformance `prefer`
  PlacementStyle style = PlacementStyle::tight;
  std::uint32_t levels = 0;
};

struct NodeChoice {
  std::vector<std::pair<std::uint32_t, std::uint32_t>>
      nodes;                  // offer and its number of tasks, in the order of offers
  std::uint32_t outside = 0;  // nodes with a report outside the largest set
  std::uint32_t borrowed = 0;
};

enum class NodeChoiceResult : std::uint8_t { chosen, none, undecided };

// Chooses nodes for a request of equal tasks. The search is exact: `none` means that no choice exists. Offers
// are in the byte order of node names. The best choice has the fewest nodes outside the largest set, then the
// fewest borrowed nodes, then is as tight or spread as requested. Without `out` only the existence of a
// choice is checked. If the work runs out, the answer is the best choice so far, or `undecided`; `work`
// records this.
NodeChoiceResult choose_nodes(std::span<const NodeOffer> offers, const NodeChoiceConstraints& need,
                              NodeChoice* out, Work& work);

using Region = std::vector<std::uint32_t>;  // indexes of offers, in order

// Chooses inside a region that already meets every domain constraint. Only the numbers of nodes and tasks,
// fingerprint sets and borrowed nodes remain. Exact until the work runs out; then the result is the best
// choice so far, or the nodes with the most room, and `work` records it.
std::optional<NodeChoice> choose_in_region(std::span<const NodeOffer> offers, const Region& region,
                                           const NodeChoiceConstraints& need, bool only_whether, Work& work);

// The same for segments of nodes, each inside one domain.
std::optional<NodeChoice> choose_segments(std::span<const NodeOffer> offers, const Region& region,
                                          const NodeChoiceConstraints& need);

// Gives every chosen node its minimum and then fills the nodes in order. The nodes must hold the request.
void hand_out_tasks(std::span<const NodeOffer> offers, const NodeChoiceConstraints& need, NodeChoice& choice);

}  // namespace cede
