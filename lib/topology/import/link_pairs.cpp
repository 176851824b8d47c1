// SPDX-License-Identifier: MIT
#include "topology/import/link_pairs.h"

#include <algorithm>
#include <bit>
#include <tuple>

namespace cede {

void LinkPairs::link(std::size_t a, std::size_t b, std::uint64_t lanes) {
  if (a == b) return;
  const auto kept = static_cast<std::uint16_t>(std::min<std::uint64_t>(lanes, 0xffff));
  lanes_[a * size_ + b] = kept;
  lanes_[b * size_ + a] = kept;
}

void LinkPairs::add_groups(std::uint16_t lanes, std::vector<NodeClass::LinkGroup>& out) const {
  std::vector<DeviceMask> peers(size_);
  for (std::size_t a = 0; a < size_; ++a) {
    for (std::size_t b = 0; b < size_; ++b) {
      if (lanes_[a * size_ + b] == lanes) peers[a] |= DeviceMask{1} << b;
    }
  }
  for (std::size_t a = 0; a < size_; ++a) {
    const DeviceMask self = DeviceMask{1} << a;
    const DeviceMask group = peers[a] | self;
    bool closed = peers[a] != 0;
    for (DeviceMask rest = peers[a]; rest != 0; rest &= rest - 1) {
      const int b = std::countr_zero(rest);
      closed = closed && (peers[static_cast<std::size_t>(b)] | DeviceMask{1} << b) == group;
    }
    for (DeviceMask rest = peers[a] & ~(self | (self - 1)); !closed && rest != 0; rest &= rest - 1) {
      out.push_back({LinkClass::nvl, self | (rest & -rest), lanes});
    }
    if (closed && std::countr_zero(group) == static_cast<int>(a))
      out.push_back({LinkClass::nvl, group, lanes});
  }
}

std::vector<NodeClass::LinkGroup> LinkPairs::groups() const {
  std::vector<std::uint16_t> counts;
  for (const std::optional<std::uint16_t>& lanes : lanes_) {
    if (lanes) counts.push_back(*lanes);
  }
  std::sort(counts.begin(), counts.end());
  counts.erase(std::unique(counts.begin(), counts.end()), counts.end());
  std::vector<NodeClass::LinkGroup> out;
  for (const std::uint16_t lanes : counts) add_groups(lanes, out);
  std::sort(out.begin(), out.end(), [](const NodeClass::LinkGroup& a, const NodeClass::LinkGroup& b) {
    return std::tie(a.link, a.devices, a.lanes) < std::tie(b.link, b.devices, b.lanes);
  });
  return out;
}

}  // namespace cede
