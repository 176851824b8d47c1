// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "decide/strategies.h"

namespace bench {

// The nodes as a strategy sees them: what is free, and which jobs may be taken where.
class ClusterState {
 public:
  ClusterState(const Description& description, const Description::Job& asked)
      : description_(description), amount_(asked.tasks.front().amount), wanted_(asked.tasks.size()) {
    for (const Description::Node& node : description.nodes) {
      free_.push_back(node.capacity);
      leaf_.push_back(leaves_.try_emplace(node.leaf, leaves_.size()).first->second);
    }
    low_.resize(free_.size());
    for (std::size_t j = 0; j < description.jobs.size(); ++j) {
      const Description::Job& job = description.jobs[j];
      if (!job.running) continue;
      const bool may_go = job.priority < asked.priority;
      if (may_go) candidates_.push_back(j);
      for (const Description::Task& task : job.tasks) {
        free_[task.node] -= task.amount;
        if (may_go) low_[task.node].push_back(j);
      }
    }
    // `max_domains` of the one kind of requirement the shapes have.
    most_leaves_ = asked.require.empty()                                          ? 0
                   : asked.require.find("\"max_domains\":2") != std::string::npos ? 2
                                                                                  : 1;
  }

  const Description::Job& job(std::size_t index) const { return description_.jobs[index]; }
  std::size_t nodes() const { return free_.size(); }
  std::size_t wanted() const { return wanted_; }
  std::int64_t amount() const { return amount_; }
  std::int64_t free(std::size_t node) const { return free_[node]; }
  const std::vector<std::size_t>& low(std::size_t node) const { return low_[node]; }
  const std::vector<std::size_t>& candidates() const { return candidates_; }

  void take(std::size_t job, std::int64_t sign = 1) {
    for (const Description::Task& task : description_.jobs[job].tasks) free_[task.node] += sign * task.amount;
  }
  void give_back(std::size_t job) { take(job, -1); }
  void place(std::size_t node) { free_[node] -= amount_; }
  std::int64_t held_here(std::size_t job, std::size_t node) const {
    std::int64_t sum = 0;
    for (const Description::Task& task : description_.jobs[job].tasks)
      sum += task.node == node ? task.amount : 0;
    return sum;
  }

  // How many tasks fit what is free, within as many leaves as are allowed where that is asked for.
  std::size_t room() const {
    std::vector<std::size_t> by_leaf(leaves_.size(), 0);
    std::size_t all = 0;
    for (std::size_t n = 0; n < free_.size(); ++n) {
      const std::size_t here = free_[n] < amount_ ? 0 : static_cast<std::size_t>(free_[n] / amount_);
      by_leaf[leaf_[n]] += here;
      all += here;
    }
    if (most_leaves_ == 0) return all;
    std::sort(by_leaf.begin(), by_leaf.end(), std::greater<>());
    std::size_t best = 0;
    for (std::size_t i = 0; i < std::min(most_leaves_, by_leaf.size()); ++i) best += by_leaf[i];
    return best;
  }

  // A node per task out of what is free, fullest leaves first where leaves count.
  std::vector<std::uint32_t> places() const {
    std::vector<std::size_t> by_leaf(leaves_.size(), 0);
    for (std::size_t n = 0; n < free_.size(); ++n)
      by_leaf[leaf_[n]] += free_[n] < amount_ ? 0 : static_cast<std::size_t>(free_[n] / amount_);
    std::vector<std::size_t> order(by_leaf.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return by_leaf[a] > by_leaf[b]; });
    std::vector<std::uint32_t> out;
    for (const std::size_t leaf : order) {
      for (std::size_t n = 0; n < free_.size() && out.size() < wanted_; ++n) {
        if (most_leaves_ > 0 && leaf_[n] != leaf) continue;
        for (std::int64_t left = free_[n]; left >= amount_ && out.size() < wanted_; left -= amount_)
          out.push_back(static_cast<std::uint32_t>(n));
      }
      if (out.size() == wanted_ || most_leaves_ == 0) break;
    }
    return out;
  }

 private:
  const Description& description_;
  std::int64_t amount_;
  std::size_t wanted_;
  std::size_t most_leaves_ = 0;  // 0: any number
  std::vector<std::int64_t> free_;
  std::map<std::string, std::size_t> leaves_;
  std::vector<std::size_t> leaf_;
  std::vector<std::vector<std::size_t>> low_;
  std::vector<std::size_t> candidates_;
};

}  // namespace bench
