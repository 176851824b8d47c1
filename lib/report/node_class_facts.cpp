// SPDX-License-Identifier: MIT
#include "report/node_class_facts.h"

#include "base/bits.h"

#include <algorithm>
#include <bit>
#include <numeric>

namespace cede {

NodeClassFacts count_facts(const NodeClass& node_class) {
  NodeClassFacts facts;
  facts.devices = static_cast<std::uint32_t>(node_class.devices.size());
  DeviceMask parents = 0;
  for (const NodeClass::Device& device : node_class.devices) {
    if (device.parent < 0) {
      ++facts.physical_devices;
    } else {
      parents |= DeviceMask{1} << device.parent;
    }
  }
  facts.physical_devices += static_cast<std::uint32_t>(count_bits(parents));
  facts.numa_nodes = static_cast<std::uint32_t>(node_class.numa.size());
  facts.sockets = static_cast<std::uint32_t>(node_class.sockets.size());
  facts.cores = std::accumulate(node_class.cores.begin(), node_class.cores.end(), std::uint32_t{0});
  facts.islands = static_cast<std::uint32_t>(link_islands(node_class).size());
  facts.nics = static_cast<std::uint32_t>(node_class.nics.size());
  return facts;
}

std::vector<DeviceMask> link_islands(const NodeClass& node_class) {
  std::vector<DeviceMask> islands;
  for (const NodeClass::LinkGroup& group : node_class.links) {
    if (group.link != LinkClass::nvl) continue;
    DeviceMask joined = group.devices;
    std::erase_if(islands, [&](DeviceMask island) {
      if ((island & joined) == 0) return false;
      joined |= island;
      return true;
    });
    islands.push_back(joined);
  }
  std::sort(islands.begin(), islands.end(),
            [](DeviceMask a, DeviceMask b) { return std::countr_zero(a) < std::countr_zero(b); });
  return islands;
}

std::string index_list(DeviceMask mask) {
  std::string out;
  while (mask != 0) {
    const int first = std::countr_zero(mask);
    const int size = std::countr_one(mask >> first);
    if (!out.empty()) out += ',';
    out += std::to_string(first);
    if (size > 1) out += (size == 2 ? ',' : '-') + std::to_string(first + size - 1);
    mask = first + size >= 64 ? 0 : mask >> (first + size) << (first + size);
  }
  return out;
}

}  // namespace cede
