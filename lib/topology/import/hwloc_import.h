// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "model/node_class.h"

namespace cede {

inline constexpr std::size_t kMaxNics = 64;

// Turns an hwloc XML export into a node class; nothing of hwloc remains. False with one sentence in `why`,
// and `out` untouched, when the text breaks a rule of xml_scan.h, hwloc refuses it, or the machine has more
// than kMaxDevices devices or kMaxNics network adapters. Throws nothing but std::bad_alloc.
//
// * Devices are numbered in the order of their PCI addresses (hwloc_devices.h says why), partitions of a
// device one
//   after another with `parent` its number among the physical ones.
// * `numa` and `sockets` have an entry per NUMA node with CPUs and per package, also where no device is near;
// a
//   device whose capture does not tell its place is in none of them, likewise in `pcie` and `host_bridges`.
// * `cores` counts what the capture says jobs may use.
//
// The result depends on the text alone: not on the machine we run on, nor on hwloc's environment variables.
bool import_hwloc_xml(std::string_view xml, NodeClass& out, std::string& why);

}  // namespace cede
