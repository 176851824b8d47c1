// SPDX-License-Identifier: MIT
#include "placement/placer.h"

#include "base/bits.h"

#include <algorithm>

#include "placement/missed_preferences.h"

namespace cede {

namespace {

constexpr std::size_t kMaxPreferences = 5;  // tried in every combination; the rest count as missed

}  // namespace

Placer::Placer(const RuleContext& rule_context, const NodeTable& nodes, Work& work, Unknown unknown)
    : context_(rule_context),
      need_(rule_context),
      asked_(rule_context.usage.resources(), 0),
      nodes_(nodes),
      unknown_(unknown) {
  std::copy_n(rule_context.request.asked.begin(), std::min(rule_context.request.asked.size(), asked_.size()),
              asked_.begin());
  considered_ = std::min(need_.preferences(), kMaxPreferences);
  arrangers_.resize(std::size_t{1} << considered_);
  demanding(0, work);
}

const Arranger& Placer::demanding(std::uint64_t preferences, Work& work) const {
  std::unique_ptr<const Arranger>& arranger = arrangers_[preferences];
  if (!arranger) {
    work.spend(100 + 2 * nodes_.size());
    arranger =
        std::make_unique<const Arranger>(context_, nodes_, need_.demanding(preferences), unknown_, work);
  }
  return *arranger;
}

bool Placer::has_group_room(const Space& space) const {
  for (std::uint32_t r = 0; r < asked_.size(); ++r) {
    if (asked_[r] > 0 && space.counted_by_group(r) && asked_[r] > space.group_free(r)) return false;
  }
  return true;
}

PlacementResult Placer::fits(const Space& space, NodeList within) const {
  if (!has_group_room(space)) return PlacementResult::no_room;
  return arranger().arrange(space, within, nullptr);
}

PlacementResult Placer::place(const Space& space, NodeList within, Placement& out) const {
  if (!has_group_room(space)) return PlacementResult::no_room;
  Arrangement best;
  Work& work = space.work();
  const std::uint64_t before = work.left_open();
  const PlacementResult answer = arranger().arrange(space, within, &best);
  if (answer != PlacementResult::placed) return answer;
  std::uint64_t met = 0;
  const auto missed = [&](std::uint64_t demanded) {
    return need_.preferences() - static_cast<std::size_t>(count_bits(demanded));
  };
  std::size_t against = missed(0) + best.outside;
  // Combinations with more preferences come first. A combination that misses more than the best one cannot be
  // better.
  std::vector<std::uint64_t> order;
  for (std::uint64_t demanded = 1; demanded < arrangers_.size(); ++demanded) order.push_back(demanded);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint64_t a, std::uint64_t b) { return missed(a) < missed(b); });
  for (const std::uint64_t demanded : order) {
    if (missed(demanded) > against) break;
    if (work.ended()) {
      work.leave_open();
      break;
    }
    Arrangement other;
    if (demanding(demanded, work).arrange(space, within, &other) != PlacementResult::placed) continue;
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
  // If something was left untried, the placement may meet preferences that were not demanded.
  out.certain = work.left_open() == before && considered_ == need_.preferences();
  if (!out.certain && need_.preferences() > 0) {
    const std::vector<bool> missing = missed_preferences(space, arranger().attributes(), need_, out.tasks);
    out.preferences = best.outside + std::count(missing.begin(), missing.end(), true);
    for (std::size_t i = 0; i < missing.size(); ++i) {
      if (missing[i]) out.missed.push_back(need_.preference_name(i));
    }
  }
  for (std::size_t i = 0; out.certain && i < need_.preferences(); ++i) {
    if ((met >> i & 1) == 0) out.missed.push_back(need_.preference_name(i));
  }
  if (best.outside > 0) out.missed.emplace_back("conformance");
  return PlacementResult::placed;
}

std::string Placer::hindrance(const Space& space) const {
  if (!has_group_room(space)) return {};
  for (const EffectiveRequirement::Lighter& lighter : need_.each_left_out()) {
    if (space.work().ended()) return {};
    const Arranger arranger(context_, space.table(), lighter.require, Unknown::fails, space.work());
    if (arranger.arrange(space, {}, nullptr) == PlacementResult::placed) return lighter.without;
  }
  return {};
}

}  // namespace cede
