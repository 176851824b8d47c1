// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cede {

// How near two devices are, best first. `unknown`: nobody said; it fails every hard requirement.
enum class LinkClass : std::uint8_t { nvl, pcie, phb, numa, socket, node, unknown };
inline constexpr std::array<std::string_view, 7> kLinkClasses{"nvl",    "pcie", "phb",    "numa",
                                                              "socket", "node", "unknown"};

inline constexpr std::uint32_t kMaxDevices = 64;
using DeviceMask = std::uint64_t;

// What one kind of machine looks like from its devices. Plain data; equal nodes share one. Everything here
// can be said in the compact form of the cluster document, so that an export loads back to the same class.
struct NodeClass {
  struct Device {
    std::string model;         // empty: unknown
    std::string pci;           // for people only: two machines that differ here alone are of one class
    std::int16_t parent = -1;  // the physical device a partition is cut from (a number of its own), or -1
    bool operator==(const Device& other) const { return model == other.model && parent == other.parent; }
  };
  // Devices that are mutually linked by `link`; overlapping groups do not merge.
  struct LinkGroup {
    LinkClass link = LinkClass::nvl;
    DeviceMask devices = 0;
    std::uint16_t lanes = 0;  // how many links join each pair; 0: not known
    bool operator==(const LinkGroup&) const = default;
  };
  struct Nic {
    std::string name;
    DeviceMask near = 0;
    LinkClass level =
        LinkClass::pcie;  // how near: pcie, numa or socket, the nearest at which there is a device
    bool operator==(const Nic&) const = default;
  };

  std::vector<Device> devices;
  // One mask per NUMA node, socket, PCIe switch complex and host bridge. A partition that nobody described is
  // empty, and what depends on it is unknown; a device in none of the masks is one whose place nobody told.
  std::vector<DeviceMask> numa;
  std::vector<DeviceMask> sockets;
  std::vector<DeviceMask> pcie;
  std::vector<DeviceMask> host_bridges;
  std::vector<std::uint32_t> cores;  // per NUMA node, in the order of `numa`; empty: not known
  std::vector<LinkGroup> links;
  bool links_known = false;  // false: a pair without a link group may be linked all the same
  std::vector<Nic> nics;
  bool nics_known = false;
  std::vector<std::array<std::uint8_t, 2>> degraded;  // pairs whose link exists but must not be counted on

  bool operator==(const NodeClass&) const = default;
};

// A network as one text describes it, before it meets a cluster: plain data. A domain's parent is of a
// farther level, so there is no circle; a node is in its domain and in all that lie around that.
struct NetworkDescription {
  struct Domain {
    std::string name;
    std::uint32_t level = 0;   // in `levels`
    std::int32_t parent = -1;  // in `domains`, or -1
    std::uint32_t line = 0;    // of the text
  };
  struct Node {
    std::string name;
    std::uint32_t domain = 0;  // in `domains`
    std::uint32_t line = 0;
  };

  std::vector<std::string> levels;  // nearest first
  std::vector<Domain> domains;      // in the order of the text, those of its own making behind
  std::vector<Node> nodes;          // likewise; each once
};

}  // namespace cede
