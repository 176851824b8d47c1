// SPDX-License-Identifier: MIT
#include "topology/fit/node_choice.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace cede {

bool FingerprintSets::is_fresh(const NodeRow& row) const {
  if (row.fingerprint == kNoBlob) return false;
  if (need_.max_age == kNoDuration) return true;
  return row.fingerprint_at != kNoTime && now_ - row.fingerprint_at <= need_.max_age;
}

FingerprintSets::Report FingerprintSets::read(BlobId fingerprint) {
  const TextPairs reported = model_.pairs(fingerprint);
  Report out;
  out.baseline = std::all_of(need_.baseline.begin(), need_.baseline.end(), [&](const auto& wanted) {
    return std::any_of(reported.begin(), reported.end(), [&](const auto& pair) {
      return pair.first == wanted.first && pair.second == wanted.second;
    });
  });
  const auto value = [&](std::string_view component) {
    return std::find_if(reported.begin(), reported.end(),
                        [&](const auto& pair) { return pair.first == component; });
  };
  const bool one_text = reported.size() == 1 && reported.front().first.empty();
  TextPairs chosen;
  if (one_text || need_.components.empty()) {
    chosen = reported;
  } else {
    for (const std::string& component : need_.components) {
      if (const auto at = value(component); at != reported.end()) chosen.push_back(*at);
    }
    if (chosen.size() < need_.components.size()) chosen.clear();
  }
  if (chosen.empty()) return out;
  const auto [at, fresh] = sets_.emplace(encode_pairs(chosen), next_);
  if (fresh) ++next_;
  out.set = at->second;
  return out;
}

const FingerprintSets::Report& FingerprintSets::report(BlobId fingerprint) {
  const auto known = reports_.find(fingerprint);
  return known != reports_.end() ? known->second
                                 : reports_.emplace(fingerprint, read(fingerprint)).first->second;
}

FingerprintSets::Answer FingerprintSets::of(NodeId node) {
  const NodeRow& row = model_.nodes[node];
  const std::uint32_t set = is_fresh(row) ? report(row.fingerprint).set : kNoSet;
  if (set == kNoSet) return {next_++, false};
  return {set, true};
}

bool FingerprintSets::meets_baseline(NodeId node) {
  const NodeRow& row = model_.nodes[node];
  return is_fresh(row) && report(row.fingerprint).baseline;
}

namespace {

// Visits the regions that meet every domain constraint, coarsest level first and small domains first, and
// keeps the best choice. It stops at a choice with no node outside the set and none borrowed; that choice is
// also tight.
class Chooser {
 public:
  Chooser(std::span<const NodeOffer> offers, const NodeChoiceConstraints& need, bool only_whether, Work& work)
      : offers_(offers), need_(need), only_whether_(only_whether), work_(work) {
    for (const DomainConstraint& entry : need.domains) entries_.push_back(&entry);
    std::stable_sort(
        entries_.begin(), entries_.end(),
        [](const DomainConstraint* a, const DomainConstraint* b) { return a->level > b->level; });
  }

  std::optional<NodeChoice> run(const Region& all) {
    if (need_.uniform != UniformOver::job) {
      descend(all, 0);
      return std::move(best_);
    }
    std::map<std::uint32_t, Region> sets;
    for (const std::uint32_t node : all) {
      const std::uint32_t set = offers_[node].fingerprint;
      if (need_.pinned_fingerprint == kNowhere || need_.pinned_fingerprint == set) sets[set].push_back(node);
    }
    std::vector<const Region*> order;
    for (const auto& [set, nodes] : sets) order.push_back(&nodes);
    std::stable_sort(order.begin(), order.end(),
                     [](const Region* a, const Region* b) { return a->front() < b->front(); });
    for (const Region* set : order) {
      if (!done()) descend(*set, 0);
    }
    return std::move(best_);
  }

  bool left_open() const { return left_open_; }

 private:
  struct Domain {
    std::uint32_t id = 0;
    std::uint64_t tasks = 0;
    Region nodes;
  };

  static std::pair<std::uint32_t, std::uint32_t> rank(const NodeChoice& c) { return {c.outside, c.borrowed}; }
  bool done() {
    if (best_ && (only_whether_ || rank(*best_) == std::pair(0U, 0U))) return true;
    if (!work_.ended()) return false;
    if (!left_open_) work_.leave_open();
    return left_open_ = true;
  }
  void offer(std::optional<NodeChoice> choice) {
    if (choice && (!best_ || rank(*choice) < rank(*best_))) best_ = std::move(choice);
  }

  std::vector<Domain> domains_in(const Region& region, std::uint32_t level) const {
    std::map<std::uint32_t, Domain> by_id;
    for (const std::uint32_t node : region) {
      const std::uint32_t id = offers_[node].domains[level];
      if (id == kNowhere) continue;  // the node's domain is not known
      Domain& domain = by_id[id];
      domain.id = id;
      domain.tasks += offers_[node].tasks;
      domain.nodes.push_back(node);
    }
    std::vector<Domain> domains;
    for (auto& [id, domain] : by_id) domains.push_back(std::move(domain));
    return domains;
  }

