// SPDX-License-Identifier: MIT
#include "search/mixed_arranger.h"

#include <algorithm>
#include <set>

#include "search/mixed_node.h"

namespace cede {

namespace {

constexpr std::size_t kMaxTasks = 4096;     // the search goes as deep as there are tasks
constexpr std::size_t kMaxSteps = 200'000;  // of one search

}  // namespace

PlannedTask planned_task(const RequestTask& asked, NodeId node, const Seat& seat) {
  PlannedTask task;
  task.task = asked.row;
  task.index = asked.index;
  task.node = node;
  task.gpus = seat.gpus;
  task.devices_known = seat.known;
  if (seat.known && seat.share > 0) {
    task.share_device = seat.share_device;
    task.share = seat.share;
  }
  return task;
}

MixedArranger::MixedArranger(const Asking& asking, const Space& space, const Terrain& terrain,
                             const Requirement& require, const ChoiceNeed& need,
                             std::span<const std::uint32_t> open, const std::map<ShapeId, Seating>& seatings)
    : asking_(asking),
      model_(asking.model()),
      space_(space),
      terrain_(terrain),
      require_(require),
      need_(need),
      open_(open),
      seatings_(seatings),
      at_(asking.request.tasks.size(), 0),
      on_node_(open.size()) {}

PlaceAnswer MixedArranger::run(Arrangement* out) {
  if (asking_.request.tasks.size() > kMaxTasks) return PlaceAnswer::undecided;
  if (!search({})) return steps_ > kMaxSteps ? PlaceAnswer::undecided : PlaceAnswer::no_room;
  if (!out) return PlaceAnswer::placed;
  write(*out);
  improve(*out);
  return PlaceAnswer::placed;
}

// The least that can count against an arrangement: few outside the largest set first, then few borrowed.
bool MixedArranger::improve(Arrangement& out) {
  std::set<std::uint32_t> sets{kNowhere};
  if (need_.favour_largest_set) {
    for (const std::uint32_t node : open_) {
      if (terrain_.reports(node)) sets.insert(terrain_.fingerprint(node));
    }
    if (sets.size() > 1) sets.erase(kNowhere);
  }
  for (std::uint32_t outside = 0; outside <= out.outside; ++outside) {
    for (std::uint32_t borrowed = 0;
         outside < out.outside ? borrowed <= open_.size() : borrowed < out.borrowed; ++borrowed) {
      for (const std::uint32_t set : sets) {
        if (!search({set, outside, borrowed})) continue;
        write(out);
        return true;
      }
    }
  }
  return false;
}

bool MixedArranger::search(const Terms& terms) {
  steps_ = 0;
  used_ = 0;
  for (auto& tasks : on_node_) tasks.clear();
  return place_from(0, terms);
}

bool MixedArranger::may_add(std::uint32_t candidate, const Terms& terms) const {
  std::set<std::uint32_t> nodes{candidate};
  for (std::uint32_t i = 0; i < open_.size(); ++i) {
    if (!on_node_[i].empty()) nodes.insert(i);
  }
  if (nodes.size() > require_.nodes.max) return false;
  std::uint32_t outside = 0;
  std::uint32_t borrowed = 0;
  std::set<std::uint32_t> fingerprints;
  for (const std::uint32_t i : nodes) {
    const std::uint32_t node = open_[i];
    fingerprints.insert(terrain_.fingerprint(node));
    borrowed += terrain_.borrowed(node) ? 1 : 0;
    outside +=
        terrain_.reports(node) && terms.favoured != kNowhere && terrain_.fingerprint(node) != terms.favoured;
  }
  if (outside > terms.outside || borrowed > terms.borrowed) return false;
  if (need_.uniform == UniformOver::job) {
    if (fingerprints.size() > 1) return false;
    if (need_.pinned_fingerprint != kNowhere && !fingerprints.contains(need_.pinned_fingerprint))
      return false;
  }
  for (const DomainNeed& entry : need_.domains) {
    std::set<std::uint32_t> domains(entry.pinned.begin(), entry.pinned.end());
    for (const std::uint32_t i : nodes) {
      const std::uint32_t domain = terrain_.domains(open_[i])[entry.level];
      if (domain == kNowhere) return false;
      domains.insert(domain);
    }
    if (domains.size() > entry.max_domains) return false;
  }
  return true;
}

bool MixedArranger::segments_hold() const {
  if (!need_.segment) return true;
  const SegmentNeed& segment = *need_.segment;
  const bool uniform = need_.uniform == UniformOver::segment;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> counts;
  std::map<std::uint32_t, std::uint32_t> by_domain;
  std::set<std::uint32_t> above;
  for (std::uint32_t i = 0; i < open_.size(); ++i) {
    if (on_node_[i].empty()) continue;
    const auto domains = terrain_.domains(open_[i]);
    if (domains[segment.level] == kNowhere) return false;
    ++counts[{domains[segment.level], uniform ? terrain_.fingerprint(open_[i]) : 0}];
    ++by_domain[domains[segment.level]];
    if (segment.consolidate == kNowhere) continue;
    if (domains[segment.consolidate] == kNowhere) return false;
    above.insert(domains[segment.consolidate]);
  }
  if (above.size() > 1) return false;
  for (const auto& [place, count] : counts) {
    if (count % segment.size != 0) return false;
  }
  return !segment.spread || std::all_of(by_domain.begin(), by_domain.end(),
                                        [&](const auto& domain) { return domain.second == segment.size; });
}

bool MixedArranger::is_complete() const {
  if (used_ < require_.nodes.min) return false;
  for (const auto& tasks : on_node_) {
    if (!tasks.empty() && tasks.size() < need_.least_per_node) return false;
  }
  return segments_hold();
}

bool MixedArranger::seat_node(std::uint32_t node, std::vector<std::pair<std::size_t, Seat>>* out) const {
  std::vector<ShapeId> shapes;
  for (const std::size_t task : on_node_[node]) shapes.push_back(asking_.request.tasks[task].resources);
  std::vector<Seat> seats;
  std::size_t steps = kMaxSteps;
  if (!MixedNode(asking_, space_, open_[node], seatings_).seat(shapes, seats, steps)) return false;
  for (std::size_t i = 0; out && i < seats.size(); ++i) out->emplace_back(on_node_[node][i], seats[i]);
  return true;
}

bool MixedArranger::place_from(std::size_t task, const Terms& terms) {
  const std::vector<RequestTask>& tasks = asking_.request.tasks;
  if (task == tasks.size()) return is_complete();
  const RequestTask& asked = tasks[task];
  const bool like_before = task > 0 && asked.resources == tasks[task - 1].resources &&
                           asked.required_node == tasks[task - 1].required_node;
  for (std::size_t i = like_before ? at_[task - 1] : 0; i < open_.size(); ++i) {
    const NodeId node = space_.node(open_[i]).id;
    if (asked.required_node != kNoName && model_.nodes[node].name != asked.required_node) continue;
    if (on_node_[i].size() >= require_.tasks_per_node.max) continue;
    if (++steps_ > kMaxSteps) return false;
    if (on_node_[i].empty() && !may_add(static_cast<std::uint32_t>(i), terms)) continue;
    on_node_[i].push_back(task);
    used_ += on_node_[i].size() == 1 ? 1 : 0;
    at_[task] = i;
    if (seat_node(static_cast<std::uint32_t>(i), nullptr) && place_from(task + 1, terms)) return true;
    on_node_[i].pop_back();
    used_ -= on_node_[i].empty() ? 1 : 0;
  }
  return false;
}

void MixedArranger::write(Arrangement& out) const {
  out = {};
  out.tasks.resize(at_.size());
  std::map<std::uint32_t, std::uint32_t> sets;
  std::uint32_t reporting = 0;
  std::uint32_t largest = 0;
  for (std::uint32_t i = 0; i < open_.size(); ++i) {
    if (on_node_[i].empty()) continue;
    std::vector<std::pair<std::size_t, Seat>> seats;
    seat_node(i, &seats);
    for (const auto& [task, seat] : seats)
      out.tasks[task] = planned_task(asking_.request.tasks[task], space_.node(open_[i]).id, seat);
    out.borrowed += terrain_.borrowed(open_[i]) ? 1 : 0;
    if (!terrain_.reports(open_[i])) continue;
    ++reporting;
    largest = std::max(largest, ++sets[terrain_.fingerprint(open_[i])]);
  }
  if (need_.favour_largest_set) out.outside = reporting - largest;
}

}  // namespace cede
