// SPDX-License-Identifier: MIT
#include "search/placement.h"

#include "base/bits.h"

#include <algorithm>

namespace cede {

namespace {

constexpr std::size_t kMaxPreferences = 5;  // every combination is tried; what is beyond counts as missed

}  // namespace

Placer::Placer(const Asking& asking, const NodeTable& nodes, Unknown unknown)
    : asking_(asking), need_(asking), asked_(asking.usage.resources(), 0) {
  const std::vector<RequestTask>& tasks = asking.request.tasks;
  for (std::size_t i = 0, end = 0; i < tasks.size(); i = end) {
    while (end < tasks.size() && tasks[end].resources == tasks[i].resources) ++end;
    for (const ResourceAmount& entry : asking.model().shape(tasks[i].resources))
      asked_[entry.resource] += static_cast<Total>(entry.amount) * static_cast<Total>(end - i);
  }
  considered_ = std::min(need_.preferences(), kMaxPreferences);
  for (std::uint64_t demanded = 0; demanded < std::uint64_t{1} << considered_; ++demanded)
    arrangers_.push_back(std::make_unique<const Arranger>(asking, nodes, need_.demanding(demanded), unknown));
}

bool Placer::has_group_room(const Space& space) const {
  for (std::uint32_t r = 0; r < asked_.size(); ++r) {
    if (asked_[r] > 0 && space.counted_by_group(r) && asked_[r] > space.group_free(r)) return false;
  }
  return true;
}

PlaceAnswer Placer::fits(const Space& space, NodeList within) const {
  if (!has_group_room(space)) return PlaceAnswer::no_room;
  return demanding(0).arrange(space, within, nullptr);
}

PlaceAnswer Placer::place(const Space& space, NodeList within, Placement& out) const {
  if (!has_group_room(space)) return PlaceAnswer::no_room;
  Arrangement best;
  const PlaceAnswer answer = demanding(0).arrange(space, within, &best);
  if (answer != PlaceAnswer::placed) return answer;
  std::uint64_t met = 0;
  const auto missed = [&](std::uint64_t demanded) {
    return need_.preferences() - static_cast<std::size_t>(count_bits(demanded));
  };
  std::size_t against = missed(0) + best.outside;
  // Those that meet more preferences first; none of the rest can be better once as many are missed.
  std::vector<std::uint64_t> order;
  for (std::uint64_t demanded = 1; demanded < arrangers_.size(); ++demanded) order.push_back(demanded);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint64_t a, std::uint64_t b) { return missed(a) < missed(b); });
  for (const std::uint64_t demanded : order) {
    if (missed(demanded) > against) break;
    Arrangement other;
    if (demanding(demanded).arrange(space, within, &other) != PlaceAnswer::placed) continue;
    const std::size_t worse = missed(demanded) + other.outside;
    if (worse > against || (worse == against && other.borrowed >= best.borrowed && met != 0)) continue;
    if (worse == against && other.borrowed > best.borrowed) continue;
    against = worse;
    met = demanded;
    best = std::move(other);
  }
  out = {};
  out.tasks = std::move(best.tasks);
  out.borrowed = best.borrowed;
  out.preferences = static_cast<std::int64_t>(against);
  for (std::size_t i = 0; i < need_.preferences(); ++i) {
    if (i >= considered_ || (met >> i & 1) == 0) out.missed.push_back(need_.preference_name(i));
  }
  if (best.outside > 0) out.missed.emplace_back("conformance");
  return PlaceAnswer::placed;
}

std::string Placer::hindrance(const Space& space) const {
  if (!has_group_room(space)) return {};
  for (const Need::Lighter& lighter : need_.each_left_out()) {
    const Arranger arranger(asking_, space.table(), lighter.require, Unknown::fails);
    if (arranger.arrange(space, {}, nullptr) == PlaceAnswer::placed) return lighter.without;
  }
  return {};
}

}  // namespace cede
