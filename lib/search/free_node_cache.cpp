// SPDX-License-Identifier: MIT
#include "search/free_node_cache.h"

#include <algorithm>

namespace cede {

bool FreeNodeCache::takes_one(std::uint32_t node) const {
  const NodeTable& table = group_index_.nodes();
  const Total* free = table.nodes()[node].free;
  return std::all_of(shape_.begin(), shape_.end(), [&](const ResourceAmount& entry) {
    return entry.amount <= 0 || table.counted_by_group(entry.resource) ||
           free[entry.resource] >= entry.amount;
  });
}

const std::vector<std::uint32_t>& FreeNodeCache::nodes(ResourceView shape) {
  if (!begun_ || seen_ < group_index_.forgotten() ||
      !std::equal(shape_.begin(), shape_.end(), shape.begin(), shape.end())) {
    begun_ = false;  // until it is done: memory may run out
    nodes_.clear();
    shape_.assign(shape.begin(), shape.end());
    const auto all = static_cast<std::uint32_t>(group_index_.nodes().size());
    for (std::uint32_t node = 0; node < all; ++node) {
      if (takes_one(node)) nodes_.push_back(node);
    }
    begun_ = true;
    seen_ = group_index_.touched_end();
  }
  for (; seen_ < group_index_.touched_end(); ++seen_) {
    const std::uint32_t node = group_index_.touched(seen_);
    const auto at = std::lower_bound(nodes_.begin(), nodes_.end(), node);
    const bool listed = at != nodes_.end() && *at == node;
    if (takes_one(node) == listed) continue;
    if (listed) {
      nodes_.erase(at);
    } else {
      nodes_.insert(at, node);
    }
  }
  return nodes_;
}

}  // namespace cede
