// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/node_class.h"

namespace cede {

// What is known about devices from their PCI numbers alone. Captures of the same machine disagree about
// names, types and even links, depending on the back ends of hwloc. The numbers never change.
struct PciId {
  std::uint16_t vendor = 0;
  std::uint16_t device = 0;
  bool operator==(const PciId&) const = default;
};

inline constexpr std::uint16_t kAmd = 0x1002;
inline constexpr std::uint16_t kNvidia = 0x10de;
inline constexpr std::uint16_t kIntel = 0x8086;

// `H100`, `MI250X`; empty if the device is not listed.
std::string_view known_model(PciId id);

// Whether a PCI device without a computing back end is a GPU. Display controllers of service processors and
// graphics built into a CPU are not.
bool is_gpu_by_number(PciId id, std::uint16_t pci_class);

// Virtual functions of network adapters.
bool is_virtual_function(PciId id);

// A link between two devices numbered in PCI order.
struct KnownLink {
  std::uint8_t a;
  std::uint8_t b;
  std::uint16_t lanes;  // 0: not known
};

// The links of a machine with exactly these devices; empty if the machine is not listed.
std::span<const KnownLink> known_links(std::span<const PciId> devices);

// The driver of these devices reports a full mesh whatever the wiring is.
bool claims_full_mesh(PciId id);

// A model name prepared for comparison: ASCII letters in lower case.
std::string fold_model(std::string_view model);

// Whether an entry of `gpu_model` matches this device: the names are equal, or the device's name contains the
// listed one as whole words, because tools report the same device as `H100` and as `NVIDIA H100 80GB HBM3`. A
// word ends at any character that is neither letter nor digit, so `GH100` does not contain `H100`, nor
// `MI250X` `MI250`. Case does not matter. An empty name matches nothing.
bool names_model(std::string_view listed, std::string_view model);

// The models of a class, folded, sorted, each once. Devices without a model are left out. `uniform_model`
// `job` tries each of them (see TaskTerms::model).
std::vector<std::string> distinct_models(const NodeClass& node_class);

}  // namespace cede
