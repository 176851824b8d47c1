// SPDX-License-Identifier: MIT
#include "topology/fit/node_choice.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace cede {

namespace {

// Nodes with equal rank, those with the most room first.
struct Bucket {
  Region nodes;
  std::vector<std::uint64_t> sums{0};  // tasks on the first n nodes

  void sort(std::span<const NodeOffer> offers) {
    std::stable_sort(nodes.begin(), nodes.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return offers[a].tasks > offers[b].tasks; });
    for (const std::uint32_t node : nodes) sums.push_back(sums.back() + offers[node].tasks);
  }
};

// By the favoured set and by home: 0 own inside, 1 borrowed inside, 2 own outside, 3 borrowed outside.
using Buckets = std::array<Bucket, 4>;

Buckets split(std::span<const NodeOffer> offers, const Region& region,
              std::optional<std::uint32_t> favoured) {
  Buckets buckets;
  for (const std::uint32_t node : region) {
    const bool outside = favoured && offers[node].reports && offers[node].fingerprint != *favoured;
    buckets[(outside ? 2 : 0) + (offers[node].borrowed ? 1 : 0)].nodes.push_back(node);
  }
  for (Bucket& bucket : buckets) bucket.sort(offers);
  return buckets;
}

// How many nodes of each bucket to use, for given numbers `outside` and `borrowed`: as few nodes as hold the
// request.
std::optional<std::array<std::size_t, 4>> take(const Buckets& buckets, const NodeChoiceConstraints& need,
                                               std::size_t outside, std::size_t borrowed) {
  std::optional<std::array<std::size_t, 4>> best;
  std::size_t fewest = 0;
  for (std::size_t both = 0; both <= std::min(outside, borrowed); ++both) {
    const std::size_t own_outside = outside - both;
    const std::size_t borrowed_inside = borrowed - both;
    if (both > buckets[3].nodes.size() || own_outside > buckets[2].nodes.size() ||
        borrowed_inside > buckets[1].nodes.size())
      continue;
    const std::uint64_t held =
        buckets[3].sums[both] + buckets[2].sums[own_outside] + buckets[1].sums[borrowed_inside];
    const std::size_t counted = both + own_outside + borrowed_inside;
    const auto& own = buckets[0].sums;
    const std::uint64_t lacking = held >= need.tasks ? 0 : need.tasks - held;
    std::size_t more =
        static_cast<std::size_t>(std::lower_bound(own.begin(), own.end(), lacking) - own.begin());
    if (counted + more < need.nodes.min) more = need.nodes.min - counted;
    if (more > buckets[0].nodes.size()) continue;
    if (need.style == PlacementStyle::spread) {
      const std::size_t most = std::min<std::size_t>(need.nodes.max, need.tasks / need.least_per_node);
      more = std::max(more, std::min(buckets[0].nodes.size(), most - std::min(most, counted)));
    }
    const std::size_t nodes = counted + more;
    if (nodes == 0 || nodes > need.nodes.max || nodes * std::uint64_t{need.least_per_node} > need.tasks)
      continue;
    if (!best || nodes < fewest) {
      fewest = nodes;
      best = {more, borrowed_inside, own_outside, both};
    }
  }
  return best;
}

// How many nodes hold the request if those with the most room are used; 0: all of them do not.
std::size_t fewest_nodes(const Bucket& all, const NodeChoiceConstraints& need) {
  const auto fewest = static_cast<std::size_t>(
      std::lower_bound(all.sums.begin(), all.sums.end(), std::uint64_t{need.tasks}) - all.sums.begin());
  const std::size_t nodes = std::max<std::size_t>({fewest, need.nodes.min, 1});
  return nodes <= need.nodes.max && nodes * std::uint64_t{need.least_per_node} <= need.tasks ? nodes : 0;
}

