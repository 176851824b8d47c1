// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace cede {

// What is known about devices by their PCI numbers alone. Captures of one machine disagree about names, types
// and even links, depending on which back ends hwloc was built with; the numbers never change.
struct PciId {
  std::uint16_t vendor = 0;
  std::uint16_t device = 0;
  bool operator==(const PciId&) const = default;
};

inline constexpr std::uint16_t kAmd = 0x1002;
inline constexpr std::uint16_t kNvidia = 0x10de;
inline constexpr std::uint16_t kIntel = 0x8086;

// `H100`, `MI250X`; empty when the device is not listed.
std::string_view known_model(PciId id);

// Whether a PCI device without any computing back end is a GPU all the same. The display controllers of
// service processors are not, nor are graphics built into a CPU.
bool is_gpu_by_number(PciId id, std::uint16_t pci_class);

// Virtual functions of network adapters.
bool is_virtual_function(PciId id);

// A link between two devices numbered in PCI order.
struct KnownLink {
  std::uint8_t a;
  std::uint8_t b;
  std::uint16_t lanes;  // 0: not known
};

// The links of a machine with exactly these devices; empty when it is not listed.
std::span<const KnownLink> known_links(std::span<const PciId> devices);

// The driver of these devices reports a full mesh whatever the wiring is.
bool claims_full_mesh(PciId id);

}  // namespace cede
