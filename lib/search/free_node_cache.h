// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "search/group_index.h"

namespace cede {

// The nodes where the free amounts are enough for one task of a shape, kept from one decision to the next and
// looked at again where something changed: on a full cluster nobody needs to ask every node whether a request
// fits. Devices, requirements and what decisions in flight keep are not asked, so that a node that is listed
// may still have no room; one that is not has none.
class FreeNodeCache {
 public:
  explicit FreeNodeCache(const GroupIndex& group_index) : group_index_(group_index) {}

  // Their numbers, ascending.
  const std::vector<std::uint32_t>& nodes(ResourceView shape);

 private:
  bool takes_one(std::uint32_t node) const;

  const GroupIndex& group_index_;
  bool begun_ = false;
  std::uint64_t seen_ = 0;
  std::vector<ResourceAmount> shape_;  // an interned number may mean another one by now
  std::vector<std::uint32_t> nodes_;
};

}  // namespace cede