  void descend(const Region& region, std::size_t entry) {
    if (entry == entries_.size()) return finish(region);
    const DomainConstraint& need = *entries_[entry];
    if (need.pinned.size() > need.max_domains) return;
    work_.spend(10 + 3 * region.size());
    const std::vector<Domain> domains = domains_in(region, need.level);
    std::vector<const Domain*> taken;
    std::vector<const Domain*> rest;
    std::uint64_t have = 0;
    for (const Domain& domain : domains) {
      const bool pinned = std::find(need.pinned.begin(), need.pinned.end(), domain.id) != need.pinned.end();
      (pinned ? taken : rest).push_back(&domain);
      if (pinned) have += domain.tasks;
    }
    // As few domains as possible. A single domain is the smallest one that is enough.
    const std::size_t room = need.max_domains - need.pinned.size();
    for (std::size_t count = 0; count <= std::min(room, rest.size()) && !done(); ++count) {
      std::stable_sort(rest.begin(), rest.end(), [&](const Domain* a, const Domain* b) {
        return count > 1 ? a->tasks > b->tasks : a->tasks < b->tasks;
      });
      combine(rest, 0, count, have, taken, entry);
    }
  }

  // Every way to add `count` more domains to the taken ones so that they could hold the request.
  void combine(const std::vector<const Domain*>& rest, std::size_t from, std::size_t count,
               std::uint64_t have, std::vector<const Domain*>& taken, std::size_t entry) {
    if (count == 0) {
      if (taken.empty() || have < need_.tasks) return;
      Region region;
      for (const Domain* domain : taken)
        region.insert(region.end(), domain->nodes.begin(), domain->nodes.end());
      std::sort(region.begin(), region.end());
      return descend(region, entry + 1);
    }
    for (std::size_t i = from; i + count <= rest.size() && !done(); ++i) {
      work_.spend(1);
      // With several domains the larger come first, so the rest holds at most `count` times this one.
      if (have + rest[i]->tasks * count < need_.tasks) {
        if (count > 1) break;
        continue;
      }
      taken.push_back(rest[i]);
      combine(rest, i + 1, count - 1, have + rest[i]->tasks, taken, entry);
      taken.pop_back();
    }
  }

  void finish(const Region& region) {
    work_.spend(10 + 3 * region.size());
    if (!need_.segment) return offer(choose_in_region(offers_, ordered(region), need_, only_whether_, work_));
    if (need_.segment->consolidate == kNowhere) return offer(choose_segments(offers_, region, need_));
    work_.spend(3 * region.size());
    for (const Domain& domain : domains_in(region, need_.segment->consolidate)) {
      if (!done()) offer(choose_segments(offers_, domain.nodes, need_));
    }
  }

  // `spread` takes nodes from the domains of the nearest level in turn.
  Region ordered(const Region& region) const {
    if (need_.style != PlacementStyle::spread || need_.levels == 0) return region;
    std::map<std::uint32_t, Region> domains;
    for (const std::uint32_t node : region) domains[offers_[node].domains[0]].push_back(node);
    Region out;
    for (std::size_t i = 0; out.size() < region.size(); ++i) {
      for (const auto& [id, nodes] : domains) {
        if (i < nodes.size()) out.push_back(nodes[i]);
      }
    }
    return out;
  }

  std::span<const NodeOffer> offers_;
  const NodeChoiceConstraints& need_;
  const bool only_whether_;
  std::vector<const DomainConstraint*> entries_;
  std::optional<NodeChoice> best_;
  Work& work_;
  bool left_open_ = false;
};

}  // namespace

NodeChoiceResult choose_nodes(std::span<const NodeOffer> offers, const NodeChoiceConstraints& need,
                              NodeChoice* out, Work& work) {
  Region all;
  for (std::uint32_t i = 0; i < offers.size(); ++i) {
    if (offers[i].tasks >= need.least_per_node) all.push_back(i);
  }
  Chooser chooser(offers, need, out == nullptr, work);
  std::optional<NodeChoice> best = chooser.run(all);
  if (!best) return chooser.left_open() ? NodeChoiceResult::undecided : NodeChoiceResult::none;
  if (!out) return NodeChoiceResult::chosen;
  // Tight although no constraint demands it: inside the smallest domain that is enough, if the rank stays the
  // same.
  for (std::uint32_t level = 0; level < need.levels && need.style == PlacementStyle::tight; ++level) {
    if (need.segment || best->nodes.size() == 1) break;
    NodeChoiceConstraints tighter = need;
    tighter.domains.push_back({level, 1, {}});
    std::optional<NodeChoice> choice = Chooser(offers, tighter, false, work).run(all);
    if (!choice || std::pair(choice->outside, choice->borrowed) > std::pair(best->outside, best->borrowed))
      continue;
    best = std::move(choice);
    break;
  }
  *out = std::move(*best);
  return NodeChoiceResult::chosen;
}

}  // namespace cede
