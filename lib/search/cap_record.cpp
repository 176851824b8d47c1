// SPDX-License-Identifier: MIT
#include "search/cap_record.h"

#include <algorithm>
#include <functional>

namespace cede {

void CapRecord::begin(std::size_t nodes) {
  searched_.assign(nodes, 0);
  by_limit_.clear();
  others_.clear();
  size_ = 0;
  most_ = 4 * nodes;
}

void CapRecord::add(std::uint32_t node, const Cap& cap, const std::optional<Cap::Excess>& excess) {
  std::vector<Forbidden>& list = excess ? by_limit_[{cap.name(), excess->limit}] : others_;
  list.push_back({excess ? excess->taken : 0, node, searched_[node]});
  std::push_heap(list.begin(), list.end(), std::greater<>());
  if (++size_ > most_) drop_outdated();
}

void CapRecord::drop_outdated() {
  size_ = 0;
  const auto shrink = [&](std::vector<Forbidden>& list) {
    std::erase_if(list, [&](const Forbidden& each) { return !is_current(each); });
    std::make_heap(list.begin(), list.end(), std::greater<>());
    size_ += list.size();
  };
  for (auto& [key, list] : by_limit_) shrink(list);
  shrink(others_);
  most_ = std::max(most_, 2 * size_);
}

std::vector<std::uint32_t> CapRecord::outdated(const CapList& caps) {
  std::vector<std::uint32_t> nodes;
  const auto take = [&](const Forbidden& each) {
    if (is_current(each)) nodes.push_back(each.node);
  };
  for (auto at = by_limit_.begin(); at != by_limit_.end();) {
    auto& [key, list] = *at;
    const auto cap = std::find_if(caps.begin(), caps.end(),
                                  [name = key.first](const Cap* each) { return each->name() == name; });
    // A cap that no longer forbids anything leaves room for everything.
    const bool gone = cap == caps.end();
    const Total room = gone ? 0 : (*cap)->room(key.second);
    while (!list.empty() && (gone || list.front().taken <= room)) {
      take(list.front());
      std::pop_heap(list.begin(), list.end(), std::greater<>());
      list.pop_back();
    }
    at = list.empty() ? by_limit_.erase(at) : std::next(at);
  }
  for (const Forbidden& each : others_) take(each);
  others_.clear();
  return nodes;
}

bool RecordedCap::breaks(std::span<const Unit* const> victims, std::string* why) const {
  if (!cap_.breaks(victims, why)) return false;
  const std::optional<Excess> excess = cap_.excess(victims);
  if (!excess) {
    others_ = true;
    return true;
  }
  const auto known = std::find_if(least_.begin(), least_.end(),
                                  [&](const Excess& each) { return each.limit == excess->limit; });
  if (known == least_.end()) {
    least_.push_back(*excess);
  } else {
    known->taken = std::min(known->taken, excess->taken);
  }
  return true;
}

void RecordedCap::write(std::uint32_t node, CapRecord& record) const {
  for (const Excess& each : least_) record.add(node, cap_, each);
  if (others_) record.add(node, cap_, std::nullopt);
}

}  // namespace cede
