// SPDX-License-Identifier: MIT
#include "decide/rivals.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <set>
#include <tuple>

#include "decide/ground.h"

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
std::vector<std::size_t> in_order(const GroupIndex& group_index, std::vector<std::size_t> jobs) {
  std::sort(jobs.begin(), jobs.end(), [&](std::size_t a, std::size_t b) {
    return std::tuple(group_index.job(a).priority, -group_index.job(a).since, a) <
           std::tuple(group_index.job(b).priority, -group_index.job(b).since, b);
  });
  return jobs;
}

// One task after the other, each on the node `best_node` finds victims on where no node has room.
template <class BestNode>
Choice task_by_task(const Description& description, const Description::Job& asked, BestNode best_node) {
  GroupIndex group_index(description, asked);
  std::set<std::size_t> victims;
  std::vector<std::uint32_t> places;
  while (places.size() < group_index.wanted()) {
    std::size_t node = 0;
    while (node < group_index.nodes() && group_index.free(node) < group_index.amount()) ++node;
    if (node == group_index.nodes()) {
      const std::optional<std::pair<std::size_t, std::vector<std::size_t>>> found =
          best_node(group_index, victims);
      if (!found) return {};
      node = found->first;
      for (const std::size_t victim : found->second) {
        group_index.take(victim);
        victims.insert(victim);
      }
    }
    group_index.place(node);
    places.push_back(static_cast<std::uint32_t>(node));
  }
  return answer(victims, std::move(places), group_index.wanted());
}

// The default preemption of kube-scheduler: on a sample of nodes take everybody of lower priority away, give
// back from the most important on whoever still fits, and choose the node whose most important victim is the
// least important, then by the sum of priorities, the number of victims and the latest start.
Choice kubernetes(const Description& description, const Description::Job& asked) {
  const std::size_t sample = std::max<std::size_t>(description.nodes.size() / 10, 100);
  return task_by_task(
      description, asked, [&](const GroupIndex& group_index, const std::set<std::size_t>& gone) {
        using Score = std::tuple<std::int64_t, std::int64_t, std::size_t, std::int64_t>;
        std::optional<std::pair<std::size_t, std::vector<std::size_t>>> best;
        Score best_score;
        std::size_t seen = 0;
        for (std::size_t node = 0; node < group_index.nodes() && seen < sample; ++node) {
          std::int64_t free = group_index.free(node);
          std::vector<std::size_t> low;
          for (const std::size_t job : group_index.low(node)) {
            if (gone.contains(job)) continue;
            low.push_back(job);
            free += group_index.held_here(job, node);
          }
          if (free < group_index.amount()) continue;
          ++seen;
          std::sort(low.begin(), low.end(), [&](std::size_t a, std::size_t b) {
            return std::tuple(-group_index.job(a).priority, group_index.job(a).since, a) <
                   std::tuple(-group_index.job(b).priority, group_index.job(b).since, b);
          });
          std::vector<std::size_t> victims;
          for (const std::size_t job : low) {
            const std::int64_t held = group_index.held_here(job, node);
            if (free - held >= group_index.amount()) {
              free -= held;
            } else {
              victims.push_back(job);
            }
          }
          std::int64_t sum = 0;
          std::int64_t earliest = 0;
          for (const std::size_t job : victims) {
            sum += group_index.job(job).priority + (std::int64_t{1} << 31);
            if (group_index.job(job).priority == group_index.job(victims.front()).priority)
              earliest =
                  earliest == 0 ? group_index.job(job).since : std::min(earliest, group_index.job(job).since);
          }
          const Score score{victims.empty() ? std::numeric_limits<std::int64_t>::min()
                                            : group_index.job(victims.front()).priority,
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
  return task_by_task(description, asked,
                      [](const GroupIndex& group_index, const std::set<std::size_t>& gone) {
                        std::optional<std::pair<std::size_t, std::vector<std::size_t>>> best;
                        for (std::size_t node = 0; node < group_index.nodes(); ++node) {
                          std::int64_t free = group_index.free(node);
                          std::vector<std::size_t> victims;
                          for (const std::size_t job : in_order(group_index, group_index.low(node))) {
                            if (free >= group_index.amount()) break;
                            if (gone.contains(job)) continue;
                            victims.push_back(job);
                            free += group_index.held_here(job, node);
                          }
                          if (free < group_index.amount() || (best && best->second.size() <= victims.size()))
                            continue;
                          best.emplace(node, std::move(victims));
                        }
                        return best;
                      });
}

// Slurm: preemptable jobs go one by one in the order of their priority until the request fits; of those, the
// jobs on the nodes it is given are the victims.
Choice slurm(const Description& description, const Description::Job& asked) {
  GroupIndex group_index(description, asked);
  std::vector<std::size_t> removed;
  const std::vector<std::size_t> order = in_order(group_index, group_index.candidates());
  // Whether it fits is asked in steps, for asking costs a look at all nodes; the last step is retraced.
  const std::size_t step = std::max<std::size_t>(order.size() / 256, 1);
  std::size_t next = 0;
  while (group_index.room() < group_index.wanted()) {
    if (next == order.size()) return {};
    for (std::size_t i = 0; i < step && next < order.size(); ++i, ++next) {
      group_index.take(order[next]);
      removed.push_back(order[next]);
    }
  }
  for (std::size_t i = 0; i < step && !removed.empty(); ++i) {
    group_index.give_back(removed.back());
    if (group_index.room() < group_index.wanted()) {
      group_index.take(removed.back());
      break;
    }
    removed.pop_back();
  }
  std::vector<std::uint32_t> places = group_index.places();
  const std::set<std::uint32_t> used(places.begin(), places.end());
  std::set<std::size_t> victims;
  for (const std::size_t job : removed) {
    for (const Description::Task& task : group_index.job(job).tasks) {
      if (used.contains(task.node)) victims.insert(job);
    }
  }
  return answer(victims, std::move(places), group_index.wanted());
}

// Kueue: candidates are added in order until the request fits, then from the last on given back where it
// still does.
Choice kueue(const Description& description, const Description::Job& asked) {
  GroupIndex group_index(description, asked);
  std::vector<std::size_t> removed;
  const std::vector<std::size_t> order = in_order(group_index, group_index.candidates());
  const std::size_t step = std::max<std::size_t>(order.size() / 256, 1);
  std::size_t next = 0;
  while (group_index.room() < group_index.wanted()) {
    if (next == order.size()) return {};
    for (std::size_t i = 0; i < step && next < order.size(); ++i, ++next) {
      group_index.take(order[next]);
      removed.push_back(order[next]);
    }
  }
  std::set<std::size_t> victims(removed.begin(), removed.end());
  for (auto job = removed.rbegin(); job != removed.rend(); ++job) {
    group_index.give_back(*job);
    if (group_index.room() >= group_index.wanted()) {
      victims.erase(*job);
    } else {
      group_index.take(*job);
    }
  }
  return answer(victims, group_index.places(), group_index.wanted());
}

}  // namespace

const std::vector<Rival>& rivals() {
  static const std::vector<Rival> all{
      {"kubernetes", "remove all, then reprieve", kubernetes},
      {"slurm", "ordered removal", slurm},
      {"kueue", "add, then fill back", kueue},
      {"yunikorn", "the shortest run per node", yunikorn},
  };
  return all;
}

}  // namespace bench