// Whether the nodes with the most room hold the request: a quick way to find a no.
bool holds_at_all(std::span<const NodeOffer> offers, const Region& region,
                  const NodeChoiceConstraints& need) {
  std::uint64_t total = 0;
  for (const std::uint32_t node : region) total += offers[node].tasks;
  if (total < need.tasks || region.size() < need.nodes.min) return false;
  if (need.nodes == Bounds{} && need.least_per_node <= 1) return true;
  Bucket all{region, {0}};
  all.sort(offers);
  return fewest_nodes(all, need) > 0;
}

// Chosen nodes with a report that are outside the largest set.
std::uint32_t count_outside(std::span<const NodeOffer> offers, const NodeChoice& choice) {
  std::map<std::uint32_t, std::uint32_t> sets;
  std::uint32_t reporting = 0;
  std::uint32_t largest = 0;
  for (const auto& [node, tasks] : choice.nodes) {
    if (!offers[node].reports) continue;
    ++reporting;
    largest = std::max(largest, ++sets[offers[node].fingerprint]);
  }
  return reporting - largest;
}

// A choice without search. The region must hold the request.
NodeChoice choose_without_search(std::span<const NodeOffer> offers, const Region& region,
                                 const NodeChoiceConstraints& need) {
  Bucket all{region, {0}};
  all.sort(offers);
  NodeChoice choice;
  for (std::size_t i = 0; i < fewest_nodes(all, need); ++i) {
    choice.nodes.emplace_back(all.nodes[i], 0);
    choice.borrowed += offers[all.nodes[i]].borrowed ? 1 : 0;
  }
  std::sort(choice.nodes.begin(), choice.nodes.end());
  if (need.favour_largest_set) choice.outside = count_outside(offers, choice);
  return choice;
}

NodeChoice picked(const Buckets& buckets, const std::array<std::size_t, 4>& counts) {
  NodeChoice choice;
  for (std::size_t b = 0; b < buckets.size(); ++b) {
    for (std::size_t i = 0; i < counts[b]; ++i) choice.nodes.emplace_back(buckets[b].nodes[i], 0);
  }
  std::sort(choice.nodes.begin(), choice.nodes.end());
  choice.borrowed = static_cast<std::uint32_t>(counts[1] + counts[3]);
  choice.outside = static_cast<std::uint32_t>(counts[2] + counts[3]);
  return choice;
}

std::optional<NodeChoice> choose_favouring(std::span<const NodeOffer> offers, const Region& region,
                                           const NodeChoiceConstraints& need,
                                           std::optional<std::uint32_t> favoured, std::size_t outside_bound,
                                           Work& work) {
  if (!work.spend(5 * region.size())) {
    work.leave_open();
    return std::nullopt;
  }
  const Buckets buckets = split(offers, region, favoured);
  const std::size_t most_outside = buckets[2].nodes.size() + buckets[3].nodes.size();
  const std::size_t most_borrowed = buckets[1].nodes.size() + buckets[3].nodes.size();
  for (std::size_t outside = 0; outside <= std::min(most_outside, outside_bound); ++outside) {
    for (std::size_t borrowed = 0; borrowed <= most_borrowed; ++borrowed) {
      if (!work.spend(4 * (1 + std::min(outside, borrowed)))) {
        work.leave_open();
        return std::nullopt;
      }
      if (const auto counts = take(buckets, need, outside, borrowed)) return picked(buckets, *counts);
    }
  }
  return std::nullopt;
}

}  // namespace

void hand_out_tasks(std::span<const NodeOffer> offers, const NodeChoiceConstraints& need,
                    NodeChoice& choice) {
  std::uint64_t left = need.tasks;
  for (auto& [node, tasks] : choice.nodes) {
    tasks = need.least_per_node;
    left -= tasks;
  }
  while (need.style == PlacementStyle::spread && left > 0) {
    for (auto& [node, tasks] : choice.nodes) {
      if (left == 0 || tasks == offers[node].tasks) continue;
      ++tasks;
      --left;
    }
  }
  for (auto& [node, tasks] : choice.nodes) {
    const auto more = static_cast<std::uint32_t>(std::min<std::uint64_t>(left, offers[node].tasks - tasks));
    tasks += more;
    left -= more;
  }
}

