// SPDX-License-Identifier: MIT
#include "search/capped_node_search.h"

#include <algorithm>

namespace cede {

namespace {

CapLimits limits_of(const CandidateScores& scores, const CapList& caps) {
  std::vector<const Unit*> units;
  for (CandidateScores::Index i = 0; i < scores.size(); ++i) units.push_back(&scores.unit(i));
  return CapLimits(caps, units);
}

}  // namespace

CappedNodeSearch::CappedNodeSearch(const CandidateScores& scores, const CapList& caps,
                                   std::vector<Node> nodes, Work& work)
    : work_(work),
      nodes_(std::move(nodes)),
      limits_(limits_of(scores, caps)),
      usage_(limits_),
      times_(scores.size(), 0) {
  std::erase_if(nodes_, [](const Node& node) { return node.empty(); });
  std::stable_sort(nodes_.begin(), nodes_.end(),
                   [](const Node& a, const Node& b) { return a.front().cost < b.front().cost; });
  steps_from_.assign(nodes_.size() + 1, 0);
  for (std::size_t i = nodes_.size(); i-- > 0;) steps_from_[i] = steps_from_[i + 1] + nodes_[i].size();
  work_.spend(10 * caps.size() * scores.size() + 20 * nodes_.size());
}

// False if the units exceed a limit; then none is added.
bool CappedNodeSearch::add(const std::vector<Index>& units) {
  for (std::size_t i = 0; i < units.size(); ++i) {
    if (times_[units[i]] > 0 || usage_.fits(units[i])) {
      if (times_[units[i]]++ > 0) continue;
      usage_.add(units[i]);
      chosen_.push_back(units[i]);
      continue;
    }
    remove({units.begin(), units.begin() + static_cast<std::ptrdiff_t>(i)});
    return false;
  }
  return true;
}

void CappedNodeSearch::remove(const std::vector<Index>& units) {
  for (auto unit = units.rbegin(); unit != units.rend(); ++unit) {
    if (--times_[*unit] > 0) continue;
    usage_.remove(*unit);
    std::erase(chosen_, *unit);
  }
}

bool CappedNodeSearch::descend(std::size_t next, std::uint64_t tasks, const Cost& cost) {
  if (tasks == 0) {
    (*found_)(chosen_);
    return true;
  }
  bool all = true;
  for (std::size_t i = next; i < nodes_.size() && steps_from_[i] >= tasks; ++i) {
    if (!work_.spend(20)) return false;
    // No step of this node or a later one costs less.
    Cost least = cost;
    least.add(nodes_[i].front().cost, static_cast<Total>(tasks));
    if (const Cost* most = (*most_)(); most && least > *most) break;
    const Node& node = nodes_[i];
    Cost sum = cost;
    std::size_t taken = 0;
    while (taken < node.size() && taken < tasks && add(node[taken].units)) {
      work_.spend(10 * node[taken].units.size());
      sum.add(node[taken].cost);
      ++taken;
      all = descend(i + 1, tasks - taken, sum) && all;
    }
    while (taken > 0) remove(node[--taken].units);
  }
  return all && !work_.ended();
}

bool CappedNodeSearch::run(std::uint64_t tasks, const std::function<const Cost*()>& most,
                           const std::function<void(const std::vector<Index>&)>& found) {
  most_ = &most;
  found_ = &found;
  return descend(0, tasks, {});
}

}  // namespace cede
