// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/node_class.h"

namespace cede {

// Which devices are linked, pair by pair, as importers find it out; and the link groups that say the same.
class LinkPairs {
 public:
  explicit LinkPairs(std::size_t devices) : size_(devices), lanes_(devices * devices) {}

  // `lanes`: how many links join the pair; 0: some.
  void link(std::size_t a, std::size_t b, std::uint64_t lanes);
  // Nothing where they are not linked.
  const std::optional<std::uint16_t>& lanes(std::size_t a, std::size_t b) const {
    return lanes_[a * size_ + b];
  }

  // Devices mutually joined by equally many links are one group; where the links do not close, each pair is
  // one. Sorted as the compact form sorts them.
  std::vector<NodeClass::LinkGroup> groups() const;

 private:
  void add_groups(std::uint16_t lanes, std::vector<NodeClass::LinkGroup>& out) const;

  std::size_t size_;
  std::vector<std::optional<std::uint16_t>> lanes_;
};

}  // namespace cede
