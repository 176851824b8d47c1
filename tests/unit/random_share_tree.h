// SPDX-License-Identifier: MIT
#pragma once

#include <deque>
#include <random>
#include <string>
#include <vector>

#include "policy/shares/fair_share.h"

namespace cede {

// A tree for the computation of fair shares with all it refers to.
struct OwnedShareTree {
  ShareTree tree;
  std::deque<std::string> names;
  std::deque<std::vector<ResourceAmount>> amounts;

  ResourceView keep(std::vector<ResourceAmount> list) { return amounts.emplace_back(std::move(list)); }
  std::string_view keep(std::string name) { return names.emplace_back(std::move(name)); }

  std::uint32_t add(ShareElement element, const std::vector<Total>& demand = {}) {
    tree.elements.push_back(element);
    tree.demand.resize(tree.elements.size() * tree.resources(), 0);
    for (std::size_t r = 0; r < demand.size(); ++r)
      tree.demand[(tree.elements.size() - 1) * tree.resources() + r] = demand[r];
    return static_cast<std::uint32_t>(tree.elements.size() - 1);
  }
};

// At most 12 elements, 4 levels of them, 1 to 3 resources; round numbers often, so that ties happen.
inline OwnedShareTree random_share_tree(std::uint64_t seed, bool extreme = false) {
  std::mt19937_64 random(seed);
  const auto below = [&](std::uint64_t n) { return random() % n; };
  const bool round = below(2) == 0;
  const auto amount = [&](Total capacity, std::uint64_t most_percent) {
    if (extreme && below(4) == 0) return static_cast<Amount>(below(kMaxAmount));
    const Total part =
        round ? capacity * static_cast<Total>(below(5) * most_percent / 4) / 100
              : static_cast<Total>(below(static_cast<std::uint64_t>(capacity) * most_percent / 100 + 1));
    return static_cast<Amount>(part);
  };
  OwnedShareTree out;
  const std::size_t resources = 1 + below(3);
  for (std::size_t r = 0; r < resources; ++r) {
    Total capacity = round ? Total{12'000} : static_cast<Total>(1 + below(1'000'000'000));
    if (extreme) capacity = static_cast<Total>(1 + below(3)) * (below(2) == 0 ? 1 : kMaxAmount);
    out.tree.capacity.push_back(below(20) == 0 ? 0 : capacity);
  }
  const auto limits = [&](std::uint64_t percent, std::uint64_t one_in) {
    std::vector<ResourceAmount> list;
    for (std::uint32_t r = 0; r < resources; ++r) {
      if (below(one_in) == 0) list.push_back({amount(out.tree.capacity[r], percent), r, 0});
    }
    return out.keep(std::move(list));
  };
  static constexpr Amount kWeights[] = {1000, 1000, 1000, 2000, 3000, 500, 333, 10'000};
  static constexpr Amount kExtreme[] = {1, 1000, kMaxWeight, 7};
  struct Queue {
    std::uint32_t element;
    int depth;
  };
  std::vector<Queue> queues{{out.add({.name = out.keep("root")}), 1}};
  for (std::uint64_t left = 1 + below(11); left > 0; --left) {
    const Queue parent = queues[below(queues.size())];
    ShareElement element;
    element.parent = parent.element;
    element.is_job = parent.depth == 3 || below(3) != 0;
    element.name = out.keep(std::string(1, static_cast<char>('a' + below(26))) + std::to_string(left));
    if (below(15) == 0)
      element.given = static_cast<Share>(round ? below(5) * kFullShare / 4 : below(kFullShare + 1));
    if (below(4) == 0) element.max = limits(80, 2);
    std::vector<Total> demand;
    if (element.is_job) {
      for (std::size_t r = 0; r < resources; ++r)
        demand.push_back(below(5) == 0 ? 0 : amount(out.tree.capacity[r], below(3) == 0 ? 400 : 60));
    } else {
      element.weight = extreme ? kExtreme[below(4)] : kWeights[below(8)];
      if (below(2) == 0) element.guarantee = limits(100, 2);
    }
    const std::uint32_t index = out.add(element, demand);
    if (!element.is_job) queues.push_back({index, parent.depth + 1});
  }
  return out;
}

}  // namespace cede
