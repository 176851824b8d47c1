// SPDX-License-Identifier: MIT
#include "topology/fit/node_choice.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <random>
#include <set>
#include <string>

namespace cede {
namespace {

using Counts = std::vector<std::uint32_t>;             // tasks on each offer
using Rank = std::pair<std::uint32_t, std::uint32_t>;  // outside the largest set, borrowed

struct ChoiceCase {
  std::vector<std::array<std::uint32_t, 3>> domains;
  std::vector<NodeOffer> offers;
  NodeChoiceConstraints need;
};

// Two nested levels and one that crosses them; some nodes are in no domain of a level.
ChoiceCase random_case(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto below = [&](std::uint64_t n) { return static_cast<std::uint32_t>(random() % n); };
  ChoiceCase out;
  const std::uint32_t nodes = 1 + below(6);
  for (std::uint32_t i = 0; i < nodes; ++i) {
    const std::uint32_t leaf = below(3);
    out.domains.push_back({leaf, 10 + leaf / 2, 20 + below(2)});
    for (std::uint32_t& domain : out.domains.back()) {
      if (below(12) == 0) domain = kNowhere;
    }
  }
  for (std::uint32_t i = 0; i < nodes; ++i) {
    const bool reports = below(4) != 0;
    out.offers.push_back({below(4), out.domains[i], reports ? below(3) : 100 + i, reports, below(3) == 0});
  }
  NodeChoiceConstraints& need = out.need;
  need.tasks = 1 + below(6);
  need.levels = 3;
  need.style = static_cast<PlacementStyle>(below(3));
  if (below(3) == 0) need.nodes.min = 1 + below(3);
  if (below(3) == 0) need.nodes.max = std::max(need.nodes.min, 1 + below(3));
  if (below(4) == 0) need.least_per_node = 2;
  for (std::uint32_t level = 0; level < 3; ++level) {
    if (below(3) != 0) continue;
    DomainConstraint entry{level, 1 + below(2), {}};
    for (std::uint32_t pins = below(4) == 0 ? 1 + below(2) : 0; pins > 0; --pins) {
      const std::uint32_t domain = level * 10 + below(level == 0 ? 3 : 2);
      if (std::find(entry.pinned.begin(), entry.pinned.end(), domain) == entry.pinned.end())
        entry.pinned.push_back(domain);
    }
    need.domains.push_back(entry);
  }
  if (below(3) == 0) {
    SegmentConstraint segment{below(3), 1 + below(3), kNowhere, below(3) == 0};
    if (below(3) == 0) segment.consolidate = below(3);
    need.segment = segment;
  }
  const std::uint32_t uniform = below(4);
  if (uniform == 1) need.uniform = UniformOver::job;
  if (uniform == 2 && need.segment) need.uniform = UniformOver::segment;
  if (need.uniform == UniformOver::job && below(3) == 0) need.pinned_fingerprint = below(3);
  need.favour_largest_set = uniform == 0 || uniform == 3;
  return out;
}

// Whether the nodes used fall into segments: every domain (and set, where segments are uniform) holds whole
// ones only, since a segment has its nodes from one of them.
bool are_segments(const ChoiceCase& given, const std::vector<std::uint32_t>& used) {
  const SegmentConstraint& segment = *given.need.segment;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> pools;
  std::map<std::uint32_t, std::uint32_t> by_domain;
  std::set<std::uint32_t> above;
  for (const std::uint32_t i : used) {
    const std::uint32_t domain = given.domains[i][segment.level];
    if (domain == kNowhere) return false;
    const bool by_set = given.need.uniform == UniformOver::segment;
    ++pools[{domain, by_set ? given.offers[i].fingerprint : 0}];
    ++by_domain[domain];
    if (segment.consolidate != kNowhere) above.insert(given.domains[i][segment.consolidate]);
  }
  for (const auto& [pool, count] : pools) {
    if (count % segment.size != 0) return false;
  }
  for (const auto& [domain, count] : by_domain) {
    if (segment.spread && count > segment.size) return false;
  }
  return above.size() <= 1 && !above.contains(kNowhere);
}

// Judges one assignment straight from the definitions; tells what counts against it.
bool is_choice(const ChoiceCase& given, const Counts& counts, Rank& rank) {
  const NodeChoiceConstraints& need = given.need;
  std::vector<std::uint32_t> used;
  std::uint32_t sum = 0;
  for (std::uint32_t i = 0; i < counts.size(); ++i) {
    if (counts[i] == 0) continue;
    if (counts[i] > given.offers[i].tasks || counts[i] < need.least_per_node) return false;
    used.push_back(i);
    sum += counts[i];
  }
  if (sum != need.tasks || used.size() < need.nodes.min || used.size() > need.nodes.max) return false;
  for (const DomainConstraint& entry : need.domains) {
    std::set<std::uint32_t> domains(entry.pinned.begin(), entry.pinned.end());
    for (const std::uint32_t i : used) domains.insert(given.domains[i][entry.level]);
    if (domains.contains(kNowhere) || domains.size() > entry.max_domains) return false;
  }
  if (need.segment && !are_segments(given, used)) return false;
  std::set<std::uint32_t> sets;
  std::map<std::uint32_t, std::uint32_t> reporting;
  std::uint32_t largest = 0;
  rank = {0, 0};
  for (const std::uint32_t i : used) {
    const NodeOffer& offer = given.offers[i];
    sets.insert(offer.fingerprint);
    rank.second += offer.borrowed ? 1 : 0;
    if (!offer.reports) continue;
    ++rank.first;
    largest = std::max(largest, ++reporting[offer.fingerprint]);
  }
  rank.first = need.favour_largest_set ? rank.first - largest : 0;
  if (need.uniform != UniformOver::job) return true;
  return sets.size() == 1 && (need.pinned_fingerprint == kNowhere || sets.contains(need.pinned_fingerprint));
}

// Every assignment of task counts to nodes.
std::optional<Rank> best_of_all(const ChoiceCase& given) {
  std::optional<Rank> best;
  Counts counts(given.offers.size(), 0);
  for (;;) {
    Rank rank;
    if (is_choice(given, counts, rank) && (!best || rank < *best)) best = rank;
    std::size_t i = 0;
    while (i < counts.size() && counts[i] == given.offers[i].tasks) counts[i++] = 0;
    if (i == counts.size()) return best;
    ++counts[i];
  }
}

std::string text_of(const ChoiceCase& given) {
  const auto text = [](std::uint32_t number) {
    return number == kNowhere ? std::string("-") : std::to_string(number);
  };
  std::string out;
  for (std::size_t i = 0; i < given.offers.size(); ++i) {
    const NodeOffer& offer = given.offers[i];
    out += "offer " + text(offer.tasks) + " in";
    for (const std::uint32_t domain : given.domains[i]) out += ' ' + text(domain);
    out += " set " + text(offer.fingerprint) + (offer.borrowed ? " borrowed" : "") + '\n';
  }
  const NodeChoiceConstraints& need = given.need;
  out += "tasks " + text(need.tasks) + " nodes " + text(need.nodes.min) + ".." + text(need.nodes.max) +
         " least " + text(need.least_per_node) + " style " + text(static_cast<std::uint32_t>(need.style)) +
         " uniform " + text(static_cast<std::uint32_t>(need.uniform)) + '\n';
  for (const DomainConstraint& entry : need.domains) {
    out += "level " + text(entry.level) + " at most " + text(entry.max_domains) + " pinned";
    for (const std::uint32_t domain : entry.pinned) out += ' ' + text(domain);
    out += '\n';
  }
  if (need.segment) {
    out += "segments of " + text(need.segment->size) + " in " + text(need.segment->level) + " inside " +
           text(need.segment->consolidate) + (need.segment->spread ? " spread" : "") + '\n';
  }
  return out;
}

TEST(NodeChoice, AgreesWithTryingEverything) {
  std::map<std::string, int> seen;
  for (std::uint64_t seed = 1; seed <= 30'000; ++seed) {
    ChoiceCase given = random_case(seed);
    const std::optional<Rank> best = best_of_all(given);
    NodeChoice choice;
    Work work;
    const NodeChoiceResult answer = choose_nodes(given.offers, given.need, &choice, work);
    ASSERT_EQ(answer, best ? NodeChoiceResult::chosen : NodeChoiceResult::none) << "seed " << seed << '\n'
                                                                                << text_of(given);
    ASSERT_EQ(choose_nodes(given.offers, given.need, nullptr, work), answer) << "seed " << seed << '\n'
                                                                             << text_of(given);
    ++seen[best ? "yes" : "no"];
    if (!best) continue;
    Counts counts(given.offers.size(), 0);
    for (const auto& [offer, tasks] : choice.nodes) counts[offer] += tasks;
    Rank rank;
    ASSERT_TRUE(is_choice(given, counts, rank)) << "seed " << seed << '\n' << text_of(given);
    ASSERT_EQ(rank, Rank(choice.outside, choice.borrowed)) << "seed " << seed << '\n' << text_of(given);
    if (given.need.segment) {
      ++seen["segments"];
    } else {
      ASSERT_EQ(rank, *best) << "seed " << seed << '\n' << text_of(given);
      seen["outside"] += best->first > 0 ? 1 : 0;
      seen["borrowed"] += best->second > 0 ? 1 : 0;
    }
    for (const DomainConstraint& entry : given.need.domains) seen["pinned"] += entry.pinned.empty() ? 0 : 1;
  }
  // Every kind of question must keep being asked.
  for (const char* kind : {"yes", "no"}) EXPECT_GT(seen[kind], 5000) << kind;
  for (const char* kind : {"segments", "outside", "borrowed", "pinned"}) EXPECT_GT(seen[kind], 500) << kind;
}

struct Leaves {
  // `sizes`: nodes of each leaf, all under one spine, one task each.
  explicit Leaves(const std::vector<std::uint32_t>& sizes) {
    for (std::uint32_t leaf = 0; leaf < sizes.size(); ++leaf) {
      for (std::uint32_t i = 0; i < sizes[leaf]; ++i) domains.push_back({leaf, 10});
    }
    for (const auto& own : domains) offers.push_back({1, own, 0, false, false});
    need.levels = 2;
  }
  std::vector<std::uint32_t> chosen() const {
    NodeChoice choice;
    Work work;
    EXPECT_EQ(choose_nodes(offers, need, &choice, work), NodeChoiceResult::chosen);
    std::vector<std::uint32_t> out;
    for (const auto& [offer, tasks] : choice.nodes) out.push_back(offer);
    return out;
  }
  std::vector<std::array<std::uint32_t, 2>> domains;
  std::vector<NodeOffer> offers;
  NodeChoiceConstraints need;
};

TEST(NodeChoice, TightTakesTheSmallestDomainThatIsEnough) {
  Leaves leaves({4, 2, 3});
  leaves.need.tasks = 2;
  EXPECT_EQ(leaves.chosen(), (std::vector<std::uint32_t>{4, 5}));
  leaves.need.tasks = 3;
  EXPECT_EQ(leaves.chosen(), (std::vector<std::uint32_t>{6, 7, 8}));
}

TEST(NodeChoice, SpreadTakesNodesFromAllDomains) {
  Leaves leaves({4, 2, 3});
  leaves.need.tasks = 3;
  leaves.need.style = PlacementStyle::spread;
  EXPECT_EQ(leaves.chosen(), (std::vector<std::uint32_t>{0, 4, 6}));
}

TEST(NodeChoice, AnyGoesByNames) {
  Leaves leaves({4, 2, 3});
  leaves.need.tasks = 2;
  leaves.need.style = PlacementStyle::any;
  EXPECT_EQ(leaves.chosen(), (std::vector<std::uint32_t>{0, 1}));
}

}  // namespace
}  // namespace cede
