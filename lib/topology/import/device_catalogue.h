// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/node_class.h"

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

// A model's name in the spelling in which two names are compared: ASCII letters in lower case.
std::string fold_model(std::string_view model);

// Whether an entry of `gpu_model` means this device: the names are equal, or the listed one stands in the
// device's as whole words, since tools report the same device as `H100` and as `NVIDIA H100 80GB HBM3`. Words
// end where a character is neither letter nor digit, so `H100` is not in `GH100`, nor `MI250` in `MI250X`.
// Letter case does not count. An empty name means nothing.
bool names_model(std::string_view listed, std::string_view model);

// The models of a class, folded, sorted, each once; devices without one are left out. For `uniform_model`
// `job` each of them is tried in turn (see TaskTerms::model).
std::vector<std::string> distinct_models(const NodeClass& node_class);

}  // namespace cede
