// SPDX-License-Identifier: MIT
#include "decide/strategies.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <set>
#include <tuple>

#include "decide/cluster_state.h"

namespace bench {

namespace {

Choice answer(const std::set<std::size_t>& victims, std::vector<std::uint32_t> places, std::size_t wanted) {
  Choice out;
  out.found = places.size() == wanted;
  if (!out.found) return out;
  out.victims.assign(victims.begin(), victims.end());
  out.places = std::move(places);
  return out;
}

// Lowest priority first, newest first among equals.
std::vector<std::size_t> in_order(const ClusterState& state, std::vector<std::size_t> jobs) {
  std::sort(jobs.begin(), jobs.end(), [&](std::size_t a, std::size_t b) {
    return std::tuple(state.job(a).priority, -state.job(a).since, a) <
           std::tuple(state.job(b).priority, -state.job(b).since, b);
  });
  return jobs;
}

// One task after the other, each on the node `best_node` finds victims on where no node has room.
template <class BestNode>
Choice task_by_task(const Description& description, const Description::Job& asked, BestNode best_node) {
  ClusterState state(description, asked);
  std::set<std::size_t> victims;
  std::vector<std::uint32_t> places;
  while (places.size() < state.wanted()) {
    std::size_t node = 0;
    while (node < state.nodes() && state.free(node) < state.amount()) ++node;
    if (node == state.nodes()) {
      const std::optional<std::pair<std::size_t, std::vector<std::size_t>>> found = best_node(state, victims);
      if (!found) return {};
      node = found->first;
      for (const std::size_t victim : found->second) {
        state.take(victim);
        victims.insert(victim);
      }
    }
    state.place(node);
    places.push_back(static_cast<std::uint32_t>(node));
  }
  return answer(victims, std::move(places), state.wanted());
}

// The default preemption of kube-scheduler: on a sample of nodes take all jobs of lower priority away, give
// back from the most important on whoever still fits, and choose the node whose most important victim is the
// least important, then by the sum of priorities, the number of victims and the latest start.
Choice kubernetes(const Description& description, const Description::Job& asked) {
  const std::size_t sample = std::max<std::size_t>(description.nodes.size() / 10, 100);
  return task_by_task(description, asked, [&](const ClusterState& state, const std::set<std::size_t>& gone) {
    using Score = std::tuple<std::int64_t, std::int64_t, std::size_t, std::int64_t>;
    std::optional<std::pair<std::size_t, std::vector<std::size_t>>> best;
    Score best_score;
    std::size_t seen = 0;
    for (std::size_t node = 0; node < state.nodes() && seen < sample; ++node) {
      std::int64_t free = state.free(node);
      std::vector<std::size_t> low;
      for (const std::size_t job : state.low(node)) {
        if (gone.contains(job)) continue;
        low.push_back(job);
        free += state.held_here(job, node);
      }
      if (free < state.amount()) continue;
      ++seen;
      std::sort(low.begin(), low.end(), [&](std::size_t a, std::size_t b) {
        return std::tuple(-state.job(a).priority, state.job(a).since, a) <
               std::tuple(-state.job(b).priority, state.job(b).since, b);
      });
      std::vector<std::size_t> victims;
      for (const std::size_t job : low) {
        const std::int64_t held = state.held_here(job, node);
        if (free - held >= state.amount()) {
          free -= held;
        } else {
          victims.push_back(job);
        }
      }
      std::int64_t sum = 0;
      std::int64_t earliest = 0;
      for (const std::size_t job : victims) {
        sum += state.job(job).priority + (std::int64_t{1} << 31);
        if (state.job(job).priority == state.job(victims.front()).priority)
          earliest = earliest == 0 ? state.job(job).since : std::min(earliest, state.job(job).since);
      }
      const Score score{
          victims.empty() ? std::numeric_limits<std::int64_t>::min() : state.job(victims.front()).priority,
          sum, victims.size(), -earliest};
      if (best && !(score < best_score)) continue;
      best_score = score;
      best.emplace(node, std::move(victims));
    }
    return best;
  });
}

// YuniKorn: on every node the shortest run of victims, lowest priority and newest first, that makes room; the
// node with the fewest wins.
Choice yunikorn(const Description& description, const Description::Job& asked) {
  return task_by_task(description, asked, [](const ClusterState& state, const std::set<std::size_t>& gone) {
    std::optional<std::pair<std::size_t, std::vector<std::size_t>>> best;
    for (std::size_t node = 0; node < state.nodes(); ++node) {
      std::int64_t free = state.free(node);
      std::vector<std::size_t> victims;
      for (const std::size_t job : in_order(state, state.low(node))) {
        if (free >= state.amount()) break;
        if (gone.contains(job)) continue;
        victims.push_back(job);
        free += state.held_here(job, node);
      }
      if (free < state.amount() || (best && best->second.size() <= victims.size())) continue;
      best.emplace(node, std::move(victims));
    }
    return best;
  });
}

// Takes candidates in the order of their priority until the request fits. Whether it fits costs a look at all
// nodes, so several are taken between two looks. Returns how many; 0: it does not fit.
std::size_t take_until_it_fits(ClusterState& state, std::vector<std::size_t>& removed) {
  const std::vector<std::size_t> order = in_order(state, state.candidates());
  const std::size_t step = std::max<std::size_t>(order.size() / 256, 1);
  std::size_t next = 0;
  while (state.room() < state.wanted()) {
    if (next == order.size()) return 0;
    for (std::size_t i = 0; i < step && next < order.size(); ++i, ++next) {
      state.take(order[next]);
      removed.push_back(order[next]);
    }
  }
  return step;
}

// Slurm: preemptable jobs go one by one in the order of their priority until the request fits; of those, the
// jobs on the nodes it is given are the victims.
Choice slurm(const Description& description, const Description::Job& asked) {
  ClusterState state(description, asked);
  std::vector<std::size_t> removed;
  const std::size_t step = take_until_it_fits(state, removed);
  if (step == 0) return {};
  // The last step is retraced one by one.
  for (std::size_t i = 0; i < step && !removed.empty(); ++i) {
    state.give_back(removed.back());
    if (state.room() < state.wanted()) {
      state.take(removed.back());
      break;
    }
    removed.pop_back();
  }
  std::vector<std::uint32_t> places = state.places();
  const std::set<std::uint32_t> used(places.begin(), places.end());
  std::set<std::size_t> victims;
  for (const std::size_t job : removed) {
    for (const Description::Task& task : state.job(job).tasks) {
      if (used.contains(task.node)) victims.insert(job);
    }
  }
  return answer(victims, std::move(places), state.wanted());
}

// Kueue: candidates are added in order until the request fits, then from the last on given back where it
// still does.
Choice kueue(const Description& description, const Description::Job& asked) {
  ClusterState state(description, asked);
  std::vector<std::size_t> removed;
  if (take_until_it_fits(state, removed) == 0) return {};
  std::set<std::size_t> victims(removed.begin(), removed.end());
  for (auto job = removed.rbegin(); job != removed.rend(); ++job) {
    state.give_back(*job);
    if (state.room() >= state.wanted()) {
      victims.erase(*job);
    } else {
      state.take(*job);
    }
  }
  return answer(victims, state.places(), state.wanted());
}

}  // namespace

const std::vector<Strategy>& strategies() {
  static const std::vector<Strategy> all{
      {"kubernetes", "remove all, then reprieve", kubernetes},
      {"slurm", "ordered removal", slurm},
      {"kueue", "add, then fill back", kueue},
      {"yunikorn", "the shortest run per node", yunikorn},
  };
  return all;
}

}  // namespace bench
