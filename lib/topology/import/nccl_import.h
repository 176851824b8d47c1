// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "model/node_class.h"

namespace cede {

// Turns an NCCL topology (what NCCL writes to NCCL_TOPO_DUMP_FILE, RCCL too) into a node class. False with
// one sentence in `why`, and `out` untouched, when the text is malformed or the machine beyond the limits of
// hwloc_import.h.
//
// * Devices are the <gpu> elements by `dev`, which must run from 0; in a file made for NCCL to read, which
// has
//   none, they are the PCI devices of a GPU's class by address. Several <gpu> on one PCI device are its
//   partitions.
// * `numa` has an entry for every id up to the largest. What hangs below one <pci> of a CPU is one `pcie`
// mask,
//   for NCCL leaves the CPU's own ports out. Sockets, host bridges and cores such a file does not tell.
// * Two devices are linked when both name the other, or when both reach an NVSwitch (tclass 0x068000): all
//   switches of a machine are one fabric. Links are known when the file shows
//   any, and none of them leads to where there is no other device.
// * NICs are the <net> elements, without any of them the PCI devices of a network class, by PCI address.
bool import_nccl_xml(std::string_view xml, NodeClass& out, std::string& why);

}  // namespace cede
