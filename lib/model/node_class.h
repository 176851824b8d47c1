// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cede {

// How near two devices are, best first. `unknown` means not described; it fails every hard requirement.
enum class LinkClass : std::uint8_t { nvl, pcie, phb, numa, socket, node, unknown };
inline constexpr std::array<std::string_view, 7> kLinkClasses{"nvl",    "pcie", "phb",    "numa",
                                                              "socket", "node", "unknown"};

inline constexpr std::uint32_t kMaxDevices = 64;
using DeviceMask = std::uint64_t;

// One kind of machine, described by its devices. Plain data; equal nodes share one. The compact form of the
// cluster document can express all of it, so an export loads back to the same class.
struct NodeClass {
  struct Device {
    std::string model;         // empty: unknown
    std::string pci;           // for display only: it does not distinguish classes
    std::int16_t parent = -1;  // the physical device of a partition (numbered separately), or -1
    bool operator==(const Device& other) const { return model == other.model && parent == other.parent; }
  };
  // Devices that are pairwise linked by `link`; overlapping groups do not merge.
  struct LinkGroup {
    LinkClass link = LinkClass::nvl;
    DeviceMask devices = 0;
    std::uint16_t lanes = 0;  // links between each pair; 0: unknown
    bool operator==(const LinkGroup&) const = default;
  };
  struct Nic {
    std::string name;
    DeviceMask near = 0;
    LinkClass level = LinkClass::pcie;  // pcie, numa or socket: the nearest level with a device
    bool operator==(const Nic&) const = default;
  };

  std::vector<Device> devices;
  // One mask per NUMA node, socket, PCIe switch complex and host bridge. An empty list was not described, and
  // whatever depends on it is unknown. A device in none of the masks has an unknown location.
  std::vector<DeviceMask> numa;
  std::vector<DeviceMask> sockets;
  std::vector<DeviceMask> pcie;
  std::vector<DeviceMask> host_bridges;
  std::vector<std::uint32_t> cores;  // per NUMA node, in the order of `numa`; empty: unknown
  std::vector<LinkGroup> links;
  bool links_known = false;  // false: a pair without a link group may still be linked
  std::vector<Nic> nics;
  bool nics_known = false;
  std::vector<std::array<std::uint8_t, 2>> degraded;  // pairs with a link that must not be relied on

  bool operator==(const NodeClass&) const = default;
};

// A network as one text describes it, independent of a cluster. The parent of a domain has a farther level,
// so there are no cycles. A node is in its domain and in all domains above it.
struct NetworkDescription {
  struct Domain {
    std::string name;
    std::uint32_t level = 0;   // index into `levels`
    std::int32_t parent = -1;  // index into `domains`, or -1
    std::uint32_t line = 0;    // line of the text
  };
  struct Node {
    std::string name;
    std::uint32_t domain = 0;  // index into `domains`
    std::uint32_t line = 0;
  };

  std::vector<std::string> levels;  // nearest first
  std::vector<Domain> domains;      // in the order of the text; generated domains come last
  std::vector<Node> nodes;          // likewise, without duplicates
};

}  // namespace cede