std::optional<NodeChoice> choose_in_region(std::span<const NodeOffer> offers, const Region& region,
                                           const NodeChoiceConstraints& need, bool only_whether, Work& work) {
  if (!holds_at_all(offers, region, need)) return std::nullopt;
  if (only_whether) return NodeChoice{};
  std::optional<NodeChoice> best;
  if (!need.favour_largest_set) {
    best = choose_favouring(offers, region, need, std::nullopt, 0, work);
  } else {
    std::map<std::uint32_t, bool> sets;  // of nodes with a report
    for (const std::uint32_t node : region) {
      if (offers[node].reports) sets[offers[node].fingerprint] = true;
    }
    if (sets.empty()) sets[kNowhere] = true;
    for (const auto& [set, unused] : sets) {
      if (work.ended()) {
        work.leave_open();
        break;
      }
      const std::size_t bound = best ? best->outside : region.size();
      std::optional<NodeChoice> other = choose_favouring(offers, region, need, set, bound, work);
      if (!other) continue;
      const auto rank = [](const NodeChoice& c) { return std::pair(c.outside, c.borrowed); };
      if (!best || rank(*other) < rank(*best)) best = std::move(other);
    }
  }
  if (!best && work.ended()) best = choose_without_search(offers, region, need);
  if (best) hand_out_tasks(offers, need, *best);
  return best;
}

std::optional<NodeChoice> choose_segments(std::span<const NodeOffer> offers, const Region& region,
                                          const NodeChoiceConstraints& need) {
  const SegmentConstraint& segment = *need.segment;
  // Whole segments. Those with the most room of each domain (and set, if segments must be uniform) come
  // first, so their sums decrease: the largest sums of all are a legal choice and hold the most.
  struct Block {
    std::uint64_t tasks = 0;
    std::uint32_t domain = 0;
    Region nodes;
  };
  std::map<std::pair<std::uint32_t, std::uint32_t>, Region> places;
  for (const std::uint32_t node : region) {
    const std::uint32_t domain = offers[node].domains[segment.level];
    if (domain == kNowhere) continue;
    places[{domain, need.uniform == UniformOver::segment ? offers[node].fingerprint : 0}].push_back(node);
  }
  std::vector<Block> blocks;
  for (auto& [place, nodes] : places) {
    std::stable_sort(nodes.begin(), nodes.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return offers[a].tasks > offers[b].tasks; });
    for (std::size_t i = 0; i + segment.size <= nodes.size(); i += segment.size) {
      Block block;
      block.domain = place.first;
      block.nodes.assign(nodes.begin() + static_cast<std::ptrdiff_t>(i),
                         nodes.begin() + static_cast<std::ptrdiff_t>(i + segment.size));
      for (const std::uint32_t node : block.nodes) block.tasks += offers[node].tasks;
      blocks.push_back(std::move(block));
    }
  }
  std::stable_sort(blocks.begin(), blocks.end(),
                   [](const Block& a, const Block& b) { return a.tasks > b.tasks; });
  if (segment.spread) {
    std::set<std::uint32_t> seen;
    std::erase_if(blocks, [&](const Block& block) { return !seen.insert(block.domain).second; });
  }
  NodeChoice choice;
  std::uint64_t held = 0;
  std::size_t count = 0;
  while (count < blocks.size() && (held < need.tasks || count * segment.size < need.nodes.min))
    held += blocks[count++].tasks;
  const std::uint64_t nodes = count * std::uint64_t{segment.size};
  if (held < need.tasks || nodes < need.nodes.min || nodes > need.nodes.max ||
      nodes * need.least_per_node > need.tasks)
    return std::nullopt;
  for (std::size_t i = 0; i < count; ++i) {
    for (const std::uint32_t node : blocks[i].nodes) {
      choice.nodes.emplace_back(node, 0);
      choice.borrowed += offers[node].borrowed ? 1 : 0;
    }
  }
  std::sort(choice.nodes.begin(), choice.nodes.end());
  if (need.favour_largest_set) choice.outside = count_outside(offers, choice);
  hand_out_tasks(offers, need, choice);
  return choice;
}

}  // namespace cede
